// The part of the time that the charts show. No elements.

const least = 20; // 100 ns

export class TimeWindow {
  /** `end`: that of the report, in 100 ns after its begin. */
  constructor(end) {
    this.all = { begin: 0, end: Math.max(end, 1) };
    this.shown = this.all;
    this.cursor = null; // a time, or null
    this.listeners = [];
  }

  /** Calls `changed(window)` now and after each change. */
  follow(changed) {
    this.listeners.push(changed);
    changed(this);
  }

  get isZoomed() {
    return this.shown !== this.all;
  }

  /** The shown part for commands; null: everything. */
  get part() {
    return this.isZoomed ? this.shown : null;
  }

  get length() {
    return this.shown.end - this.shown.begin;
  }

  show(begin, end) {
    const from = Math.max(this.all.begin, Math.min(begin, end));
    const to = Math.min(this.all.end, Math.max(begin, end));
    if (to - from >= least) {
      this.shown = from <= this.all.begin && to >= this.all.end ? this.all : { begin: from, end: to };
      this.tell();
    }
  }

  reset() {
    this.shown = this.all;
    this.tell();
  }

  /** Makes the window `factor` times as long, around a time. */
  zoom(factor, around = this.cursor ?? (this.shown.begin + this.shown.end) / 2) {
    this.show(around - (around - this.shown.begin) * factor, around + (this.shown.end - around) * factor);
  }

  /** Moves the window by a part of its length. */
  move(part) {
    const { length } = this;
    const step = Math.min(Math.max(part * length, this.all.begin - this.shown.begin), this.all.end - this.shown.end);
    if (this.isZoomed && step !== 0) {
      this.show(this.shown.begin + step, this.shown.begin + step + length);
    }
  }

  point(time) {
    this.cursor = time === null ? null : Math.min(Math.max(time, this.shown.begin), this.shown.end);
    this.tell();
  }

  tell() {
    this.listeners.forEach((changed) => changed(this));
  }
}
