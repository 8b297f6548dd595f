// Curves over time: one panel for each quantity, above one another, with one pointer and one zoom; uPlot draws them. What is drawn: `curves.py`.
import uPlot from "rollick-uplot";

const HEAD = 18, FOOT = 36, LEAST = 44, LEFT = 58, FONT = "12px Inter, system-ui, sans-serif";
let latest = null, shown = null; // a page has one such element; it may be on a tab that is not seen

// New curves come this way, not as a property of the element: nothing else of the page has to be looked at again.
window.drawCurves = (picture) => {
  latest = picture;
  if (shown) shown.draw(picture);
};

function numbers(text, Kind = Float64Array) {
  const raw = atob(text), bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  return Array.from(new Kind(bytes.buffer), (v) => (Number.isFinite(v) ? v : null));
}

// Runs over one row of instants. Two values at one instant, as of an impact, are kept apart by less than anybody sees.
function joined(runs) {
  if (runs.every(({ packed }) => packed === runs[0].packed)) return [runs[0].t, ...runs.map(({ y }) => y)];
  return uPlot.join(runs.map(({ t, y }) => {
    const least = 1e-9 * Math.max(1e-300, t[t.length - 1] - t[0]), apart = t.slice();
    for (let i = 1; i < apart.length; i++) if (apart[i] <= apart[i - 1]) apart[i] = apart[i - 1] + least;
    return [apart, y];
  }));
}

const short = (v, digits = 6) => (v == null ? "" : String(Number(v.toPrecision(digits))).replace("-", "\u2212"));

