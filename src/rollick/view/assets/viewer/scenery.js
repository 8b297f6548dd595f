// What surrounds a body: lines and surfaces of a vessel, the bays of a track, the Sun.
const COPIES = 61, COILS = 72;

class Scenery {
  constructor(motion, floor) {
    this.motion = motion;
    this.low = new THREE.Vector3(Infinity, Infinity, Infinity); // of what it is in
    this.high = new THREE.Vector3(-Infinity, -Infinity, -Infinity);
    const v = new THREE.Vector3();
    this.lines = motion.outline.map((text) => {
      const points = decoded(text, Float32Array), line = new Lines(strung(points), 1.5, floor);
      for (let i = 0; i < points.length; i += 3) {
        this.low.min(v.fromArray(points, i));
        this.high.max(v);
      }
      return line;
    });
    this.pieces = motion.pieces.map((piece) => {
      const glass = piece.made_of === "glass";
      const stuff = new THREE.MeshLambertMaterial({ transparent: true, opacity: glass ? 0.22 : 1, depthWrite: !glass, side: THREE.DoubleSide });
      const mesh = new THREE.Mesh(surfaceOf(piece), stuff);
      mesh.renderOrder = glass ? 3 : 0;
      floor.add(mesh);
      return { stuff, made_of: piece.made_of };
    });
    this.bays = motion.bays || null;
    this.aside = this.bays === null || this.bays.aside === null ? null : decoded(this.bays.aside, Float32Array);
    if (this.bays !== null) this.pieces.push(...this.bays.pieces.map((piece) => {
      const stuff = new THREE.MeshLambertMaterial();
      const copies = new THREE.InstancedMesh(surfaceOf(piece), stuff, COPIES);
      copies.frustumCulled = false;
      floor.add(copies);
      return { stuff, made_of: piece.made_of, copies };
    }));
    this.spring = motion.spring == null ? null : new Lines(new Float32Array(6 * COILS), 2, floor);
    if (this.spring !== null) Object.assign(this.spring.mesh, { renderOrder: 1 }).material.depthTest = false; // seen up to where it is tied, inside the body
    this.matrix = new THREE.Matrix4();
    this.laid = null;
  }

  get encloses() {
    return this.lines.length > 0;
  }

  displaced(k) { // of the rails where bay k begins
    return this.aside === null ? 0 : this.aside[Math.min(this.aside.length - 1, Math.max(0, k - this.bays.first))];
  }

  // Bays around the place x; bay k is sheared between the lateral displacements at its ends.
  lay(x, factor) {
    if (this.bays === null) return;
    const middle = Math.floor(x / this.bays.length), key = middle + "/" + factor;
    if (this.laid === key) return;
    this.laid = key;
    for (const { copies } of this.pieces) if (copies) {
      for (let i = 0; i < COPIES; i++) {
        const k = middle + i - (COPIES - 1) / 2, from = factor * this.displaced(k), slope = (factor * this.displaced(k + 1) - from) / this.bays.length;
        copies.setMatrixAt(i, this.matrix.set(1, 0, 0, k * this.bays.length, slope, 1, 0, from, 0, 0, 1, 0, 0, 0, 0, 1));
      }
      copies.instanceMatrix.needsUpdate = true;
    }
  }

  // A spring from where it is tied to the middle of the body.
  stretch(to) {
    if (this.spring === null) return;
    const from = new THREE.Vector3(...this.motion.spring), points = new Float32Array(3 * (COILS + 1)), v = new THREE.Vector3(), wide = 0.22 * this.motion.size;
    for (let i = 0; i <= COILS; i++) {
      v.copy(from).lerp(to, i / COILS);
      if (i > 1 && i < COILS - 1) v.z += i % 2 ? wide : -wide;
      v.toArray(points, 3 * i);
    }
    this.spring.set(strung(points));
  }

  paint() {
    if (this.spring !== null) this.spring.paint(colour("metal"));
    for (const line of this.lines) line.paint(colour("grid"));
    for (const { stuff, made_of } of this.pieces) stuff.color.set(colour(made_of));
  }
}
