// One motion on the page: its canvas, its legend, its camera. A page shows one, or several side by side.
const SOFTWARE = /swiftshader|llvmpipe|software|basic render/i;
const SHARPNESS = [1, 0.75, 0.55, 0.4]; // how many pixels are drawn for one of the canvas, where drawing is slow
const SLOWLY = 2; // where that begins if a processor draws: more pixels as soon as that is seen to be quick enough
const STILL = 1.5; // and for a picture that stays: it is drawn once, and its edges are smooth
const SLOW = 0.04, QUICK = 0.02; // s per frame, above which fewer pixels are drawn, and below which more

function emptied(scene) {
  scene.traverse((thing) => {
    if (thing.geometry) thing.geometry.dispose();
    if (thing.material) thing.material.dispose();
  });
}

class Side {
  constructor(root, page, fine) {
    this.root = root;
    this.canvas = root.querySelector("canvas");
    const { slow, context } = this.drawing(fine);
    this.renderer = new THREE.WebGLRenderer({ canvas: this.canvas, context, antialias: !slow, stencil: true, preserveDrawingBuffer: fine });
    this.camera = new THREE.PerspectiveCamera(35, 1, 0.01, 100);
    this.camera.up.set(0, 0, 1);
    this.controls = new THREE.OrbitControls(this.camera, this.canvas);
    this.controls.screenSpacePanning = true;
    this.slow = slow;
    this.level = slow ? SLOWLY : 0;
    this.sharp = false;
    this.lowered = 0;
    this.fine = fine;
    this.paces = [];
    this.eased = new THREE.Vector3();
    this.target = new THREE.Vector3();
    this.w = new THREE.Vector3();
    this.load(page);
  }

  // Whether a processor draws, without smoothed edges, and the context for that; a graphics card gets another one, with them.
  drawing(fine) {
    const context = fine ? null : this.canvas.getContext("webgl2", { antialias: false, stencil: true }), told = context && context.getExtension("WEBGL_debug_renderer_info");
    if (told && SOFTWARE.test(context.getParameter(told.UNMASKED_RENDERER_WEBGL))) return { slow: true, context };
    if (context) {
      context.getExtension("WEBGL_lose_context")?.loseContext();
      const another = this.canvas.cloneNode();
      this.canvas.replaceWith(another);
      this.canvas = another;
    }
    return { slow: false };
  }

  // Show a motion, instead of what was shown before. The camera stays where it is if the same thing comes in the same size.
  load(page) {
    const motion = new Motion(page), before = this.motion; // an error leaves all as it was
    if (this.scene && !this.old) this.old = this.scene; // kept until the new one is drawn, so that what was compiled for it serves again
    else if (this.scene) emptied(this.scene); // never drawn
    this.motion = motion;
    const size = motion.size;
    this.scene = new THREE.Scene();
    this.floor = new THREE.Group(); // the plane's frame, tilted with the plane; z points up outside of it
    this.floor.quaternion.setFromUnitVectors(new THREE.Vector3(...motion.up), new THREE.Vector3(0, 0, 1));
    const sky = new THREE.HemisphereLight(0xffffff, motion.sun === null ? 0xa4a8b0 : 0x20242c, motion.sun === null ? 2.0 : 0.9);
    sky.position.set(0, 0, 1);
    this.light = new THREE.DirectionalLight(0xffffff, motion.sun === null ? 2.0 : 3.0);
    this.scene.add(this.floor, sky, this.light, this.light.target);
    this.ground = motion.ground === null ? null : new Ground(motion, this.floor);
    this.body = new Body(motion, this.floor, this.ground);
    this.scenery = new Scenery(motion, this.floor);
    this.tracks = new Tracks(motion, this.floor, this.body);
    this.overlays = new Overlays(motion, this.floor, this.body);
    Object.assign(this.camera, { near: size / 50, far: 400 * size });
    Object.assign(this.controls, { minDistance: size / 4, maxDistance: 150 * size });
    this.legend();
    this.paint();
    this.resize();
    const same = before && before.name === motion.name && Math.abs(before.size / size - 1) < 0.25;
    this.place(motion.t0, {});
    if (same) this.eased.copy(this.target);
    else this.home();
  }

