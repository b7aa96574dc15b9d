// Charts over time: a canvas that mouse and keyboard select a window in. All charts of a page share the window.
import { element, paintSoon } from "../elements.mjs";
import { momentText } from "./report_values.mjs";
import { axisLabels } from "../time_axis.mjs";
import { roundUp } from "../values.mjs";

const axisHeight = 18;
const axisFont = '11px system-ui, "DejaVu Sans", sans-serif';

/** The parts of charts that do not depend on what they draw. `paint(pen, place)` draws between the axes. */
export class TimeChart {
  /**
   * `window`: a TimeWindow. `options`: `height`, `label`: for screen readers, `paint(pen, place)`, `describe(time)`: text
   * about a time, `pick(time, y)`: a click, or absent.
   */
  constructor(window, options) {
    this.window = window;
    this.options = options;
    this.from = null; // where a selection began
    this.canvas = element("canvas", {
      tabindex: "0",
      role: "img",
      "aria-label": `${options.label} Arrow keys move the cursor, with Shift they select, Enter zooms in, Escape shows everything.`,
    });
    this.tip = element("div", { class: "chart-tip", "aria-hidden": "true", hidden: true });
    this.element = element("div", { class: "chart" }, this.canvas, this.tip);
    this.element.style.height = `${options.height + axisHeight}px`;
    this.follow();
  }

