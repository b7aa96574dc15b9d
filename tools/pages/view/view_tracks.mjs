// The tracks: their labels and the timeline beside them, which scroll together.
import { element, toggleButton } from "../elements.mjs";
import { TrackLabels } from "./view_labels.mjs";
import { recordsAt } from "./view_lod.mjs";
import { Pointing } from "./view_pointing.mjs";
import { movedTree, movesWith, pinsWith, siblingsOf } from "./view_order.mjs";
import { heightName, heightsWith, nextHeight, rowAtPlace, topsOf, trackHeights } from "./view_places.mjs";
import { ownKey, rowsOf } from "./view_rows.mjs";
import { spanBeside } from "./view_spans.mjs";
import { RegionStrip, spanText } from "./view_strip.mjs";
import { Timeline } from "./view_timeline.mjs";
import { zoomed } from "./view_time.mjs";

const beyond = 4; // rows above a row that is scrolled to
const mostOfChain = 12; // tracks that are shown first
// Of the state: what rows, and what the picture depends on.
const rowMembers = ["filter", "hidesIdle", "toggled", "pins", "moves", "height", "heights"];
const drawnMembers = ["window", "selection", "tracks", "current", "moment", "marks", "compared"];

/** What is beside the axis: which tracks are shown. */
class TrackTools {
  /** @param {import("./view_viewer.mjs").Viewer} viewer */
  constructor({ model }) {
    this.filter = element("input", { type: "search", placeholder: "Filter tracks", "aria-label": "Filter tracks", input: () => model.change({ filter: this.filter.value, scroll: 0 }) });
    this.idle = toggleButton("Busy", "Show only tracks that did something", false, (on) => model.change({ hidesIdle: on }));
    this.elements = [this.filter, this.idle];
  }

  update(state) {
    if (this.filter.value !== state.filter) {
      this.filter.value = state.filter;
    }
    this.idle.setAttribute("aria-pressed", String(state.hidesIdle));
  }
}

export class TracksView {
  /**
   * `viewer`: or what tracks need of it (view_before.mjs). `id`: begins those of elements. `whose`: ends their names. `tools`: beside the axis.
   * @param {import("./view_viewer.mjs").Viewer} viewer
   * @param {{id?: string, whose?: string, tools?: {elements: HTMLElement[], update: (state: any) => void, filter?: HTMLElement}}} options
   */
  constructor(viewer, { id = "track", whose = "", tools = new TrackTools(viewer) } = {}) {
    this.viewer = viewer;
    this.id = id;
    this.whose = whose;
    this.tools = tools;
    /** @type {?TracksView} */
    this.beside = null; // the tracks of the other trace, which scroll to the same track
    this.isFollowing = false; // scrolled by the other ones
    this.shown = []; // rows of all that is open
    this.tops = topsOf([], viewer.state); // where they begin, in pixels
    this.top = 0; // pixels above what is seen
    this.size = 0; // of what is seen, in pixels
    this.timeline = new Timeline(viewer, whose, () => this.seen(), () => this.strip.paint());
    this.strip = new RegionStrip(viewer, this.timeline);
    this.labels = new TrackLabels(this);
    this.pointing = new Pointing(this);
    this.make();
    this.attach();
  }

  make() {
    const { timeline } = this;
    const stage = element("div", { class: "tracks-stage" }, timeline.canvas, this.pointing.cursor, this.pointing.tip);
    this.layer = element("div", { class: "tracks-layer" }, this.labels.element, stage);
    this.space = element("div", { class: "tracks-space" }, this.layer);
    this.scroller = element("div", { class: "tracks-scroll", tabindex: "-1" }, this.space);
    this.status = element("p", { class: "tracks-status", role: "status", "aria-live": "polite" });
    this.empty = element("p", { class: "tracks-empty muted" });
    const head = element("div", { class: "tracks-head" }, element("div", { class: "tracks-tools" }, ...this.tools.elements, timeline.base), timeline.axis);
    this.element = element("section", { class: "tracks", "aria-label": `Timeline${this.whose}` }, head, this.strip.element, this.scroller, this.empty, this.status);
  }

  attach() {
    const { viewer, scroller } = this;
    new ResizeObserver(() => this.resize()).observe(scroller);
    scroller.addEventListener("scroll", () => {
      this.top = scroller.scrollTop;
      viewer.model.change({ scroll: rowAtPlace(this.tops, scroller.scrollTop) });
      this.pointing.leave();
      this.timeline.draw();
      this.labels.draw();
      if (this.beside && !this.isFollowing) {
        this.scrollBeside();
      }
      this.isFollowing = false;
    });
    viewer.on("tracks", () => this.update());
    viewer.on("chain", () => this.update());
    viewer.on("opened", () => this.update());
    viewer.on("regions", () => this.timeline.draw());
    viewer.on("aligned", () => this.timeline.draw());
    viewer.model.follow((state, before) => this.changed(state, before));
    this.pointing.follow(this.timeline.canvas);
    this.pointing.follow(this.timeline.axis);
  }