export default {
  template: '<div class="curves"></div>',
  props: { picture: Object },
  emits: ["seek"],
  mounted() {
    this.plots = [];
    this.observer = new ResizeObserver(() => this.fit());
    this.observer.observe(this.$el);
    shown = this;
    if (latest || this.picture) this.draw(latest || this.picture);
  },
  unmounted() {
    this.observer.disconnect();
    if (shown === this) shown = null;
    for (const { plot } of this.plots) plot.destroy();
  },
  methods: {
    draw(picture) {
      if (!this.$el.clientWidth) return void (this.waiting = picture); // until it is seen
      this.waiting = null;
      const runs = picture.runs.map((run) => ({ ...run, time: numbers(run.t, Float32Array) }));
      const tables = picture.panels.map((_, k) => joined(runs.filter((run) => run.values[k] !== null).map((run) => ({ packed: run.t, t: run.time, y: numbers(run.values[k]) }))));
      const form = JSON.stringify([picture.panels.map(({ label, unit }) => [label, unit]), picture.runs.map(({ colour, front, values }) => [colour, front, values.map((v) => v === null)]), picture.look, picture.time]);
      const part = this.now && this.now.panels.map(({ name }) => name).join() === picture.panels.map(({ name }) => name).join() ? this.part() : null;
      this.now = picture;
      this.$el.curves = picture.panels.map(({ name }, k) => ({ name, t: tables[k][0], runs: tables[k].slice(1) }));
      if (form !== this.form) this.build(picture, tables);
      else this.plots.forEach(({ plot }, k) => plot.setData(tables[k]));
      this.form = form;
      if (part && this.plots.length) this.plots[0].plot.setScale("x", part);
    },
    part() { // of the time that somebody looks at; null for all of it. Who looks at a part goes on looking at it.
      if (!this.plots.length) return null;
      const { scales: { x: { min, max } }, data: [t] } = this.plots[0].plot;
      return min > t[0] || max < t[t.length - 1] ? { min, max } : null;
    },
    build(picture, tables) {
      for (const { plot } of this.plots) plot.destroy();
      this.$el.replaceChildren();
      this.plots = picture.panels.map((panel, k) => {
        const head = document.createElement("div"), name = document.createElement("b"), told = document.createElement("span");
        head.className = "curve-head";
        name.textContent = panel.label;
        head.append(name, panel.unit ? ` [${panel.unit}]` : "", told);
        this.$el.append(head);
        return { plot: new uPlot(this.options(picture, k, told), tables[k], this.$el), told };
      });
      this.fit();
    },
    options(picture, k, told) {
      const { look, panels } = picture, last = k === panels.length - 1, there = picture.runs.filter((run) => run.values[k] !== null);
      const axis = { stroke: look.ink, font: FONT, ticks: { show: false }, grid: { stroke: look.grid, width: 1 } };
      return {
        width: 100, height: 100, legend: { show: false }, padding: [8, 12, last ? 0 : 5, 0],
        cursor: { y: false, sync: { key: "curves" }, points: { size: 6 }, drag: { x: true, y: false, dist: 5 } },
        scales: {
          x: { time: false, range: (_, low, high) => (low === null ? [0, 1] : low === high ? [low - 0.5, high + 0.5] : [low, high]) },
          y: { range: (_, low, high) => {
            const quiet = this.now.panels[k] && this.now.panels[k].quiet;
            const room = 0.5 * Math.max(0, 1e-6 * Math.max(Math.abs(low), Math.abs(high)) - (high - low)); // what is kept looks kept, as on pages
            return quiet ? [-quiet, quiet] : low === null ? [0, 1] : uPlot.rangeNum(low - room, high + room, 0.06, true);
          } },
        },
        axes: [
          { ...axis, size: last ? FOOT - 16 : 0, label: last ? picture.time[0] : null, labelFont: FONT, labelSize: last ? 16 : 0, space: 55, values: (_, all) => all.map((v) => (last ? short(v) : "")) },
          { ...axis, size: LEFT, space: 26, values: (_, all) => all.map((v) => short(v)) },
        ],
        series: [{}, ...there.map((run) => ({ label: run.label, stroke: run.colour, width: run.front ? 1.6 : 1.2, pxAlign: 0, alpha: run.front ? 1 : 0.75, points: { show: false } }))],
        hooks: {
          drawClear: [(plot) => this.marks(plot)],
          draw: [() => { if (last) this.$el.dispatchEvent(new Event("drawn")); }],
          setCursor: [(plot) => this.tell(plot, told, there)],
          setScale: [(plot, key) => { if (key === "x") this.together(plot); }],
          ready: [(plot) => this.listen(plot)],
        },
      };
    },
    marks(plot) { // events
      const { ctx, bbox } = plot;
      ctx.save();
      ctx.strokeStyle = this.now.look.event;
      ctx.globalAlpha = 0.35;
      ctx.lineWidth = devicePixelRatio * 0.7;
      ctx.beginPath();
      for (const t of this.now.events) {
        const x = plot.valToPos(t, "x", true);
        if (x < bbox.left || x > bbox.left + bbox.width) continue;
        ctx.moveTo(x, bbox.top);
        ctx.lineTo(x, bbox.top + bbox.height);
      }
      ctx.stroke();
      ctx.restore();
    },
    tell(plot, told, there) { // what is under the pointer
      const { idx } = plot.cursor;
      const parts = idx == null ? [] : there.map((run, j) => [run, plot.data[j + 1][idx]]).filter(([, v]) => v != null).map(([run, v]) => {
        const part = document.createElement("span");
        part.style.color = run.colour;
        part.textContent = short(v, 5);
        return part;
      });
      told.replaceChildren(...(parts.length ? [`${short(plot.data[0][idx], 4)} ${this.now.time[1]}: `, ...parts] : []));
    },
    together(from) { // one zoom for all
      const { min, max } = from.scales.x;
      for (const { plot } of this.plots) if (plot.scales.x.min !== min || plot.scales.x.max !== max) plot.setScale("x", { min, max });
    },
    listen(plot) { // a click is a time; a pull is a zoom
      let down = null;
      plot.over.addEventListener("mousedown", (event) => { down = event.clientX; });
      plot.over.addEventListener("mouseup", (event) => {
        if (down !== null && Math.abs(event.clientX - down) < 5) this.$emit("seek", plot.posToVal(event.clientX - plot.over.getBoundingClientRect().left, "x"));
        down = null;
      });
    },
    fit() {
      const { clientWidth: width, clientHeight: height } = this.$el;
      if (!width || !height) return;
      if (this.waiting) return this.draw(this.waiting);
      const many = this.plots.length, each = Math.max(LEAST, Math.floor((height - FOOT - HEAD * many) / Math.max(1, many)));
      this.plots.forEach(({ plot }, k) => plot.setSize({ width, height: each + (k === many - 1 ? FOOT : 0) }));
    },
  },
};
