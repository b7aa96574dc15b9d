// Between the timelines of two traces: what the lower one is, and how it is laid beside the upper one.
import { element } from "../elements.mjs";
import { markedAt } from "./view_alignment.mjs";
import { actionButton, choiceOf } from "./view_controls.mjs";
import { offsetText } from "./view_time.mjs";
import { fileNameOf, visibleText } from "../values.mjs";

const ways = [["start", "start"], ["mark", "marks"], ["event", "an event"]];

/** Returns by how much times of the lower trace are later than those above them, in words. Pure. */
export function offsetWords(offset) {
  const size = offsetText(offset < 0n ? -offset : offset).slice(1);
  return offset === 0n ? "" : `its times are ${size} ${offset > 0n ? "later" : "earlier"}`;
}

export class AlignmentBar {
  /** @param {import("./view_viewer.mjs").Viewer} viewer */
  constructor(viewer) {
    this.viewer = viewer;
    this.isChosen = false; // an event is to be typed
    this.name = element("span", { class: "align-name" });
    this.way = choiceOf("Aligned by", ways, (way) => this.by(way));
    this.where = element("input", {
      type: "text",
      class: "where",
      placeholder: "First event: provider == Contoso-* && event == Boil",
      "aria-label": "Filter of the event to align by",
      spellcheck: "false",
      autocomplete: "off",
      change: () => this.align({ by: "event", where: this.where.value.trim() }),
    });
    const marks = [["\u2191 mark", "The upper trace has its mark at the cursor (U)", "after"], ["\u2193 mark", "The lower trace has its mark at the cursor (Shift-U)", "before"]];
    this.marks = element("span", { class: "buttons", role: "group", "aria-label": "Marks to align by" }, ...marks.map(([text, title, side]) => actionButton(text, title, () => this.mark(side), title)));
    this.note = element("span", { class: "muted", role: "status" });
    this.problem = element("span", { class: "warning", role: "alert" });
    this.element = element("div", { class: "align-bar", role: "group", "aria-label": "Trace before" }, this.name, element("label", {}, "Aligned by ", this.way), this.where, this.marks, this.note, this.problem);
    viewer.on("opened", () => this.update());
    viewer.on("aligned", () => this.update());
    viewer.model.follow((state, before) => (state.aligned !== before.aligned || state.compared !== before.compared) && this.update());
    this.update();
  }

  /** Changes the alignment, and shows both traces. */
  align(aligned) {
    if (this.viewer.against.length > 0) {
      this.isChosen = false;
      this.viewer.model.change({ compared: true, aligned: aligned?.where === "" ? null : aligned });
      this.update();
    }
  }

  /** Aligns in a way; marks are at first beside each other, and an event has to be typed. */
  by(way) {
    const { viewer } = this;
    if (way === "start") {
      this.align(null);
    } else if (way === "mark") {
      const { from, to } = viewer.window;
      this.align(markedAt(viewer.state.aligned, "after", viewer.state.moment ?? (from + to) / 2n, viewer.alignment.offset));
    } else if (viewer.against.length > 0) {
      viewer.model.change({ compared: true });
      this.isChosen = true;
      this.update();
      this.where.focus();
    }
  }

  /** Puts the mark of a trace, `after` or `before`, at the cursor. */
  mark(side) {
    const { viewer } = this;
    const { moment, aligned } = viewer.state;
    const { offset } = viewer.alignment;
    if (moment === null) {
      this.note.textContent = "Set the cursor first: click into a timeline";
    } else {
      this.align(markedAt(aligned, side, side === "after" ? moment : moment + offset, offset));
    }
  }

  update() {
    const { viewer } = this;
    const { aligned } = viewer.state;
    const way = this.isChosen ? "event" : (aligned?.by ?? "start");
    this.name.textContent = viewer.against.map((name) => visibleText(fileNameOf(name), 120)).join(", ");
    this.name.title = viewer.against.map((name) => visibleText(name)).join("\n");
    this.way.value = way;
    this.where.hidden = way !== "event";
    this.marks.hidden = way !== "mark";
    if (document.activeElement !== this.where) {
      this.where.value = aligned?.by === "event" ? aligned.where : "";
    }
    this.note.textContent = viewer.alignment.isKnown ? offsetWords(viewer.alignment.offset) : "Looking for the event\u2026";
    this.problem.textContent = viewer.alignment.problem;
  }
}
