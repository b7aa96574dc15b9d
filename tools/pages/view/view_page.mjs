// The page of `etl view`.
import { addressBar, followHistory } from "../address.mjs";
import { element } from "../elements.mjs";
import { isTyping, keysDialog, keyText, Palette } from "./view_actions.mjs";
import { AlignmentBar } from "./view_alignment_bar.mjs";
import { Client } from "./view_client.mjs";
import { HeaderView, statesLegend } from "./view_header.mjs";
import { Mover, movesWindow } from "./view_moving.mjs";
import { OverviewView } from "./view_overview.mjs";
import { PanelsView } from "./view_panels.mjs";
import { Model } from "./view_state.mjs";
import { windowOfText } from "./view_time.mjs";
import { TracksView } from "./view_tracks.mjs";
import { Viewer } from "./view_viewer.mjs";

const leastSplit = 0.12;

class Page {
  constructor(to) {
    this.model = new Model(addressBar);
    this.viewer = new Viewer(new Client(this.model.token), this.model);
    this.legend = statesLegend();
    this.tracks = new TracksView(this.viewer);
    this.before = new TracksView(/** @type {any} */ (this.viewer.before), { id: "track-before", whose: " of the trace before", tools: { elements: [], update() {} } });
    this.alignment = new AlignmentBar(this.viewer);
    this.join(this.tracks, this.before);
    this.join(this.before, this.tracks);
    this.timelines = element("div", { class: "timelines" }, this.tracks.element);
    this.overview = new OverviewView(this.viewer);
    this.panels = new PanelsView(this.viewer);
    this.palette = new Palette((text) => this.paletteActions(text));
    this.actions = this.makeActions();
    this.keys = keysDialog(this.actions);
    this.header = new HeaderView(this.viewer, { palette: () => this.palette.open(), keys: () => this.keys.showModal(), fit: () => this.tracks.fitSelection(), recolored: () => this.recolor() });
    this.tracks.element.append(this.legend.element);
    this.split = element("div", {
      class: "splitter",
      role: "separator",
      tabindex: "0",
      "aria-label": "Height of the timeline",
      "aria-orientation": "horizontal",
      "aria-valuemin": "12",
      "aria-valuemax": "88",
    });
    to.append(this.header.element, this.header.message, this.overview.element, this.timelines, this.split, this.panels.element, this.palette.element, this.keys);
    this.page = to;
    to.classList.add("view");
    this.follow();
  }

  /** Lets tracks scroll, and the pointer show the time, in the other trace as well. */
  join(tracks, beside) {
    tracks.beside = beside;
    tracks.pointing.beside = beside.pointing;
  }

  follow() {
    this.viewer.on("tracks", (tracks) => (this.legend.element.hidden = !tracks.some(({ kind }) => kind === "thread")));
    this.model.follow(() => this.layOut());
    this.viewer.on("opened", () => this.layOut());
    this.viewer.before.on("tracks", () => this.tracks.scrollBeside());
    this.layOut();
    this.split.addEventListener("pointerdown", (event) => this.split.setPointerCapture(event.pointerId));
    this.split.addEventListener("pointermove", (event) => event.buttons === 1 && this.splitAt(event.clientY));
    this.split.addEventListener("keydown", (event) => {
      const step = { ArrowUp: -0.03, ArrowDown: 0.03 }[event.key];
      if (step) {
        this.setSplit(this.model.state.split + step);
        event.preventDefault();
        event.stopPropagation();
      }
    });
    this.mover = new Mover({ zoom: (factor) => (this.before.pointing.place === null ? this.tracks : this.before).zoom(factor), pan: (part) => this.tracks.pan(BigInt(Math.round(part * Number(this.viewer.window.to - this.viewer.window.from)))) });
    document.addEventListener("keydown", (event) => this.press(event));
    document.addEventListener("keyup", (event) => this.mover.release(event.key));
    addEventListener("blur", () => this.mover.stop());
    addEventListener("dragover", (event) => event.dataTransfer?.types.includes("Files") && event.preventDefault());
    addEventListener("drop", (event) => this.drop(event));
    followHistory(this.model);
    addEventListener("pagehide", (event) => {
      if (!event.persisted) {
        this.viewer.client.leave();
      }
    });
    addEventListener("resize", () => [this.tracks, this.before].forEach((tracks) => tracks.resize()));
  }

  start() {
    this.viewer.open();
  }

  recolor() {
    this.legend?.update();
    for (const tracks of [this.tracks, this.before]) {
      tracks?.timeline.draw();
      tracks?.labels.draw();
    }
    this.overview?.draw();
    this.panels?.special.flame.recolor();
    this.panels?.update();
  }

  layOut() {
    const part = Math.min(1 - leastSplit, Math.max(leastSplit, this.model.state.split));
    this.page.style.setProperty("--above", `${part}fr`);
    this.page.style.setProperty("--below", `${1 - part}fr`);
    this.split.setAttribute("aria-valuenow", String(Math.round(100 * part)));
    this.showBefore(this.viewer.isCompared);
  }

