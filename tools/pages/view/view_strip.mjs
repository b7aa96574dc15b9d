// Regions over the timeline: lines of spans with their names.
import { element, isDark } from "../elements.mjs";
import { contrastOf } from "../flame_colors.mjs";
import { linesOfSpans } from "./view_spans.mjs";
import { offsetText } from "./view_time.mjs";
import { valueText, visibleText } from "../values.mjs";

const lineHeight = 16;
const mostLines = 5;
const letter = 6; // pixels, about
const leastText = 24; // pixels of what is named

/** Returns what a span is, with its time. */
export function spanText(span) {
  return `${spanName(span)}: ${offsetText(span.from)}, ${valueText(Number(span.to - span.from), "nanoseconds")}`;
}

/** Returns the name of a span and of its instance. */
export function spanName({ name, instance }) {
  return visibleText(instance ? `${name} ${instance}` : name, 160);
}

export class RegionStrip {
  /** @param {import("./view_viewer.mjs").Viewer} viewer */
  constructor(viewer, timeline) {
    this.viewer = viewer;
    this.timeline = timeline;
    this.lines = [];
    this.canvas = element("canvas", {
      class: "regions-canvas",
      role: "img",
      "aria-label": "Regions",
      click: (event) => this.select(event),
      dblclick: (event) => this.fit(event),
      pointermove: (event) => this.hover(event),
    });
    this.element = element("div", { class: "regions-strip", hidden: true }, element("div", { class: "regions-label" }, "Regions"), this.canvas);
    viewer.on("regions", (spans) => this.fill(spans));
  }

  fill(spans) {
    this.lines = linesOfSpans(spans, mostLines);
    this.element.hidden = spans.length === 0;
    this.height = lineHeight * (1 + this.lines.reduce((most, line) => Math.max(most, line), 0)) + 2;
    this.canvas.style.height = `${this.height}px`;
  }

  placeOf({ from, to }) {
    const left = this.timeline.placeOf(from);
    return { left, right: Math.max(left + 2, this.timeline.placeOf(to)) };
  }

  paint() {
    const { viewer } = this;
    if (viewer.spans.length === 0) {
      return;
    }
    const pen = this.timeline.prepare(this.canvas, this.height);
    const dark = isDark();
    viewer.spans.forEach((span, i) => this.paintSpan(pen, span, this.lines[i] * lineHeight + 1, dark));
  }

  paintSpan(pen, span, y, dark) {
    const { left, right } = this.placeOf(span);
    const [from, to] = [Math.max(0, left), Math.min(this.timeline.width, right)];
    if (to <= from) {
      return;
    }
    const { selection } = this.viewer.state;
    const color = this.viewer.book.rgbOf(span.name, dark);
    pen.fillStyle = `rgb(${color})`;
    pen.fillRect(from, y, Math.max(1, to - from - 1), lineHeight - 2); // a gap before the next one
    const ink = contrastOf(color, [255, 255, 255]) > 4 ? "#ffffff" : "#101216";
    if (selection && selection.from === span.from && selection.to === span.to) {
      pen.strokeStyle = ink;
      pen.lineWidth = 2;
      pen.strokeRect(from + 2, y + 2, Math.max(1, to - from - 5), lineHeight - 6);
    }
    if (to - from >= leastText) {
      const letters = Math.floor((to - from - 8) / letter);
      const name = spanName(span);
      pen.fillStyle = ink;
      pen.fillText(name.length > letters ? `${name.slice(0, Math.max(1, letters - 1))}\u2026` : name, from + 4, y + lineHeight / 2 - 1, to - from - 6);
    }
  }

  /** The span at a place of the pointer, or null; the shortest one if there are several. */
  spanAt({ offsetX, offsetY }) {
    const line = Math.floor((offsetY - 1) / lineHeight);
    const size = ({ from, to }) => to - from;
    const found = this.viewer.spans.filter((span, i) => {
      const { left, right } = this.placeOf(span);
      return this.lines[i] === line && offsetX >= left - 2 && offsetX <= right + 2;
    });
    return found.reduce((best, span) => (best === null || size(span) < size(best) ? span : best), null);
  }

  select(event) {
    const span = this.spanAt(event);
    if (span) {
      this.viewer.select(span);
    }
  }

  fit(event) {
    const span = this.spanAt(event);
    if (span && span.to > span.from) {
      const side = (span.to - span.from) / 10n;
      this.viewer.show({ from: span.from - side, to: span.to + side });
    }
  }

  hover(event) {
    const span = this.spanAt(event);
    this.canvas.title = span ? spanText(span) : "";
    this.canvas.style.cursor = span ? "pointer" : "";
  }
}
