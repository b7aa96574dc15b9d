// Moving by keys that are held down: W and S zoom, A and D move, evenly while they are pressed.

const zoomRate = 4; // per second, as a power of two
const panRate = 1.2; // windows per second
const directions = { w: ["zoom", -1], s: ["zoom", 1], a: ["pan", -1], d: ["pan", 1], ArrowLeft: ["pan", -1], ArrowRight: ["pan", 1] };

/** Returns whether a key moves the window. */
export function movesWindow(key) {
  return key in directions || key.toLowerCase() in directions;
}

export class Mover {
  /** `zoom(factor)`, `pan(part of the window)`. */
  constructor({ zoom, pan }) {
    this.zoom = zoom;
    this.pan = pan;
    this.held = new Map(); // directions by key
    this.last = 0;
  }

  press(key) {
    const name = key.length === 1 ? key.toLowerCase() : key;
    if (this.held.has(name)) {
      return;
    }
    this.held.set(name, directions[name]);
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
      this.step(0.15);
      this.held.delete(name);
    } else {
      this.step(0.06); // a short press moves, too
      this.run();
    }
  }

  release(key) {
    this.held.delete(key.length === 1 ? key.toLowerCase() : key);
  }

  stop() {
    this.held.clear();
  }

  run() {
    if (this.isRunning) {
      return;
    }
    this.isRunning = true;
    this.last = performance.now();
    const frame = (now) => {
      if (this.held.size === 0) {
        this.isRunning = false;
        return;
      }
      this.step(Math.min(0.1, Math.max(0, now - this.last) / 1000));
      this.last = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  step(seconds) {
    for (const [kind, sign] of this.held.values()) {
      if (kind === "zoom") {
        this.zoom(2 ** (sign * zoomRate * seconds));
      } else {
        this.pan(sign * panRate * seconds);
      }
    }
  }
}
