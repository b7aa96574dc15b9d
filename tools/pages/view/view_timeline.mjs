// The picture of the tracks that are seen: a canvas, and questions for what it lacks.
import { element, isDark, paintSoon } from "../elements.mjs";
import { contrastOf } from "../flame_colors.mjs";
import { stateColor } from "./view_colors.mjs";
import { bitmapOf, CanvasPaper, isPaintedAsRecords, paintTrack, wideRecords } from "./view_paint.mjs";
import { paintChain } from "./view_chain.mjs";
import { pictureOf } from "./view_lod.mjs";
import { ownKey } from "./view_rows.mjs";
import { axisLabels } from "../time_axis.mjs";
import { offsetText, partWithin } from "./view_time.mjs";
import { valueText, visibleText } from "../values.mjs";

const axisHeight = 24;
const gap = 2; // above and below a picture
const font = '11px system-ui, "Segoe UI", "DejaVu Sans", sans-serif';
const mostTracks = 120; // of one question
const patience = 250; // ms until a question about another window is stopped
const letter = 6; // pixels, about
const leastText = 40; // pixels of what is named

/** Returns the text on a record that is wide enough: what ran, or the state. */
export function recordText(picture, record, track) {
  const state = picture.states[picture.state[record]];
  return visibleText(track.kind === "activity" ? (track.name ?? "") : state, 80);
}

export class Timeline {
  /**
   * `rows()`: the rows with their places, those that are seen: [{node, y, height}]. `painted()`: after each frame.
   * @param {import("./view_viewer.mjs").Viewer} viewer
   */
  constructor(viewer, whose, rows, painted) {
    this.viewer = viewer;
    this.rows = rows;
    this.painted = painted;
    this.canvas = element("canvas", { class: "tracks-canvas", tabindex: "0", role: "img", "aria-label": `Timeline of the tracks${whose}` });
    this.axis = element("canvas", { class: "tracks-axis", role: "img", "aria-label": `Time axis${whose}` });
    this.base = element("span", { class: "axis-base muted" });
    this.asked = null; // {window, at}
    this.width = 1;
    this.height = 1;
  }

  /** Takes the size of the page; to ask for it in each frame is slow. */
  measure() {
    this.width = Math.max(1, this.canvas.clientWidth);
    this.height = this.canvas.clientHeight;
  }

  /**
   * The part of the window that is in the trace, or null: there is none.
   * @returns {?import("./view_time.mjs").Span}
   */
  get part() {
    return partWithin(this.viewer.window, { from: 0n, to: this.viewer.length });
  }

  get pixelNs() {
    const { from, to } = this.viewer.window;
    return Number(to - from) / this.width;
  }

  timeAt(x) {
    const { from } = this.viewer.window;
    return from + BigInt(Math.round(x * this.pixelNs));
  }

  placeOf(ns) {
    return Number(ns - this.viewer.window.from) / this.pixelNs;
  }

  draw() {
    if (!this.canvas.isConnected) {
      return; // it is drawn when it is shown
    }
    paintSoon(this, () => this.paint());
  }

  paint() {
    const pen = this.prepare(this.canvas, this.height);
    const style = getComputedStyle(this.canvas);
    const color = (name) => style.getPropertyValue(name).trim();
    const colors = { text: style.color, line: color("--grid"), raised: color("--group"), current: color("--current"), accent: color("--accent-solid"), selection: color("--selection"), moment: color("--moment"), mark: color("--mark") };
    const rows = this.rows();
    const { from, to } = this.viewer.window;
    const axis = axisLabels(from, to, this.width / 100);
    this.paintBackground(pen, rows, axis, colors);
    const dark = isDark();
    rows.forEach((row) => this.paintRow(pen, row, dark));
    this.paintSelection(pen, rows, colors);
    paintChain(pen, this, rows, colors);
    this.paintAxis(axis, colors);
    this.painted();
    this.askMore(rows);
  }

