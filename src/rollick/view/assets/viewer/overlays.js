// What can be switched on: contact points, contact force, friction cone, angular velocity, mass centre; and the arrow to the Sun.
class Arrow {
  constructor(parent, thickness) {
    this.stuff = new THREE.MeshBasicMaterial({ transparent: true, depthTest: false });
    this.shaft = new THREE.Mesh(new THREE.CylinderGeometry(thickness, thickness, 1, 10).translate(0, 0.5, 0), this.stuff);
    this.head = new THREE.Mesh(new THREE.CylinderGeometry(0, 2.6 * thickness, 1, 14).translate(0, 0.5, 0), this.stuff);
    this.group = new THREE.Group();
    this.group.add(this.shaft, this.head);
    this.group.traverse((thing) => { thing.renderOrder = 4; thing.frustumCulled = false; });
    this.tip = 6 * thickness;
    parent.add(this.group);
  }

  set(from, vector) {
    const length = vector.length(), tip = Math.min(this.tip, 0.6 * length);
    this.group.visible = length > 0.2 * this.tip;
    if (!this.group.visible) return;
    this.group.position.copy(from);
    this.group.quaternion.setFromUnitVectors(Arrow.along, vector.divideScalar(length));
    this.shaft.scale.y = length - tip;
    this.head.scale.y = tip;
    this.head.position.y = length - tip;
  }
}
Arrow.along = new THREE.Vector3(0, 1, 0);

class Overlays {
  constructor(motion, floor, body) {
    Object.assign(this, { motion, body });
    const size = motion.size, span = motion.span, plain = motion.modes === null && motion.second === null;
    const radius = plain ? 0.016 : motion.outline.length ? 0.12 : motion.bays != null ? 0.03 : 0.05; // seen from afar in a vessel; what runs on a track is large beside it
    this.reach = motion.bays != null ? 0.45 * size : 0.9 * span; // how long the force is that the legend tells: one sees it from where one sees the whole vessel
    this.points = [0, ...(motion.second === null ? [] : [1])].map((contact) => {
      const spot = new THREE.Mesh(new THREE.SphereGeometry(size * radius, 16, 12), new THREE.MeshBasicMaterial({ transparent: true, depthTest: plain }));
      spot.renderOrder = 2;
      floor.add(spot);
      return { spot, contact, place: contact === 0 ? body.dot : body.other };
    });
    this.forces = [motion.force, motion.force2].map((force, contact) => force === null ? null : {
      force, arrow: new Arrow(floor, 0.014 * span), place: contact === 0 ? body.dot : body.other,
    }).filter((made) => made !== null);
    this.cones = !(motion.friction > 0) ? [] : this.points.filter(({ contact }) => contact === 0 || motion.normal2 !== null).map(({ contact, place }) => {
      const stuff = new THREE.MeshBasicMaterial({ transparent: true, opacity: 0.3, side: THREE.DoubleSide, depthWrite: false, depthTest: false });
      const cone = new THREE.Mesh(new THREE.CylinderGeometry(1, 0, 1, 40, 1, true).translate(0, 0.5, 0), stuff);
      const high = this.reach / Math.max(1, motion.friction);
      cone.scale.set(high * motion.friction, high, high * motion.friction);
      cone.renderOrder = 3;
      floor.add(cone);
      return { cone, contact, place };
    });
    this.spin = motion.turning ? new Arrow(floor, 0.014 * span) : null;
    this.fastest = 0;
    if (this.spin !== null) for (let i = 0; i < motion.frames - 1; i++) this.fastest = Math.max(this.fastest, this.angular(i, new THREE.Vector3()).length());
    this.mark = motion.centre === null ? null : this.massCentre(size);
    this.sun = motion.sun === null ? null : new Arrow(floor, 0.02 * size);
    this.v = new THREE.Vector3();
    this.w = new THREE.Vector3();
  }

