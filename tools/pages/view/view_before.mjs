// The trace to compare with, as the tracks see a trace: times, tracks, and pictures are its own; what is shown and selected is what
// the page shows and selects, beside it.
import { later } from "./view_alignment.mjs";
import { Pictures } from "./view_lod.mjs";
import { isAlone, keyAfter, keyBefore, matchedTree } from "./view_match.mjs";
import { trackTree } from "./view_rows.mjs";
import { nsOfFiletime, timesOf } from "./view_time.mjs";

const keyLists = ["tracks", "toggled", "pins"];
const keyMembers = [...keyLists, "current", "moves", "heights"];
const own = { marks: [], scroll: 0 }; // which it does not share
const keyOf = (entry) => (Array.isArray(entry) ? entry[0] : entry);

/** Returns entries with other keys: of those that begin with one, the other parts stay; those that have no such key are left out. */
function mapped(name, value, to) {
  const one = (entry) => {
    const all = name === "moves" ? entry.map(to) : Array.isArray(entry) ? [to(entry[0]), ...entry.slice(1)] : to(entry);
    return (Array.isArray(all) ? all : [all]).includes(null) ? [] : [all];
  };
  return name === "current" ? (to(value) ?? "") : value.flatMap(one);
}

/** Returns the state of the page as it is for the trace before. Parts that did not change since `last` are the same. Pure. */
export function stateBefore(state, offset, match, last = null) {
  const isSame = (name) => last !== null && last.of[name] === state[name];
  const moved = (name, move) => (isSame(name) && last.offset === offset ? last.state[name] : state[name] === null ? null : move(state[name]));
  const keyed = (name) => (isSame(name) && last.match === match ? last.state[name] : mapped(name, state[name], (key) => keyBefore(key, match)));
  return {
    ...state,
    window: moved("window", (span) => later(span, offset)),
    selection: moved("selection", (span) => later(span, offset)),
    moment: moved("moment", (ns) => ns + offset),
    ...Object.fromEntries(keyMembers.map((name) => [name, keyed(name)])),
    ...own,
  };
}

/** Returns entries with others that the trace before does not show, which keep their places. */
function amongOthers(entries, all, isOther) {
  const keys = new Set(entries.map(keyOf));
  const rest = [...entries];
  const merged = all.flatMap((entry) => (isOther(entry) ? (keys.has(keyOf(entry)) ? [] : [entry]) : rest.splice(0, 1)));
  return [...merged, ...rest];
}

/**
 * Returns a change of the trace before as one of the page. `state`: of the page. Selected tracks are those that both traces have:
 * panels are about the trace after. Pure.
 */
export function patchAfter(patch, state, offset, match) {
  const isHidden = (key) => keyBefore(key, match) === null;
  const one = ([name, value]) => {
    if (["window", "selection"].includes(name)) {
      return [name, value && later(value, -offset)];
    }
    if (name === "moment") {
      return [name, value === null ? null : value - offset];
    }
    const mine = keyMembers.includes(name) ? mapped(name, value, (key) => keyAfter(key, match)) : value;
    if (name === "tracks") {
      return [name, mine.filter((key) => !isAlone(key))];
    }
    const isOther = (entry) => (name === "moves" ? entry.some(isHidden) : isHidden(keyOf(entry)));
    return [name, Array.isArray(mine) && keyMembers.includes(name) ? amongOthers(mine, state[name], isOther) : mine];
  };
  return Object.fromEntries(Object.entries(patch).filter(([name]) => !(name in own)).map(one));
}

export class TraceBefore {
  /** @param {import("./view_viewer.mjs").Viewer} viewer */
  constructor(viewer) {
    this.viewer = viewer;
    this.about = { is_about_before: true }; // of questions about it
    this.begin = 0n; // FILETIME
    this.length = 1n; // nanoseconds
    this.pictures = new Pictures();
    this.tracks = [];
    this.match = matchedTree([], []);
    this.tree = [];
    this.chain = [];
    this.spans = [];
    this.listeners = { tracks: [], state: [] };
    this.model = { change: (patch) => this.change(patch), follow: (changed) => this.listeners.state.push(changed) };
    this.last = null;
    this.derive();
  }

