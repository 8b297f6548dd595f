// The parts of three.js that the viewer uses, gathered under one global name. See README.md for how this is bundled.
export {
  BufferAttribute, BufferGeometry, Color, CylinderGeometry, DirectionalLight, DoubleSide, Group,
  EqualStencilFunc, HemisphereLight, IncrementStencilOp, InstancedMesh, Matrix4, Mesh, MeshBasicMaterial, MeshLambertMaterial, PerspectiveCamera, PlaneGeometry, Quaternion, Scene,
  ShaderMaterial, SphereGeometry, Vector3, WebGLRenderer,
} from "three";
export { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
