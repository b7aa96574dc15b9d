// The events: a grid over all of them or those of the selection, one of them in detail, and searching.
import { element } from "../elements.mjs";
import { filterValue } from "../report/report_commands.mjs";
import { actionButton, PanelFoot, showRefusal, swatchOf } from "./view_controls.mjs";
import { EventDetail, fieldValue, nameOfField } from "./view_detail.mjs";
import { Grid } from "./view_grid.mjs";
import { Menu } from "./view_menu.mjs";
import { bothWheres, scopeOfTracks } from "./view_rows.mjs";
import { letterOfRule, ruleOf, rulesWithCell, ruleText } from "./view_rules.mjs";
import { RulesDialog } from "./view_rules_dialog.mjs";
import { nsOfTime, secondsText } from "./view_time.mjs";
import { countedText, countText, visibleText } from "../values.mjs";

// Columns that are shown: name, title, width.
const shownColumns = [
  ["row", "row", 84, true],
  ["time", "seconds", 124, true],
  ["cpu", "cpu", 44, true],
  ["process", "process", 130],
  ["pid", "pid", 60, true],
  ["tid", "tid", 68, true],
  ["provider", "provider", 220],
  ["event", "event", 210],
  ["level", "level", 60, true],
  ["text", "fields and message", 320],
];
const filterable = { cpu: "cpu", process: "process", pid: "pid", tid: "tid", provider: "provider", event: "event", level: "level" };

/** Returns an expression with a further condition on a column; "" if there is none. `isExcluded`: not this value. Pure. */
export function withCell(where, column, value, isExcluded) {
  const isField = column.startsWith("data.");
  const name = isField ? nameOfField(column.slice(5)) : filterable[column];
  if (!name || value === null || value === undefined) {
    return "";
  }
  const test = `${name} == ${isField ? fieldValue(value) : filterValue(value)}`;
  const condition = isExcluded ? `!(${test})` : test;
  const before = where.trim();
  return before ? `${/\|\||\bor\b/.test(before) ? `(${before})` : before} && ${condition}` : condition;
}

const mostFields = 32;

/** Returns the paths of fields in a text: `Size, "File name"`. Pure. */
export function fieldsOfText(text) {
  const found = [...text.matchAll(/"((?:[^"]|"")*)"|[^,\s][^,]*/g)].map(([whole, quoted]) => (quoted === undefined ? whole.trim() : quoted.replaceAll('""', '"')));
  return [...new Set(found.map((path) => path.replace(/^data\./, "")).filter(Boolean))].slice(0, mostFields);
}

