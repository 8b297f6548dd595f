// Broad lines: each segment is a strip of two triangles, which the vertex shader makes so many pixels wide.
const BROAD = {
  vertexShader: `attribute vec3 other, tint; attribute float side; uniform vec3 pixels; varying vec3 ink;
    void main() {
      vec4 here = projectionMatrix * modelViewMatrix * vec4(position, 1.0), there = projectionMatrix * modelViewMatrix * vec4(other, 1.0);
      vec2 way = (there.xy / max(there.w, 1e-6) - here.xy / max(here.w, 1e-6)) * pixels.xy;
      way = length(way) > 1e-6 ? normalize(way) : vec2(1.0, 0.0);
      here.xy += (vec2(-way.y, way.x) * side - 0.4 * way) * pixels.z / pixels.xy * here.w;
      ink = tint;
      gl_Position = here;
    }`,
  fragmentShader: `uniform vec3 one; uniform float coloured; varying vec3 ink;
    void main() { gl_FragColor = vec4(mix(one, ink, coloured), 1.0);
      #include <colorspace_fragment>
    }`,
};

class Lines {
  // ends: six numbers for each segment; width in pixels of the screen
  constructor(ends, width, parent) {
    this.width = width;
    this.uniforms = { pixels: { value: new THREE.Vector3() }, one: { value: new THREE.Color() }, coloured: { value: 0 } };
    this.mesh = new THREE.Mesh(new THREE.BufferGeometry(), new THREE.ShaderMaterial({ ...BROAD, uniforms: this.uniforms, transparent: true, side: THREE.DoubleSide }));
    this.mesh.frustumCulled = false;
    this.mesh.onBeforeRender = ({ domElement: { width: wide, height: high, clientWidth } }) => {
      this.uniforms.pixels.value.set(wide, high, Math.max(1.2, (this.width * wide) / Math.max(1, clientWidth)));
    };
    parent.add(this.mesh);
    this.set(ends);
  }

  set(ends) {
    const count = ends.length / 6, here = new Float32Array(12 * count), there = new Float32Array(12 * count), side = new Float32Array(4 * count);
    const order = new Uint32Array(6 * count), shape = this.mesh.geometry;
    for (let k = 0; k < count; k++) {
      const a = ends.subarray(6 * k, 6 * k + 3), b = ends.subarray(6 * k + 3, 6 * k + 6);
      [[a, b, 1], [a, b, -1], [b, a, -1], [b, a, 1]].forEach(([p, q, s], j) => {
        here.set(p, 12 * k + 3 * j);
        there.set(q, 12 * k + 3 * j);
        side[4 * k + j] = s;
      });
      order.set([0, 1, 2, 2, 1, 3].map((j) => 4 * k + j), 6 * k);
    }
    shape.setAttribute("position", new THREE.BufferAttribute(here, 3));
    shape.setAttribute("other", new THREE.BufferAttribute(there, 3));
    shape.setAttribute("side", new THREE.BufferAttribute(side, 1));
    shape.setIndex(new THREE.BufferAttribute(order, 1));
  }

  // Another place of a single segment.
  move(from, to) {
    const { position, other } = this.mesh.geometry.attributes;
    [[from, to], [from, to], [to, from], [to, from]].forEach(([p, q], j) => { position.setXYZ(j, p.x, p.y, p.z); other.setXYZ(j, q.x, q.y, q.z); });
    position.needsUpdate = other.needsUpdate = true;
  }

  // One colour, or one for each segment (three numbers each).
  paint(one, each = null) {
    this.uniforms.one.value.set(one);
    this.uniforms.coloured.value = each === null ? 0 : 1;
    if (each === null) return;
    const tint = new Float32Array(4 * each.length);
    for (let k = 0; k < each.length / 3; k++) for (let j = 0; j < 4; j++) tint.set(each.subarray(3 * k, 3 * k + 3), 12 * k + 3 * j);
    this.mesh.geometry.setAttribute("tint", new THREE.BufferAttribute(tint, 3));
  }

  show(count) {
    this.mesh.visible = count > 0;
    this.mesh.geometry.setDrawRange(0, 6 * count);
  }
}

// A line through points (three numbers each) as segments.
function strung(points) {
  const ends = new Float32Array(Math.max(0, 2 * points.length - 6));
  for (let i = 0; 3 * i + 3 < points.length; i++) ends.set(points.subarray(3 * i, 3 * i + 6), 6 * i);
  return ends;
}
