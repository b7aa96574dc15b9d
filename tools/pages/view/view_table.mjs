// A table of a verb about what panels are about: sorted and paged by the server.
import { element } from "../elements.mjs";
import { cellOf, columnOf, isDescendingFirst, isFound, searchTextOf, ticksBetween, wordsOf } from "../report/report_model.mjs";
import { filterValue } from "../report/report_commands.mjs";
import { assumptionsOf, cellText, exactText, headingText, isNumeric, remaindersOf } from "../report/report_values.mjs";
import { actionButton, choiceOf, compareButton, PanelFoot, showRefusal, swatchOf } from "./view_controls.mjs";
import { saveText } from "./view_save.mjs";
import { Grid } from "./view_grid.mjs";
import { columnWidths } from "./view_subjects.mjs";
import { clockText } from "./view_time.mjs";
import { countedText, countText, visibleText } from "../values.mjs";

const searchedRows = 5000;

/** Returns the filter for the events behind a row, or "" if there is none. Pure. */
export function eventsFilter(table, row) {
  let isComplete = Boolean(table.events) && !row.includes("(other)");
  const filter = (table.events ?? "").replace(/\{(\w+)\}/g, (_, name) => {
    const value = name === "process" ? (cellOf(table, row, "pid") ?? cellOf(table, row, "process")) : (cellOf(table, row, name) ?? (name === "event" ? cellOf(table, row, "id") : null));
    isComplete &&= value !== null;
    return value === null ? "" : filterValue(value);
  });
  return isComplete ? filter : "";
}

/** Returns an expression without the events of a row. Pure. */
export function withoutRow(where, filter) {
  return where.trim() ? `(${where.trim()}) && !(${filter})` : `!(${filter})`;
}

const changeColumn = "change_percent";

/** Returns what a column is called; those of comparisons are of before or after. Pure. */
export function headingOf(column, isComparison) {
  const [, side, name] = /^([ab])_(.+)$/.exec(column.name) ?? [];
  return isComparison && side ? `${headingText({ ...column, name })} ${side === "a" ? "before" : "after"}` : headingText(column);
}

/** Returns columns as people read them: of a comparison, after the keys the change, and what it is the change of. Pure. */
export function inReadingOrder(columns, sort) {
  const change = columns.filter(({ column }) => column.name === changeColumn);
  if (change.length === 0) {
    return columns;
  }
  const first = columns.filter(({ column }) => column.name !== changeColumn && (column.name === sort || column.name === `a_${(sort ?? "").slice(2)}`));
  const rest = columns.filter((one) => !one.column.key && !change.includes(one) && !first.includes(one));
  return [...columns.filter(({ column }) => column.key), ...first, ...change, ...rest];
}

export class TablePanel {
  /** @param {import("./view_viewer.mjs").Viewer} viewer */
  constructor(viewer, panel) {
    this.viewer = viewer;
    this.panel = panel;
    this.table = null;
    this.grid = new Grid({
      id: panel.id,
      label: panel.title,
      ask: (first, count) => this.ask(first, count),
      failed: (error) => this.failed(error),
      cell: (row, column) => this.cell(row, column),
      measure: (row, column) => this.measure(row, column),
      chosen: (row) => this.chosen(row),
      opened: (row) => this.opened(row),
      sorted: (column) => this.sortBy(column),
      rowClass: (row) => (this.isCurrent(row) ? "related" : ""),
    });
    this.make();
  }

  make() {
    const { viewer, panel } = this;
    const forms = panel.forms.map(({ by, title }) => [by, by ? `by ${by}` : title]);
    this.form = choiceOf(`Rows of ${panel.title}`, forms, (by) => viewer.model.change({ by, sort: "", reversed: false }));
    this.form.hidden = forms.length < 2;
    this.search = element("input", {
      type: "search",
      placeholder: "Search rows",
      "aria-label": `Search rows of ${panel.title}`,
      input: () => viewer.model.change({ find: this.search.value }),
    });
    this.count = element("span", { class: "muted", role: "status" });
    this.compare = compareButton(viewer, () => this.canCompare);
    const saving = [actionButton("CSV", "Save all rows as CSV (Shift-C)", () => this.save("csv")), actionButton("JSON", "Save all rows as JSON (Shift-J)", () => this.save("json"))];
    this.bar = element("div", { class: "panel-bar" }, this.form, this.search, this.compare.element, this.count, element("span", { class: "spread" }), ...saving);
    this.row = element("div", { class: "row-bar", role: "group", "aria-label": "The chosen row", hidden: true });
    this.foot = new PanelFoot();
    this.element = element("div", { class: "panel-content" }, this.bar, this.grid.element, this.row, this.foot.element);
  }

  get by() {
    const { by } = this.viewer.state;
    return this.panel.forms.some((form) => form.by === by) ? by : this.panel.forms[0].by;
  }

  get canCompare() {
    return this.panel.forms.some((form) => form.by === this.by && form.is_compared);
  }