/** Returns the text of a list of paths. Pure. */
export function textOfFields(fields) {
  return fields.map((path) => (/[",]|^\s|\s$/.test(path) ? `"${path.replaceAll('"', '""')}"` : path)).join(", ");
}

const pageOfTime = 50; // rows that are asked for to find a time

/**
 * Returns the first of `rows` rows in order of time that is not earlier than a time. `ask(first)`: returns the times of some rows
 * from there on, or null to give up. Between two known times, a row is first looked for in proportion to time.
 */
export async function rowAtTime(ns, rows, ask) {
  let low = { row: 0, time: null };
  let high = { row: rows, time: null };
  for (let step = 0; low.row < high.row; ++step) {
    const span = high.row - low.row;
    const isKnown = low.time !== null && high.time !== null && high.time > low.time && step % 3 !== 1;
    const part = isKnown ? Number(ns - low.time) / Number(high.time - low.time) : 0.5;
    const guess = step === 0 ? 0 : step === 1 ? rows - 1 : low.row + Math.floor(span * Math.min(0.98, Math.max(0.02, part)));
    const first = Math.min(high.row - 1, Math.max(low.row, guess - (isKnown ? 25 : 0)));
    const times = await ask(first);
    if (times === null || times.length === 0) {
      return null;
    }
    const found = times.findIndex((time) => time >= ns);
    if (found > 0 || (found === 0 && first === low.row)) {
      return first + found;
    }
    if (found === 0) {
      high = { row: first, time: times[0] };
    } else {
      low = { row: first + times.length, time: times.at(-1) };
    }
  }
  return low.row;
}

export class EventsPanel {
  /** @param {import("./view_viewer.mjs").Viewer} viewer */
  constructor(viewer) {
    this.viewer = viewer;
    this.names = []; // of the columns of the server
    this.grid = new Grid({
      id: "events",
      label: "Events",
      ask: (first, count) => this.ask(first, count),
      failed: (error) => this.failed(error),
      cell: (row, column) => this.cell(row, column),
      chosen: (row, index, how) => this.chosen(row, how),
      opened: () => this.showInTimeline(),
      rowClass: (row) => this.classOf(row),
      menu: (x, y) => this.menu.open(this.menuItems(), x, y, this.grid.scroller),
      moved: (first) => viewer.model.change({ row: first }),
      keys: { i: (row, column) => this.filterBy(row, column, false), x: (row, column) => this.filterBy(row, column, true) },
    });
    this.usual = shownColumns;
    this.showColumns(this.usual);
    viewer.on("opened", ({ inputs }) => {
      if (inputs.length > 1 && this.usual === shownColumns) {
        this.usual = [...shownColumns.slice(0, 1), ["input", "trace", 52, true], ...shownColumns.slice(1)];
        this.showFields();
      }
    });
    this.detail = new EventDetail(viewer, { showInTimeline: () => this.showInTimeline(), close: () => viewer.model.change({ event: null }) });
    this.rules = new RulesDialog(viewer.model);
    this.menu = new Menu("About the cell");
    this.make();
    viewer.model.follow((state, before) => state.rules !== before.rules && this.grid.draw());
    viewer.on("picked", (picked) => this.picked(picked));
  }

  make() {
    this.search = element("input", {
      type: "search",
      placeholder: "Find text in events",
      "aria-label": "Find text in events",
      keydown: (event) => {
        if (event.key === "Enter") {
          this.findNext();
        }
      },
    });
    this.count = element("span", { class: "muted", role: "status" });
    this.include = actionButton("+ include", "Only events with the value of the chosen cell (i)", () => this.filterBy(this.row, this.column, false));
    this.exclude = actionButton("\u2212 exclude", "No events with the value of the chosen cell (x)", () => this.filterBy(this.row, this.column, true));
    const colors = [
      actionButton("Color", "Color rows like this: with the value of the chosen cell, or no more (h)", () => this.colorRows(), "Color rows like this"),
      actionButton("Rules\u2026", "Which rows have which color (c)", () => this.rules.open()),
    ];
    this.foot = new PanelFoot();
    this.fields = element("input", {
      type: "text",
      class: "fields",
      placeholder: "Columns: Size, FileName",
      "aria-label": "Fields with columns",
      title: "Names of fields that are shown beside each other",
      spellcheck: "false",
      autocomplete: "off",
      change: () => this.viewer.model.change({ fields: fieldsOfText(this.fields.value) }),
    });
    const bar = element("div", { class: "panel-bar" }, this.search, actionButton("Next", "Find the next event with the text (Enter)", () => this.findNext()), this.include, this.exclude, this.fields, ...colors, this.count);
    this.element = element("div", { class: "panel-content events" }, bar, element("div", { class: "events-body" }, this.grid.element, this.detail.element), this.foot.element, this.rules.element, this.menu.element);
  }

  showColumns(columns) {
    this.grid.setColumns(columns.map(([name, title, width, isNumber = false]) => ({ name, title, width, isNumber, isWide: name === "text" })));
  }

  get row() {
    return this.grid.rowAt(this.grid.at);
  }

  get column() {
    return this.grid.columns[this.grid.column];
  }

  indexOf(name) {
    return this.names.indexOf(name);
  }

  question() {
    const { fields } = this.viewer.state;
    return { selection: this.viewer.selection(), ...(fields.length > 0 ? { fields } : {}) };
  }

  /** Columns of fields are before that of all of them. */
  showFields() {
    const { fields } = this.viewer.state;
    const own = fields.map((path) => [`data.${path}`, path, 140]);
    this.showColumns([...this.usual.slice(0, -1), ...own, ...this.usual.slice(-1)]);
    if (document.activeElement !== this.fields) {
      this.fields.value = textOfFields(fields);
    }
    if (fields !== this.shownFields) {
      this.shownFields = fields;
      this.detail?.refresh();
    }
  }

  update() {
    const { state } = this.viewer;
    const question = JSON.stringify(this.question());
    if (question !== this.asked) {
      const isFirst = this.asked === undefined;
      this.asked = question;
      this.showFields();
      this.grid.reload(isFirst ? state.row : 0, "");
    } else {
      this.grid.draw();
    }
    this.detail.show(state.event);
  }

  async ask(first, count) {
    const answer = await this.viewer.askFor(this, "events", { ...this.question(), first, count });
    if (!answer) {
      return null;
    }
    this.names = answer.columns;
    answer.rows.forEach((row) => ["provider", "event", "process"].forEach((name) => this.viewer.names.add(name, row[this.indexOf(name)])));
    this.foot.show(answer.command);
    this.count.textContent = answer.row_count === null ? `more than ${countText(first + answer.rows.length)} events` : countedText(answer.row_count, "event");
    if (answer.row_count === null && answer.next_row === null) {
      this.count.textContent = countedText(first + answer.rows.length, "event");
    }
    this.grid.note.textContent = first === 0 && answer.rows.length === 0 ? "No events." : (answer.remarks ?? []).map((text) => visibleText(text)).join("; ");
    return answer;
  }

  cell(row, { name }) {
    const value = row[this.indexOf(name)];
    if (value === null || value === undefined) {
      return "";
    }
    switch (name) {
      case "row":
        return this.markedRow(row, value);
      case "time":
        return secondsText(this.nsOf(row));
      case "process":
        return [swatchOf(this.viewer.colorOf(String(value))), visibleText(String(value), 100)];
      default:
        return typeof value === "string" ? visibleText(value, 300) : String(value);
    }
  }

  menuItems() {
    return [
      { title: "Only events with this value", key: "i", run: () => this.filterBy(this.row, this.column, false) },
      { title: "No events with this value", key: "x", run: () => this.filterBy(this.row, this.column, true) },
      { title: "Color rows like this", key: "h", run: () => this.colorRows() },
      { title: "Rules for colors", key: "c", run: () => this.rules.open() },
      { title: "Show in the timeline", key: "t", run: () => this.showInTimeline() },
      { title: "Copy the text", key: "Ctrl-C", run: () => this.grid.copyCell() },
    ];
  }

  /** The number of the first rule that is true of a row, or -1. */
  ruleOf(row) {
    const { rules } = this.viewer.state;
    return rules.length === 0 ? -1 : ruleOf(rules, (field) => row[this.indexOf(field)]);
  }

  classOf(row) {
    const level = { 1: "critical", 2: "critical", 3: "warned" }[row[this.indexOf("level")]] ?? "";
    const rule = this.ruleOf(row);
    return rule < 0 ? level : `${level} ruled tint-${this.viewer.state.rules[rule].color}`.trim();
  }

  /** The number of a row, with the letter of its rule. */
  markedRow(row, value) {
    const rule = this.ruleOf(row);
    return rule < 0 ? countText(value) : [element("span", { class: "rule-letter", title: ruleText(this.viewer.state.rules[rule]) }, letterOfRule(rule)), countText(value)];
  }

  /** Colors rows with the value of the chosen cell, or no more. */
  colorRows() {
    const { row, column } = this;
    const rules = row && column ? rulesWithCell(this.viewer.state.rules, column.name, row[this.indexOf(column.name)]) : null;
    if (rules) {
      this.viewer.model.change({ rules });
    } else {
      this.count.textContent = `Choose a cell of ${Object.keys(filterable).join(", ")}, or text first`;
    }
  }

  /** The time of a row in nanoseconds after the begin. */
  nsOf(row) {
    return nsOfTime(this.viewer.begin, row[this.indexOf("time")]);
  }

  placeOf(row) {
    return ["input", "buffer", "offset"].map((name) => row[this.indexOf(name)]);
  }

  /** A row that was gone to from the timeline leaves the cursor where it is. */
  chosen(row, how) {
    const event = this.placeOf(row);
    if (how !== "followed") {
      this.viewer.model.change({ panel: "events", event, moment: this.nsOf(row) });
    } else if (this.element.isConnected) {
      this.viewer.model.change({ event });
    }
  }

  /** Shows the event of the details, or the chosen row if they are closed. */
  showInTimeline() {
    const { viewer } = this;
    const { place } = this.detail;
    const row = this.row && (place === null || String(this.placeOf(this.row)) === String(place)) ? this.row : null;
    const ns = row ? this.nsOf(row) : this.detail.ns;
    if (ns === null) {
      return;
    }
    const about = row ? { pid: row[this.indexOf("pid")], tid: row[this.indexOf("tid")] } : this.detail.about;
    viewer.showMoment(ns);
    const key = viewer.keyOf(about);
    if (key) {
      viewer.reveal(key, { moment: ns });
    } else {
      viewer.model.change({ moment: ns });
    }
  }

  filterBy(row, column, isExcluded) {
    if (row && column) {
      const where = withCell(this.viewer.state.where, column.name, row[this.indexOf(column.name)], isExcluded);
      if (where) {
        this.viewer.model.change({ where });
      } else {
        this.count.textContent = `Choose a cell of ${Object.keys(filterable).join(", ")} first`;
      }
    }
  }

  failed(error) {
    return showRefusal(this, error);
  }

  async findNext() {
    const text = this.search.value;
    if (!text) {
      return;
    }
    this.count.textContent = "Searching\u2026";
    try {
      const answer = await this.viewer.client.latest("search", "search", { text, ...this.question(), from_row: this.grid.at + 1, count: 1 });
      if (answer) {
        const [found] = answer.rows;
        this.count.textContent = found ? `Found in row ${countText(found[0])}` : `Not found after row ${countText(Math.max(0, this.grid.at))}`;
        if (found) {
          this.grid.rows = Math.max(this.grid.rows, found[0] + 1);
          this.grid.choose(found[0]);
        }
      }
    } catch (error) {
      this.failed(error);
    }
  }

  /** A click into the timeline goes to the event that is next. */
  picked({ ns, node }) {
    if (this.element.isConnected && this.grid.isEndKnown) {
      this.goTo(ns, node).catch((error) => this.failed(error));
    }
  }

  /** Chooses the first event at or after a time, of a track if it has events of its own. */
  async goTo(ns, node) {
    const event = node?.track && !["thread", "samples"].includes(node.track.kind) ? await this.nextOf(node, ns) : null;
    const index = await this.rowAtTime(event ? this.nsOf(event) : ns);
    if (index === null) {
      return;
    }
    const answer = event ? await this.viewer.client.latest("goto", "events", { ...this.question(), first: index, count: pageOfTime }) : null;
    const same = (answer?.rows ?? []).findIndex((row) => String(this.placeOf(row)) === String(this.placeOf(event)));
    if (this.element.isConnected) {
      this.grid.choose(index + Math.max(0, same), "followed");
    }
  }

  /** Returns the next event of a track, or null. */
  async nextOf(node, ns) {
    const { processes, where } = scopeOfTracks([node]);
    const selection = this.viewer.selection();
    const both = bothWheres(selection.where ?? "", where).text;
    const { from } = this.viewer.timesOf({ from: ns, to: ns });
    const narrowed = { ...selection, from, ...(both ? { where: both } : {}), ...(processes.length > 0 ? { processes } : {}) };
    const answer = await this.viewer.client.latest("goto", "events", { selection: narrowed, first: 0, count: 1 });
    return answer?.rows[0] ?? null;
  }

  /** Returns the first row at or after a time, by a search among rows. Null if the number of rows is not known. */
  async rowAtTime(ns) {
    if (!this.grid.isEndKnown || this.grid.rows === 0) {
      return null;
    }
    const ask = async (first) => {
      const answer = await this.viewer.client.latest("goto", "events", { ...this.question(), first, count: pageOfTime });
      return answer ? answer.rows.map((row) => this.nsOf(row)) : null;
    };
    const index = await rowAtTime(ns, this.grid.rows, ask);
    return index === null ? null : Math.min(index, this.grid.rows - 1);
  }
}
