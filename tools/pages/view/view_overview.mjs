// The whole trace in a strip: how much happened when, and which part is shown. Its window can be dragged.
import { element, paintSoon } from "../elements.mjs";
import { pictureOf } from "./view_lod.mjs";
import { offsetText, zoomed } from "./view_time.mjs";

const edge = 6; // pixels in which the border of the window is dragged
const columns = 500;
const mostTracks = 200; // of providers

/** Returns the sums of the series by column. Pure. */
export function sumsOf(series, count) {
  const sums = new Float64Array(count);
  series.forEach(({ values }) => values.forEach((value, i) => (sums[i] += value)));
  return sums;
}

/** Returns the events of a picture by column of the whole trace. `length`: of the trace in nanoseconds. Pure. */
export function countsOf(picture, count, length) {
  const sums = new Float64Array(count);
  const base = Number(picture.base);
  const place = (bin) => ((base + bin * picture.binNs) / Number(length)) * count;
  picture.count.forEach((events, record) => {
    const bin = picture.bin[record] + picture.size[record] / 2;
    const column = Math.floor(place(bin));
    sums[Math.min(count - 1, Math.max(0, column))] += events;
  });
  return sums;
}

export class OverviewView {
  /** @param {import("./view_viewer.mjs").Viewer} viewer */
  constructor(viewer) {
    this.viewer = viewer;
    this.sums = null;
    this.length = 0n; // of the trace that the sums are of
    this.hasCounts = false; // instead of bytes
    this.canvas = element("canvas", { tabindex: "0", role: "img", "aria-label": "The whole trace. Drag to show a part; arrow keys move the part." });
    this.sampled = element("span", { class: "overview-note", hidden: true }, "first picture, sampled");
    this.element = element("div", { class: "overview" }, this.canvas, this.sampled);
    new ResizeObserver(() => this.draw()).observe(this.element);
    viewer.on("opened", () => this.ask());
    viewer.on("tracks", (tracks) => this.askCounts(tracks));
    viewer.on("aligned", () => this.draw());
    viewer.model.follow((state, before) => ["window", "selection", "moment", "marks"].some((name) => state[name] !== before[name]) && this.draw());
    this.canvas.addEventListener("pointerdown", (event) => this.press(event));
    this.canvas.addEventListener("pointermove", (event) => this.move(event));
    this.canvas.addEventListener("pointerup", (event) => this.release(event));
    this.canvas.addEventListener("pointercancel", () => (this.dragged = null));
    this.canvas.addEventListener("dblclick", () => this.viewer.model.change({ window: null }));
    this.canvas.addEventListener("keydown", (event) => this.key(event));
    this.canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
  }

  async ask() {
    const { viewer } = this;
    const isSame = this.sums && (this.hasCounts || this.length === viewer.length);
    if (!viewer.isOpen || (isSame && (viewer.isReady ? !this.isSampled : true))) {
      this.draw();
      return;
    }
    const { length } = viewer;
    try {
      const answer = await viewer.client.latest("overview", "overview", { columns });
      if (answer) {
        this.isSampled = answer.is_sampled;
        this.sampled.hidden = !answer.is_sampled;
        this.sums = sumsOf(answer.series, answer.columns);
        this.length = length;
        this.draw();
      }
    } catch (error) {
      viewer.fail(error);
    }
  }

  /** Replaces bytes of buffers, which are known at once, by events, which have times of their own. */
  async askCounts(tracks) {
    const { viewer } = this;
    const plain = tracks.filter(({ kind }) => kind === "events").slice(0, mostTracks).map(({ kind, process, pid, id, name }) => ({ kind, process, pid, id, name }));
    if (plain.length === 0) {
      return;
    }
    const { length } = viewer;
    try {
      const answer = await viewer.client.latest("counts", "lod", { selection: viewer.all, columns, tracks: plain }, "arrayBuffer");
      if (answer) {
        this.sums = countsOf(pictureOf(answer), columns, length);
        this.length = length;
        this.hasCounts = true;
        this.draw();
      }
    } catch (error) {
      viewer.fail(error);
    }
  }

  get width() {
    return Math.max(1, this.canvas.clientWidth);
  }

  placeOf(ns) {
    return (Number(ns) / Number(this.viewer.length)) * this.width;
  }

  timeAt(x) {
    return BigInt(Math.round((Math.min(Math.max(x, 0), this.width) / this.width) * Number(this.viewer.length)));
  }

  draw() {
    paintSoon(this, () => this.paint());
  }