  changed(state, before) {
    const isChanged = (name) => state[name] !== before[name];
    if (rowMembers.some(isChanged)) {
      this.update();
    }
    if (isChanged("current") && state.current) {
      this.scrollTo(state.current);
    }
    if (drawnMembers.some(isChanged)) {
      this.timeline.draw();
    }
    if (isChanged("tracks") || isChanged("current")) {
      this.labels.draw();
    }
  }

  /** Makes the rows anew: groups were opened, tracks filtered. */
  update() {
    const { viewer } = this;
    const { state } = viewer;
    this.tools.update(state);
    this.shown = rowsOf(this.ordered(), state, [...new Set(viewer.chain.map(({ key }) => key))].slice(0, mostOfChain));
    this.tops = topsOf(this.shown, state);
    this.space.style.height = `${this.tops.at(-1)}px`;
    const isWaiting = !viewer.isReady;
    this.empty.hidden = this.shown.length > 0;
    this.empty.textContent = !viewer.isOpen ? "Tracks are shown when the trace is prepared." : isWaiting ? "Tracks are shown when the trace is indexed." : viewer.tracks.length === 0 ? "The trace contains no events with times." : "No track matches the filter.";
    this.restoreScroll();
    this.timeline.draw();
    this.labels.draw();
  }

  /** After reloading, the rows are where they were. */
  restoreScroll() {
    if (!this.isRestored && this.shown.length > 0) {
      this.isRestored = true;
      this.scroller.scrollTop = this.tops[Math.min(this.viewer.state.scroll, this.shown.length)] ?? 0;
    }
  }

  resize() {
    this.size = this.scroller.clientHeight;
    this.layer.style.height = `${this.size}px`;
    this.timeline.measure();
    this.timeline.draw();
    this.labels.draw();
  }

  /** The rows that are seen. */
  seen() {
    const { top, tops, currentIndex } = this;
    const first = rowAtPlace(tops, top);
    const last = rowAtPlace(tops, top + this.size);
    return this.shown.slice(first, last + 1).map((node, i) => {
      const index = first + i;
      return { node, y: tops[index] - top, height: tops[index + 1] - tops[index], index, isCurrent: index === currentIndex };
    });
  }

  toggle(node) {
    const { toggled } = this.viewer.state;
    this.viewer.model.change({ toggled: toggled.includes(node.key) ? toggled.filter((key) => key !== node.key) : [...toggled, node.key] });
  }

  /** Makes panels be about a track, or about all if they are about it alone. `isMore`: besides others. */
  scopeTo(node, isMore = false) {
    if (!node || node.level === 0) {
      return;
    }
    const { tracks } = this.viewer.state;
    const own = ownKey(node.key);
    const others = isMore ? tracks.filter((key) => key !== own) : [];
    const isIn = tracks.includes(own) && (isMore || tracks.length === 1);
    this.viewer.model.change({ tracks: isIn ? others : [...others, own], current: node.key });
  }

  pin(key) {
    const { pins } = this.viewer.state;
    const own = ownKey(key);
    this.viewer.model.change({ pins: pins.includes(own) ? pins.filter((one) => one !== own) : [...pins, own] });
  }

  /** The tree in the order that a person chose. */
  ordered() {
    const { tree, state } = this.viewer;
    if (this.order?.tree !== tree || this.order.moves !== state.moves) {
      this.order = { tree, moves: state.moves, moved: movedTree(tree, state.moves) };
    }
    return this.order.moved;
  }

  /** Whether a row can be moved: the steps of a wait are in order of time, and groups on top are always there. */
  canMove(index) {
    const node = this.shown[index];
    return Boolean(node) && (!node.isTop || node.key.startsWith("top/pins/"));
  }

  /** Moves the current track up or down within its group. */
  moveCurrent(step) {
    const index = this.currentIndex;
    if (!this.canMove(index)) {
      return;
    }
    const siblings = siblingsOf(this.shown, index);
    const to = siblings.indexOf(index) + (step < 0 ? -1 : 2);
    if (to >= 0 && to <= siblings.length) {
      this.moveBefore(this.shown[index].key, this.shown[siblings[to]]?.key ?? "");
    }
  }

  /** Moves a track before another one of its group, or to the end. */
  moveBefore(key, before) {
    const { model, state } = this.viewer;
    const label = this.shown[this.indexOf(key)]?.label ?? "";
    if (key !== before) {
      model.change(key.startsWith("top/pins/") ? { pins: pinsWith(state.pins, ownKey(key), ownKey(before)), current: key } : { moves: movesWith(state.moves, key, before), current: key });
      this.scrollTo(key);
      this.status.textContent = `Moved ${label}`;
    }
  }