  follow() {
    const { canvas } = this;
    new ResizeObserver(() => this.draw()).observe(this.element);
    this.window.follow(() => this.draw());
    canvas.addEventListener("pointerdown", (event) => this.press(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    canvas.addEventListener("pointerup", (event) => this.release(event));
    canvas.addEventListener("pointercancel", () => this.drop());
    canvas.addEventListener("pointerleave", () => this.leave());
    canvas.addEventListener("dblclick", () => this.window.reset());
    canvas.addEventListener("keydown", (event) => this.key(event));
    canvas.addEventListener("blur", () => this.leave());
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
  }

  get width() {
    return Math.max(1, this.element.clientWidth);
  }

  timeAt(x) {
    const { begin } = this.window.shown;
    return begin + (Math.min(Math.max(x, 0), this.width) / this.width) * this.window.length;
  }

  placeOf(time) {
    return ((time - this.window.shown.begin) / this.window.length) * this.width;
  }

  press(event) {
    if (event.button === 0 && event.pointerType !== "touch") {
      this.canvas.setPointerCapture(event.pointerId);
      this.from = { x: event.offsetX, time: this.timeAt(event.offsetX) };
    }
  }

  move(event) {
    this.window.point(this.timeAt(event.offsetX));
    this.showTip(event.offsetX, event.offsetY);
  }

  release(event) {
    if (this.from && Math.abs(event.offsetX - this.from.x) > 4) {
      this.window.show(this.from.time, this.timeAt(event.offsetX));
    } else {
      this.options.pick?.(this.timeAt(event.offsetX), event.offsetY, this.window.length / this.width);
    }
    this.drop();
  }

  drop() {
    this.from = null;
    this.draw();
  }

  leave() {
    if (!this.from) {
      this.tip.hidden = true;
      this.window.point(null);
    }
  }

  wheel(event) {
    if (event.ctrlKey) {
      event.preventDefault();
      this.window.zoom(event.deltaY > 0 ? 1.25 : 0.8, this.timeAt(event.offsetX));
    }
  }

  key(event) {
    const step = this.window.length / (event.ctrlKey ? 10 : 100);
    const to = (time) => {
      const before = this.window.cursor ?? this.window.shown.begin;
      this.from = event.shiftKey ? this.from ?? { time: before } : null;
      this.window.point(time);
      this.showTip(this.placeOf(this.window.cursor), 0);
    };
    const cursor = this.window.cursor ?? this.window.shown.begin;
    const actions = {
      ArrowLeft: () => to(cursor - step),
      ArrowRight: () => to(cursor + step),
      Home: () => to(this.window.shown.begin),
      End: () => to(this.window.shown.end),
      PageUp: () => this.window.move(-0.5),
      PageDown: () => this.window.move(0.5),
      "+": () => this.window.zoom(0.5),
      "-": () => this.window.zoom(2),
      Enter: () => this.enter(cursor),
      Escape: () => this.window.reset(),
    };
    if (actions[event.key] && !event.altKey && !event.metaKey) {
      actions[event.key]();
      event.preventDefault();
    }
  }

  enter(cursor) {
    if (this.from) {
      this.window.show(this.from.time, cursor);
      this.from = null;
    } else {
      this.window.zoom(0.5, cursor);
    }
  }

  showTip(x, y) {
    const time = this.window.cursor;
    const lines = [momentText(time), ...this.options.describe(time, y, this.window.length / this.width)];
    this.tip.replaceChildren(...lines.map((line) => element("div", {}, line)));
    this.tip.hidden = false;
    const room = this.width - this.tip.offsetWidth;
    this.tip.style.transform = `translate(${Math.max(0, Math.min(x + 12, room))}px, ${this.options.height + axisHeight}px)`;
    this.canvas.setAttribute("aria-description", lines.join(", "));
  }

  draw() {
    paintSoon(this, () => this.paint());
  }

  paint() {
    const { width } = this;
    const height = this.options.height + axisHeight;
    const ratio = devicePixelRatio || 1;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    const pen = this.canvas.getContext("2d");
    pen.scale(ratio, ratio);
    const style = getComputedStyle(this.element);
    const colors = { text: style.color, line: style.borderTopColor, accent: style.outlineColor, background: style.backgroundColor };
    this.paintAxis(pen, width, colors);
    this.options.paint(pen, { width, height: this.options.height, chart: this, colors });
    this.paintCursor(pen, colors);
  }

  paintAxis(pen, width, { text, line }) {
    const { begin, end } = this.window.shown;
    const { base, labels } = axisLabels(BigInt(Math.round(begin * 100)), BigInt(Math.round(end * 100)), width / 90);
    pen.font = axisFont;
    pen.textBaseline = "top";
    const space = base === null ? 0 : this.paintBase(pen, momentText(Number(base) / 100), text);
    for (const { at, text: label } of labels) {
      const x = Math.round(this.placeOf(Number(at) / 100)) + 0.5;
      pen.strokeStyle = line;
      pen.beginPath();
      pen.moveTo(x, 0);
      pen.lineTo(x, this.options.height + 4);
      pen.stroke();
      const half = pen.measureText(label).width / 2;
      const left = Math.min(Math.max(x - half, 0), width - 2 * half);
      if (left >= space) {
        pen.fillStyle = text;
        pen.fillText(label, left, this.options.height + 5);
      }
    }
    pen.strokeStyle = line;
    pen.strokeRect(0.5, 0.5, width - 1, this.options.height);
  }

  /** The time that the labels are distances from. Returns the width that it takes. */
  paintBase(pen, base, color) {
    pen.fillStyle = color;
    pen.fillText(base, 0, this.options.height + 5);
    return pen.measureText(base).width + 8;
  }

  paintCursor(pen, { accent }) {
    const { cursor } = this.window;
    if (cursor === null) {
      return;
    }
    const x = this.placeOf(cursor);
    if (this.from) {
      const from = this.placeOf(this.from.time);
      pen.globalAlpha = 0.25;
      pen.fillStyle = accent;
      pen.fillRect(Math.min(from, x), 0, Math.abs(x - from), this.options.height);
      pen.globalAlpha = 1;
    }
    pen.fillStyle = accent;
    pen.fillRect(x, 0, 1, this.options.height);
  }
}

/** Returns the first slice that ends after a time. */
export function sliceAt(limits, time) {
  let low = 0;
  let high = limits.length - 2;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (limits[middle + 1] <= time) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/**
 * Paints series on top of each other, a bar for each slice, or for each pixel if slices are narrower. `rate(value, ticks)`:
 * the height of a value in a slice of some length. Returns the largest height.
 */
export function paintSeries(pen, { width, height, chart }, series, limits, rate, most) {
  const { begin, end } = chart.window.shown;
  const first = sliceAt(limits, begin);
  const last = sliceAt(limits, end);
  for (let i = first; i <= last; ++i) {
    const left = Math.max(0, chart.placeOf(limits[i]));
    const right = Math.min(width, chart.placeOf(limits[i + 1]));
    let y = height;
    series.forEach(({ values, isHidden, color }) => {
      if (isHidden || values[i] === 0) {
        return;
      }
      const bar = (rate(values[i], limits[i + 1] - limits[i]) / most) * (height - 4);
      pen.fillStyle = color;
      pen.fillRect(left, y - bar, Math.max(right - left - (right - left > 4 ? 1 : 0), 0.75), bar);
      y -= bar;
    });
  }
}

/** Returns heights that have a line, with their labels: at most three, of round numbers. `unit`: that of valueText, or null. Pure. */
export function heightsOf(most, unit, textOf) {
  const scale = unit === "bytes" ? 1024 ** Math.max(0, Math.floor(Math.log(most) / Math.log(1024))) : 1;
  const step = most > 0 ? scale * roundUp(most / scale / 3) : 0;
  return step > 0 ? [1, 2, 3].map((i) => i * step).filter((height) => height <= most).map((height) => ({ height, text: textOf(height) })) : [];
}

/** Draws the lines of heights, and their labels. */
export function paintHeights(pen, { width, height, colors }, heights, most) {
  pen.font = axisFont;
  pen.textBaseline = "bottom";
  for (const { height: value, text } of heights) {
    const y = Math.round(height - (value / most) * (height - 4)) + 0.5;
    pen.strokeStyle = colors.line;
    pen.beginPath();
    pen.moveTo(0, y);
    pen.lineTo(width, y);
    pen.stroke();
    const space = pen.measureText(text).width + 6;
    pen.globalAlpha = 0.75; // bars remain visible below
    pen.fillStyle = colors.background;
    pen.fillRect(1, Math.max(1, y - 13), space, 13);
    pen.globalAlpha = 1;
    pen.fillStyle = colors.text;
    pen.fillText(text, 4, Math.max(13, y));
  }
}

/** Returns the largest height of the series in a window. */
export function highestOf(series, limits, rate, { begin, end }) {
  let most = 0;
  for (let i = sliceAt(limits, begin); i <= sliceAt(limits, end) && i + 1 < limits.length; ++i) {
    const length = limits[i + 1] - limits[i];
    most = Math.max(most, series.reduce((sum, { values, isHidden }) => sum + (isHidden ? 0 : rate(values[i], length)), 0));
  }
  return most;
}
