// The top of the page: which traces, what is shown of them, and what is going on.
import { element, isDark, themeButton } from "../elements.mjs";
import { actionButton, swatchOf } from "./view_controls.mjs";
import { NoAnswerError } from "./view_client.mjs";
import { threadStates } from "./view_colors.mjs";
import { LiveControl } from "./view_live.mjs";
import { offsetText, windowOfText } from "./view_time.mjs";
import { countedText, fileNameOf, valueText, visibleText } from "../values.mjs";


export class HeaderView {
  /**
   * `actions`: `palette()`, `keys()`, `fit()`, `recolored()`.
   * @param {import("./view_viewer.mjs").Viewer} viewer
   */
  constructor(viewer, actions) {
    this.viewer = viewer;
    const { model } = viewer;
    this.title = element("h1", {}, "etl view");
    this.facts = element("span", { class: "muted facts-line" });
    this.range = element("input", {
      type: "text",
      class: "range",
      "aria-label": "Shown time",
      title: "Type a time (12:00:01.5, +3.2s) or a window (+1s .. +2s)",
      spellcheck: "false",
      autocomplete: "off",
      change: () => this.go(),
      focus: () => this.range.select(),
      blur: () => this.update(),
    });
    this.progress = element("span", { class: "progress", role: "status" });
    this.lines = []; // about the trace
    this.problems = element("details", { class: "problems", hidden: true });
    this.message = element("p", { class: "message warning", role: "alert", hidden: true });
    const moves = [
      actionButton("\u2190", "Back (Alt-Left)", () => history.back(), "Back"),
      actionButton("\u2192", "Forward (Alt-Right)", () => history.forward(), "Forward"),
      actionButton("All", "Show the whole trace (0)", () => model.change({ window: null })),
      actionButton("Fit", "Show the selection (F)", () => actions.fit()),
    ];
    this.element = element(
      "header",
      { class: "view-header" },
      this.title,
      this.facts,
      this.progress,
      new LiveControl(viewer).element,
      this.problems,
      element("span", { class: "spread" }),
      element("span", { class: "buttons", role: "group", "aria-label": "Views" }, ...moves),
      this.range,
      actionButton("Commands", "Command palette (Ctrl-P)", () => actions.palette()),
      actionButton("?", "Keys (?)", () => actions.keys(), "Keys"),
      themeButton(() => actions.recolored()),
    );
    viewer.on("opened", (opened) => this.fill(opened));
    viewer.on("tracks", () => this.showRemarks());
    viewer.on("remarks", () => this.showRemarks());
    viewer.on("aligned", () => this.update());
    viewer.on("problem", (error) => this.fail(error));
    model.follow(() => this.update());
  }

  fill({ inputs, against, problems, progress, events, processors }) {
    const names = inputs.map((input) => visibleText(fileNameOf(input), 120));
    this.title.textContent = names.length > 2 ? `${names[0]} and ${names.length - 1} more` : names.join(", ") || "etl view";
    this.title.title = inputs.map((input) => visibleText(input)).join("\n");
    document.title = names.length > 0 ? `${this.title.textContent} - etl view` : "etl view";
    const others = (against ?? []).map((input) => `compared with ${visibleText(fileNameOf(input), 120)}`);
    const facts = [...others, events === null ? "" : countedText(events, "event"), this.viewer.isOpen ? valueText(Number(this.viewer.length), "nanoseconds") : "", processors ? countedText(processors, "processor") : ""];
    this.facts.textContent = facts.filter(Boolean).join(" \u00b7 ");
    this.progress.textContent = progress ? visibleText(progress.what) + (progress.part === null ? "" : ` ${Math.round(100 * progress.part)}%`) : "";
    this.progress.hidden = !progress;
    this.progress.style.setProperty("--part", `${Math.round(100 * (progress?.part ?? 0))}%`);
    this.lines = problems;
    this.showRemarks();
    this.update();
  }

  /** What is wrong with the trace, and what it lacks. */
  showRemarks() {
    const { remarks } = this.viewer;
    const lines = [...this.lines, ...remarks];
    this.problems.hidden = lines.length === 0;
    this.problems.classList.toggle("warning", this.lines.length > 0);
    const items = lines.slice(0, 200).map((line) => element("li", {}, visibleText(line, 600)));
    const summary = element("summary", {}, countedText(lines.length, "remark"));
    this.problems.replaceChildren(summary, element("ul", {}, ...items));
  }

  update() {
    const { from, to } = this.viewer.window;
    if (document.activeElement !== this.range) {
      this.range.value = `${offsetText(from)} .. ${offsetText(to)}`;
    }
  }

  /** Shows the time that was typed. */
  go() {
    const { viewer } = this;
    const { from, to } = viewer.window;
    const window = windowOfText(this.range.value, viewer, to - from === viewer.length ? viewer.length / 20n : to - from);
    this.range.setAttribute("aria-invalid", String(window === null));
    if (window) {
      viewer.show(window);
      this.range.blur();
    }
  }

  fail(error) {
    this.message.hidden = error === null;
    if (error === null) {
      return;
    }
    const isGone = error instanceof NoAnswerError;
    const isForeign = error.status === 401 || error.status === 403;
    const texts = {
      foreign: "This address is not valid any more. Run etl view again, and open the address that it prints.",
      gone: "etl view does not answer. It ends a minute after its last page was closed; run it again.",
    };
    this.message.textContent = isForeign ? texts.foreign : isGone ? texts.gone : visibleText(error.message, 400);
  }
}

/** What the colors of threads mean. */
export function statesLegend() {
  const list = element("ul", { class: "states-legend", "aria-label": "What threads do" });
  const update = () =>
    list.replaceChildren(
      ...threadStates.map((state) => {
        const color = `rgb(${state[isDark() ? "dark" : "light"].join(",")})`;
        return element("li", {}, swatchOf(color), state.title);
      }),
    );
  update();
  return { element: list, update };
}
