// The tracks: labels as a tree, the timeline beside them, and how mouse and keyboard move in both.
import { element, toggleButton } from "../elements.mjs";
import { recordsAt, stretchOf } from "./view_lod.mjs";
import { describePoint } from "./view_describe.mjs";
import { nodeOf, rowHeight, rowsOf } from "./view_rows.mjs";
import { Timeline } from "./view_timeline.mjs";
import { offsetText, zoomed } from "./view_time.mjs";
import { countText, valueText } from "../values.mjs";

const beyond = 4; // rows above a row that is scrolled to
const edgeWidth = 3; // pixels
// Of the state: what rows, and what the picture depends on.
const rowMembers = ["filter", "hidesIdle", "toggled", "pins"];
const drawnMembers = ["window", "selection", "tracks", "current", "moment", "marks"];

export class TracksView {
  constructor(viewer) {
    this.viewer = viewer;
    this.shown = []; // rows of all that is open
    this.top = 0; // pixels above what is seen
    this.size = 0; // of what is seen, in pixels
    this.dragged = null;
    this.pointers = new Map(); // touches
    this.timeline = new Timeline(viewer, () => this.seen());
    this.make();
    this.attach();
  }

  make() {
    const { timeline, viewer } = this;
    this.filter = element("input", { type: "search", placeholder: "Filter tracks", "aria-label": "Filter tracks", input: () => viewer.model.change({ filter: this.filter.value, scroll: 0 }) });
    this.idle = toggleButton("Busy", "Show only tracks that did something", false, (on) => viewer.model.change({ hidesIdle: on }));
    this.labels = element("div", { class: "tracks-labels", role: "tree", tabindex: "0", "aria-label": "Tracks" });
    this.tip = element("div", { class: "tip", "aria-hidden": "true", hidden: true });
    this.cursor = element("div", { class: "tracks-cursor", hidden: true });
    this.layer = element("div", { class: "tracks-layer" }, this.labels, element("div", { class: "tracks-stage" }, timeline.canvas, this.cursor, this.tip));
    this.space = element("div", { class: "tracks-space" }, this.layer);
    this.scroller = element("div", { class: "tracks-scroll", tabindex: "-1" }, this.space);
    this.status = element("p", { class: "tracks-status", role: "status", "aria-live": "polite" });
    this.empty = element("p", { class: "tracks-empty muted" });
    const head = element("div", { class: "tracks-head" }, element("div", { class: "tracks-tools" }, this.filter, this.idle, timeline.base), timeline.axis);
    this.element = element("section", { class: "tracks", "aria-label": "Timeline" }, head, this.scroller, this.empty, this.status);
  }

  attach() {
    const { viewer, scroller } = this;
    new ResizeObserver(() => this.resize()).observe(scroller);
    scroller.addEventListener("scroll", () => {
      this.top = scroller.scrollTop;
      viewer.model.change({ scroll: Math.round(scroller.scrollTop / rowHeight) });
      this.leave();
      this.timeline.draw();
      this.drawLabels();
    });
    viewer.on("tracks", () => this.update());
    viewer.on("chain", () => this.update());
    viewer.on("opened", () => this.update());
    viewer.model.follow((state, before) => this.changed(state, before));
    this.attachPointer(this.timeline.canvas);
    this.attachPointer(this.timeline.axis);
    this.labels.addEventListener("click", (event) => this.clickLabel(event));
    this.labels.addEventListener("dblclick", (event) => this.scopeTo(this.rowAt(event)));
    this.labels.addEventListener("keydown", (event) => this.pressLabel(event));
  }

