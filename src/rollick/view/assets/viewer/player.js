// The clock of the page and its controls: all motions of a page go in step.
const element = (id) => document.getElementById(id);
const SWITCHES = ["tracks", "whole", "contact", "force", "cone", "omega", "centre", "glass", "follow", "curves"];
const RESTS = 250; // ms without a change, after which the picture is drawn with all its pixels
const AT_FIRST = ["tracks", "contact", "curves"];

class Player {
  constructor(page) {
    this.sides = [];
    this.fine = /(^#|&)fine(&|$)/.test(location.hash);
    this.playing = !matchMedia("(prefers-reduced-motion: reduce)").matches && !this.fine;
    this.last = null;
    this.curves = new Curves(element("curves-panel"), this);
    for (const word of AT_FIRST) element(word).checked = true;
    this.load(page);
    this.fromAddress();
    this.listen();
    this.setPlaying(this.playing);
    this.switched();
    requestAnimationFrame((instant) => this.draw(instant));
  }

  // Show the data of a page, {sides: [...]} for several motions, instead of what there is.
  load(page) {
    const pages = Array.isArray(page.sides) ? page.sides : [page];
    if (!pages.length) throw new Error("there is no motion on this page");
    for (const one of pages) new Motion(one); // an error leaves all as it was
    while (this.sides.length > pages.length) {
      const side = this.sides.pop();
      side.controls.dispose();
      side.renderer.dispose();
      side.root.remove();
    }
    const fresh = [];
    pages.forEach((one, k) => {
      if (this.sides[k]) return this.sides[k].load(one);
      const root = element("side-template").content.firstElementChild.cloneNode(true);
      element("sides").append(root);
      this.sides.push(new Side(root, one, this.fine));
      fresh.push(this.sides[k]);
    });
    element("sides").classList.toggle("several", pages.length > 1);
    const motions = this.sides.map(({ motion }) => motion), first = motions[0], before = this.name, rest = this.to === undefined ? null : (this.now - this.from) / (this.to - this.from);
    this.from = Math.min(...motions.map((m) => m.t0));
    this.to = Math.max(...motions.map((m) => m.end));
    this.now = rest === null || rest >= 1 ? this.from : this.from + rest * (this.to - this.from);
    document.title = (page.name || first.name) + ": a motion";
    element("time").min = this.from;
    element("time").max = this.to;
    element("speed").replaceChildren(...first.speeds.map((speed) => new Option(speed + "\u00d7", speed, speed === first.speed, speed === first.speed)));
    element("ticks").replaceChildren(...motions.flatMap((m) => m.events).map(({ t, name }) => {
      const tick = document.createElement("i");
      tick.style.left = (100 * (t - this.from)) / (this.to - this.from) + "%";
      tick.title = name;
      return tick;
    }));
    const small = motions.some((m) => m.small != null);
    element("enlarge").hidden = !small;
    if (small) {
      element("factor").max = Math.max(...motions.map((m) => (m.small == null ? 1 : m.small.most)));
      this.setFactor(Math.max(...this.sides.map(({ body }) => body.factor)));
    }
    const known = ["contact", "force", "cone", "omega", "centre"].map((word) => [word, this.sides.some((side) => side.overlays.known[word])]);
    const tracks = this.sides.some((side) => side.tracks.there);
    for (const [word, there] of [...known, ["tracks", tracks], ["whole", tracks], ["curves", motions.some((m) => m.numbers.length)]]) element(word).closest("label").hidden = !there;
    this.name = first.name;
    if (before !== first.name) element("follow").checked = motions.some((m) => m.follow);
    this.curves.load(this.sides);
    this.resize();
    for (const side of fresh) side.home(); // now that each is as wide as it will be: all from the same distance
    if (rest !== null) this.switched();
  }

  get shown() {
    return Object.fromEntries(SWITCHES.map((word) => [word, element(word).checked]));
  }

  place() {
    const { shown } = this;
    for (const side of this.sides) side.place(this.now, shown);
  }

  draw(instant) {
    const passed = this.last === null ? 0 : (instant - this.last) / 1000, speed = Number(element("speed").value);
    this.last = instant;
    if (this.playing) {
      this.now += Math.min(0.1, passed) * speed;
      if (this.now >= this.to) {
        this.now = this.to;
        this.setPlaying(false);
      }
    }
    const turned = this.sides.map(({ controls }) => controls.update()).some(Boolean);
    const moves = this.playing || this.stale || turned;
    if (moves) this.changed = instant;
    const sharpened = this.sides.map((side) => side.sharpen(!moves && instant - this.changed > RESTS)).some(Boolean);
    if (moves || sharpened) this.render(instant, this.playing ? Math.min(0.1, passed) : 0, Math.max(1, speed)); // at rest, the picture stays
    if (this.playing) for (const side of this.sides) side.pace(passed);
    requestAnimationFrame((next) => this.draw(next));
  }

  render(clock, passed, hurry) {
    this.stale = false;
    this.place();
    for (const side of this.sides) {
      if (element("follow").checked) side.follow(passed, hurry);
      side.draw();
      side.tell(clock, !this.playing);
    }
    if (!this.playing || clock - (this.moved || 0) > 40) {
      this.moved = clock;
      element("time").value = this.now;
      element("time").setAttribute("aria-valuetext", digits(this.now) + " " + this.sides[0].motion.time);
      this.curves.place();
    }
  }

  // Go to a time and stay there.
  seek(time) {
    this.now = Math.min(this.to, Math.max(this.from, time));
    this.setPlaying(false);
  }

  setPlaying(value) {
    if (value && this.now >= this.to) this.now = this.from;
    this.playing = value;
    this.stale = true;
    element("play").textContent = value ? "pause" : "play";
    element("play").setAttribute("aria-pressed", String(value));
    if (!value) this.remember();
  }

  setFactor(value) {
    this.stale = true;
    element("factor").value = value;
    element("factor-shown").textContent = value;
    for (const { motion, body, tracks } of this.sides) if (motion.small != null) {
      body.factor = value;
      tracks.again();
    }
  }

  switched() {
    const { shown } = this;
    element("curves-panel").hidden = !shown.curves || this.curves.root.dataset.empty === "true";
    for (const side of this.sides) side.explain(shown);
    this.resize();
  }

  home() {
    this.stale = true;
    for (const side of this.sides) {
      side.place(this.now, this.shown);
      side.home();
    }
  }

  paint() {
    for (const side of this.sides) side.paint();
    this.resize();
  }

  // Dark or light as the page around this one is, whatever the machine prefers.
  setDark(dark) {
    this.night ??= [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]).filter((rule) => rule.media && rule.media.mediaText.includes("prefers-color-scheme"));
    for (const rule of this.night) rule.media.mediaText = dark ? "all" : "not all";
    document.documentElement.style.colorScheme = dark ? "dark" : "light";
    this.paint();
  }

