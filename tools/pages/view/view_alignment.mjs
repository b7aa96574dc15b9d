// Where two traces are laid beside each other: by their begins, by a mark in each, or by the first event in each that matches a filter.
import { nsOfTime } from "./view_time.mjs";
import { visibleText } from "../values.mjs";

/** @typedef {import("./view_time.mjs").Span} Span */
/**
 * How traces are aligned, as in the state; null: by their begins. Marks are in nanoseconds after the begins, as text.
 * @typedef {{after: bigint, before: bigint}} Points
 * @typedef {?{by: "mark", after: string, before: string} | {by: "event", where: string}} Aligned
 */

const mostText = 8192;
const isNs = (value) => typeof value === "string" && /^-?\d{1,24}$/.test(value);

/** Returns whether a value has the form of an alignment: an address can contain anything. */
export function isAlignment(value) {
  const isMark = value?.by === "mark" && isNs(value.after) && isNs(value.before);
  return isMark || (value?.by === "event" && typeof value.where === "string" && value.where.length <= mostText);
}

/** Returns a span that is later. */
export function later({ from, to }, by) {
  return { from: from + by, to: to + by };
}

/**
 * Returns by how much times of the trace before are later than those they are laid beside: whole ticks.
 * @param {?Points} points null: the begins
 */
export function offsetOf(points) {
  const distance = points ? points.before - points.after : 0n;
  return distance - (distance % 100n);
}

/**
 * Returns the time that two traces have together, in that of the trace after.
 * @param {bigint} length
 * @param {bigint} lengthBefore
 * @param {bigint} offset
 * @returns {Span}
 */
export function extentOf(length, lengthBefore, offset) {
  const from = -offset < 0n ? -offset : 0n;
  const end = lengthBefore - offset;
  return { from, to: end > length ? end : length };
}

/** Returns an alignment by marks in which one trace has its mark at a time; at first, that of the other one is beside it. */
export function markedAt(alignment, side, ns, offset) {
  const kept = alignment?.by === "mark" ? alignment : { after: String(side === "after" ? ns : ns - offset), before: String(side === "before" ? ns : ns + offset) };
  return { ...kept, by: "mark", [side]: String(ns) };
}

/** Finds the points of the traces that are beside each other. */
export class Alignment {
  /** @param {import("./view_viewer.mjs").Viewer} viewer */
  constructor(viewer) {
    this.viewer = viewer;
    /** @type {?Points} */
    this.points = null; // nanoseconds after the begins; null: the begins
    this.found = null; // the alignment that the points are of
    this.problem = "";
  }

  /** @returns {Aligned} */
  get wanted() {
    return this.viewer.isCompared ? this.viewer.state.aligned : null;
  }

  /** Whether the points are those of the state: an event must be looked for. */
  get isKnown() {
    return this.found === this.wanted;
  }

  get offset() {
    return offsetOf(this.points);
  }

  /** Finds the points, if others are wanted. */
  update() {
    const { wanted } = this;
    if (this.isKnown && this.asked !== undefined) { // what was looked for is not wanted any more
      this.asked = undefined;
      this.viewer.tell("aligned");
    }
    if (this.isKnown || !this.viewer.isReady || this.asked === wanted) {
      return;
    }
    this.asked = wanted;
    if (wanted?.by === "event") {
      this.ask(wanted);
    } else {
      this.take(wanted, wanted && { after: BigInt(wanted.after), before: BigInt(wanted.before) }, "");
    }
  }

  async ask(wanted) {
    const { viewer } = this;
    try {
      const [after, before] = await Promise.all([this.firstEvent(viewer, wanted.where), this.firstEvent(viewer.before, wanted.where)]);
      const lacking = after === null ? viewer.opened.inputs : viewer.opened.against;
      const isFound = after !== null && before !== null;
      this.take(wanted, isFound ? { after, before } : null, isFound ? "" : `No event matches in ${visibleText(lacking.join(", "), 200)}: aligned by start`);
    } catch (error) {
      this.take(wanted, null, `${visibleText(error.message, 300)}: aligned by start`);
    }
  }

  /** The time of the first event of a trace that matches, or null. */
  async firstEvent(trace, where) {
    const slot = `align/${JSON.stringify(trace.about)}`; // another alignment stops the question
    const { columns, rows } = await this.viewer.client.latest(slot, "events", { ...trace.about, selection: { where }, first: 0, count: 1 });
    const time = rows[0]?.[columns.indexOf("time")] ?? null;
    return time === null ? null : nsOfTime(trace.begin, time);
  }

  /** Takes points, unless others are wanted meanwhile. */
  take(wanted, points, problem) {
    if (this.asked === wanted) {
      Object.assign(this, { asked: undefined, found: wanted, points, problem });
      this.viewer.tell("aligned");
    }
  }
}