  attachPointer(canvas) {
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    canvas.addEventListener("pointerdown", (event) => this.press(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    canvas.addEventListener("pointerup", (event) => this.release(event));
    canvas.addEventListener("pointercancel", (event) => this.drop(event));
    canvas.addEventListener("pointerleave", () => this.leave());
    canvas.addEventListener("dblclick", (event) => this.fit(event));
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
      this.drawLabels();
    }
  }

  /** Makes the rows anew: groups were opened, tracks filtered. */
  update() {
    const { viewer } = this;
    const { state } = viewer;
    if (this.filter.value !== state.filter) {
      this.filter.value = state.filter;
    }
    this.idle.setAttribute("aria-pressed", String(state.hidesIdle));
    this.shown = rowsOf(viewer.tree, state, [...new Set(viewer.chain.map(({ key }) => key))]);
    this.space.style.height = `${this.shown.length * rowHeight}px`;
    const isWaiting = !viewer.isReady;
    this.empty.hidden = this.shown.length > 0;
    this.empty.textContent = !viewer.isOpen ? "Tracks are shown when the trace is prepared." : isWaiting ? "Tracks are shown when the trace is indexed." : viewer.tracks.length === 0 ? "The trace contains no events with times." : "No track matches the filter.";
    this.restoreScroll();
    this.timeline.draw();
    this.drawLabels();
  }

  /** After reloading, the rows are where they were. */
  restoreScroll() {
    if (!this.isRestored && this.shown.length > 0) {
      this.isRestored = true;
      this.scroller.scrollTop = this.viewer.state.scroll * rowHeight;
    }
  }

  resize() {
    this.size = this.scroller.clientHeight;
    this.layer.style.height = `${this.size}px`;
    this.timeline.measure();
    this.timeline.draw();
    this.drawLabels();
  }

  /** The rows that are seen. */
  seen() {
    const scrollTop = this.top;
    const first = Math.floor(scrollTop / rowHeight);
    const count = Math.ceil(this.size / rowHeight) + 1;
    return this.shown.slice(first, first + count).map((node, i) => ({ node, y: (first + i) * rowHeight - scrollTop, index: first + i }));
  }

  drawLabels() {
    this.pendingLabels ??= requestAnimationFrame(() => {
      this.pendingLabels = null;
      this.paintLabels();
    });
  }

  paintLabels() {
    const { state } = this.viewer;
    const items = this.seen().map(({ node, y, index }) => this.labelOf(node, y, index, state));
    this.labels.replaceChildren(...items);
    const marked = items.find((item) => item.getAttribute("aria-selected") === "true");
    if (marked) {
      this.labels.setAttribute("aria-activedescendant", marked.id);
    } else {
      this.labels.removeAttribute("aria-activedescendant");
    }
  }

  labelOf(node, y, index, state) {
    const isGroup = node.children.length > 0;
    const isIn = state.tracks.includes(node.key);
    const process = node.process ?? (node.track?.process ? node.track : null);
    const swatch = node.level === 1 && process?.process && process.pid !== 0 ? [this.swatchOf(process.process)] : [];
    const item = element(
      "div",
      {
        id: `track-${index}`,
        role: "treeitem",
        class: `track level-${node.level}${isIn ? " scoped" : ""}${isGroup ? " group" : ""}`,
        "aria-level": String(node.level + 1),
        "aria-selected": String(node.key === state.current),
        "aria-expanded": isGroup ? String(node.isOpen) : null,
        "aria-posinset": String(index + 1),
        "aria-setsize": String(this.shown.length),
        title: `${node.label}${node.detail && ` \u00b7 ${node.detail}`}`,
        "data-index": String(index),
      },
      element("span", { class: "track-opener", "aria-hidden": "true" }),
      ...swatch,
      element("span", { class: "track-name" }, node.label),
      element("span", { class: "track-detail muted" }, node.detail),
    );
    item.style.transform = `translateY(${y}px)`;
    return item;
  }

  swatchOf(process) {
    const swatch = element("span", { class: "swatch", "aria-hidden": "true" });
    swatch.style.background = this.viewer.colorOf(process);
    return swatch;
  }

  rowAt(event) {
    const item = event.target.closest("[data-index]");
    return item ? this.shown[Number(item.dataset.index)] : null;
  }

  clickLabel(event) {
    const node = this.rowAt(event);
    if (!node) {
      return;
    }
    const isOpener = event.target.classList.contains("track-opener") || node.level === 0;
    if (event.ctrlKey || event.metaKey) {
      this.scopeTo(node, true);
    } else if (isOpener && node.children.length > 0 && !node.isTop) {
      this.toggle(node);
    } else {
      this.viewer.model.change({ current: node.key });
    }
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
    const others = isMore ? tracks.filter((key) => key !== node.key) : [];
    const isIn = tracks.includes(node.key) && (isMore || tracks.length === 1);
    this.viewer.model.change({ tracks: isIn ? others : [...others, node.key], current: node.key });
  }

  pin(key) {
    const { pins } = this.viewer.state;
    this.viewer.model.change({ pins: pins.includes(key) ? pins.filter((one) => one !== key) : [...pins, key] });
  }

  get currentIndex() {
    return this.shown.findIndex(({ key }) => key === this.viewer.state.current);
  }

  pressLabel(event) {
    const at = this.currentIndex;
    const node = this.shown[at];
    const page = Math.max(1, Math.floor(this.scroller.clientHeight / rowHeight) - 1);
    const to = (index) => this.viewer.model.change({ current: this.shown[Math.min(Math.max(index, 0), this.shown.length - 1)]?.key ?? "" });
    const isGroup = node?.children.length > 0;
    const parent = this.shown.findLastIndex(({ level }, i) => i < at && level < (node?.level ?? 0));
    const actions = {
      ArrowDown: () => to(at + 1),
      ArrowUp: () => to(at < 0 ? 0 : at - 1),
      PageDown: () => to(at + page),
      PageUp: () => to(at - page),
      Home: () => to(0),
      End: () => to(this.shown.length - 1),
      ArrowRight: () => isGroup && (node.isOpen ? to(at + 1) : this.toggle(node)),
      ArrowLeft: () => (isGroup && node.isOpen ? this.toggle(node) : to(parent)),
      Enter: () => isGroup && this.toggle(node),
    };
    if (actions[event.key] && !event.ctrlKey && !event.altKey && !event.metaKey) {
      actions[event.key]();
      event.preventDefault();
      event.stopPropagation();
    }
  }

  /** Marks the next or previous row. */
  step(step) {
    const at = Math.min(Math.max(this.currentIndex + step, 0), this.shown.length - 1);
    this.viewer.model.change({ current: this.shown[at]?.key ?? "" });
  }

  toggleCurrent() {
    const node = this.shown[this.currentIndex];
    if (node && node.children.length > 0) {
      this.toggle(node);
    }
  }

  scrollTo(key) {
    const index = this.shown.findIndex((node) => node.key === key);
    const top = index * rowHeight;
    const { scrollTop, clientHeight } = this.scroller;
    if (index >= 0 && (top < scrollTop || top + rowHeight > scrollTop + clientHeight)) {
      this.scroller.scrollTop = top - Math.min(clientHeight / 2, beyond * rowHeight);
    }
  }

  // The timeline.

  wheel(event) {
    event.preventDefault();
    const { viewer, timeline } = this;
    const { from, to } = viewer.window;
    const size = event.deltaMode === 1 ? 20 : 1;
    const across = (event.shiftKey ? event.deltaY || event.deltaX : event.deltaX) * size;
    if (event.altKey) {
      this.scroller.scrollTop += event.deltaY * size;
    } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      this.pan(BigInt(Math.round(across * timeline.pixelNs)));
    } else {
      viewer.show(zoomed({ from, to }, 2 ** ((event.deltaY * size) / 300), event.offsetX / timeline.width));
    }
  }

