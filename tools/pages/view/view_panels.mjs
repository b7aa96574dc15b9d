// The lower part: what panels are about, a tab for each of them, and the one that is shown.
import { element } from "../elements.mjs";
import { Completion } from "./view_complete.mjs";
import { actionButton, choiceOf } from "./view_controls.mjs";
import { EventsPanel } from "./view_events.mjs";
import { FlamePanel } from "./view_flames.mjs";
import { FollowPanel } from "./view_follow.mjs";
import { MarksPanel, TracksPanel } from "./view_marks.mjs";
import { firstPanel, isOfTracks, panelsOfTables } from "./view_subjects.mjs";
import { TablePanel } from "./view_table.mjs";
import { offsetText } from "./view_time.mjs";
import { valueText, visibleText } from "../values.mjs";

const scopes = [["", "Selection, or window"], ["window", "Shown window"], ["all", "Whole trace"]];
const settle = 220; // ms that the window rests before panels ask
const quietMembers = ["row", "scroll", "split", "toggled", "pins", "filter", "hidesIdle", "moves", "height", "heights", "regions", "rules"]; // panels do not depend on them

export class PanelsView {
  /** @param {import("./view_viewer.mjs").Viewer} viewer */
  constructor(viewer) {
    this.viewer = viewer;
    this.panels = []; // {id, title, hint, make}
    this.made = new Map(); // by ID
    this.tabs = element("div", { class: "tabs", role: "tablist", "aria-label": "Panels", keydown: (event) => this.pressTab(event) });
    this.waiting = element("p", { class: "panel-waiting muted", role: "status", hidden: true });
    this.heading = element("h2", { class: "hidden" });
    this.place = element("div", { class: "panel", role: "tabpanel", id: "panel", tabindex: "-1" });
    this.element = element("section", { class: "panels", "aria-label": "Panels" }, this.tabs, this.heading, this.scopeBar(), this.waiting, this.place);
    this.special = {
      events: new EventsPanel(viewer),
      flame: new FlamePanel(viewer),
      follow: new FollowPanel(viewer),
      marks: new MarksPanel(viewer),
      tracks: new TracksPanel(viewer),
    };
    viewer.on("opened", (opened) => this.fill(opened));
    viewer.on("tracks", () => this.update());
    viewer.on("aligned", () => this.update());
    viewer.on("refused", (error) => this.refused(error));
    viewer.model.follow((state, before) => this.changed(state, before));
  }

  fill(opened) {
    const named = JSON.stringify([opened.tables, opened.flames]);
    if (named === this.named) {
      return;
    }
    this.named = named;
    const tables = panelsOfTables(opened.tables).map((panel) => ({ ...panel, make: () => new TablePanel(this.viewer, panel) }));
    const special = (id, title, hint) => ({ id, title, hint, make: () => this.special[id] });
    this.panels = [
      special("events", "Events", "Events, one by one"),
      ...(opened.flames.length > 0 ? [special("flame", "Flame graph", "Stacks of samples, waits, and other events")] : []),
      ...tables,
      special("follow", "Follow", "Who ended a wait"),
      special("tracks", "Tracks", "All tracks as a table"),
      special("marks", "Marks", "Marks, notes, regions, and saved views"),
    ];
    this.made.clear();
    const tab = ({ id, title, hint }) => element("button", { type: "button", role: "tab", id: `tab-${id}`, "aria-controls": "panel", title: hint, click: () => this.show(id) }, title);
    this.tabs.replaceChildren(...this.panels.map(tab));
    this.update();
  }

  /** Shows another panel, with the first form of its table. */
  show(id) {
    this.viewer.model.change({ panel: id, by: "", sort: "", reversed: false, find: "" });
  }

  get shown() {
    return this.panels.find(({ id }) => id === this.viewer.state.panel)?.id ?? firstPanel(this.panels, this.viewer.tracks);
  }