  /** Gives all tracks the next height, or the current one alone. */
  stepHeight(isCurrent) {
    const { model, state } = this.viewer;
    const node = isCurrent ? this.shown[this.currentIndex] : null;
    if (node?.track) {
      const name = nextHeight(heightName(node, state.height, new Map(state.heights)));
      model.change({ heights: heightsWith(state.heights, ownKey(node.key), name, state.height) });
      this.status.textContent = `${node.label}: ${name}`;
    } else if (!isCurrent) {
      const name = nextHeight(state.height || "usual");
      model.change({ height: name === "usual" ? "" : name });
      this.status.textContent = `Tracks: ${name}`;
    }
    this.scrollTo(state.current);
  }

  get currentIndex() {
    return this.indexOf(this.viewer.state.current);
  }

  /** The row of a key; if there is none, another one of its track. */
  indexOf(key) {
    const index = this.shown.findIndex((node) => node.key === key);
    const own = ownKey(key);
    return index >= 0 || key === "" ? index : this.shown.findIndex((node) => ownKey(node.key) === own);
  }

  /** Makes the next or previous row current. */
  step(step) {
    const at = Math.min(Math.max(this.currentIndex + step, 0), this.shown.length - 1);
    this.viewer.model.change({ current: this.shown[at]?.key ?? "" });
  }

  toggleCurrent() {
    const node = this.shown[this.currentIndex];
    if (node && node.children.length > 0 && !node.isTop) {
      this.toggle(node);
    }
  }

  scrollTo(key) {
    const index = this.indexOf(key);
    const [top, bottom] = [this.tops[index], this.tops[index + 1]];
    const { scrollTop, clientHeight } = this.scroller;
    if (index >= 0 && (top < scrollTop || bottom > scrollTop + clientHeight)) {
      this.scroller.scrollTop = top - Math.min(clientHeight / 2, beyond * trackHeights.usual);
    }
  }

  /** Scrolls the tracks of the other trace to the same track, or the last one before it that it has. */
  scrollBeside() {
    const { beside, shown, tops, top, viewer } = this;
    const first = rowAtPlace(tops, top);
    const places = new Map(beside.shown.map(({ key }, i) => [key, i]));
    const placeOf = ({ key }) => places.get(viewer.keyBeside(key)) ?? -1;
    const at = shown.findLastIndex((row, i) => i <= first && placeOf(row) >= 0);
    const { scroller } = beside;
    const before = scroller.scrollTop;
    scroller.scrollTop = at < 0 ? 0 : beside.tops[placeOf(shown[at])] + (at === first ? top - tops[at] : 0);
    beside.isFollowing = scroller.scrollTop !== before;
  }

  pan(ns) {
    const { from, to } = this.viewer.window;
    this.viewer.show({ from: from + ns, to: to + ns });
  }

  fitSelection() {
    /** @type {{selection: ?import("./view_time.mjs").Span}} */
    const { selection } = this.viewer.state;
    if (selection) {
      const side = (selection.to - selection.from) / 50n;
      this.viewer.show({ from: selection.from - side, to: selection.to + side });
    }
  }

  /** Makes the thread current that runs on the current processor at the cursor. */
  goToRunning() {
    const { viewer } = this;
    const { moment } = viewer.state;
    const current = viewer.current?.trackKey ?? "";
    const picture = moment === null ? null : viewer.pictures.of(current, moment, moment + 1n).at(-1);
    const owners = (picture ? recordsAt(picture, current, moment) : []).map((record) => picture.stateOf[picture.state[record]]).filter(Boolean);
    const key = owners.length > 0 ? viewer.keyOf({ pid: owners[0].pid, tid: owners[0].id }) : null;
    if (key) {
      viewer.reveal(key);
    }
  }

  /** Moves the cursor; if there is none, from the middle of the window. */
  moveCursor(pixels) {
    const { viewer, timeline } = this;
    const { from, to } = viewer.window;
    const step = BigInt(Math.max(1, Math.round(timeline.pixelNs)) * pixels);
    const at = (viewer.state.moment ?? (from + to) / 2n) + step;
    const { extent } = viewer;
    const moment = at < extent.from ? extent.from : at > extent.to ? extent.to : at;
    viewer.showMoment(moment);
    viewer.model.change({ moment });
  }

  /** Selects the next region after the selection or the cursor, or the previous one. */
  stepRegion(step) {
    const { viewer } = this;
    const { selection, moment } = viewer.state;
    const from = moment ?? selection?.from ?? (step > 0 ? -1n : viewer.length);
    const span = viewer.spans[spanBeside(viewer.spans, from, step)];
    if (span) {
      viewer.select(span);
      this.status.textContent = spanText(span);
    }
  }

  /** Zooms at the pointer, or in the middle. */
  zoom(factor) {
    this.viewer.show(zoomed(this.viewer.window, factor, this.pointing.place ?? 0.5));
  }
}