  pan(ns) {
    const { from, to } = this.viewer.window;
    this.viewer.show({ from: from + ns, to: to + ns });
  }

  press(event) {
    if (event.pointerType === "touch") {
      this.pointers.set(event.pointerId, event.offsetX);
    }
    if (event.button !== 0) {
      return;
    }
    event.target.setPointerCapture(event.pointerId);
    const isAxis = event.target === this.timeline.axis;
    const edge = this.edgeAt(event.offsetX);
    this.dragged = edge ? { x: -100, y: event.offsetY, isAxis, ns: edge.other, isMoved: true, pans: false, keepsTracks: true } : { x: event.offsetX, y: event.offsetY, isAxis, ns: this.timeline.timeAt(event.offsetX), isMoved: false, pans: event.shiftKey || event.pointerType === "touch", window: this.viewer.window };
  }

  /** The border of the selection at a place, or null; it can be dragged. `other`: the border that stays. */
  edgeAt(x) {
    const { selection } = this.viewer.state;
    const near = (ns) => Math.abs(this.timeline.placeOf(ns) - x) <= edgeWidth;
    if (!selection) {
      return null;
    }
    return near(selection.to) ? { other: selection.from } : near(selection.from) ? { other: selection.to } : null;
  }

  move(event) {
    const { dragged, timeline } = this;
    if (this.pointers.size > 1 && this.pointers.has(event.pointerId)) {
      this.pinch(event);
      return;
    }
    if (!dragged) {
      this.hover(event);
      return;
    }
    dragged.isMoved ||= Math.abs(event.offsetX - dragged.x) > 4;
    if (dragged.isMoved && dragged.pans) {
      const { from, to } = dragged.window;
      const moved = BigInt(Math.round(((dragged.x - event.offsetX) * Number(to - from)) / timeline.width));
      this.viewer.show({ from: from + moved, to: to + moved });
    } else if (dragged.isMoved) {
      this.select(event);
    }
  }

  pinch(event) {
    const other = [...this.pointers].find(([id]) => id !== event.pointerId)[1];
    const before = Math.abs(this.pointers.get(event.pointerId) - other);
    const now = Math.abs(event.offsetX - other);
    this.pointers.set(event.pointerId, event.offsetX);
    this.dragged = null;
    if (before > 10 && now > 10) {
      this.viewer.show(zoomed(this.viewer.window, before / now, other / this.timeline.width));
    }
  }