  paint() {
    const { canvas, width, viewer } = this;
    const ratio = devicePixelRatio || 1;
    const height = canvas.clientHeight;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const pen = canvas.getContext("2d");
    pen.scale(ratio, ratio);
    const style = getComputedStyle(canvas);
    const color = (name) => style.getPropertyValue(name).trim();
    this.paintSums(pen, height, color("--overview"));
    const { from, to } = viewer.window;
    const left = this.placeOf(from);
    const right = Math.max(left + 2, this.placeOf(to));
    pen.fillStyle = color("--shade");
    pen.fillRect(0, 0, left, height);
    pen.fillRect(right, 0, width - right, height);
    pen.fillStyle = color("--accent-solid");
    pen.fillRect(left, 0, right - left, 2);
    pen.fillRect(left, 0, viewer.state.window ? 2 : 0, height);
    pen.fillRect(right - 2, 0, viewer.state.window ? 2 : 0, height);
    const { selection, moment, marks } = viewer.state;
    if (selection) {
      pen.fillStyle = color("--selection");
      pen.fillRect(this.placeOf(selection.from), 0, Math.max(1, this.placeOf(selection.to) - this.placeOf(selection.from)), height);
    }
    pen.fillStyle = color("--mark");
    [moment, ...marks.map(({ at }) => BigInt(at))].filter((ns) => ns !== null).forEach((ns) => pen.fillRect(this.placeOf(ns), 0, 1, height));
  }

  paintSums(pen, height, fill) {
    const { sums } = this;
    if (!sums) {
      return;
    }
    const most = sums.reduce((largest, value) => Math.max(largest, value), 0) || 1;
    const step = this.placeOf(this.length) / sums.length;
    pen.fillStyle = fill;
    pen.beginPath();
    pen.moveTo(0, height);
    sums.forEach((value, i) => {
      const y = height - (value / most) * (height - 6);
      pen.lineTo(i * step, y);
      pen.lineTo((i + 1) * step, y);
    });
    pen.lineTo(sums.length * step, height);
    pen.fill();
  }

  /** What a drag at a place changes: a border of the window, its place, or all of it. */
  partAt(x) {
    const { window } = this.viewer.state;
    if (!window) {
      return "new";
    }
    const left = this.placeOf(window.from);
    const right = this.placeOf(window.to);
    if (Math.abs(x - left) <= edge && (right - left > 2 * edge || x < left)) {
      return "from";
    }
    if (Math.abs(x - right) <= edge && (right - left > 2 * edge || x > right)) {
      return "to";
    }
    return x > left && x < right ? "all" : "new";
  }

  press(event) {
    if (event.button === 0) {
      this.canvas.setPointerCapture(event.pointerId);
      this.dragged = { part: this.partAt(event.offsetX), at: this.timeAt(event.offsetX), x: event.offsetX, window: this.viewer.window };
    }
  }

  move(event) {
    const { dragged, viewer } = this;
    if (!dragged) {
      this.canvas.style.cursor = { new: "crosshair", from: "ew-resize", to: "ew-resize", all: "grab" }[this.partAt(event.offsetX)];
      this.canvas.title = offsetText(this.timeAt(event.offsetX));
      return;
    }
    const at = this.timeAt(event.offsetX);
    const { from, to } = dragged.window;
    dragged.isMoved ||= Math.abs(event.offsetX - dragged.x) > 3;
    const windows = {
      new: { from: dragged.at, to: at },
      from: { from: at, to },
      to: { from, to: at },
      all: { from: from + at - dragged.at, to: to + at - dragged.at },
    };
    const moved = windows[dragged.part];
    if (dragged.isMoved) {
      viewer.show(moved.from < moved.to ? moved : { from: moved.to, to: moved.from });
    }
  }

  release(event) {
    const { dragged, viewer } = this;
    this.dragged = null;
    if (dragged && !dragged.isMoved && viewer.state.window) {
      const { from, to } = viewer.window;
      const at = this.timeAt(event.offsetX);
      viewer.show({ from: at - (to - from) / 2n, to: at + (to - from) / 2n });
    }
  }

  wheel(event) {
    event.preventDefault();
    const { from, to } = this.viewer.window;
    const place = Number(this.timeAt(event.offsetX) - from) / Number(to - from);
    this.viewer.show(zoomed({ from, to }, 2 ** (event.deltaY / 300), Math.min(1, Math.max(0, place))));
  }

  key(event) {
    const { from, to } = this.viewer.window;
    const step = (to - from) / 10n;
    const actions = { ArrowLeft: -step, ArrowRight: step, PageUp: from - to, PageDown: to - from };
    if (event.key in actions && !event.ctrlKey && !event.altKey) {
      this.viewer.show({ from: from + actions[event.key], to: to + actions[event.key] });
      event.preventDefault();
      event.stopPropagation();
    }
  }
}