  prepare(canvas, height) {
    const ratio = devicePixelRatio || 1;
    const width = Math.round(this.width * ratio);
    if (canvas.width !== width || canvas.height !== Math.round(height * ratio)) {
      canvas.width = width;
      canvas.height = Math.round(height * ratio);
    }
    const pen = canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, this.width, height);
    pen.font = font;
    pen.textBaseline = "middle";
    return pen;
  }

  paintBackground(pen, rows, { labels }, { line, raised, current }) {
    for (const { node, y, height, isCurrent } of rows) {
      if (node.level === 0 || isCurrent) {
        pen.fillStyle = isCurrent ? current : raised;
        pen.fillRect(0, y, this.width, height);
      }
      pen.fillStyle = line;
      pen.fillRect(0, y + height - 1, this.width, 1);
    }
    pen.fillStyle = line;
    labels.forEach(({ at }) => pen.fillRect(Math.round(this.placeOf(at)), 0, 1, this.height));
  }

  paintRow(pen, shown, dark) {
    const { node } = shown;
    const { part } = this;
    if (!node.track || part === null) {
      return;
    }
    const { from, to } = part;
    const pictures = this.viewer.pictures.of(node.trackKey, from, to, this.pixelNs);
    pictures.forEach((picture, i) => {
      pen.save();
      pictures.slice(i + 1).forEach((finer) => this.leaveOut(pen, finer, shown));
      this.paintPicture(pen, picture, shown, dark);
      pen.restore();
    });
    const finest = pictures.at(-1);
    if (finest) {
      this.paintTexts(pen, finest, shown, dark);
    }
  }

  /** Keeps the time of a finer picture free from what is painted next: where it has nothing, nothing happened. */
  leaveOut(pen, { from, to }, { y, height }) {
    const left = this.placeOf(from);
    pen.beginPath();
    pen.rect(0, y, this.width, height);
    pen.rect(left, y, this.placeOf(to) - left, height);
    pen.clip("evenodd");
  }

  paintPicture(pen, picture, { node, y, height: full }, dark) {
    const size = full - 2 * gap;
    const row = picture.rows.get(node.trackKey);
    if (!row || row.first === row.end) {
      return;
    }
    const scale = picture.binNs / this.pixelNs;
    if (isPaintedAsRecords(row)) {
      const place = { left: this.placeOf(picture.base), scale, top: y + gap, height: size, width: this.width };
      paintTrack(new CanvasPaper(pen, place), picture, row, this.viewer.book, dark);
      return;
    }
    const ratio = Math.min(2, Math.ceil(devicePixelRatio || 1));
    const { canvas, tops, height } = bitmapOf(picture, size * ratio, this.viewer.book, dark);
    const { from, to } = this.viewer.window;
    const bin = (ns) => Number(ns - picture.base) / picture.binNs;
    const first = Math.max(0, bin(from));
    const last = Math.min(canvas.width, bin(to));
    if (last > first) {
      pen.imageSmoothingEnabled = scale < 1;
      pen.imageSmoothingQuality = scale < 0.5 ? "medium" : "low";
      pen.drawImage(canvas, first, tops.get(row), last - first, height, (first - bin(from)) * scale, y + gap, Math.max(1, (last - first) * scale), size);
    }
  }

  /** Names what is wide enough. */
  paintTexts(pen, picture, { node, y, height }, dark) {
    if (!["processor", "activity", "thread", "gc", "interrupts"].includes(node.track.kind)) {
      return;
    }
    const row = picture.rows.get(node.trackKey);
    const wide = row ? wideRecords(picture, row, this.viewer.window.from, this.pixelNs, this.width, 8) : [];
    for (const { record, left, right } of wide) {
      if (node.track.kind === "processor" && left > 0) {
        pen.clearRect(left - 0.5, y + gap, 1, height - 2 * gap); // between threads of one color
      }
      if (right - left < leastText) {
        continue;
      }
      const state = picture.states[picture.state[record]];
      const isBar = node.track.kind !== "thread" || state === "running" || state === "ready";
      const text = recordText(picture, record, node.track);
      const color = stateColor(node.track, state, picture.stateOf[picture.state[record]] ?? null, this.viewer.book, dark);
      if (!color) {
        continue;
      }
      const letters = Math.floor((right - left - 8) / letter);
      pen.fillStyle = isBar ? (contrastOf(color, [255, 255, 255]) > 4 ? "#ffffff" : "#101216") : dark ? "#c8ced8" : "#454c57";
      pen.fillText(text.length > letters ? `${text.slice(0, Math.max(1, letters - 1))}\u2026` : text, left + 4, y + height / 2 - (isBar ? 0 : 2), right - left - 6);
    }
  }

  paintSelection(pen, rows, { selection, accent, mark, moment }) {
    const { state } = this.viewer;
    const { height } = this;
    if (state.selection) {
      const left = this.placeOf(state.selection.from);
      const right = Math.max(left + 1, this.placeOf(state.selection.to));
      const isPart = state.tracks.length > 0;
      pen.fillStyle = selection;
      for (const row of isPart ? rows.filter(({ node }) => state.tracks.includes(ownKey(node.key))) : [{ y: 0, height }]) {
        pen.fillRect(left, row.y, right - left, row.height);
      }
      pen.fillStyle = accent;
      pen.fillRect(left, 0, 1, height);
      pen.fillRect(right - 1, 0, 1, height);
    }
    pen.fillStyle = mark;
    state.marks.forEach(({ at }) => pen.fillRect(Math.round(this.placeOf(BigInt(at))), 0, 1, height));
    if (state.moment !== null) {
      pen.fillStyle = moment;
      pen.fillRect(Math.round(this.placeOf(state.moment)), 0, 1, height);
    }
  }

  paintAxis({ base, labels }, { text, line, accent, selection, mark, moment }) {
    const pen = this.prepare(this.axis, axisHeight);
    const { state } = this.viewer;
    if (state.selection) {
      const left = this.placeOf(state.selection.from);
      pen.fillStyle = selection;
      pen.fillRect(left, 0, Math.max(1, this.placeOf(state.selection.to) - left), axisHeight);
    }
    pen.textBaseline = "middle";
    for (const { at, text: label } of labels) {
      const x = Math.round(this.placeOf(at));
      pen.fillStyle = line;
      pen.fillRect(x, axisHeight - 6, 1, 6);
      const half = pen.measureText(label).width / 2;
      pen.fillStyle = text;
      pen.fillText(label, Math.min(Math.max(x - half, 2), this.width - 2 * half - 2), axisHeight / 2 - 2);
    }
    this.paintLength(pen, accent);
    if (state.moment !== null) {
      pen.fillStyle = moment;
      pen.fillRect(Math.round(this.placeOf(state.moment)), 0, 1, axisHeight);
    }
    if (this.viewer.alignedAt !== null) {
      this.paintFlag(pen, this.viewer.alignedAt, "aligned", accent);
    }
    state.marks.forEach(({ at, text: note }, i) => this.paintFlag(pen, BigInt(at), note || String(i + 1), mark));
    this.base.textContent = base === null ? "" : offsetText(base);
  }

  /** How long the selection is, over the labels. */
  paintLength(pen, accent) {
    const { selection } = this.viewer.state;
    if (!selection) {
      return;
    }
    const label = valueText(Number(selection.to - selection.from), "nanoseconds");
    const width = pen.measureText(label).width + 10;
    const middle = (this.placeOf(selection.from) + this.placeOf(selection.to)) / 2;
    if (middle > 0 && middle < this.width) {
      const left = Math.min(Math.max(0, middle - width / 2), this.width - width);
      pen.fillStyle = accent;
      pen.fillRect(left, 3, width, 15);
      pen.fillStyle = isDark() ? "#16181d" : "#ffffff";
      pen.fillText(label, left + 5, 11);
    }
  }

  paintFlag(pen, ns, note, mark) {
    const x = Math.round(this.placeOf(ns));
    const shown = visibleText(note, 24);
    const width = pen.measureText(shown).width + 8;
    pen.fillStyle = mark;
    pen.fillRect(x, 2, width, 15);
    pen.fillRect(x, 2, 1, axisHeight);
    pen.fillStyle = isDark() ? "#16181d" : "#ffffff";
    pen.fillText(shown, x + 4, 10);
  }

  /** Asks for what the seen rows lack. A question about another window is stopped when it takes long. */
  askMore(rows) {
    const { viewer, pixelNs, part } = this;
    if (part === null) {
      return;
    }
    const { from, to } = part;
    const tracks = rows.filter(({ node }) => node.track && !viewer.pictures.has(node.trackKey, from, to, pixelNs)).map(({ node }) => node.track);
    if (!viewer.isReady || tracks.length === 0) {
      return;
    }
    if (this.asked) {
      const isOther = this.asked.from > from || this.asked.to < to || this.asked.pixelNs > pixelNs * 1.01;
      if (!isOther) {
        return; // what is lacking is seen when the answer comes
      }
      const left = patience - (performance.now() - this.asked.at);
      if (left > 0) {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.draw(), left);
        return;
      }
    }
    this.ask(tracks.slice(0, mostTracks), this.askedWindow(part));
  }

  /**
   * A window with some space on both sides, so that moving it shows something.
   * @param {import("./view_time.mjs").Span} window
   * @returns {import("./view_time.mjs").Span}
   */
  askedWindow({ from, to }) {
    const side = (to - from) / 2n;
    const start = from > side ? from - side : 0n;
    const end = to + side < this.viewer.length ? to + side : this.viewer.length;
    return { from: start, to: end };
  }

  async ask(tracks, window) {
    const { viewer } = this;
    const { pixelNs } = this;
    const columns = Math.min(viewer.opened.limits?.columns ?? 10_000, Math.max(10, Math.ceil(Number(window.to - window.from) / pixelNs)));
    const own = { ...window, pixelNs, at: performance.now() };
    this.asked = own;
    try {
      const selection = window.from === 0n && window.to === viewer.length ? viewer.all : viewer.timesOf(window);
      const plain = [...new Map(tracks.map((track) => [track, { kind: track.kind, process: track.process, pid: track.pid, id: track.id, name: track.name }])).values()];
      const answer = await viewer.askPicture({ selection, columns, tracks: plain });
      if (answer) {
        const picture = pictureOf(answer);
        viewer.pictures.add(picture, tracks, own);
        viewer.addRemarks(picture.remarks);
      }
    } catch (error) {
      viewer.fail(error);
      await new Promise((done) => setTimeout(done, 1000)); // before it is asked for again
    }
    if (this.asked === own) {
      this.asked = null;
      this.draw();
    }
  }
}
