// The flame graph of what panels are about, with frames grouped, folded, and left out (docs/flame.md#patterns).
import { element } from "../elements.mjs";
import { renderFlame } from "../flame_graph.mjs";
import { actionButton, choiceOf, compareButton, PanelFoot } from "./view_controls.mjs";
import { visibleText } from "../values.mjs";

const shares = [[0, "all"], [0.0001, "0.01%"], [0.001, "0.1%"], [0.005, "0.5%"], [0.02, "2%"]];
const groupings = [
  ["", "no groups"],
  ["my-code", "just my code"],
  ["module-entries", "module entries"],
  ["modules", "modules"],
  ["class-entries", "class entries"],
  ["classes", "classes"],
  ["os-clr", "OS and CLR"],
  ["ignore-ids", "processes by name"],
];
const patterns = [
  ["folding", "Fold frames", "Frames that match become part of their callers"],
  ["include", "Include", "Only stacks with a frame that matches"],
  ["exclude", "Exclude", "Only stacks without a frame that matches"],
];
const percents = [[0, "fold none"], [0.5, "fold below 0.5%"], [1, "fold below 1%"], [5, "fold below 5%"]];

export class FlamePanel {
  /** @param {import("./view_viewer.mjs").Viewer} viewer */
  constructor(viewer) {
    this.viewer = viewer;
    this.shown = null;
    this.make();
    viewer.on("opened", ({ flames }) => this.fill(flames));
  }

  make() {
    const { model } = this.viewer;
    this.kind = choiceOf("Stacks of", [], (kind) => model.change({ kind }));
    this.share = choiceOf("Smallest share", shares.map(([value, text]) => [value, `branches from ${text}`]), (share) => model.change({ share: Number(share) }), "Smaller branches are merged");
    this.grouping = choiceOf("Groups of frames", groupings, (grouping) => model.change({ grouping }), "Frames of a group are one");
    this.percent = choiceOf("Fold small frames", percents, (foldPercent) => model.change({ foldPercent: Number(foldPercent) }), "Small frames become part of their callers");
    this.inputs = new Map(patterns.map((pattern) => [pattern[0], this.inputOf(...pattern)]));
    const inputs = element("div", { class: "panel-bar" }, ...this.inputs.values(), this.percent);
    this.more = element("details", { class: "patterns" }, element("summary", {}, "Patterns"), inputs);
    this.focus = element("button", { type: "button", class: "chip", title: "All frames again", click: () => model.change({ focus: "", inverted: false }) });
    const around = [
      actionButton("Callees of frame", "What the frame that is zoomed to called, from all places", () => this.focusOn(false)),
      actionButton("Callers of frame", "Who called the frame that is zoomed to, from all places", () => this.focusOn(true)),
    ];
    this.summary = element("span", { class: "muted", role: "status" });
    this.compare = compareButton(this.viewer, () => true);
    const bar = element("div", { class: "panel-bar" }, this.kind, this.compare.element, this.grouping, this.share, ...around, this.focus, this.more, this.summary);
    this.place = element("div", { class: "flame-place" });
    this.foot = new PanelFoot();
    this.element = element("div", { class: "panel-content" }, bar, this.place, this.foot.element);
  }

  /** Another choice of stacks; the same one stays open. */
  fill(flames) {
    const named = JSON.stringify(flames);
    if (named !== this.named) {
      this.named = named;
      this.kind.replaceChildren(...flames.map(({ name, title }) => element("option", { value: name }, title || name)));
      this.kind.value = this.kindName;
    }
  }

  inputOf(name, label, title) {
    return element("input", {
      type: "text",
      class: "pattern",
      placeholder: `${label}: ntdll!*;^kernel`,
      "aria-label": label,
      title,
      spellcheck: "false",
      autocomplete: "off",
      change: (event) => this.viewer.model.change({ [name]: event.target.value.trim() }),
    });
  }

  focusOn(inverted) {
    const frame = this.shown?.frame() ?? this.viewer.state.focus;
    if (frame) {
      this.viewer.model.change({ focus: frame, inverted });
    } else {
      this.summary.textContent = "Click a frame first";
    }
  }

  get kindName() {
    const flames = this.viewer.opened?.flames ?? [];
    return flames.some(({ name }) => name === this.viewer.state.kind) ? this.viewer.state.kind : (flames[0]?.name ?? "cpu");
  }

  question() {
    const { share, grouping, folding, include, exclude, foldPercent, focus, inverted } = this.viewer.state;
    const frames = { grouping, folding, include, exclude, fold_percent: foldPercent, focus, is_inverted: inverted };
    const compared = this.viewer.isCompared ? { ...this.viewer.comparison(), fold_percent: 0 } : {};
    return { kind: this.kindName, selection: this.viewer.selection(), smallest_share: share, nodes: 20_000, ...frames, ...compared };
  }

  update() {
    const { state } = this.viewer;
    this.kind.value = this.kindName;
    this.compare.update();
    this.share.value = String(state.share);
    this.grouping.value = state.grouping;
    this.percent.value = String(state.foldPercent);
    this.percent.disabled = this.viewer.isCompared; // what is small in one trace can be large in the other
    this.inputs.forEach((input, name) => document.activeElement === input || (input.value = state[name]));
    this.focus.hidden = state.focus === "";
    this.focus.textContent = `${state.inverted ? "callers of" : "callees of"} ${visibleText(state.focus, 80)} \u00d7`;
    const question = JSON.stringify(this.question());
    if (question !== this.asked) {
      this.asked = question;
      this.ask();
    }
  }

  async ask() {
    const { asked } = this;
    this.element.setAttribute("aria-busy", "true");
    this.summary.textContent = "Reading stacks\u2026";
    try {
      const answer = await this.viewer.askFor(this, "flame", this.question());
      if (answer) {
        this.take(answer);
      }
    } catch (error) {
      this.place.replaceChildren();
      this.summary.textContent = visibleText(error.message);
      this.foot.show("");
      this.viewer.tell("refused", error);
    } finally {
      if (this.asked === asked || this.asked === null) {
        this.element.setAttribute("aria-busy", "false"); // else another question runs
      }
    }
  }

  take({ graph, remarks, command }) {
    this.foot.show(command);
    const isEmpty = graph.nodes.depth.length === 0;
    this.summary.textContent = isEmpty ? "No event of this kind has a stack here." : visibleText([graph.summary, ...(remarks ?? [])].filter(Boolean).join("; "), 600);
    const to = element("div");
    this.place.replaceChildren(to);
    this.shown = isEmpty ? null : renderFlame(to, graph, { isPage: false });
  }

  recolor() {
    this.shown?.recolor();
  }
}