  // The usual mark of a mass centre: a ball with its octants black and white, seen through the body.
  massCentre(size) {
    const ball = new THREE.Mesh(new THREE.SphereGeometry(0.035 * size, 20, 14), new THREE.ShaderMaterial({
      transparent: true, depthTest: false,
      vertexShader: "varying vec3 p; void main() { p = position; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }",
      fragmentShader: "varying vec3 p; void main() { gl_FragColor = vec4(vec3(p.x * p.y * p.z > 0.0 ? 0.05 : 0.97), 1.0); }",
    }));
    ball.position.fromArray(this.motion.centre);
    ball.renderOrder = 5;
    this.body.group.add(ball);
    return ball;
  }

  // The angular velocity between frames i and i + 1, in the plane's frame: by the turn from one to the other, and the spin about e2.
  angular(i, out) {
    const m = this.motion, p = m.quaternion(i, new THREE.Quaternion()), q = m.quaternion(i + 1, new THREE.Quaternion());
    if (p.dot(q) < 0) q.set(-q.x, -q.y, -q.z, -q.w);
    const e2 = new THREE.Vector3(0, 1, 0).applyQuaternion(p);
    p.conjugate().premultiply(q);
    const sine = Math.hypot(p.x, p.y, p.z), angle = 2 * Math.atan2(sine, p.w);
    out.set(p.x, p.y, p.z).multiplyScalar((sine > 0 ? angle / sine : 2) / m.dt);
    return m.spin === null ? out : out.addScaledVector(e2, (m.spin[i + 1] - m.spin[i]) / m.dt);
  }

  // Which of them there are: the switches of others are hidden.
  get known() {
    return { contact: this.motion.touches || this.motion.modes !== null, force: this.forces.length > 0, cone: this.cones.length > 0, omega: this.fastest > 0, centre: this.mark !== null };
  }

  place(at, shown) {
    const m = this.motion, { v, w } = this, size = m.size;
    const touches = (contact) => m.mode(at.near, contact) === null ? m.touch === null || m.touch[at.near] > 0 : m.mode(at.near, contact) > 0;
    for (const { spot, contact, place } of this.points) {
      spot.position.copy(place);
      const mode = m.mode(at.near, contact);
      spot.visible = shown.contact && touches(contact);
      spot.material.color.set(mode === null ? this.tints.body : mode === 1 ? this.tints.slips : this.tints.rolls);
    }
    for (const { force, arrow, place } of this.forces) {
      w.fromArray(force, 3 * at.near).multiplyScalar(this.reach / m.weight);
      arrow.set(place, w.clampLength(0, 3 * Math.max(size, this.reach)));
      arrow.group.visible &&= shown.force;
    }
    for (const { cone, contact, place } of this.cones) {
      cone.visible = shown.cone && touches(contact);
      cone.position.copy(place);
      cone.quaternion.setFromUnitVectors(Arrow.along, contact === 0 ? v.set(0, 0, 1) : v.fromArray(m.normal2, 3 * at.near).normalize());
    }
    if (this.mark !== null) this.mark.visible = shown.centre;
    if (this.spin !== null) {
      v.fromArray(m.centre || this.body.middle.toArray()).applyQuaternion(this.body.group.quaternion).add(this.body.group.position);
      this.angular(at.i, w).multiplyScalar((1.6 * m.span) / Math.max(this.fastest, 1e-300));
      this.spin.set(v, w);
      this.spin.group.visible &&= shown.omega;
    }
    if (this.sun !== null) {
      w.fromArray(m.sun).normalize();
      this.sun.set(this.body.centre(v).addScaledVector(w, 1.15 * size), w.multiplyScalar(0.7 * size));
    }
  }

  paint() {
    this.tints = { body: colour("body-track"), slips: colour("slips"), rolls: colour("rolls") };
    for (const { arrow } of this.forces) arrow.stuff.color.set(colour("force"));
    for (const { cone } of this.cones) cone.material.color.set(colour("cone"));
    if (this.spin !== null) this.spin.stuff.color.set(colour("omega"));
    if (this.sun !== null) this.sun.stuff.color.set(colour("sun"));
  }
}
