// The plane: a grid that fades with the distance, its lines 1, 2 or 5 times a power of ten apart; and the shadow of the body on it.
const SUN = [-3, 2, 6]; // where light comes from, if no Sun is known

class Ground {
  constructor(motion, floor) {
    this.step = round125(0.7 * motion.span);
    this.height = motion.ground;
    this.paper = {
      ground: { value: new THREE.Color() }, line: { value: new THREE.Color() }, step: { value: this.step },
      eye: { value: new THREE.Vector3() }, reach: { value: 1 },
    };
    const wide = new THREE.PlaneGeometry(2, 2); // stretched to where it has faded away
    this.grid = new THREE.Mesh(wide, new THREE.ShaderMaterial({
      uniforms: this.paper, transparent: true, depthWrite: false, side: THREE.DoubleSide,
      vertexShader: "uniform float reach; varying vec2 p; void main() { p = position.xy * reach; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }",
      fragmentShader: `uniform vec3 ground, line, eye; uniform float step, reach; varying vec2 p;
        float lines(float d) { vec2 q = p / d, w = fwidth(q); vec2 a = abs(fract(q - 0.5) - 0.5) / w;
          return (1.0 - min(min(a.x, a.y), 1.0)) * (1.0 - smoothstep(0.15, 0.5, max(w.x, w.y))); }
        void main() { float far = 1.0 - smoothstep(0.2, 1.0, distance(p, eye.xy) / reach);
          float g = max(0.45 * lines(step), 0.85 * lines(5.0 * step));
          gl_FragColor = vec4(mix(ground, line, g), far * (gl_FrontFacing ? 1.0 : 0.35));
          #include <colorspace_fragment>
        }`,
    }));
    this.grid.renderOrder = -3;
    this.grid.position.z = this.height;
    // Shadows are what the light presses flat: x - z (s/s_z) + h (s/s_z). The stencil keeps overlapping triangles from darkening twice.
    this.black = new THREE.MeshBasicMaterial({
      color: 0, transparent: true, depthWrite: false, side: THREE.DoubleSide,
      stencilWrite: true, stencilFunc: THREE.EqualStencilFunc, stencilRef: 0, stencilZPass: THREE.IncrementStencilOp,
    });
    this.pressed = new THREE.Group();
    this.pressed.matrixAutoUpdate = false;
    this.down = new THREE.Quaternion();
    floor.add(this.grid, this.pressed);
    this.floor = floor;
  }

  // A copy of a mesh that is its shadow; it must be moved like the mesh.
  cast(mesh) {
    const shadow = new THREE.Mesh(mesh.geometry, this.black);
    shadow.matrixAutoUpdate = false;
    shadow.frustumCulled = false;
    shadow.renderOrder = -2;
    this.pressed.add(shadow);
    return shadow;
  }

  follow(camera, target, size) {
    this.down.copy(this.floor.quaternion).conjugate();
    const eye = this.paper.eye.value.copy(target).applyQuaternion(this.down);
    for (const k of ["x", "y"]) this.grid.position[k] = 5 * this.step * Math.round(eye[k] / (5 * this.step)); // it goes on for ever
    eye.sub(this.grid.position);
    const reach = 12 * size + 2.5 * camera.position.distanceTo(target) + 5 * this.step;
    this.paper.reach.value = reach;
    this.grid.scale.set(reach, reach, 1);
    const s = new THREE.Vector3(...SUN).applyQuaternion(this.down), x = s.x / s.z, y = s.y / s.z, h = this.height + 1e-4 * size;
    this.pressed.matrix.set(1, 0, -x, h * x, 0, 1, -y, h * y, 0, 0, 0, h, 0, 0, 0, 1);
    this.pressed.matrixWorldNeedsUpdate = true;
  }

  paint() {
    this.paper.ground.value.set(colour("ground"));
    this.paper.line.value.set(colour("grid"));
    this.black.opacity = Number(colour("shadow"));
  }
}
