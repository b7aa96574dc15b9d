// Marks, notes, and regions, and a list of all tracks.
import { element } from "../elements.mjs";
import { compareCells } from "../report/report_model.mjs";
import { actionButton } from "./view_controls.mjs";
import { Grid } from "./view_grid.mjs";
import { RegionList } from "./view_region_list.mjs";
import { processText, trackDetail, trackLabel } from "./view_rows.mjs";
import { clockText, offsetText } from "./view_time.mjs";
import { openFile, savedView, saveText, textOfFile, viewOfText } from "./view_save.mjs";
import { addressOf, stateOf } from "./view_state.mjs";
import { countedText, countText, valueText } from "../values.mjs";

const mostMarks = 100;

export class MarksPanel {
  /** @param {import("./view_viewer.mjs").Viewer} viewer */
  constructor(viewer) {
    this.viewer = viewer;
    this.message = element("span", { class: "muted", role: "status" });
    this.list = element("ul", { class: "marks", "aria-label": "Marks" });
    const actions = [
      actionButton("Add mark", "Add a mark at the cursor, or in the middle of the window (M)", () => this.add()),
      actionButton("Save view", "Save what is shown, with marks and notes, as a file (Ctrl-S)", () => this.save()),
      actionButton("Open view", "Show what a file contains (Ctrl-O)", () => this.open()),
    ];
    this.regions = new RegionList(viewer);
    this.element = element("div", { class: "panel-content" }, element("div", { class: "panel-bar" }, ...actions, this.message), this.list, this.regions.element);
  }

  update() {
    const { marks } = this.viewer.state;
    if (marks !== this.shown) {
      this.shown = marks;
      this.list.replaceChildren(...marks.map((mark, i) => this.itemOf(mark, i)));
      this.message.textContent = marks.length === 0 ? "No marks. They are kept in the address and in saved views." : "";
    }
    this.regions.update();
  }

  itemOf(mark, i) {
    const { viewer } = this;
    const at = BigInt(mark.at);
    const change = (text) => viewer.model.change({ marks: viewer.state.marks.map((one, k) => (k === i ? { ...one, text } : one)) });
    const note = element("input", { type: "text", value: mark.text, placeholder: "Note", maxlength: "200", "aria-label": `Note of mark ${i + 1}`, change: (event) => change(event.target.value) });
    const show = element("button", { type: "button", class: "link", title: clockText(viewer.begin, at, true), click: () => {
      viewer.showMoment(at);
      viewer.model.change({ moment: at });
    } }, offsetText(at));
    const drop = () => viewer.model.change({ marks: viewer.state.marks.filter((_, k) => k !== i) });
    const remove = actionButton("\u00d7", "Remove the mark", drop, `Remove mark ${i + 1}`);
    return element("li", {}, show, note, remove);
  }

  add() {
    const { viewer } = this;
    const { from, to } = viewer.window;
    const at = viewer.state.moment ?? (from + to) / 2n;
    if (viewer.state.marks.length < mostMarks) {
      viewer.model.change({ marks: [...viewer.state.marks, { at: String(at), text: "" }].sort((a, b) => (BigInt(a.at) < BigInt(b.at) ? -1 : 1)), panel: "marks" });
      const place = viewer.state.marks.findIndex((mark) => mark.at === String(at));
      this.list.children[place]?.querySelector("input").focus();
    }
  }

  save() {
    const { opened, state } = this.viewer;
    const name = (opened.inputs[0] ?? "trace").replace(/^.*[/\\]/, "");
    saveText(`${name}.etlview.json`, savedView(opened, addressOf(state)), "application/json");
  }

  open() {
    openFile(".json,application/json", (file) => this.read(file));
  }

  /** Shows what a saved view contains. */
  async read(file) {
    try {
      const { address, isSame } = viewOfText((await textOfFile(file)) ?? "", this.viewer.opened);
      this.viewer.model.change(stateOf(address));
      this.message.textContent = isSame ? "" : "The view was saved for another trace.";
    } catch (error) {
      this.message.textContent = error instanceof SyntaxError ? "The file is not a saved view." : error.message;
    }
  }

  /** Takes a file that was dropped onto the page. */
  take(file) {
    if (/\.json$/i.test(file.name)) {
      this.viewer.model.change({ panel: "marks" });
      this.read(file);
    } else {
      this.regions.read(file);
    }
  }
}

const trackColumns = [["kind", "track", 110], ["label", "name", 240], ["process", "process", 180], ["busy", "time", 100, true], ["count", "count", 100, true], ["detail", "summary", 140]];

/** All tracks as a table, for screen readers and for whoever looks for one. */
export class TracksPanel {
  /** @param {import("./view_viewer.mjs").Viewer} viewer */
  constructor(viewer) {
    this.viewer = viewer;
    this.sort = { name: "busy", isDescending: true };
    this.rows = [];
    this.grid = new Grid({
      id: "all-tracks",
      label: "All tracks",
      ask: async (first, count) => ({ rows: this.rows.slice(first, first + count), row_count: this.rows.length }),
      failed: () => null,
      cell: (track, { name }) => this.cell(track, name),
      chosen: (track) => viewer.reveal(viewer.trackKey(track)),
      opened: (track) => viewer.model.change({ tracks: [viewer.trackKey(track)] }),
      sorted: ({ name }) => this.sortBy(name),
    });
    this.count = element("span", { class: "muted", role: "status" });
    this.element = element("div", { class: "panel-content" }, element("div", { class: "panel-bar" }, this.count), this.grid.element);
    viewer.on("tracks", () => this.fill());
  }

  cell(track, name) {
    const texts = {
      kind: () => track.kind,
      label: () => trackLabel(track),
      process: () => (track.process || track.pid !== null ? processText(track) : ""),
      busy: () => (track.busy_ns ? valueText(track.busy_ns, "nanoseconds") : ""),
      count: () => (track.count ? countText(track.count) : ""),
      detail: () => trackDetail(track),
    };
    return texts[name]();
  }

  sortBy(name) {
    this.sort = { name, isDescending: this.sort.name === name ? !this.sort.isDescending : ["busy", "count"].includes(name) };
    this.fill();
  }

  fill() {
    const { name, isDescending } = this.sort;
    const value = { busy: (track) => track.busy_ns ?? 0, count: (track) => track.count ?? 0 }[name] ?? ((track) => this.cell(track, name));
    this.rows = [...this.viewer.tracks].sort((a, b) => compareCells(value(a), value(b), isDescending));
    this.count.textContent = countedText(this.rows.length, "track");
    this.grid.setColumns(trackColumns.map(([key, title, width, isNumber = false]) => ({ name: key, title, width, isNumber, isWide: key === "label" })), this.sort);
    this.grid.reload(0, "");
  }

  update() {
    this.grid.draw();
  }
}