  question() {
    const { state } = this.viewer;
    const compared = this.viewer.isCompared && this.canCompare ? this.viewer.comparison() : {};
    return { name: this.panel.forms[0].name, by: this.by, selection: this.viewer.selection(), sort: state.sort, is_reversed: state.reversed, slices: 60, per_kind: 100, ...compared };
  }

  /** Shows what the state says. Asks only if the question is another one. */
  update() {
    const { state } = this.viewer;
    this.form.value = this.by;
    this.compare.update();
    if (this.search.value !== state.find) {
      this.search.value = state.find;
    }
    const question = JSON.stringify([this.question(), state.find]);
    if (question !== this.asked) {
      this.asked = question;
      this.isFresh = true;
      this.row.hidden = true;
      this.grid.reload(0, "");
    } else {
      this.grid.draw();
    }
    if (state.current !== this.current) {
      this.current = state.current;
      this.grid.reveal((row) => this.isCurrent(row));
    }
  }

  async ask(first, count) {
    const words = wordsOf(this.viewer.state.find);
    const isFinding = words.length > 0;
    const answer = await this.viewer.askFor(this, "table", { ...this.question(), first: isFinding ? 0 : first, count: isFinding ? searchedRows : count });
    if (!answer) {
      return null;
    }
    this.take(answer);
    if (!isFinding) {
      return { rows: answer.rows, row_count: answer.row_count };
    }
    const rows = answer.rows.filter((row) => isFound(searchTextOf(row), words));
    const searched = answer.row_count > answer.rows.length ? `; the first ${countText(answer.rows.length)} were searched` : "";
    this.count.textContent = `${countText(rows.length)} of ${countText(answer.row_count)} rows${searched}`;
    return { rows: rows.slice(first, first + count), row_count: rows.length };
  }

  /** Whether the rows are those of two traces. */
  get isComparison() {
    return (this.table?.columns ?? []).some(({ name }) => name === changeColumn);
  }

  take(answer) {
    this.table = answer;
    this.begin = `${clockText(this.viewer.begin, 0n, true).replace(" ", "T")}Z`;
    this.count.textContent = countedText(answer.row_count, "row");
    if (this.isFresh) {
      this.isFresh = false;
      this.showColumns(answer);
    }
    const coverage = answer.coverage ?? {};
    const lacking = remaindersOf({ coverage }).map((text) => `not in the rows: ${text}`);
    const assumed = assumptionsOf({ coverage }).map((text) => `assumed: ${text}`);
    const remarks = [...(answer.remarks ?? []), ...lacking, ...assumed];
    this.foot.show(answer.command, remarks);
    this.grid.note.textContent = answer.row_count === 0 ? this.emptyText(coverage) : "";
  }

  /** Why there are no rows, as far as it is known. */
  emptyText({ not_recorded: missing = [] }) {
    const texts = missing.map((one) => (typeof one === "string" ? one : `${one.source}; to record them: ${one.record}`));
    return texts.length > 0 ? `No rows. Not recorded: ${texts.map((text) => visibleText(text)).join("; ")}` : "No rows.";
  }

  showColumns({ columns, rows, total, sort }) {
    const isList = columns.every(({ key }) => key); // of packets: each has values of its own in few columns
    const isUsed = ({ column, i }) => (column.key && !isList) || column.name.startsWith("drop_") || rows.length === 0 || rows.some((row) => row[i] !== null);
    const used = inReadingOrder(columns.map((column, i) => ({ column, i })).filter(isUsed), sort);
    const headings = used.map(({ column }) => headingOf(column, this.isComparison));
    const texts = [...rows.slice(0, 100), total ?? columns.map(() => null)].map((row) => used.map(({ column, i }) => cellText(row[i], column, this.begin)));
    const widths = columnWidths(headings, texts);
    this.grid.setColumns(
      used.map(({ column, i }, place) => ({ name: column.name, title: headings[place], width: widths[place] + (column.name === "process" ? 16 : 0), isNumber: isNumeric(column), index: i, column })),
      sort ? { name: sort, isDescending: isDescendingFirst(columns[columnOf({ columns }, sort)] ?? { unit: "count" }) !== this.viewer.state.reversed } : null,
    );
    const hasTotal = (total ?? []).some((cell) => cell !== null);
    this.grid.setFoot(hasTotal ? used.map(({ column, i }, place) => (total[i] === null ? (place === 0 ? "total" : "") : cellText(total[i], column, this.begin))) : null);
    const at = columnOf({ columns }, sort ?? "");
    const isIdle = (row) => cellOf({ columns }, row, "pid") === 0;
    const isMeasured = at >= 0 && isNumeric(columns[at]) && !["id", "address"].includes(columns[at].unit);
    const value = rows.reduce((most, row) => (isIdle(row) ? most : Math.max(most, Number(row[at]) || 0)), 0);
    this.largest = isMeasured ? { name: sort, value } : null;
  }

  cell(row, { index, column }) {
    const text = cellText(row[index], column, this.begin);
    if (column.name !== "process" || typeof row[index] !== "string") {
      return text;
    }
    return [swatchOf(this.viewer.colorOf(row[index])), text];
  }

