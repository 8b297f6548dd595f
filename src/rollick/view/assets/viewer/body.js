// The body, with its octants in two shades, so that one sees it turn; parts that move in it; and where it is at an instant.
function stoneMaterial(middle) {
  const shades = { second: { value: new THREE.Color() }, middle: { value: middle } };
  const stone = new THREE.MeshLambertMaterial({ transparent: true });
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
  return { stone, shades };
}

class Body {
  constructor(motion, floor, ground) {
    this.motion = motion;
    this.factor = motion.small == null ? 1 : motion.small.factor;
    this.shift = motion.small == null ? null : decoded(motion.small.shift, Float32Array);
    this.turn = motion.small == null ? null : decoded(motion.small.turn, Float32Array);
    this.geometry = surfaceOf(motion);
    this.geometry.computeBoundingBox();
    this.middle = this.geometry.boundingBox.getCenter(new THREE.Vector3());
    Object.assign(this, stoneMaterial(this.middle));
    this.group = new THREE.Group(); // turned by the attitude, the mesh in it by the spin
    this.mesh = new THREE.Mesh(this.geometry, this.stone);
    this.mesh.frustumCulled = false;
    this.group.add(this.mesh);
    this.parts = motion.parts.map((part) => {
      const mesh = new THREE.Mesh(surfaceOf(part), new THREE.MeshLambertMaterial({ transparent: true }));
      mesh.frustumCulled = false;
      if (part.made_of === "metal") Object.assign(mesh, { renderOrder: 2 }).material.depthTest = false; // what swings inside is seen through the body
      this.group.add(mesh);
      return { mesh, made_of: part.made_of, shift: part.shift == null ? null : decoded(part.shift, Float32Array) };
    });
    floor.add(this.group);
    const meshes = [this.mesh, ...this.parts.map(({ mesh }) => mesh)];
    this.shadows = ground === null ? [] : meshes.map((mesh) => [mesh, ground.cast(mesh)]);
    this.ghosts = new THREE.Group();
    floor.add(this.ghosts);
    this.dot = new THREE.Vector3(); // the contact points, enlarged with the body
    this.other = motion.second === null ? null : new THREE.Vector3();
    this.q = new THREE.Quaternion();
    this.more = new THREE.Quaternion();
    this.v = new THREE.Vector3();
    this.w = new THREE.Vector3();
    this.moved = new THREE.Vector3();
  }

  // What enlarging adds at an instant: `more` turns the body, `moved` shifts it.
  enlarge(at) {
    const g = this.factor - 1, m = this.motion;
    m.vector(this.shift, at, this.moved).multiplyScalar(g);
    m.vector(this.turn, at, this.w).multiplyScalar(g);
    const angle = this.w.length();
    if (angle > 0) this.more.setFromAxisAngle(this.w.divideScalar(angle), angle);
    else this.more.set(0, 0, 0, 1);
  }

  place(at) {
    const m = this.motion, { group, q, v } = this;
    group.quaternion.copy(m.quaternion(at.i, q));
    group.quaternion.slerp(m.quaternion(at.i + 1, q), at.f);
    m.vector(m.footprint, at, v).applyQuaternion(group.quaternion);
    m.vector(m.contact, at, this.dot);
    group.position.copy(this.dot).sub(v);
    if (m.spin !== null) this.mesh.rotation.y = m.mix(m.spin, 1, 0, at);
    if (!m.together(at.i)) this.dot.fromArray(m.contact, 3 * at.near); // from one foot to another it jumps
    if (this.other !== null) m.vector(m.second, at, this.other);
    if (this.shift !== null && this.factor !== 1) {
      this.enlarge(at);
      for (const point of [this.dot, this.other]) if (point !== null) point.sub(group.position).applyQuaternion(this.more).add(group.position).add(this.moved);
      group.position.add(this.moved);
      group.quaternion.premultiply(this.more);
    }
    for (const { mesh, shift } of this.parts) if (shift !== null) m.vector(shift, at, mesh.position);
    if (this.shadows.length) group.updateMatrix();
    for (const [mesh, shadow] of this.shadows) {
      mesh.updateMatrix();
      shadow.matrix.multiplyMatrices(group.matrix, mesh.matrix);
      shadow.matrixWorldNeedsUpdate = true;
    }
  }

  // Where the body's middle is, in the plane's frame.
  centre(out) {
    return out.copy(this.middle).applyQuaternion(this.group.quaternion).add(this.group.position);
  }

  // A track as the enlarged body leaves it: its points move with the body.
  enlarged(points) {
    if (this.shift === null || this.factor === 1) return points;
    const made = new Float32Array(points.length), m = this.motion, origin = new THREE.Vector3();
    for (let i = 0; i < m.frames; i++) {
      const j = Math.min(i, m.frames - 2);
      this.enlarge({ i: j, f: i - j });
      m.quaternion(i, this.q);
      origin.fromArray(m.contact, 3 * i).sub(this.v.fromArray(m.footprint, 3 * i).applyQuaternion(this.q));
      this.v.fromArray(points, 3 * i).sub(origin).applyQuaternion(this.more).add(origin).add(this.moved).toArray(made, 3 * i);
    }
    return made;
  }

  // Copies of the body where it is at some instants, the earlier the fainter: a stroboscopic picture. Returns the box around them, in the plane's frame.
  strobe(times) {
    const low = new THREE.Vector3(Infinity, Infinity, Infinity), high = new THREE.Vector3(-Infinity, -Infinity, -Infinity);
    this.ghosts.clear();
    times.forEach((time, k) => {
      this.place(this.motion.at(time));
      const { stone, shades } = stoneMaterial(this.middle), copy = new THREE.Group(), mesh = new THREE.Mesh(this.geometry, stone);
      stone.color.set(colour("stone"));
      shades.second.value.set(colour("stone2"));
      stone.opacity = 0.3 + (0.7 * (k + 1)) / times.length;
      mesh.rotation.copy(this.mesh.rotation);
      copy.position.copy(this.group.position);
      copy.quaternion.copy(this.group.quaternion);
      copy.add(mesh, ...this.parts.map(({ mesh: part }) => part.clone()));
      copy.traverse((thing) => { thing.frustumCulled = false; });
      this.ghosts.add(copy);
      for (const [, shadow] of this.shadows) {
        const cast = shadow.clone();
        cast.matrix.copy(shadow.matrix);
        shadow.parent.add(cast);
      }
      this.centre(this.v);
      low.min(this.v.subScalar(this.motion.size));
      high.max(this.v.addScalar(2 * this.motion.size));
    });
    return { low, high };
  }

  glass(on) {
    this.stone.transparent = on; // what is not, is drawn first, and hides what is behind it
    this.stone.opacity = on ? 0.4 : 1;
    this.stone.depthWrite = !on;
  }

  paint() {
    this.stone.color.set(colour("stone"));
    this.shades.second.value.set(colour("stone2"));
    for (const { mesh, made_of } of this.parts) mesh.material.color.set(colour(made_of));
  }
}
