// Shows a motion: the body, the plane, the track of the contact point on both. Needs THREE (three_parts.min.js) and the data in #motion.
//
// The data: name, note, t0, dt, frames, up, size (the body's radius), span (of what it is in, or its size: for the grid), rise (how high it flies), speeds, events, numbers [{name, unit}], and as base64 of
// little-endian arrays: vertices, normals (float32, 3 each), triangles (uint32, 3 each), attitude (float32, 4 per frame, scalar first),
// contact, footprint (float32, 3 per frame), values (float32, one per number and frame), touch (uint16, one per frame, or null: in the air 0,
// else the piece of the track to which the frame belongs), modes (uint8, one per contact and frame: 0 open, 1 slips, 2 rolls, or null), second (float32, 3 per frame:
// the second contact point, or null), outline (lines of what the body touches besides the plane, float32, 3 per point), spin (float32, one per frame: the angle about
// e2 by which the body is turned before its attitude turns it, or null; footprint is then without it), ground (the height of the plane), bays (what repeats along x: pieces
// of vertices, normals, triangles, made_of; length, and aside: lateral displacements where bays meet, the first at first * length, or null; or null itself), small
// (displacements that can be enlarged: shift and turn, float32, 3 per frame each; factor at first, most; or null).
"use strict";
(() => {
  const element = (id) => document.getElementById(id);
  const motion = JSON.parse(element("motion").textContent);

  function decoded(text, Kind) {
    const raw = atob(text);
    const bytes = new Uint8Array(raw.length);
    for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
    return new Kind(bytes.buffer);
  }
  const array = (name) => decoded(motion[name], Float32Array);
  const vertices = array("vertices"), attitude = array("attitude"), contact = array("contact"), footprint = array("footprint");
  const values = array("values"), touch = motion.touch === null ? null : decoded(motion.touch, Uint16Array);
  const modes = motion.modes == null ? null : decoded(motion.modes, Uint8Array), second = motion.second == null ? null : array("second");
  const spin = motion.spin == null ? null : array("spin"), small = motion.small || null, bays = motion.bays || null;
  const shift = small === null ? null : decoded(small.shift, Float32Array), turn = small === null ? null : decoded(small.turn, Float32Array);
  let factor = small === null ? 1 : small.factor;
  const frames = motion.frames, size = motion.size, duration = motion.dt * (frames - 1), count = motion.numbers.length;

  // -- the legend --------------------------------------------------------------------------------------------------------------

  element("name").textContent = motion.name;
  element("note").textContent = motion.note;
  const cells = [{ name: "t", unit: "s" }, ...motion.numbers].map(({ name, unit }) => {
    const row = element("numbers").insertRow();
    row.insertCell().textContent = name;
    const cell = row.insertCell();
    row.insertCell().textContent = unit;
    return cell;
  });
  function digits(x) {
    if (!Number.isFinite(x)) return "\u2013";
    const a = Math.abs(x);
    return a !== 0 && (a < 1e-3 || a >= 1e5) ? x.toExponential(2) : x.toFixed(a !== 0 && a < 0.1 ? 5 : a < 10 ? 3 : a < 1000 ? 2 : 0);
  }

  // -- the scene: z points up, the plane's frame is `floor`, tilted with the plane -----------------------------------------------

  let renderer;
  try {
    renderer = new THREE.WebGLRenderer({ canvas: element("scene"), antialias: true });
  } catch (error) {
    element("trouble").textContent =
      "The motion cannot be drawn, because this browser does not offer WebGL (" + error.message + "). Open this file in a current " +
      "Firefox, Chrome, Edge or Safari, and allow hardware or software 3-D graphics in its settings. The file is complete and needs no network.";
    element("trouble").hidden = false;
    element("controls").hidden = true;
    return;
  }
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = THREE.PCFShadowMap;
  const scene = new THREE.Scene();
  const camera = new THREE.PerspectiveCamera(35, 1, size / 50, size * 400);
  camera.up.set(0, 0, 1);
  const controls = new THREE.OrbitControls(camera, renderer.domElement);
  controls.screenSpacePanning = true;
  controls.minDistance = size / 4;
  controls.maxDistance = size * 150;
  const up = new THREE.Vector3(...motion.up);
  const floor = new THREE.Group();
  floor.quaternion.setFromUnitVectors(up, new THREE.Vector3(0, 0, 1));
  scene.add(floor);
  const sky = new THREE.HemisphereLight(0xffffff, 0xb4b8c0, 1.6);
  sky.position.set(0, 0, 1);
  const sun = new THREE.DirectionalLight(0xffffff, 2.4);
  sun.castShadow = true;
  sun.shadow.mapSize.set(2048, 2048);
  sun.shadow.radius = 3;
  sun.shadow.normalBias = size / 400;
  Object.assign(sun.shadow.camera, { left: -2.2 * size, right: 2.2 * size, top: 2.2 * size, bottom: -2.2 * size, near: size / 10, far: 20 * size });
  scene.add(sky, sun, sun.target);

  // The body, with its octants in two shades, so that one sees it turn.
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(vertices, 3));
  geometry.setAttribute("normal", new THREE.BufferAttribute(array("normals"), 3));
  geometry.setIndex(new THREE.BufferAttribute(decoded(motion.triangles, Uint32Array), 1));
  geometry.computeBoundingBox();
  const middle = geometry.boundingBox.getCenter(new THREE.Vector3());
  const shades = { second: { value: new THREE.Color() }, middle: { value: middle } };
  const stone = new THREE.MeshStandardMaterial({ roughness: 0.55, metalness: 0.05, transparent: true });
  stone.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, shades);
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\nvarying vec3 inBody;")
      .replace("#include <begin_vertex>", "#include <begin_vertex>\ninBody = position;");
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", "#include <common>\nvarying vec3 inBody;\nuniform vec3 second, middle;")
      .replace(
        "#include <color_fragment>",
        "vec3 d = inBody - middle;\nvec3 s = clamp(d / max(fwidth(d), 1e-9), -1.0, 1.0);\n" +
        "diffuseColor.rgb = mix(second, diffuseColor.rgb, 0.5 + 0.5 * s.x * s.y * s.z);");
  };
  const body = new THREE.Group(), mesh = new THREE.Mesh(geometry, stone); // the body is turned by its attitude, its mesh by its spin
  mesh.castShadow = mesh.receiveShadow = true;
  body.add(mesh);
  floor.add(body);

  // What repeats along x, around the body; bay k is sheared between the lateral displacements at its ends.
  const COPIES = 61, lined = bays === null || bays.aside === null ? null : decoded(bays.aside, Float32Array);
  const pieces = bays === null ? [] : bays.pieces.map((piece) => {
    const shape = new THREE.BufferGeometry();
    shape.setAttribute("position", new THREE.BufferAttribute(decoded(piece.vertices, Float32Array), 3));
    shape.setAttribute("normal", new THREE.BufferAttribute(decoded(piece.normals, Float32Array), 3));
    shape.setIndex(new THREE.BufferAttribute(decoded(piece.triangles, Uint32Array), 1));
    const stuff = new THREE.MeshStandardMaterial({ roughness: piece.made_of === "metal" ? 0.4 : 0.9, metalness: piece.made_of === "metal" ? 0.25 : 0 });
    const copies = Array.from({ length: COPIES }, () => {
      const copy = new THREE.Mesh(shape, stuff);
      copy.matrixAutoUpdate = false;
      copy.frustumCulled = false;
      copy.castShadow = copy.receiveShadow = true;
      floor.add(copy);
      return copy;
    });
    return { stuff, made_of: piece.made_of, copies };
  });
  function aside(k) { // of the rails where bay k begins
    return lined === null ? 0 : lined[Math.min(lined.length - 1, Math.max(0, k - bays.first))];
  }
  function lay(x) {
    const middle = Math.floor(x / bays.length);
    for (const { copies } of pieces) copies.forEach((copy, i) => {
      const k = middle + i - (COPIES - 1) / 2, from = factor * aside(k), slope = (factor * aside(k + 1) - from) / bays.length;
      copy.matrix.set(1, 0, 0, k * bays.length, slope, 1, 0, from, 0, 0, 1, 0, 0, 0, 0, 1);
      copy.matrixWorldNeedsUpdate = true;
    });
  }

  // The plane: a shadow, and a grid that fades with the distance; its lines are 1, 2 or 5 times a power of ten metres apart.
  const power = 10 ** Math.floor(Math.log10(motion.span)), lead = motion.span / power;
  const step = power * (lead < 1.5 ? 0.5 : lead < 3.5 ? 1 : lead < 7.5 ? 2 : 5);
  const wide = new THREE.PlaneGeometry(600 * size, 600 * size);
  const shadow = new THREE.Mesh(wide, new THREE.ShadowMaterial({ depthWrite: false }));
  shadow.receiveShadow = true;
  shadow.renderOrder = -1;
  const paper = { ground: { value: new THREE.Color() }, line: { value: new THREE.Color() }, step: { value: step }, eye: { value: new THREE.Vector3() }, reach: { value: 1 } };
  const grid = new THREE.Mesh(wide, new THREE.ShaderMaterial({
    uniforms: paper, transparent: true, depthWrite: false, side: THREE.DoubleSide,
    vertexShader: "varying vec2 p; void main() { p = position.xy; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }",
    fragmentShader: `uniform vec3 ground, line, eye; uniform float step, reach; varying vec2 p;
      float lines(float d) { vec2 q = p / d, w = fwidth(q); vec2 a = abs(fract(q - 0.5) - 0.5) / w;
        return (1.0 - min(min(a.x, a.y), 1.0)) * (1.0 - smoothstep(0.15, 0.5, max(w.x, w.y))); }
      void main() { float far = 1.0 - smoothstep(0.2, 1.0, distance(p, eye.xy) / reach);
        float g = max(0.45 * lines(step), 0.85 * lines(5.0 * step));
        gl_FragColor = vec4(mix(ground, line, g), far * (gl_FrontFacing ? 1.0 : 0.35)); 
        #include <colorspace_fragment>
      }`,
  }));
  grid.renderOrder = -2;
  grid.position.z = shadow.position.z = motion.ground || 0;
  floor.add(grid, shadow);

  // The tracks, as broad lines whose segments appear one by one; that on the body a little outside of it. There are segments only between
  // frames of one piece of contact: none in the air. before[i] counts those that end at frame i or earlier.
  const together = (i) => touch === null || (touch[i] > 0 && touch[i] === touch[i + 1]);
  const before = new Uint32Array(frames);
  for (let i = 1; i < frames; i++) before[i] = before[i - 1] + (together(i - 1) ? 1 : 0);
  function segments(points) {
    const ends = new Float32Array(6 * Math.max(1, before[frames - 1]));
    for (let i = 1; i < frames; i++) if (before[i] > before[i - 1]) ends.set(points.subarray(3 * i - 3, 3 * i + 3), 6 * before[i - 1]);
    const shape = new THREE.LineGeometry();
    Object.getPrototypeOf(THREE.LineGeometry.prototype).setPositions.call(shape, ends); // as separate segments
    return shape;
  }
  function track(points, width, parent) {
    const line = new THREE.Line2(segments(points), new THREE.LineMaterial({ linewidth: width, transparent: true }));
    line.frustumCulled = false;
    line.renderOrder = 1; // after the plane and the body: what is transparent is drawn in this order
    parent.add(line);
    return line;
  }
  const q = new THREE.Quaternion(), r = new THREE.Quaternion(), v = new THREE.Vector3(), w = new THREE.Vector3();
  const more = new THREE.Quaternion(), origin = new THREE.Vector3(), moved = new THREE.Vector3();
  // What enlarging adds between frames i and i + 1: `more` turns the body, `moved` shifts it.
  function enlarge(i, f) {
    const g = factor - 1, at = (data, k) => (1 - f) * data[3 * i + k] + f * data[3 * i + 3 + k];
    moved.set(g * at(shift, 0), g * at(shift, 1), g * at(shift, 2));
    w.set(g * at(turn, 0), g * at(turn, 1), g * at(turn, 2));
    const angle = w.length();
    if (angle > 0) more.setFromAxisAngle(w.divideScalar(angle), angle);
    else more.set(0, 0, 0, 1);
  }
  // A track as the enlarged body leaves it: its points move with the body.
  function enlarged(points) {
    if (small === null || factor === 1) return points;
    const made = new Float32Array(points.length);
    for (let i = 0; i < frames; i++) {
      const j = Math.min(i, frames - 2);
      enlarge(j, i - j);
      q.set(attitude[4 * i + 1], attitude[4 * i + 2], attitude[4 * i + 3], attitude[4 * i]);
      origin.fromArray(contact, 3 * i).sub(v.fromArray(footprint, 3 * i).applyQuaternion(q));
      v.fromArray(points, 3 * i).sub(origin).applyQuaternion(more).add(origin).add(moved).toArray(made, 3 * i);
    }
    return made;
  }
  const outside = new Float32Array(3 * frames);
  for (let i = 0; i < frames; i++) {
    q.set(attitude[4 * i + 1], attitude[4 * i + 2], attitude[4 * i + 3], attitude[4 * i]).conjugate();
    v.set(0, 0, -size * 0.006).applyQuaternion(q);
    for (let k = 0; k < 3; k++) outside[3 * i + k] = footprint[3 * i + k] + v.getComponent(k);
  }
  const planeTrack = track(enlarged(contact), 2, floor), bodyTrack = spin === null ? track(outside, 2, body) : null;
  const secondTrack = second === null ? null : track(enlarged(second), 2, floor);
  const tracks = [planeTrack, bodyTrack, secondTrack].filter((line) => line !== null);
  element("body-key").hidden = bodyTrack === null;
  function setFactor(value) {
    factor = value;
    element("factor").value = factor;
    element("factor-shown").textContent = factor;
    for (const [line, points] of [[planeTrack, contact], [secondTrack, second]]) {
      if (line === null) continue;
      line.geometry.dispose();
      line.geometry = segments(enlarged(points));
    }
  }
  // The contact points: small, or coloured by what they do (red: slips, green: rolls), and then seen through the body.
  const plain = modes === null && second === null;
  function spot() {
    const large = motion.outline.length ? 0.16 : bays === null ? 0.07 : 0.03; // seen from afar in a vessel; what runs on a track is large beside it
    const made = new THREE.Mesh(new THREE.SphereGeometry(size * (plain ? 0.016 : large), 16, 12), new THREE.MeshBasicMaterial({ transparent: true, depthTest: plain }));
    made.renderOrder = 2;
    floor.add(made);
    return made;
  }
  const dot = spot(), other = second === null ? null : spot();
  const paint = (point, mode) => {
    point.visible = mode > 0;
    point.material.color.set(mode === 1 ? shade.slips : shade.rolls);
  };
  const shade = { slips: "#d7301f", rolls: "#2ca02c" };
  element("modes").hidden = modes === null;
  const low = new THREE.Vector3(Infinity, Infinity, Infinity), high = new THREE.Vector3(-Infinity, -Infinity, -Infinity); // of the outline
  const outline = motion.outline.map((text) => {
    const line = new THREE.Line2(new THREE.LineGeometry(), new THREE.LineMaterial({ linewidth: 1.5, transparent: true })), points = decoded(text, Float32Array);
    line.geometry.setPositions(points);
    for (let i = 0; i < points.length; i += 3) {
      low.min(v.fromArray(points, i));
      high.max(v);
    }
    line.frustumCulled = false;
    floor.add(line);
    return line;
  });

  function colours() {
    const style = getComputedStyle(document.documentElement), get = (name) => style.getPropertyValue("--" + name).trim();
    scene.background = new THREE.Color(get("sky"));
    paper.ground.value.set(get("ground"));
    paper.line.value.set(get("grid"));
    stone.color.set(get("stone"));
    shades.second.value.set(get("stone2"));
    planeTrack.material.color.set(get("plane-track"));
    dot.material.color.set(get("body-track"));
    if (bodyTrack !== null) bodyTrack.material.color.set(get("body-track"));
    if (secondTrack !== null) secondTrack.material.color.set(get("plane-track"));
    for (const { stuff, made_of } of pieces) stuff.color.set(get(made_of));
    shade.slips = get("slips");
    shade.rolls = get("rolls");
    if (other !== null) other.material.color.set(get("body-track"));
    for (const line of outline) line.material.color.set(get("grid"));
    shadow.material.opacity = Number(get("shadow"));
  }
  colours();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", colours);

  // -- one instant ---------------------------------------------------------------------------------------------------------------

  let now = 0, playing = !matchMedia("(prefers-reduced-motion: reduce)").matches, last = null;
  const eased = new THREE.Vector3(), target = new THREE.Vector3(), lit = new THREE.Vector3();
  const flies = motion.rise > 0.3 * size && motion.rise < 12 * size; // a body that bounces is shown with the plane, from farther away
  const mix = (data, width, i, f, k) => (1 - f) * data[width * i + k] + f * data[width * (i + 1) + k];

  function place() {
    const at = Math.min(now / motion.dt, frames - 1), i = Math.min(Math.floor(at), frames - 2), f = at - i;
    q.set(attitude[4 * i + 1], attitude[4 * i + 2], attitude[4 * i + 3], attitude[4 * i]);
    r.set(attitude[4 * i + 5], attitude[4 * i + 6], attitude[4 * i + 7], attitude[4 * i + 4]);
    body.quaternion.copy(q).slerp(r, f);
    v.set(mix(footprint, 3, i, f, 0), mix(footprint, 3, i, f, 1), mix(footprint, 3, i, f, 2)).applyQuaternion(body.quaternion);
    dot.position.set(mix(contact, 3, i, f, 0), mix(contact, 3, i, f, 1), mix(contact, 3, i, f, 2));
    body.position.copy(dot.position).sub(v);
    if (spin !== null) mesh.rotation.y = (1 - f) * spin[i] + f * spin[i + 1];
    const near = f < 0.5 ? i : i + 1;
    dot.visible = touch === null || touch[near] > 0;
    if (!together(i)) dot.position.fromArray(contact, 3 * near); // from one foot to another it jumps
    if (other !== null) other.position.set(mix(second, 3, i, f, 0), mix(second, 3, i, f, 1), mix(second, 3, i, f, 2));
    if (small !== null && factor !== 1) {
      enlarge(i, f);
      for (const point of [dot, other]) if (point !== null) point.position.sub(body.position).applyQuaternion(more).add(body.position).add(moved);
      body.position.add(moved);
      body.quaternion.premultiply(more);
    }
    if (bays !== null) lay(body.position.x);
    if (modes !== null) {
      paint(dot, modes[motion.contacts * near]);
      if (other !== null && motion.contacts > 1) paint(other, modes[motion.contacts * near + 1]);
    }
    const glass = element("glass").checked;
    stone.opacity = glass ? 0.4 : 1;
    stone.depthWrite = !glass;
    const shown = before[element("whole").checked ? frames - 1 : Math.ceil(at)];
    for (const line of tracks) {
      line.geometry.instanceCount = shown;
      line.visible = shown > 0;
    }
    cells[0].textContent = (motion.t0 + now).toFixed(duration < 5 ? 3 : 2);
    for (let k = 0; k < count; k++) cells[k + 1].textContent = digits(mix(values, count, i, f, k));
    element("time").value = now;
    target.copy(middle).applyQuaternion(body.quaternion).add(body.position);
    lit.copy(target).applyQuaternion(floor.quaternion);
    if (flies) target.z = 0.5 * (motion.rise + size); // the eye does not bounce
    target.applyQuaternion(floor.quaternion);
  }

  function home() {
    place();
    eased.copy(target);
    if (outline.length) eased.copy(low).add(high).multiplyScalar(0.5).applyQuaternion(floor.quaternion); // all of what it is in
    controls.target.copy(eased);
    const second = geometry.boundingBox.getSize(v).toArray().sort((a, b) => b - a)[1] / 2; // a long body may come closer
    const near = outline.length ? 1.1 * w.copy(high).sub(low).length() : 2.8 * size + 2.8 * second + (flies ? 1.8 * motion.rise : 0);
    camera.position.set(-0.55, -1, 0.62).normalize().multiplyScalar(near * Math.max(1, 1.3 / camera.aspect)).add(eased);
    controls.update();
  }

  function draw(instant) {
    const passed = last === null ? 0 : Math.min(0.1, (instant - last) / 1000);
    last = instant;
    if (playing) {
      now += passed * Number(element("speed").value);
      if (now >= duration) {
        now = duration;
        setPlaying(false);
      }
    }
    place();
    if (element("follow").checked) {
      w.copy(eased);
      eased.lerp(target, playing ? 1 - Math.exp(-passed * 12 * Math.max(1, Number(element("speed").value))) : 1);
      w.sub(eased);
      camera.position.sub(w);
      controls.target.sub(w);
    } else eased.copy(target);
    controls.update();
    sun.target.position.copy(lit);
    sun.position.set(-3, 2, 6).multiplyScalar(size).add(lit);
    paper.eye.value.copy(controls.target).applyQuaternion(q.copy(floor.quaternion).conjugate());
    for (const plane of [grid, shadow]) for (const k of ["x", "y"]) plane.position[k] = 5 * step * Math.round(paper.eye.value[k] / (5 * step)); // it goes on for ever
    paper.eye.value.sub(grid.position);
    paper.reach.value = 12 * size + 2.5 * camera.position.distanceTo(controls.target);
    renderer.render(scene, camera);
    requestAnimationFrame(draw);
  }

  // -- controls ------------------------------------------------------------------------------------------------------------------

  function setPlaying(value) {
    if (value && now >= duration) now = 0;
    playing = value;
    element("play").textContent = playing ? "pause" : "play";
    if (!playing) remember();
  }
  function remember() {
    try {
      const ticked = ["whole", "follow", "glass"].filter((word) => element(word).checked).map((word) => "&" + word);
      if (small !== null) ticked.push("&x=" + factor);
      history.replaceState(null, "", "#t=" + Number((motion.t0 + now).toFixed(4)) + ticked.join(""));
    } catch { /* an address that must not change: nothing is lost */ }
  }
  function fromAddress() { // e.g. #t=2.5&whole&glass
    for (const word of location.hash.slice(1).split("&")) if (["whole", "follow", "glass"].includes(word)) element(word).checked = true;
    const times = /(?:^#|&)x=(\d+)/.exec(location.hash);
    if (times && small !== null) setFactor(Math.min(small.most, Math.max(1, Number(times[1]))));
    const found = /(?:^#|&)t=(-?[\d.]+(?:e[-+]?\d+)?)/i.exec(location.hash);
    if (!found || Number.isNaN(Number(found[1]))) return;
    now = Math.min(duration, Math.max(0, Number(found[1]) - motion.t0));
    playing = false;
  }
  function resize() {
    renderer.setPixelRatio(Math.min(devicePixelRatio, 2)); // the lines learn the size of the picture from the renderer
    renderer.setSize(innerWidth, innerHeight, false);
    camera.aspect = innerWidth / innerHeight;
    camera.updateProjectionMatrix();
  }
  for (const factor of motion.speeds) element("speed").add(new Option(factor + "\u00d7", factor, factor === motion.speed, factor === motion.speed));
  element("time").max = duration;
  for (const { t, name } of motion.events) {
    const tick = document.createElement("i");
    tick.style.left = (100 * (t - motion.t0)) / duration + "%";
    tick.title = name;
    element("ticks").append(tick);
  }
  if (small !== null) {
    element("enlarge").hidden = false;
    element("factor").max = small.most;
    element("factor").addEventListener("input", (event) => setFactor(Number(event.target.value)));
    element("factor").addEventListener("change", remember);
    setFactor(factor);
  }
  element("follow").checked = motion.follow;
  element("play").addEventListener("click", () => setPlaying(!playing));
  element("home").addEventListener("click", home);
  element("time").addEventListener("input", (event) => {
    now = Number(event.target.value);
    setPlaying(false);
  });
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.tagName === "SELECT") return;
    const actions = {
      " ": () => setPlaying(!playing),
      ArrowLeft: () => { now = Math.max(0, now - motion.dt); setPlaying(false); },
      ArrowRight: () => { now = Math.min(duration, now + motion.dt); setPlaying(false); },
      w: () => { element("whole").checked = !element("whole").checked; },
      f: () => { element("follow").checked = !element("follow").checked; },
      g: () => { element("glass").checked = !element("glass").checked; },
      r: home,
      ...(small === null ? {} : {
        "+": () => setFactor(Math.min(small.most, factor + 1)),
        "-": () => setFactor(Math.max(1, factor - 1)),
      }),
    };
    if (!actions[event.key]) return;
    event.preventDefault();
    actions[event.key]();
  });
  addEventListener("keyup", (event) => { if (event.key === " ") event.preventDefault(); });
  addEventListener("hashchange", () => { fromAddress(); setPlaying(playing); });
  addEventListener("resize", resize);
  resize();
  fromAddress();
  setPlaying(playing);
  home();
  requestAnimationFrame(draw);
})();