  /** Selects the time of a drag, with Ctrl the tracks under it, too. */
  select(event) {
    const { dragged, timeline, viewer } = this;
    const x = Math.min(Math.max(event.offsetX, 0), timeline.width);
    const at = timeline.timeAt(x);
    const [from, to] = at < dragged.ns ? [at, dragged.ns] : [dragged.ns, at];
    const patch = { selection: { from, to: to > from ? to : from + 1n }, scope: "" };
    if (event.ctrlKey || event.metaKey) {
      const [top, bottom] = [Math.min(dragged.y, event.offsetY), Math.max(dragged.y, event.offsetY)];
      patch.tracks = this.seen().filter(({ node, y }) => node.level > 0 && y + rowHeight > top && y < bottom).map(({ node }) => node.key);
    }
    viewer.model.change(patch);
    this.status.textContent = `Selected ${valueText(Number(to - from), "nanoseconds")} from ${offsetText(from)}`;
  }

  release(event) {
    const { dragged } = this;
    this.pointers.delete(event.pointerId);
    this.dragged = null;
    if (dragged && !dragged.isMoved) {
      const row = dragged.isAxis ? null : this.rowAtY(event.offsetY);
      this.viewer.model.change({ moment: dragged.ns, ...(row && row.node.level > 0 ? { current: row.node.key } : {}) });
      this.viewer.tell("picked", { ns: dragged.ns, node: row?.node ?? null });
    }
  }

  drop(event) {
    this.pointers.delete(event.pointerId);
    this.dragged = null;
  }

  rowAtY(y) {
    return this.seen().find((row) => y >= row.y && y < row.y + rowHeight) ?? null;
  }

  hover(event) {
    const { timeline } = this;
    const x = event.offsetX;
    const ns = timeline.timeAt(x);
    this.hovered = { ns, x };
    event.target.style.cursor = this.edgeAt(x) ? "ew-resize" : "";
    this.cursor.hidden = false;
    this.cursor.style.transform = `translateX(${x}px)`;
    const row = event.target === timeline.axis ? null : this.rowAtY(event.offsetY);
    const lines = describePoint(this.viewer, row?.node ?? null, ns);
    this.tip.hidden = lines.length < 2 || event.pointerType === "touch";
    if (!this.tip.hidden) {
      this.tip.replaceChildren(...lines.map((line) => element("div", {}, line)));
      const right = timeline.width - this.tip.offsetWidth;
      const isLow = event.offsetY + 24 + this.tip.offsetHeight > this.scroller.clientHeight;
      this.tip.style.transform = `translate(${Math.max(0, Math.min(x + 12, right))}px, ${isLow ? event.offsetY - 10 - this.tip.offsetHeight : event.offsetY + 18}px)`;
    }
    this.status.textContent = lines.join(" \u00b7 ");
  }

  leave() {
    this.cursor.hidden = true;
    this.tip.hidden = true;
    this.hovered = null;
  }

  /** Shows the selection, or what is under the pointer, over all of the width. */
  fit(event) {
    const { viewer, timeline } = this;
    const ns = timeline.timeAt(event.offsetX);
    const { selection } = viewer.state;
    if (selection) {
      this.fitSelection();
      return;
    }
    const row = this.rowAtY(event.offsetY);
    const picture = row?.node.track ? viewer.pictures.of(row.node.trackKey, ns, ns + 1n).at(-1) : null;
    const [record] = picture ? recordsAt(picture, row.node.trackKey, ns) : [];
    if (record !== undefined) {
      const { from, to } = stretchOf(picture, record);
      const side = (to - from) / 10n;
      viewer.show({ from: from - side, to: to + side });
    }
  }

  fitSelection() {
    const { selection } = this.viewer.state;
    if (selection) {
      const side = (selection.to - selection.from) / 50n;
      this.viewer.show({ from: selection.from - side, to: selection.to + side });
    }
  }

  /** Marks the thread that runs on the marked processor at the marked time. */
  goToRunning() {
    const { viewer } = this;
    const { current, moment } = viewer.state;
    const picture = moment === null ? null : viewer.pictures.of(current, moment, moment + 1n).at(-1);
    const owners = (picture ? recordsAt(picture, current, moment) : []).map((record) => picture.stateOf[picture.state[record]]).filter(Boolean);
    const key = owners.length > 0 ? viewer.keyOf({ pid: owners[0].pid, tid: owners[0].id }) : null;
    if (key) {
      viewer.reveal(key);
    }
  }

  /** Zooms at the pointer, or in the middle. */
  zoom(factor) {
    this.viewer.show(zoomed(this.viewer.window, factor, this.hovered ? this.hovered.x / this.timeline.width : 0.5));
  }

  /** A sentence about what is shown, for screen readers. */
  describe() {
    const { from, to } = this.viewer.window;
    const node = nodeOf(this.viewer.tree, this.viewer.state.current);
    return `${countText(this.shown.length)} rows, ${offsetText(from)} to ${offsetText(to)}${node ? `, ${node.label}` : ""}`;
  }
}