  resize() {
    this.stale = true;
    for (const side of this.sides) side.resize();
    this.curves.draw();
  }

  remember() {
    if (this.fine) return;
    try {
      const { shown } = this;
      const words = SWITCHES.filter((word) => shown[word] && !AT_FIRST.includes(word)).concat(AT_FIRST.filter((word) => !shown[word]).map((word) => "no-" + word));
      if (!element("enlarge").hidden) words.push("x=" + element("factor").value);
      history.replaceState(null, "", "#" + ["t=" + Number(this.now.toFixed(4)), ...words].join("&"));
    } catch { /* an address that must not change: nothing is lost */ }
  }

  fromAddress() { // e.g. #t=2.5&whole&glass&no-curves
    for (const word of location.hash.slice(1).split("&")) {
      if (SWITCHES.includes(word)) element(word).checked = true;
      if (word.startsWith("no-") && SWITCHES.includes(word.slice(3))) element(word.slice(3)).checked = false;
    }
    for (const word of ["bare", "picture"]) document.body.classList.toggle(word, location.hash.slice(1).split("&").includes(word));
    const times = /(?:^#|&)x=(\d+)/.exec(location.hash);
    if (times && !element("enlarge").hidden) this.setFactor(Math.min(Number(element("factor").max), Math.max(1, Number(times[1]))));
    const found = /(?:^#|&)t=(-?[\d.]+(?:e[-+]?\d+)?)/i.exec(location.hash);
    if (!found || Number.isNaN(Number(found[1]))) return;
    this.now = Math.min(this.to, Math.max(this.from, Number(found[1])));
    this.playing = false;
  }
}