  scopeBar() {
    const { viewer } = this;
    const { model } = viewer;
    this.scope = choiceOf("Panels are about", scopes, (scope) => model.change({ scope }));
    this.about = element("span", { class: "scope-about" });
    this.only = element("button", { type: "button", class: "chip", title: "All tracks again", click: () => model.change({ tracks: [] }) });
    this.where = element("input", {
      type: "text",
      class: "where",
      placeholder: "Filter: provider == Contoso-* && data.Size > 4096",
      "aria-label": "Filter expression",
      spellcheck: "false",
      autocomplete: "off",
      change: () => model.change({ where: this.where.value.trim(), row: 0 }),
    });
    this.error = element("span", { class: "warning", role: "alert" });
    this.clear = actionButton("\u00d7", "No filter", () => model.change({ where: "" }), "No filter");
    return element("div", { class: "scope-bar" }, this.scope, this.about, this.only, new Completion(this.where, viewer.names).element, this.clear, this.error);
  }

  changed(state, before) {
    if (Object.keys(state).every((name) => state[name] === before[name] || quietMembers.includes(name))) {
      return;
    }
    if (state.where !== before.where) {
      this.error.textContent = "";
    }
    if (state.panel !== before.panel) {
      this.update();
      return;
    }
    this.showScope();
    clearTimeout(this.timer);
    const isMoving = state.window !== before.window || state.selection !== before.selection;
    if (isMoving) {
      this.timer = setTimeout(() => this.update(), settle);
    } else {
      this.update();
    }
  }

  showScope() {
    const { viewer } = this;
    const { state } = viewer;
    const { window, isSelection, text } = viewer.scope();
    const size = window ? `${offsetText(window.from)}, ${valueText(Number(window.to - window.from), "nanoseconds")}` : `all ${valueText(Number(viewer.length), "nanoseconds")}`;
    this.scope.value = state.scope;
    this.about.textContent = `${isSelection ? "Selection" : window ? "Window" : "Trace"}: ${size}`;
    this.only.hidden = state.tracks.length === 0;
    this.only.textContent = `only ${text || "selected tracks"} \u00d7`;
    this.clear.hidden = state.where === "";
    if (document.activeElement !== this.where || state.where !== this.shownWhere) {
      this.where.value = state.where;
    }
    this.shownWhere = state.where;
  }

  update() {
    const { viewer } = this;
    if (this.panels.length === 0) {
      return;
    }
    this.showScope();
    const id = this.shown;
    for (const tab of this.tabs.children) {
      const isShown = tab.id === `tab-${id}`;
      tab.hidden = !isShown && !isOfTracks(tab.id.slice(4), viewer.tracks);
      tab.setAttribute("aria-selected", String(isShown));
      tab.setAttribute("tabindex", isShown ? "0" : "-1");
    }
    if (!this.made.has(id)) {
      this.made.set(id, this.panels.find((panel) => panel.id === id).make());
    }
    const panel = this.made.get(id);
    if (this.place.firstChild !== panel.element) {
      this.place.replaceChildren(panel.element);
      this.place.setAttribute("aria-labelledby", `tab-${id}`);
      this.heading.textContent = this.panels.find((one) => one.id === id).title;
      document.getElementById(`tab-${id}`)?.scrollIntoView({ block: "nearest", inline: "nearest" });
    }
    const isPossible = (viewer.isReady && viewer.alignment.isKnown) || (viewer.isOpen && ["events", "marks"].includes(id));
    this.waiting.hidden = isPossible;
    this.waiting.textContent = viewer.isReady ? "Shown when the traces are aligned." : "Shown when the trace is indexed.";
    if (isPossible) {
      panel.update();
    }
  }

  get panel() {
    return this.made.get(this.shown) ?? null;
  }

  /** An expression that is not valid: what is wrong, and where. */
  refused(error) {
    const isPlaced = error.at !== null && error.at !== undefined;
    const at = isPlaced ? error.at - this.viewer.filterAt : -1; // what the page adds is not what is wrong
    this.error.textContent = isPlaced || error.about === "where" ? `${at < 0 ? "" : `column ${at + 1}: `}${visibleText(error.message, 300)}` : "";
    if (at >= 0 && document.activeElement === this.where) {
      this.where.setSelectionRange(at, this.where.value.length);
    }
  }

  pressTab(event) {
    const ids = this.panels.map(({ id }) => id);
    const at = ids.indexOf(this.shown);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: ids.length - 1 }[event.key];
    if (to !== undefined && ids[to]) {
      this.show(ids[to]);
      document.getElementById(`tab-${ids[to]}`).focus();
      event.preventDefault();
      event.stopPropagation();
    }
  }
}
