// The tracks of the contact point on the plane and on the body. There are lines only between frames of one piece of contact: none in the air.
// Where it is known what the contact does, its track on the plane has that colour. Frames that lie on a straight line are left out.
const STRAIGHT = 0.002, LONGEST = 24; // of the body's size, by which a line may miss a frame; and how many frames it may span

class Tracks {
  constructor(motion, floor, body) {
    Object.assign(this, { motion, body, tracks: [] });
    this.v = new THREE.Vector3();
    this.q = new THREE.Quaternion();
    let there = false;
    for (let i = 0; i < motion.frames - 1 && !there; i++) there = motion.together(i);
    this.there = there;
    if (!there) return;
    this.add(motion.contact, floor, 0, body.dot);
    if (motion.second !== null) this.add(motion.second, floor, 1, body.other);
    if (motion.spin === null) this.skin = this.add(null, body.group, null, null);
  }

  // points: null for the track on the body; tip: where its end is at an instant
  add(points, parent, contact, tip) {
    const made = { points, contact, tip, coloured: contact !== null && this.motion.mode(0, contact) !== null };
    made.line = new Lines(this.chosen(made), 2, parent);
    made.tail = new Lines(new Float32Array(6), 2, parent);
    for (const { mesh } of [made.line, made.tail]) mesh.renderOrder = 1; // after the plane and the body: what is transparent is drawn in this order
    this.tracks.push(made);
    return made;
  }

  // The segments of a track; made.before[i]: how many end at frame i or earlier; made.last[i]: the frame where the last of them ended.
  chosen(made) {
    const m = this.motion, points = made.points === null ? this.outside() : this.body.enlarged(made.points), ends = [];
    const miss = (a, b) => { // how far frames between a and b are from the line
      const ax = points[3 * a], ay = points[3 * a + 1], az = points[3 * a + 2], n = b - a;
      let worst = 0;
      for (let i = a + 1; i < b; i++) {
        const s = (i - a) / n;
        worst = Math.max(worst, Math.abs(points[3 * i] - ax - s * (points[3 * b] - ax)), Math.abs(points[3 * i + 1] - ay - s * (points[3 * b + 1] - ay)), Math.abs(points[3 * i + 2] - az - s * (points[3 * b + 2] - az)));
      }
      return worst;
    };
    made.before = new Uint32Array(m.frames);
    made.last = new Int32Array(m.frames).fill(-1);
    made.frames = [];
    let a = -1; // where the present segment began
    const finish = (b) => {
      if (a >= 0 && b > a) {
        ends.push(...points.subarray(3 * a, 3 * a + 3), ...points.subarray(3 * b, 3 * b + 3));
        made.frames.push(a);
      }
      a = b;
    };
    for (let i = 0; i < m.frames; i++) {
      const on = m.touch === null || m.touch[i] > 0, joined = i > 0 && m.together(i - 1);
      if (a >= 0 && !joined) { finish(i - 1); a = -1; }
      if (on && a < 0) a = i;
      else if (a >= 0 && i > a + 1 && (i - a > LONGEST || m.mode(i - 1, made.contact || 0) !== m.mode(a, made.contact || 0) || miss(a, i) > STRAIGHT * m.size)) finish(i - 1);
      made.before[i] = made.frames.length;
      made.last[i] = a;
    }
    if (a >= 0) { finish(m.frames - 1); made.before[m.frames - 1] = made.frames.length; made.last[m.frames - 1] = m.frames - 1; }
    made.drawn = points;
    return new Float32Array(ends);
  }

  // On the body the track is a little outside of it.
  outside() {
    const m = this.motion, points = new Float32Array(3 * m.frames);
    for (let i = 0; i < m.frames; i++) {
      this.v.set(0, 0, -m.size * 0.006).applyQuaternion(m.quaternion(i, this.q).conjugate());
      for (let k = 0; k < 3; k++) points[3 * i + k] = m.footprint[3 * i + k] + this.v.getComponent(k);
    }
    return points;
  }

  // After another enlargement.
  again() {
    for (const made of this.tracks) if (made.points !== null) made.line.set(this.chosen(made));
    this.paint();
  }

  place(at, shown, whole) {
    const frame = Math.floor(at.x), here = new THREE.Vector3();
    for (const { line, tail, before, last, drawn, tip } of this.tracks) {
      line.show(!shown ? 0 : before[whole ? this.motion.frames - 1 : frame]);
      const begun = last[frame]; // from there to the present place
      tail.show(shown && !whole && begun >= 0 && this.motion.together(at.i) ? 1 : 0);
      if (tip === null) this.motion.vector(drawn, at, here);
      else here.copy(tip);
      if (begun >= 0) tail.move(this.v.fromArray(drawn, 3 * begun), here);
    }
  }

  paint() {
    const kinds = ["grid", "slips", "rolls"].map((name) => new THREE.Color(colour(name)));
    for (const { line, tail, contact, coloured, frames } of this.tracks) {
      const one = colour(contact === null ? "body-track" : "plane-track");
      const each = coloured ? new Float32Array(frames.flatMap((i) => kinds[this.motion.mode(i, contact)].toArray())) : null;
      line.paint(one, each);
      tail.paint(coloured ? colour("grid") : one);
    }
  }
}