  change(patch) {
    const { viewer } = this;
    const changed = patchAfter(patch, viewer.state, this.offset, this.match);
    viewer.model.change(changed);
    if (patch.tracks?.length > 0 && changed.tracks.length === 0) {
      viewer.fail(new Error("Only the trace before has these tracks: panels cannot be about them"));
    }
  }

  /** After the viewer is made: follows it. */
  follow() {
    const { viewer } = this;
    viewer.model.follow(() => this.changed());
    viewer.on("aligned", () => this.changed());
    viewer.on("tracks", () => {
      this.pair();
      this.askTracks();
    });
    viewer.on("opened", (opened) => this.take(opened));
  }

  on(kind, changed) {
    if (["opened", "aligned"].includes(kind)) {
      this.viewer.on(kind, changed);
    }
    this.listeners[kind]?.push(changed);
  }

  /** What the pointer finds here is nothing that panels are about. */
  tell() {}

  get offset() {
    return this.viewer.alignment.offset;
  }

  /** How much later the time is that is beside the begin of the other trace, of which points are known. */
  get alignedAt() {
    return this.viewer.alignment.points?.before ?? null;
  }

  get window() {
    return later(this.viewer.window, this.offset);
  }

  /** A selection of the whole trace. */
  get all() {
    return {};
  }

  get book() {
    return this.viewer.book;
  }

  get opened() {
    return this.viewer.opened;
  }

  get isOpen() {
    return this.viewer.isOpen;
  }

  get isReady() {
    return this.viewer.isReady;
  }

  get state() {
    return this.last.state;
  }

  colorOf(name) {
    return this.viewer.colorOf(name);
  }

  /** As that of the viewer. */
  keyBeside(key) {
    return keyAfter(key, this.match);
  }

  show(window) {
    this.viewer.show(later(window, -this.offset));
  }

  timesOf(span) {
    return timesOf(this.begin, span);
  }

  askPicture(question) {
    return this.viewer.client.latest("lod-before", "lod", { ...question, ...this.about }, "arrayBuffer");
  }

  addRemarks(remarks) {
    this.viewer.addRemarks(remarks.map((remark) => `before: ${remark}`));
  }

  fail(error) {
    this.viewer.fail(error);
  }

  derive() {
    const { viewer, offset, match } = this;
    this.last = { of: viewer.state, offset, match, state: stateBefore(viewer.state, offset, match, this.last) };
  }

  changed() {
    const { state } = this;
    this.derive();
    this.listeners.state.forEach((changed) => changed(this.state, state));
    this.askTracks();
  }

  take({ against_begin: begin, against_end: end }) {
    if (begin !== null && begin !== undefined) {
      this.begin = BigInt(begin);
      const length = nsOfFiletime(this.begin, end);
      this.length = length > 0n ? length : 100n;
    }
    this.askTracks();
  }

  /** Asks for its tracks when they are first shown, after those of the other trace, which name the colors. */
  async askTracks() {
    const { viewer } = this;
    if (this.isAsked || !viewer.isCompared || !viewer.isReady || !viewer.hasTracks) {
      return;
    }
    this.isAsked = true;
    try {
      const { tracks, remarks = [] } = await viewer.client.ask("tracks", { ...this.about, selection: {} });
      this.tracks = tracks;
      this.addRemarks(remarks);
      this.pair();
    } catch (error) {
      this.isAsked = false;
      this.fail(error);
    }
  }

  /** Lays tracks beside those of the other trace. */
  pair() {
    this.match = matchedTree(this.viewer.tree, trackTree(this.tracks));
    this.tree = this.match.tree;
    this.derive();
    this.listeners.tracks.forEach((changed) => changed(this.tracks));
  }
}