  legend() {
    const m = this.motion, get = (name) => this.root.querySelector("." + name);
    get("name").textContent = m.name;
    get("note").textContent = m.note || "";
    get("numbers").textContent = "";
    this.cells = [{ name: "t", unit: m.time, k: -1 }, ...m.numbers.map((number, k) => ({ ...number, k })).filter(({ shown }) => shown !== false)].map(({ name, label, unit, k }) => {
      const row = get("numbers").insertRow();
      row.insertCell().textContent = label || name;
      const cell = row.insertCell();
      row.insertCell().textContent = unit;
      return { cell, k };
    });
    this.doing = get("doing");
    this.doing.hidden = m.modes === null;
    this.keys = get("keys");
    this.scale = { bar: get("bar"), text: get("long") };
    this.written = 0;
  }

  // What the colours mean, of what is seen only.
  explain(shown) {
    const { known } = this.overlays, m = this.motion, coloured = m.modes !== null, tracks = shown.tracks && this.tracks.there, [what, unit] = m.force_told || ["contact force", "N"];
    const told = [
      tracks && !coloured && ["plane-track", "track on the plane"], tracks && this.tracks.skin && ["body-track", "track on the body"],
      tracks && coloured && ["slips", "track: slips"], tracks && coloured && ["rolls", "track: rolls"],
      shown.force && known.force && ["force", what + " (" + digits(m.weight) + (m.time === "s" ? " " + unit : "") + ": " + this.lengthOf(this.overlays.reach) + ")"],
      shown.cone && known.cone && ["cone", "friction cone, \u03bc = " + digits(m.friction)], shown.omega && known.omega && ["omega", "angular velocity (longest: " + digits(this.overlays.fastest) + (m.time === "s" ? " rad/s" : "") + ")"],
      m.sun !== null && ["sun", "to the Sun"],
    ].filter(Boolean);
    this.keys.replaceChildren(...told.map(([name, text]) => {
      const item = document.createElement("li"), swatch = document.createElement("span");
      swatch.className = "swatch";
      swatch.style.background = `var(--${name})`;
      item.append(swatch, text);
      return item;
    }));
    this.keys.hidden = told.length === 0;
  }

  place(time, shown) {
    const m = this.motion, at = m.at(time);
    this.body.place(at);
    this.scenery.lay(this.body.group.position.x, this.body.factor);
    if (this.scenery.spring !== null) this.scenery.stretch(this.body.centre(this.target));
    this.body.glass(shown.glass);
    this.tracks.place(at, shown.tracks, shown.whole);
    this.overlays.place(at, shown);
    this.body.centre(this.target).applyQuaternion(this.floor.quaternion);
    this.instant = at;
  }

  // The numbers of the instant, not more often than one can read.
  tell(clock, force) {
    if (!force && clock - this.written < 100) return;
    this.written = clock;
    const m = this.motion, time = m.t0 + this.instant.x * m.dt;
    for (const { cell, k } of this.cells) cell.textContent = k < 0 ? time.toFixed(m.duration < 0.05 ? 5 : m.duration < 5 ? 3 : 2) : digits(m.mix(m.values, m.numbers.length, k, this.instant));
    if (m.modes !== null) {
      const words = Array.from({ length: m.contacts }, (_, k) => m.mode(this.instant.near, k));
      this.doing.replaceChildren(...words.map((mode) => {
        const part = document.createElement("span");
        part.className = ["open", "slips", "rolls"][mode];
        part.textContent = ["in the air", "slips", "rolls"][mode];
        return part;
      }));
    }
  }

  home() {
    const m = this.motion, { v, w } = { v: new THREE.Vector3(), w: this.w };
    const across = this.body.geometry.boundingBox.getSize(v).toArray().sort((a, b) => b - a)[1] / 2; // a long body may come closer
    const rise = m.ground === null ? 0 : Math.min(m.rise, 2.5 * m.size);
    let near = (2.8 * m.size + 2.8 * across + 1.3 * rise) * (m.sun === null ? 1 : 1.35);
    this.eased.copy(this.target);
    if (this.scenery.encloses) { // all of what it is in
      const { low, high } = this.scenery;
      this.eased.copy(low).add(high).multiplyScalar(0.5).applyQuaternion(this.floor.quaternion);
      near = 1.1 * w.copy(high).sub(low).length();
    } else if (rise > 0.3 * m.size && m.rise <= 2.5 * m.size) { // a body that bounces is shown with the plane
      this.eased.z = Math.min(this.eased.z, 0.5 * (rise + m.size));
    }
    this.controls.target.copy(this.eased);
    this.camera.position.set(-0.55, -1, m.sun === null ? 0.62 : 0.35).normalize().multiplyScalar(near * Math.max(1, 1.3 / this.camera.aspect)).add(this.eased);
    this.controls.update();
  }