  /** Shows the trace to compare with below the other one, or not. */
  showBefore(isShown) {
    const parts = [this.alignment.element, this.before.element];
    if (isShown !== parts[0].isConnected) {
      parts.forEach((part) => (isShown ? this.timelines.append(part) : part.remove()));
      this.tracks.scrollBeside();
    }
  }

  splitAt(y) {
    const top = this.tracks.element.getBoundingClientRect().top;
    this.setSplit((y - top) / Math.max(1, innerHeight - top));
  }

  setSplit(part) {
    this.model.change({ split: Math.round(1000 * Math.min(1 - leastSplit, Math.max(leastSplit, part))) / 1000 });
  }

  /** The actions with their keys. */
  makeActions() {
    const { model, viewer } = this;
    const { tracks } = this;
    const current = () => model.state.current;
    const listed = (group, title, keys) => ({ title, group, keys, run: null }); // done where the keys are pressed
    return [
      listed("Move", "Zoom in, zoom out at the pointer", ["W", "S", "wheel"]),
      listed("Move", "Move left, right", ["A", "D", "\u2190", "\u2192", "Shift-wheel"]),
      { title: "Show the whole trace", group: "Move", keys: ["0"], run: () => model.change({ window: null }) },
      { title: "Show the selection", group: "Move", keys: ["F"], run: () => tracks.fitSelection() },
      { title: "Live: follow the end of a trace that grows, or pause", group: "Move", keys: ["Shift-L"], run: () => viewer.toggleLive() },
      { title: "Back", group: "Move", keys: ["Alt-ArrowLeft"], run: () => history.back() },
      { title: "Forward", group: "Move", keys: ["Alt-ArrowRight"], run: () => history.forward() },
      { title: "Move the cursor by a pixel", group: "Move", keys: ["Shift-ArrowRight", "Shift-ArrowLeft"], run: () => tracks.moveCursor(1) },
      { title: "Type a time or a window", group: "Move", keys: ["G"], run: () => this.header.range.focus() },
      { title: "Select the shown window", group: "Select", keys: ["V"], run: () => model.change({ selection: viewer.window }) },
      { title: "Clear the selection", group: "Select", keys: ["Escape"], run: () => this.escape() },
      { title: "Panels about the current track only, or all", group: "Select", keys: ["O"], run: () => tracks.scopeTo(viewer.current) },
      { title: "Add a mark at the cursor", group: "Select", keys: ["M"], run: () => this.panels.special.marks.add() },
      { title: "Next and previous region", group: "Select", keys: ["N", "Shift-N"], run: () => tracks.stepRegion(1) },
      { title: "Filter tracks", group: "Tracks", keys: ["/"], run: () => tracks.tools.filter.focus() },
      { title: "Pin the current track, or not", group: "Tracks", keys: ["P"], run: () => current() && tracks.pin(current()) },
      { title: "Show only busy tracks, or all", group: "Tracks", keys: ["B"], run: () => model.change({ hidesIdle: !model.state.hidesIdle }) },
      { title: "Move the current track up or down", group: "Tracks", keys: ["Alt-ArrowUp", "Alt-ArrowDown"], run: () => tracks.moveCurrent(-1) },
      { title: "Move the current track down", group: "Tracks", keys: [], run: () => tracks.moveCurrent(1) },
      { title: "Compact, usual, or tall tracks", group: "Tracks", keys: ["Z"], run: () => tracks.stepHeight(false) },
      { title: "Compact, usual, or tall current track", group: "Tracks", keys: ["Shift-Z"], run: () => tracks.stepHeight(true) },
      { title: "Tracks in their usual order and height", group: "Tracks", keys: [], run: () => model.change({ moves: [], height: "", heights: [] }) },
      { title: "Next and previous track", group: "Tracks", keys: ["J", "K"], run: () => tracks.step(1) },
      { title: "Open or close the current group", group: "Tracks", keys: ["Enter"], run: () => tracks.toggleCurrent() },
      { title: "Follow the wait at the cursor", group: "Ask", keys: ["["], run: () => viewer.follow() },
      { title: "Critical path of the current thread", group: "Ask", keys: ["]"], run: () => viewer.followPath() },
      { title: "Go to the thread that runs on the current processor", group: "Ask", keys: ["R"], run: () => tracks.goToRunning() },
      { title: "Filter events and tables", group: "Ask", keys: ["E"], run: () => this.panels.where.focus() },
      { title: "Compare with the other trace, or not", group: "Compare", keys: ["Shift-D"], run: () => viewer.against.length > 0 && model.change({ compared: !model.state.compared, sort: "", reversed: false }) },
      { title: "Align both traces by their starts", group: "Compare", keys: ["Q"], run: () => this.alignment.by("start") },
      { title: "Align by marks: the upper trace has its mark at the cursor", group: "Compare", keys: ["U"], run: () => this.alignment.mark("after") },
      { title: "Align by marks: the lower trace has its mark at the cursor", group: "Compare", keys: ["Shift-U"], run: () => this.alignment.mark("before") },
      { title: "Align by the first event that matches", group: "Compare", keys: ["Shift-E"], run: () => this.alignment.by("event") },
      { title: "Find text in events", group: "Ask", keys: ["Ctrl-F"], run: () => this.findInEvents() },
      { title: "Show the chosen event in the timeline", group: "Ask", keys: ["T"], run: () => this.panels.special.events.showInTimeline() },
      listed("Rows", "Sort by the current column", ["S"]),
      listed("Rows", "Only events with the value of the cell, or no such events", ["I", "X"]),
      { title: "Color rows like this", group: "Rows", keys: ["H"], run: () => this.panels.shown === "events" && this.panels.special.events.colorRows() },
      { title: "Rules for colors of rows", group: "Rows", keys: ["C"], run: () => this.openRules() },
      { title: "Next and previous panel", group: "Page", keys: [".", ","], run: () => this.stepPanel(1) },
      { title: "Save the rows as CSV", group: "Page", keys: ["Shift-C"], run: () => this.panels.panel?.save?.("csv") },
      { title: "Save the rows as JSON", group: "Page", keys: ["Shift-J"], run: () => this.panels.panel?.save?.("json") },
      { title: "Save view", group: "Page", keys: ["Ctrl-S"], run: () => this.panels.special.marks.save() },
      { title: "Open view", group: "Page", keys: ["Ctrl-O"], run: () => this.panels.special.marks.open() },
      { title: "Open regions", group: "Page", keys: ["Shift-R"], run: () => this.panels.special.marks.regions.open() },
      { title: "Copy the address", group: "Page", keys: ["Y"], run: () => this.copyAddress() },
      { title: "Light or dark", group: "Page", keys: ["L"], run: () => this.header.element.querySelector(".theme").click() },
      { title: "Command palette", group: "Page", keys: ["Ctrl-P", "Ctrl-K"], run: () => this.palette.open() },
      { title: "Keys", group: "Page", keys: ["?"], run: () => this.keys.showModal() },
    ];
  }

