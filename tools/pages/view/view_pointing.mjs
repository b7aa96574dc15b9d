// What mouse and fingers do in the timeline: zoom, move, select, and ask what is there.
import { element } from "../elements.mjs";
import { describePoint } from "./view_describe.mjs";
import { recordsAt, stretchOf } from "./view_lod.mjs";
import { ownKey } from "./view_rows.mjs";
import { offsetText, zoomed } from "./view_time.mjs";
import { valueText } from "../values.mjs";

const edgeWidth = 3; // pixels of a border of the selection

export class Pointing {
  /** @param {import("./view_tracks.mjs").TracksView} tracks */
  constructor(tracks) {
    this.tracks = tracks;
    this.viewer = tracks.viewer;
    this.timeline = tracks.timeline;
    this.dragged = null;
    this.pointers = new Map(); // of fingers: where they are
    this.place = null; // of the pointer, as part of the width
    this.beside = null; // the pointing of the other trace, whose cursor is at the same place
    this.tip = element("div", { class: "tip", "aria-hidden": "true", hidden: true });
    this.cursor = element("div", { class: "tracks-cursor", hidden: true });
  }

  /** Takes the input of a canvas. */
  follow(canvas) {
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    canvas.addEventListener("pointerdown", (event) => this.press(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    canvas.addEventListener("pointerup", (event) => this.release(event));
    canvas.addEventListener("pointercancel", (event) => this.drop(event));
    canvas.addEventListener("pointerleave", () => this.leave());
    canvas.addEventListener("dblclick", (event) => this.fit(event));
  }

  wheel(event) {
    event.preventDefault();
    const { viewer, timeline } = this;
    const { from, to } = viewer.window;
    const size = event.deltaMode === 1 ? 20 : 1;
    const across = (event.shiftKey ? event.deltaY || event.deltaX : event.deltaX) * size;
    if (event.altKey) {
      this.tracks.scroller.scrollTop += event.deltaY * size;
    } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      this.tracks.pan(BigInt(Math.round(across * timeline.pixelNs)));
    } else {
      viewer.show(zoomed({ from, to }, 2 ** ((event.deltaY * size) / 300), event.offsetX / timeline.width));
    }
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
    this.dragged = {
      x: event.offsetX,
      y: event.offsetY,
      isAxis,
      ns: edge ? edge.other : this.timeline.timeAt(event.offsetX),
      isMoved: edge !== null,
      pans: edge === null && (event.shiftKey || event.pointerType === "touch"),
      window: this.viewer.window,
    };
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
      const crossed = this.tracks.seen().filter(({ node, y, height }) => node.level > 0 && y + height > top && y < bottom);
      patch.tracks = [...new Set(crossed.map(({ node }) => ownKey(node.key)))];
    }
    viewer.model.change(patch);
    this.tracks.status.textContent = `Selected ${valueText(Number(to - from), "nanoseconds")} from ${offsetText(from)}`;
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
    return this.tracks.seen().find((row) => y >= row.y && y < row.y + row.height) ?? null;
  }

  hover(event) {
    const { timeline } = this;
    const x = event.offsetX;
    const ns = timeline.timeAt(x);
    this.place = x / timeline.width;
    event.target.style.cursor = this.edgeAt(x) ? "ew-resize" : "";
    this.showCursor(x);
    this.beside?.showCursor(x);
    const row = event.target === timeline.axis ? null : this.rowAtY(event.offsetY);
    const lines = describePoint(this.viewer, row?.node ?? null, ns);
    this.tip.hidden = lines.length < 2 || event.pointerType === "touch";
    if (!this.tip.hidden) {
      this.tip.replaceChildren(...lines.map((line) => element("div", {}, line)));
      const right = timeline.width - this.tip.offsetWidth;
      const isLow = event.offsetY + 24 + this.tip.offsetHeight > this.tracks.size;
      this.tip.style.transform = `translate(${Math.max(0, Math.min(x + 12, right))}px, ${isLow ? event.offsetY - 10 - this.tip.offsetHeight : event.offsetY + 18}px)`;
    }
    this.tracks.status.textContent = lines.join(" \u00b7 ");
  }

  showCursor(x) {
    this.cursor.hidden = x === null;
    this.cursor.style.transform = `translateX(${x}px)`;
  }

  leave() {
    this.showCursor(null);
    this.beside?.showCursor(null);
    this.tip.hidden = true;
    this.place = null;
  }

  /** Shows the selection, or what is under the pointer, over all of the width. */
  fit(event) {
    const { viewer, timeline } = this;
    const ns = timeline.timeAt(event.offsetX);
    const { selection } = viewer.state;
    if (selection) {
      this.tracks.fitSelection();
      return;
    }
    const row = event.target === timeline.axis ? null : this.rowAtY(event.offsetY);
    const picture = row?.node.track ? viewer.pictures.of(row.node.trackKey, ns, ns + 1n).at(-1) : null;
    const [record] = picture ? recordsAt(picture, row.node.trackKey, ns) : [];
    if (record !== undefined) {
      const { from, to } = stretchOf(picture, record);
      const side = (to - from) / 10n;
      viewer.show({ from: from - side, to: to + side });
    }
  }
}
