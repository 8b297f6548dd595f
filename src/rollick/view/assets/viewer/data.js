// The data of a page, decoded. What is optional is null or missing. Arrays are base64 of little-endian numbers.
//
//   name, note, t0, dt, frames, length (unit of length, "" if there is none), time (unit of time)
//   up          the upward vertical in the plane's frame; ground: the height of the plane, or null where there is none
//   size        the body's radius; span: of what it is in; rise: how high it flies
//   vertices, normals (float32, 3 each), triangles (uint32, 3 each)      the body, in its axes
//   attitude (float32, 4 per frame, scalar first), contact, footprint (float32, 3 per frame: the contact point on the plane and on the body)
//   touch       uint16 per frame: 0 in the air, else the piece of the track to which the frame belongs
//   modes       uint8, `contacts` per frame: 0 open, 1 slips, 2 rolls
//   second      float32, 3 per frame: the second contact point
//   spin        float32 per frame: the angle about e2 by which the body is turned before its attitude turns it; footprint is without it
//   numbers [{name, label, unit, shown}], values (float64, one per number and frame)
//   outline     lines of what the body touches besides the plane; pieces: surfaces of it (vertices, normals, triangles, made_of)
//   parts       what moves in the body: surfaces, with shift (float32, 3 per frame, in the body's axes)
//   bays        what repeats along x: pieces, length, first, aside (lateral displacements where bays meet, the first at first * length)
//   small       displacements that can be enlarged: shift and turn (float32, 3 per frame each), factor at first, most
//   spring      where a spring that holds the body's middle is tied, in the plane's frame
//   centre      the mass centre in the body's axes; sun: the direction to the Sun in the plane's frame
//   force, force2   float32, 3 per frame: what acts on the body at its contacts, in the plane's frame; weight: by which arrows are measured
//   force_told  what these forces are and in which unit, "contact force" and "N" unless said otherwise
//   friction    the coefficient of friction; normal2: float32, 3 per frame, the normal at the second contact (that at the first is z)
//   turning     whether frames follow so closely that the angular velocity can be told from them
function decoded(text, Kind) {
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  return new Kind(bytes.buffer);
}

class Motion {
  constructor(page) {
    if (typeof page !== "object" || page === null || !(page.frames >= 2) || !(page.dt > 0) || !(page.size > 0)) {
      throw new Error("this is not the data of a page: frames, dt and size are needed");
    }
    Object.assign(this, { outline: [], pieces: [], parts: [], events: [], numbers: [], up: [0, 0, 1], length: "m", time: "s", centre: null, sun: null }, page);
    const floats = (name, width, Kind = Float32Array) => {
      if (page[name] == null) return null;
      const found = decoded(page[name], Kind);
      if (found.length !== width * page.frames) throw new Error(`${name} holds ${found.length} numbers, not ${width} for each of ${page.frames} frames`);
      return found;
    };
    for (const name of ["contact", "footprint", "second", "force", "force2", "normal2"]) this[name] = floats(name, 3);
    this.attitude = floats("attitude", 4);
    this.spin = floats("spin", 1);
    this.values = floats("values", this.numbers.length, Float64Array);
    this.touch = page.touch == null ? null : decoded(page.touch, Uint16Array);
    this.modes = page.modes == null ? null : decoded(page.modes, Uint8Array);
    this.ground = page.ground === undefined ? 0 : page.ground;
    this.duration = this.dt * (this.frames - 1);
    this.end = this.t0 + this.duration;
  }

  // The frames around an instant: i and i + 1, the share f of the second, and the nearer one.
  at(time) {
    const x = Math.min(Math.max((time - this.t0) / this.dt, 0), this.frames - 1), i = Math.min(Math.floor(x), this.frames - 2), f = x - i;
    return { x, i, f, near: f < 0.5 ? i : i + 1 };
  }

  mix(data, width, k, { i, f }) {
    return (1 - f) * data[width * i + k] + f * data[width * (i + 1) + k];
  }

  vector(data, at, out) {
    return out.set(this.mix(data, 3, 0, at), this.mix(data, 3, 1, at), this.mix(data, 3, 2, at));
  }

  quaternion(i, out) {
    return out.set(this.attitude[4 * i + 1], this.attitude[4 * i + 2], this.attitude[4 * i + 3], this.attitude[4 * i]);
  }

  // What the k-th contact does at a frame: 0 open, 1 slips, 2 rolls; null where that is not known.
  mode(frame, k = 0) {
    if (this.modes === null || k >= this.contacts) return null;
    return this.modes[this.contacts * frame + k];
  }

  // Whether frames i and i + 1 belong to one piece of contact.
  together(i) {
    return this.touch === null || (this.touch[i] > 0 && this.touch[i] === this.touch[i + 1]);
  }

  get touches() {
    return this.touch === null || this.touch.some((piece) => piece > 0);
  }
}

// Geometry of a surface given by its arrays.
function surfaceOf({ vertices, normals, triangles }) {
  const shape = new THREE.BufferGeometry();
  shape.setAttribute("position", new THREE.BufferAttribute(decoded(vertices, Float32Array), 3));
  shape.setAttribute("normal", new THREE.BufferAttribute(decoded(normals, Float32Array), 3));
  shape.setIndex(new THREE.BufferAttribute(decoded(triangles, Uint32Array), 1));
  return shape;
}

function digits(x) {
  if (!Number.isFinite(x)) return "\u2013";
  const a = Math.abs(x);
  return a !== 0 && (a < 1e-3 || a >= 1e5) ? x.toExponential(2) : x.toFixed(a !== 0 && a < 0.1 ? 5 : a < 10 ? 3 : a < 1000 ? 2 : 0);
}

// 1, 2 or 5 times a power of ten, the largest below x.
function round125(x) {
  const power = 10 ** Math.floor(Math.log10(x)), lead = x / power;
  return power * (lead < 2 ? 1 : lead < 5 ? 2 : 5);
}

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
}