  /** Actions and panels, and the time that a text is. */
  paletteActions(text) {
    const window = windowOfText(text, this.viewer, this.viewer.window.to - this.viewer.window.from);
    const panels = this.panels.panels.map(({ id, title }) => ({ title, group: "Panel", keys: [], run: () => this.panels.show(id) }));
    const time = text && window ? [{ title: `Go to ${text}`, group: "Move", keys: [], run: () => this.viewer.show(window) }] : [];
    return [...time, ...this.actions.filter(({ run }) => run), ...panels];
  }

  press(event) {
    if (event.defaultPrevented || document.querySelector("dialog[open]")) {
      return;
    }
    const key = keyText(event);
    const isPlain = !event.ctrlKey && !event.altKey && !event.metaKey;
    if (isTyping(event.target) && isPlain) {
      if (event.key === "Escape") {
        event.target.blur();
      }
      return;
    }
    if (isPlain && !event.shiftKey && movesWindow(event.key)) {
      this.mover.press(event.key);
      event.preventDefault();
      return;
    }
    const backwards = { K: () => this.tracks.step(-1), ",": () => this.stepPanel(-1), "Shift-ArrowLeft": () => this.tracks.moveCursor(-1), "Shift-N": () => this.tracks.stepRegion(-1), "Alt-ArrowDown": () => this.tracks.moveCurrent(1) }[key];
    const isPressed = event.target instanceof HTMLElement && event.target.matches("button, summary, a") && ["Enter", " "].includes(event.key);
    if (isPressed) {
      return;
    }
    const action = key === "Alt-ArrowLeft" || key === "Alt-ArrowRight" ? null : this.actions.find(({ keys, run }) => run && keys.includes(key));
    if (backwards ?? action) {
      (backwards ?? action.run)();
      event.preventDefault();
    }
  }

  /** Takes a saved view, or a file of regions. */
  drop(event) {
    const file = event.dataTransfer?.files[0];
    if (file) {
      event.preventDefault();
      this.panels.special.marks.take(file);
    }
  }

  /** Clears what was chosen last: the selection, the tracks of panels, the event, the cursor. */
  escape() {
    const { state } = this.model;
    const patches = [["selection", null], ["event", null], ["moment", null]];
    const found = patches.find(([name, empty]) => state[name] !== empty);
    if (state.selection === null && state.tracks.length > 0) {
      this.model.change({ tracks: [] });
    } else if (found) {
      this.model.change({ [found[0]]: found[1] });
    }
  }

  stepPanel(step) {
    const ids = this.panels.panels.map(({ id }) => id);
    this.panels.show(ids[(ids.indexOf(this.panels.shown) + step + ids.length) % ids.length]);
  }

  openRules() {
    this.panels.show("events");
    this.panels.special.events.rules.open();
  }

  findInEvents() {
    this.panels.show("events");
    this.panels.special.events.search.focus();
  }

  async copyAddress() {
    this.model.settle();
    await navigator.clipboard.writeText(location.href).catch(() => {});
  }
}

const page = new Page(document.getElementById("page"));
page.start();
