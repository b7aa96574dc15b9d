// The labels of tracks: a tree, of which only the rows that are seen are elements.
import { element } from "../elements.mjs";
import { swatchOf } from "./view_controls.mjs";
import { TrackDragging } from "./view_dragging.mjs";
import { trackHeights } from "./view_places.mjs";
import { ownKey } from "./view_rows.mjs";

export class TrackLabels {
  /** @param {import("./view_tracks.mjs").TracksView} tracks */
  constructor(tracks) {
    this.tracks = tracks;
    this.viewer = tracks.viewer;
    this.element = element("div", {
      class: "tracks-labels",
      role: "tree",
      tabindex: "0",
      "aria-label": `Tracks${tracks.whose}`,
      click: (event) => this.click(event),
      dblclick: (event) => this.tracks.scopeTo(this.rowAt(event)),
      keydown: (event) => this.press(event),
    });
    this.dragging = new TrackDragging(tracks, this.element);
  }

  draw() {
    this.pending ??= requestAnimationFrame(() => {
      this.pending = null;
      this.paint();
    });
  }

  paint() {
    const { state } = this.viewer;
    const items = this.tracks.seen().map((row) => this.labelOf(row, state));
    this.element.replaceChildren(...items, this.dragging.line);
    const current = items.find((item) => item.getAttribute("aria-selected") === "true");
    if (current) {
      this.element.setAttribute("aria-activedescendant", current.id);
    } else {
      this.element.removeAttribute("aria-activedescendant");
    }
  }

  labelOf({ node, y, height, index, isCurrent }, state) {
    const isGroup = node.children.length > 0;
    const isIn = state.tracks.includes(ownKey(node.key));
    const process = node.process ?? (node.track?.process ? node.track : null);
    const swatch = node.level === 1 && process?.process && process.pid !== 0 ? [swatchOf(this.viewer.colorOf(process.process))] : [];
    const item = element(
      "div",
      {
        id: `${this.tracks.id}-${index}`,
        role: "treeitem",
        class: `track level-${node.level}${isIn ? " scoped" : ""}${isGroup ? " group" : ""}${height < trackHeights.usual ? " compact" : ""}`,
        "aria-level": String(node.level + 1),
        "aria-selected": String(isCurrent),
        "aria-expanded": isGroup ? String(node.isOpen) : null,
        "aria-posinset": String(index + 1),
        "aria-setsize": String(this.tracks.shown.length),
        title: `${node.label}${node.detail && ` \u00b7 ${node.detail}`}`,
        "data-index": String(index),
      },
      element("span", { class: "track-opener", "aria-hidden": "true" }),
      ...swatch,
      element("span", { class: "track-name" }, node.label),
      element("span", { class: "track-detail muted" }, node.detail),
    );
    item.style.transform = `translateY(${y}px)`;
    item.style.height = `${height}px`;
    return item;
  }

  rowAt(event) {
    const item = event.target.closest("[data-index]");
    return item ? this.tracks.shown[Number(item.dataset.index)] : null;
  }

  click(event) {
    const node = this.rowAt(event);
    if (!node) {
      return;
    }
    const isOpener = event.target.classList.contains("track-opener") || node.level === 0;
    if (event.ctrlKey || event.metaKey) {
      this.tracks.scopeTo(node, true);
    } else if (isOpener && node.children.length > 0 && !node.isTop) {
      this.tracks.toggle(node);
    } else {
      this.viewer.model.change({ current: node.key });
    }
  }

  press(event) {
    const at = this.tracks.currentIndex;
    const node = this.tracks.shown[at];
    const page = Math.max(1, this.tracks.seen().length - 2);
    const to = (index) => this.viewer.model.change({ current: this.tracks.shown[Math.min(Math.max(index, 0), this.tracks.shown.length - 1)]?.key ?? "" });
    const isGroup = node?.children.length > 0 && !node.isTop;
    const parent = this.tracks.shown.findLastIndex(({ level }, i) => i < at && level < (node?.level ?? 0));
    const actions = {
      ArrowDown: () => to(at + 1),
      ArrowUp: () => to(at < 0 ? 0 : at - 1),
      PageDown: () => to(at + page),
      PageUp: () => to(at - page),
      Home: () => to(0),
      End: () => to(this.tracks.shown.length - 1),
      ArrowRight: () => isGroup && !node.isOpen ? this.tracks.toggle(node) : node?.children.length > 0 && to(at + 1),
      ArrowLeft: () => (isGroup && node.isOpen ? this.tracks.toggle(node) : to(parent)),
      Enter: () => isGroup && this.tracks.toggle(node),
    };
    if (actions[event.key] && !event.shiftKey && !event.ctrlKey && !event.altKey && !event.metaKey) {
      actions[event.key]();
      event.preventDefault();
      event.stopPropagation();
    }
  }
}
