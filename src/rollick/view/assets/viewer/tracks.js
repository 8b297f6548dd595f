// The tracks of the contact point on the plane and on the body, as broad lines whose segments appear one by one. There are segments only
// between frames of one piece of contact: none in the air. Where it is known what the contact does, its track on the plane has that colour.
class Tracks {
  constructor(motion, floor, body) {
    this.motion = motion;
    this.body = body;
    this.before = new Uint32Array(motion.frames); // segments that end at this frame or earlier
    for (let i = 1; i < motion.frames; i++) this.before[i] = this.before[i - 1] + (motion.together(i - 1) ? 1 : 0);
    this.total = this.before[motion.frames - 1];
    this.lines = [];
    if (this.total === 0) return;
    this.plane = this.line(body.enlarged(motion.contact), floor, 0);
    if (motion.second !== null) this.second = this.line(body.enlarged(motion.second), floor, 1);
    if (motion.spin === null) this.skin = this.line(this.outside(), body.group, null);
  }

  segments(points) {
    const ends = new Float32Array(6 * Math.max(1, this.total));
    for (let i = 1; i < this.motion.frames; i++) {
      if (this.before[i] > this.before[i - 1]) ends.set(points.subarray(3 * i - 3, 3 * i + 3), 6 * this.before[i - 1]);
    }
    const shape = new THREE.LineGeometry();
    Object.getPrototypeOf(THREE.LineGeometry.prototype).setPositions.call(shape, ends); // as separate segments
    return shape;
  }

  line(points, parent, contact) {
    const coloured = contact !== null && this.motion.mode(0, contact) !== null;
    const line = new THREE.Line2(this.segments(points), new THREE.LineMaterial({ linewidth: 2, transparent: true, vertexColors: coloured }));
    line.frustumCulled = false;
    line.renderOrder = 1; // after the plane and the body: what is transparent is drawn in this order
    parent.add(line);
    this.lines.push({ line, contact, coloured });
    return line;
  }

  // On the body the track is a little outside of it.
  outside() {
    const m = this.motion, points = new Float32Array(3 * m.frames), q = new THREE.Quaternion(), v = new THREE.Vector3();
    for (let i = 0; i < m.frames; i++) {
      v.set(0, 0, -m.size * 0.006).applyQuaternion(m.quaternion(i, q).conjugate());
      for (let k = 0; k < 3; k++) points[3 * i + k] = m.footprint[3 * i + k] + v.getComponent(k);
    }
    return points;
  }

  // After another enlargement.
  again() {
    for (const [line, points] of [[this.plane, this.motion.contact], [this.second, this.motion.second]]) {
      if (!line) continue;
      line.geometry.dispose();
      line.geometry = this.segments(this.body.enlarged(points));
    }
    this.paint();
  }

  place(at, shown, whole) {
    const count = this.total === 0 || !shown ? 0 : this.before[whole ? this.motion.frames - 1 : Math.ceil(at.x)];
    for (const { line } of this.lines) {
      line.geometry.instanceCount = count;
      line.visible = count > 0;
    }
  }

  paint() {
    const kinds = ["grid", "slips", "rolls"].map((name) => new THREE.Color(colour(name)));
    for (const { line, contact, coloured } of this.lines) {
      line.material.color.set(coloured ? 0xffffff : colour(contact === null ? "body-track" : "plane-track"));
      if (!coloured) continue;
      const tints = new Float32Array(6 * this.total);
      for (let i = 1; i < this.motion.frames; i++) if (this.before[i] > this.before[i - 1]) {
        for (const [end, frame] of [[0, i - 1], [3, i]]) kinds[this.motion.mode(frame, contact)].toArray(tints, 6 * this.before[i - 1] + end);
      }
      Object.getPrototypeOf(THREE.LineGeometry.prototype).setColors.call(line.geometry, tints);
    }
  }
}
