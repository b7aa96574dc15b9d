// Labels of tracks that are dragged up and down within their group.
import { element } from "../elements.mjs";
import { siblingsOf } from "./view_order.mjs";

const least = 5; // pixels until it is no click

export class TrackDragging {
  /**
   * @param {import("./view_tracks.mjs").TracksView} tracks
   * @param {HTMLElement} labels
   */
  constructor(tracks, labels) {
    this.tracks = tracks;
    this.labels = labels;
    this.dragged = null; // {index, y, place}
    this.line = element("div", { class: "track-drop", hidden: true });
    labels.addEventListener("pointerdown", (event) => this.press(event));
    labels.addEventListener("pointermove", (event) => this.move(event));
    labels.addEventListener("pointerup", () => this.release());
    labels.addEventListener("pointercancel", () => this.end());
  }

  press(event) {
    const item = event.target.closest("[data-index]");
    const isFinger = event.pointerType === "touch"; // it scrolls
    this.dragged = item && event.button === 0 && !isFinger ? { key: this.tracks.shown[Number(item.dataset.index)].key, y: event.clientY, place: null } : null;
  }

  move(event) {
    const { dragged } = this;
    if (!dragged || event.buttons !== 1 || (dragged.place === null && Math.abs(event.clientY - dragged.y) < least)) {
      return;
    }
    const index = this.tracks.shown.findIndex(({ key }) => key === dragged.key);
    if (index < 0 || !this.tracks.canMove(index)) {
      return;
    }
    if (dragged.place === null) {
      this.labels.setPointerCapture(event.pointerId);
    }
    dragged.place = this.placeAt(index, event.clientY - this.labels.getBoundingClientRect().top + this.tracks.top);
    this.line.hidden = false;
    this.line.style.transform = `translateY(${dragged.place.y - this.tracks.top - 1}px)`;
  }

  /** Before which row of the group a place is: {before: key or "", y}. */
  placeAt(index, y) {
    const { shown, tops } = this.tracks;
    const siblings = siblingsOf(shown, index);
    const at = siblings.find((one) => (tops[one] + tops[one + 1]) / 2 > y);
    if (at !== undefined) {
      return { before: shown[at].key, y: tops[at] };
    }
    const { level } = shown[index];
    const after = shown.findIndex((row, i) => i > siblings.at(-1) && row.level <= level);
    return { before: "", y: tops[after < 0 ? shown.length : after] };
  }

  release() {
    const { dragged } = this;
    this.end();
    if (dragged?.place) {
      this.tracks.moveBefore(dragged.key, dragged.place.before);
    }
  }

  end() {
    this.dragged = null;
    this.line.hidden = true;
  }
}
