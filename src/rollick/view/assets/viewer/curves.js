// Curves under the scene, over the same time: one strip for each chosen number, the motions of a page over one another. A click goes to that time.
const STRIPS = 4;

class Curves {
  constructor(root, player) {
    this.root = root;
    this.player = player;
    this.canvas = root.querySelector("canvas");
    this.cursor = root.querySelector(".cursor");
    this.choice = root.querySelector(".choice");
    const seek = (event) => {
      const box = this.canvas.getBoundingClientRect();
      player.seek(player.from + (player.to - player.from) * Math.min(1, Math.max(0, (event.clientX - box.left - this.left) / this.inner)));
    };
    this.canvas.addEventListener("pointerdown", (event) => { this.canvas.setPointerCapture(event.pointerId); seek(event); });
    this.canvas.addEventListener("pointermove", (event) => { if (event.buttons) seek(event); });
  }

  // The numbers of all motions by name, and which of them are shown at first.
  load(sides) {
    this.sides = sides;
    const names = new Map();
    for (const { motion } of sides) for (const { name, label, unit, shown } of motion.numbers) if (!names.has(name)) names.set(name, { label: label || name, unit, shown: shown !== false });
    const kept = this.names && [...names.keys()].join() === [...this.names.keys()].join();
    this.names = names;
    if (!kept) {
      const wanted = [...names].filter(([, { shown }]) => shown).map(([name]) => name);
      this.chosen = new Set([...wanted.slice(0, 2), ...wanted.filter((name) => name === "energy")].slice(0, 3));
    }
    this.choice.replaceChildren(...[...names].map(([name, { label: said, unit }]) => {
      const label = document.createElement("label"), box = document.createElement("input");
      box.type = "checkbox";
      box.checked = this.chosen.has(name);
      box.addEventListener("change", () => {
        if (box.checked) this.chosen.add(name);
        else this.chosen.delete(name);
        this.draw();
      });
      label.append(box, " " + said + (unit ? " [" + unit + "]" : ""));
      return label;
    }));
    this.root.dataset.empty = names.size === 0;
  }

  draw() {
    if (this.root.hidden) return;
    const shown = [...this.names.keys()].filter((name) => this.chosen.has(name)).slice(0, STRIPS), { clientWidth: width, clientHeight: height } = this.canvas;
    const ratio = Math.min(devicePixelRatio, 2), pen = this.canvas.getContext("2d");
    Object.assign(this.canvas, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
    pen.scale(ratio, ratio);
    pen.font = "11px system-ui, sans-serif";
    this.left = Math.min(110, 12 + Math.max(30, ...shown.map((name) => pen.measureText(this.names.get(name).label).width)));
    this.inner = Math.max(1, width - this.left - 62);
    const high = (height - 4) / Math.max(1, shown.length);
    shown.forEach((name, row) => this.strip(pen, name, 2 + row * high, high - 3, width));
    this.place();
  }

  strip(pen, name, top, high, width) {
    let low = Infinity, most = -Infinity;
    const lines = this.sides.flatMap(({ motion }, side) => {
      const k = motion.numbers.findIndex((number) => number.name === name);
      return k < 0 ? [] : [{ motion, k, side }];
    });
    for (const { motion, k } of lines) for (let i = 0; i < motion.frames; i++) {
      const x = motion.values[motion.numbers.length * i + k];
      if (Number.isFinite(x)) { low = Math.min(low, x); most = Math.max(most, x); }
    }
    if (!(most >= low)) return;
    const room = Math.max(0.06 * (most - low), 1e-6 * Math.max(Math.abs(low), Math.abs(most)), 1e-300), base = low - room, scale = high / (most - low + 2 * room);
    const { from, to } = this.player, x = (t) => this.left + (this.inner * (t - from)) / (to - from);
    pen.fillStyle = colour("strip");
    pen.fillRect(this.left, top, this.inner, high);
    pen.fillStyle = colour("ink");
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    pen.fillText(this.names.get(name).label, this.left - 6, top + high / 2);
    pen.textAlign = "left";
    pen.fillStyle = colour("faint");
    pen.fillText(digits(most), this.left + this.inner + 5, top + Math.min(7, high / 4));
    pen.fillText(digits(low), this.left + this.inner + 5, top + high - Math.min(6, high / 4));
    for (const { motion, k, side } of lines) {
      pen.setLineDash(side === 0 ? [] : [5, 3]);
      pen.lineWidth = 1.4;
      const step = Math.max(1, Math.floor(motion.frames / (2 * this.inner)));
      let mode = -1;
      for (let i = 0; i < motion.frames; i += step) {
        const now = motion.mode(i) ?? 3, v = motion.values[motion.numbers.length * i + k], u = x(motion.t0 + i * motion.dt), y = top + high - (v - base) * scale;
        if (now !== mode) { // coloured by what the contact does
          if (mode !== -1) { pen.lineTo(u, y); pen.stroke(); }
          pen.beginPath();
          pen.moveTo(u, y);
          pen.strokeStyle = now === 3 ? colour(side === 0 ? "curve" : "curve2") : colour(["grid", "slips", "rolls"][now]);
          mode = now;
        } else pen.lineTo(u, y);
      }
      pen.stroke();
    }
    pen.setLineDash([]);
  }

  place() {
    if (this.root.hidden) return;
    const { from, to, now } = this.player;
    this.cursor.style.transform = `translateX(${this.left + (this.inner * (now - from)) / (to - from)}px)`;
  }
}