  measure(row, { name, index }) {
    const { largest } = this;
    return largest && largest.name === name && largest.value > 0 && row[index] !== null ? Math.min(100, (100 * row[index]) / largest.value) : null;
  }

  /** Whether a row is about the current track. */
  isCurrent(row) {
    const node = this.viewer.current;
    const about = node?.process ?? node?.track;
    if (!about || !this.table) {
      return false;
    }
    const same = (name, value) => value === undefined || value === null || columnOf(this.table, name) < 0 || cellOf(this.table, row, name) === value;
    const has = (name) => columnOf(this.table, name) >= 0;
    if (about.kind === "processor") {
      return has("cpu") && cellOf(this.table, row, "cpu") === about.id;
    }
    if (about.kind === "events") {
      return has("provider") && cellOf(this.table, row, "provider") === about.name;
    }
    return has("pid") && about.pid !== null && same("pid", about.pid) && (about.kind !== "thread" || same("tid", about.id));
  }

  keyOf(row) {
    const of = (name) => cellOf(this.table, row, name);
    const { tracks } = this.viewer;
    const isOwn = (kind, name, value) => tracks.find((track) => track.kind === kind && track[name] === value);
    const other = of("cpu") !== null ? isOwn("processor", "id", of("cpu")) : of("provider") !== null ? isOwn("events", "name", of("provider")) : null;
    return other ? this.viewer.trackKey(other) : this.viewer.keyOf({ pid: of("pid"), tid: of("tid") });
  }

  /** A row makes its track current and moves the cursor to its time. */
  chosen(row) {
    const key = this.keyOf(row);
    const interval = this.intervalOf(row);
    const moment = interval?.from ?? this.momentOf(row);
    const patch = moment === null ? {} : { moment };
    if (key) {
      this.viewer.reveal(key, patch);
    } else {
      this.viewer.model.change(patch);
    }
    this.showRow(row, key, interval);
  }

  /** The time of a row about a moment, or null. */
  momentOf(row) {
    const time = cellOf(this.table, row, "time");
    return typeof time === "string" ? BigInt(Math.round(ticksBetween(this.begin, time))) * 100n : null;
  }

  /** The time that a row is about, or null. */
  intervalOf(row) {
    const begin = cellOf(this.table, row, "begin");
    const duration = cellOf(this.table, row, "duration_ns");
    if (typeof begin !== "string" || typeof duration !== "number") {
      return null;
    }
    const from = BigInt(Math.round(ticksBetween(this.begin, begin))) * 100n;
    return { from, to: from + BigInt(Math.max(1, duration)) };
  }

  showRow(row, key, interval) {
    const { viewer, table } = this;
    const filter = eventsFilter(table, row);
    const tid = cellOf(table, row, "tid");
    const exact = this.grid.columns.filter(({ column }) => ["nanoseconds", "bytes"].includes(column.unit)).map(({ column, index }) => `${headingText(column)}: ${exactText(row[index], column)}`);
    const place = ["buffer", "offset"].map((name) => cellOf(table, row, name));
    const showEvent = () => viewer.model.change({ panel: "events", event: [cellOf(table, row, "trace") ?? 1, ...place] });
    const follow = () => viewer.followAt(tid, interval?.from ?? viewer.state.moment ?? viewer.window.from);
    const actions = [
      filter ? actionButton("Events", "List the events of this row", () => viewer.model.change({ panel: "events", where: filter, row: 0 })) : null,
      filter ? actionButton("Without", "Leave the events of this row out of all panels", () => viewer.model.change({ where: withoutRow(viewer.state.where, filter) })) : null,
      place.every((one) => one !== null) ? actionButton("Show event", "Show the event that ends this interval", showEvent) : null,
      interval ? actionButton("Show", "Show this interval in the timeline (Enter)", () => this.opened(row)) : null,
      key ? actionButton("Only this", "Make all panels be about this track", () => viewer.model.change({ tracks: [key] })) : null,
      tid !== null ? actionButton("Follow", "Follow the wait of this thread at this time, at the cursor, or next in the window", follow) : null,
    ].filter(Boolean);
    this.row.replaceChildren(...actions, element("span", { class: "muted" }, exact.join(" \u00b7 ")));
    this.row.hidden = false;
  }

  opened(row) {
    const interval = this.intervalOf(row);
    if (interval) {
      const side = (interval.to - interval.from) / 5n + 100n;
      this.viewer.model.change({ selection: interval });
      this.viewer.show({ from: interval.from - side, to: interval.to + side });
    }
  }

  sortBy({ name }) {
    const { sort, reversed } = this.viewer.state;
    const current = sort || this.table?.sort;
    this.viewer.model.change(current === name ? { sort: name, reversed: !reversed } : { sort: name, reversed: false });
  }

  failed(error) {
    return showRefusal(this, error);
  }

  async save(format) {
    try {
      const text = await this.viewer.client.ask("export", { ...this.question(), format }, "text");
      saveText(`${this.panel.forms[0].name}${this.by && `-${this.by}`}.${format}`, text);
    } catch (error) {
      this.failed(error);
    }
  }
}
