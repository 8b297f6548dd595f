// A number of the page: its name, a field, a slider. What is moved or typed is shown at once; the server hears of it when it is let go.
export default {
  template: `<div class="number">
    <span class="name" :class="{changed: changed}" :title="about">{{ label }}</span>
    <input class="field" type="text" inputmode="text" autocomplete="off" spellcheck="false" :aria-label="said" v-model="typed" @keydown.enter="enter" @blur="enter" @focus="$event.target.select()">
    <span class="unit">{{ unit }}</span>
    <input class="slide" type="range" min="0" step="1" :max="places" :value="at" :aria-label="name" :aria-valuetext="typed + ' ' + unit" @input="move($event.target.value)" @change="letGo">
  </div>`,
  props: { name: String, label: String, about: String, said: String, unit: String, low: Number, step: Number, places: Number, factor: Number, place: Number, text: String, changed: Boolean, version: Number },
  emits: ["slid", "typed"],
  data() {
    return { at: this.place, typed: this.text, sent: [] };
  },
  watch: { // the server's answer; one that is older than what was done here since is passed over
    version() {
      const known = this.sent.indexOf(this.place);
      this.sent = known < 0 ? [] : this.sent.slice(known + 1);
      if (this.sent.length) return;
      this.at = this.place;
      this.typed = this.text;
    },
  },
  methods: {
    move(place) {
      this.at = Number(place);
      this.typed = String(Number(((this.low + this.at * this.step) * this.factor).toPrecision(5)));
    },
    letGo(event) {
      this.move(event.target.value);
      this.sent = [...this.sent, this.at].slice(-20);
      this.$emit("slid", this.at);
    },
    enter() {
      if (this.typed.trim() !== this.text) this.$emit("typed", this.typed);
    },
  },
};