  // The body at several instants, all of them in the picture.
  strobe(times) {
    const { low, high } = this.body.strobe(times);
    this.eased.copy(low).add(high).multiplyScalar(0.5).applyQuaternion(this.floor.quaternion);
    const way = this.camera.position.clone().sub(this.controls.target).normalize(), far = 0.62 * high.sub(low).length() / Math.tan((this.camera.fov * Math.PI) / 360);
    this.controls.target.copy(this.eased);
    this.controls.maxDistance = Math.max(this.controls.maxDistance, 2 * far);
    this.camera.far = Math.max(this.camera.far, 4 * far);
    this.camera.updateProjectionMatrix();
    this.camera.position.copy(way.multiplyScalar(far * Math.max(0.6, 1 / this.camera.aspect)).add(this.eased));
  }

  // The camera goes along with the body, also upward.
  follow(passed, hurry) {
    this.w.copy(this.eased);
    this.eased.lerp(this.target, passed > 0 ? 1 - Math.exp(-passed * 12 * hurry) : 1);
    this.w.sub(this.eased);
    this.camera.position.sub(this.w);
    this.controls.target.sub(this.w);
  }

  draw() {
    this.controls.update();
    const m = this.motion;
    this.light.target.position.copy(this.target);
    if (m.sun === null) this.light.position.set(...SUN);
    else this.light.position.set(...m.sun).applyQuaternion(this.floor.quaternion);
    this.light.position.normalize().multiplyScalar(10 * m.size).add(this.target);
    if (this.ground !== null) this.ground.follow(this.camera, this.controls.target, m.size);
    this.measure();
    this.renderer.render(this.scene, this.camera);
    if (this.old) emptied(this.old);
    this.old = null;
  }

  lengthOf(x) {
    if (this.motion.length !== "m") return Number(x.toPrecision(3)) + (this.motion.length ? " " + this.motion.length : "");
    const [unit, many] = x < 0.01 ? ["mm", 1000] : x < 1 ? ["cm", 100] : x < 1000 ? ["m", 1] : ["km", 0.001];
    return Number((x * many).toPrecision(3)) + " " + unit;
  }

  // The bar is as long as its text says at the distance of what the camera looks at.
  measure() {
    const wide = 2 * this.camera.position.distanceTo(this.controls.target) * Math.tan((this.camera.fov * Math.PI) / 360) * this.camera.aspect;
    const long = round125(0.16 * wide), pixels = Math.round((long / wide) * this.wide);
    if (this.scale.shown === pixels) return;
    this.scale.shown = pixels;
    this.scale.bar.style.width = pixels + "px";
    this.scale.text.textContent = this.lengthOf(long);
  }

  // Where drawing is slow, fewer pixels are drawn.
  pace(passed) {
    if (this.fine || passed <= 0) return;
    this.paces.push(passed);
    if (this.paces.length < 12) return;
    const typical = this.paces.sort((a, b) => a - b)[6];
    this.paces = [];
    const level = typical > SLOW ? this.level + 1 : typical < QUICK && this.lowered < 3 ? this.level - 1 : this.level;
    if (level < 0 || level >= SHARPNESS.length || level === this.level) return;
    if (level > this.level) this.lowered += 1;
    this.level = level;
    this.resize();
  }

  // All pixels for a picture that stays; whether there are more or fewer of them than before.
  sharpen(on) {
    if (this.sharp === on || (!this.slow && this.level === 0)) return false;
    this.sharp = on;
    this.resize();
    return true;
  }

  resize() {
    const { width, height } = this.canvas.getBoundingClientRect(), high = Math.max(1, height);
    const dense = this.sharp ? Math.min(STILL * devicePixelRatio, 2) : Math.min(devicePixelRatio, 2) * SHARPNESS[this.level];
    this.wide = Math.max(1, width);
    const size = [this.wide, high, dense].join();
    if (size !== this.sized) { // another size throws the picture away and waits for all that is being drawn, even if it is the same
      this.sized = size;
      this.renderer.setDrawingBufferSize(this.wide, high, dense); // the lines learn the size of the picture from the renderer
    }
    this.camera.aspect = this.wide / high;
    this.camera.updateProjectionMatrix();
  }

  paint() {
    this.scene.background = new THREE.Color(colour(this.motion.sun === null ? "sky" : "space"));
    this.root.classList.toggle("space", this.motion.sun !== null);
    for (const part of [this.ground, this.body, this.scenery, this.tracks, this.overlays]) if (part !== null) part.paint();
  }
}
