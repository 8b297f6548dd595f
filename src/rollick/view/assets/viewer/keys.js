// Keyboard and pointers. With the picture in focus the arrows turn it; elsewhere they step through time.
Player.prototype.listen = function () {
  const step = (count) => this.seek(this.now + count * this.sides[0].motion.dt);
  const toggle = (word) => {
    if (element(word).closest("label").hidden) return;
    element(word).checked = !element(word).checked;
    this.switched();
  };
  const factor = (more) => {
    if (!element("enlarge").hidden) this.setFactor(Math.min(Number(element("factor").max), Math.max(1, Number(element("factor").value) + more)));
  };
  const turn = (side, round, tilt, away) => {
    const arm = side.camera.position.clone().sub(side.controls.target), flat = Math.hypot(arm.x, arm.y);
    const azimuth = Math.atan2(arm.y, arm.x) + round, height = Math.min(1.5, Math.max(-1.5, Math.atan2(arm.z, flat) + tilt)), far = arm.length() * away;
    side.camera.position.set(Math.cos(azimuth) * Math.cos(height), Math.sin(azimuth) * Math.cos(height), Math.sin(height)).multiplyScalar(far).add(side.controls.target);
  };
  const keys = {
    " ": () => this.setPlaying(!this.playing), ArrowLeft: (e) => step(e.shiftKey ? -20 : -1), ArrowRight: (e) => step(e.shiftKey ? 20 : 1),
    Home: () => this.seek(this.from), End: () => this.seek(this.to), r: () => this.home(), "+": () => factor(1), "-": () => factor(-1),
    w: () => toggle("whole"), f: () => toggle("follow"), g: () => toggle("glass"), t: () => toggle("tracks"), c: () => toggle("contact"),
    n: () => toggle("force"), k: () => toggle("cone"), o: () => toggle("omega"), m: () => toggle("centre"), p: () => toggle("curves"),
  };
  const views = {
    ArrowLeft: [-0.12, 0, 1], ArrowRight: [0.12, 0, 1], ArrowUp: [0, 0.1, 1], ArrowDown: [0, -0.1, 1], "+": [0, 0, 0.9], "-": [0, 0, 1.1],
  };
  addEventListener("keydown", (event) => {
    const { target, key } = event;
    if (event.ctrlKey || event.altKey || event.metaKey || target.tagName === "SELECT") return;
    const own = target.tagName === "BUTTON" || target.tagName === "SUMMARY" || target.type === "checkbox"; // they have keys of their own
    if (own && (key === " " || key === "Enter")) return;
    if (target.id === "factor" && key.startsWith("Arrow")) return;
    const side = this.sides.find(({ canvas }) => canvas === target);
    if (side && views[key]) turn(side, ...views[key]);
    else if (keys[key]) keys[key](event);
    else return;
    event.preventDefault();
  });
  element("play").addEventListener("click", () => this.setPlaying(!this.playing));
  element("home").addEventListener("click", () => this.home());
  element("time").addEventListener("input", (event) => this.seek(Number(event.target.value)));
  element("factor").addEventListener("input", (event) => this.setFactor(Number(event.target.value)));
  for (const word of SWITCHES) element(word).addEventListener("change", () => { this.switched(); this.remember(); });
  addEventListener("hashchange", () => { this.fromAddress(); this.setPlaying(this.playing); this.switched(); });
  addEventListener("resize", () => this.resize());
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.paint());
};
