// The end of a trace that another program writes: whether the page follows it.
import { element } from "../elements.mjs";
import { valueText, visibleText } from "../values.mjs";

/**
 * Returns what the control shows. `addedNs`: since the page was opened; `restNs`: after what is shown. Pure.
 * @param {{isFollowing: boolean, hasEnded: boolean, why: string, addedNs: bigint, restNs: bigint}} live
 */
export function liveTexts({ isFollowing, hasEnded, why, addedNs, restNs }) {
  const time = (ns) => valueText(Number(ns), "nanoseconds");
  if (isFollowing) {
    return { label: "Live", title: "Pause: keep what is seen (Shift-L)", note: addedNs > 0n ? `${time(addedNs)} added` : "" };
  }
  const more = restNs > 0n ? `${time(restNs)} more` : "";
  if (hasEnded) {
    return { label: "Ended", title: "Show the end (Shift-L)", note: [more, visibleText(why, 400)].filter(Boolean).join(" \u00b7 ") };
  }
  return { label: "Live: paused", title: "Follow the end of the trace (Shift-L)", note: more };
}

export class LiveControl {
  /** @param {import("./view_viewer.mjs").Viewer} viewer */
  constructor(viewer) {
    this.viewer = viewer;
    this.button = element("button", { type: "button", class: "live", click: () => viewer.toggleLive() });
    this.note = element("span", { class: "muted live-note", role: "status", "aria-live": "off" });
    this.element = element("span", { class: "live-control", hidden: true }, this.button, this.note);
    viewer.on("live", () => this.update());
    viewer.model.follow((state, before) => state.window !== before.window && this.update());
  }

  update() {
    const { viewer } = this;
    const { growth, isFollowing } = viewer;
    this.element.hidden = growth === null;
    if (growth === null) {
      return;
    }
    const hasEnded = growth.has_ended;
    const { label, title, note } = liveTexts({ isFollowing, hasEnded, why: growth.why, addedNs: viewer.length - (viewer.firstLength ?? viewer.length), restNs: viewer.restNs });
    this.button.textContent = label;
    this.button.title = title;
    this.button.setAttribute("aria-pressed", String(isFollowing));
    this.button.disabled = hasEnded && viewer.restNs === 0n;
    this.note.setAttribute("aria-live", hasEnded ? "polite" : "off"); // not once a second
    this.note.textContent = note;
  }
}
