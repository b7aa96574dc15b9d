// Tables of a report: searched, sorted, and with the events behind each row.
import { commandLine } from "../commands.mjs";
import { element } from "../elements.mjs";
import { rowCommand, tableCommand } from "./report_commands.mjs";
import { cellOf, columnOf, compareCells, isDescendingFirst, isFound, searchTextOf, wordsOf } from "./report_model.mjs";
import { leftOut, tableIn } from "./report_selection.mjs";
import { assumptionsOf, cellText, exactText, headingText, isNumeric, momentText, remaindersOf } from "./report_values.mjs";
import { countText } from "../values.mjs";

const firstRows = 10;
const moreRows = 100;

/** Returns a width in rem that most texts fit in; longer ones are broken. Pure. */
export function textWidth(texts) {
  const lengths = texts.map((text) => text?.length ?? 0).sort((a, b) => a - b);
  const most = lengths[Math.floor(lengths.length * 0.9)] ?? 0;
  return Math.min(24, Math.max(4, 0.62 * most + 2));
}

/** Returns what a table in a selection shows, and what it lacks. Pure. */
export function noteOf(table, selection, part) {
  if (part === null) {
    return "These rows are about all of the time, not the selection: the command below prints those of the selection.";
  }
  const missing = leftOut(table, part.columns).map((name) => headingText(table.columns[columnOf(table, name)]));
  return [
    `From ${momentText(selection.begin)} to ${momentText(selection.end)}: a selection is of whole slices.`,
    missing.length > 0 ? `Not known of a selection: ${missing.join(", ")}.` : "",
    part.unknown > 0 ? `Of ${countText(part.unknown)} other rows only the total is known.` : "",
  ].filter(Boolean).join(" ");
}

export class TableView {
  /** `changed()`: what kept() returns has changed. */
  constructor(report, table, changed = () => {}) {
    this.report = report;
    this.table = table;
    this.id = `table-${table.verb}${table.by && `-${table.by}`}`;
    this.texts = null; // of the rows, for the search; made when it is first needed
    this.words = { page: [], own: [] };
    this.changed = changed;
    this.firstSorted = this.sorted = { column: columnOf(table, table.sort ?? ""), isDescending: true };
    this.columns = table.columns.map((_, i) => i).filter((i) => table.columns[i].key || table.rows.some((row) => row[i] !== null));
    this.open = new Set(); // rows with details
    this.most = firstRows;
    this.selection = null;
    this.part = null; // the table in the selection; null: all of it is shown
    this.make();
    this.update();
  }

  /** Shows the table in a selection; null: in all of the time. */
  select(selection) {
    if (selection?.begin === this.selection?.begin && selection?.end === this.selection?.end) {
      return;
    }
    this.selection = selection;
    this.part = tableIn(this.report, this.table, selection);
    this.heads.forEach((head, i) => (head.hidden = !this.shownColumns.includes(i)));
    this.update();
  }

  /** The columns that are shown. */
  get shownColumns() {
    return this.part ? this.columns.filter((i) => this.part.columns.includes(i)) : this.columns;
  }

  /** The cells of a row of the table, as they are shown. */
  cellsOf(row) {
    return this.part?.cells.get(row) ?? row;
  }

  /** The column that rows are sorted by: another one, if the selection does not know it. */
  get sortColumn() {
    const { column } = this.sorted;
    const isShown = column < 0 || this.shownColumns.includes(column);
    return isShown ? column : this.shownColumns.find((i) => !this.table.columns[i].key) ?? -1;
  }

  make() {
    const { table } = this;
    this.filter = element("input", {
      type: "search",
      placeholder: "Filter",
      "aria-label": `Filter ${table.title}`,
      input: (event) => {
        this.words.own = wordsOf(event.target.value);
        this.most = firstRows;
        this.update();
        this.changed();
      },
    });
    this.count = element("span", { class: "muted", role: "status" });
    this.heads = new Map(this.columns.map((i) => [i, this.makeHead(i)]));
    this.body = element("tbody", { keydown: (event) => this.press(event) });
    this.foot = element("tfoot");
    const caption = element("caption", { class: "hidden" }, table.title);
    const grid = element("table", {}, caption, element("thead", {}, element("tr", {}, ...this.heads.values())), this.body, this.foot);
    this.more = element("button", { type: "button", click: () => this.showMore() });
    this.all = element("div", { class: "table-command" });
    this.note = element("p", { class: "note selection-note", role: "status" });
    const remainders = remaindersOf(table);
    const assumptions = assumptionsOf(table);
    const remark = (title, texts) => (texts.length > 0 ? [element("p", { class: "note muted" }, `${title}: ${texts.join("; ")}`)] : []);
    this.remarks = element("div", {}, ...remark("Assumed", assumptions), ...remark("Not in the rows", remainders));
    this.element = element(
      "section",
      { id: this.id, class: "table-section", "aria-labelledby": `${this.id}-heading` },
      element("div", { class: "table-heading" }, element("h2", { id: `${this.id}-heading` }, table.title), this.filter, this.count),
      this.note,
      element("div", { class: "table-scroll", tabindex: "0", role: "group", "aria-label": `Rows of ${table.title}` }, grid),
      element("div", { class: "table-foot" }, this.more, this.all),
      this.remarks,
    );
  }

  makeHead(i) {
    const column = this.table.columns[i];
    const button = element("button", { type: "button", class: "sort", click: () => this.sortBy(i) }, headingText(column));
    const head = element("th", { scope: "col", class: isNumeric(column) ? "number" : null }, button);
    if (column.unit === "text") {
      head.style.minWidth = `${textWidth(this.table.rows.map((row) => row[i]))}rem`;
    }
    return head;
  }

  sortBy(i) {
    const isSame = this.sorted.column === i;
    this.sorted = { column: i, isDescending: isSame ? !this.sorted.isDescending : isDescendingFirst(this.table.columns[i]) };
    this.update();
    this.changed();
  }

  /** What the address keeps of the table: filter, sorting, and rows with details; null: it is as at first. */
  kept() {
    const { sorted, firstSorted, table } = this;
    const open = [...this.open].map((row) => table.rows.indexOf(row));
    const isFirst = this.filter.value === "" && sorted.column === firstSorted.column && sorted.isDescending === firstSorted.isDescending && open.length === 0;
    return isFirst ? null : [this.filter.value, table.columns[sorted.column]?.name ?? "", sorted.isDescending, open];
  }

  /** Shows the table as kept() described it. */
  restore(kept) {
    if (JSON.stringify(kept) === JSON.stringify(this.kept())) {
      return;
    }
    const [filter, name, isDescending, open] = kept ?? ["", "", true, []];
    const column = columnOf(this.table, name);
    this.filter.value = filter;
    this.words.own = wordsOf(filter);
    this.sorted = kept === null || column < 0 ? this.firstSorted : { column, isDescending };
    this.open = new Set(open.map((i) => this.table.rows[i]).filter(Boolean));
    this.most = firstRows;
    this.update();
    this.most = Math.max(firstRows, ...[...this.open].map((row) => this.found.indexOf(row) + 1));
    this.update();
  }

  /** Shows the rows that contain the words of the search of the page. */
  search(words) {
    this.words.page = words;
    this.most = firstRows;
    this.update();
    return this.found.length;
  }

  showMore() {
    this.most += moreRows;
    this.update();
  }

  /** Shows the details of a row, and moves there. */
  show(row) {
    this.open.add(row);
    this.words.own = [];
    this.filter.value = "";
    this.update();
    this.most = Math.max(this.most, this.found.indexOf(row) + 1);
    this.update();
    const shown = this.body.querySelector(`[data-row="${this.table.rows.indexOf(row)}"]`);
    shown?.scrollIntoView({ block: "center" });
    shown?.focus();
    this.changed();
  }

  update() {
    const { table } = this;
    const rows = this.part?.rows ?? table.rows;
    const words = [...this.words.page, ...this.words.own];
    if (words.length > 0) {
      this.texts ??= new Map(table.rows.map((row) => [row, searchTextOf(row)]));
    }
    this.found = words.length > 0 ? rows.filter((row) => isFound(this.texts.get(row), words)) : [...rows];
    const { isDescending } = this.sorted;
    const column = this.sortColumn;
    if (column >= 0) {
      this.found.sort((a, b) => compareCells(this.cellsOf(a)[column], this.cellsOf(b)[column], isDescending));
    }
    const isIdle = (row) => cellOf(table, row, "pid") === 0; // would make all others small
    this.largest = this.found.reduce((most, row) => (isIdle(row) ? most : Math.max(most, Number(this.cellsOf(row)[column]) || 0)), 0);
    this.heads.forEach((head, i) => head.setAttribute("aria-sort", i !== column ? "none" : isDescending ? "descending" : "ascending"));
    this.body.replaceChildren(...this.found.slice(0, this.most).flatMap((row) => this.rowElements(row)));
    this.updateFoot();
    this.updateNote();
    this.count.textContent = words.length > 0 ? `${countText(this.found.length)} of ${countText(rows.length)} rows` : `${countText(this.part ? rows.length : table.row_count)} rows`;
    this.more.hidden = this.found.length <= this.most;
    this.more.textContent = `Show ${countText(Math.min(moreRows, this.found.length - this.most))} more`;
  }

  rowElements(row) {
    const { table, report } = this;
    const index = table.rows.indexOf(row);
    const isOpen = this.open.has(row);
    const line = element("tr", {
      tabindex: "0",
      class: isOpen ? "row open" : "row",
      "data-row": String(index),
      click: () => {
        if (String(getSelection()) === "") {
          this.toggle(row);
        }
      },
    });
    const cells = this.cellsOf(row);
    for (const i of this.shownColumns) {
      const column = table.columns[i];
      const cell = element("td", { class: isNumeric(column) ? "number" : column.unit === "time" ? "time" : null, title: column.unit === "time" ? row[i] : null }, cellText(cells[i] ?? null, column, report.coverage.begin));
      if (i === this.sortColumn && isNumeric(column) && column.unit !== "id" && this.largest > 0 && cells[i] !== null) {
        cell.classList.add("measure");
        cell.style.setProperty("--part", `${Math.min(100, (100 * cells[i]) / this.largest)}%`);
      }
      line.append(cell);
    }
    const opener = element("button", { type: "button", class: "opener", tabindex: "-1", "aria-expanded": String(isOpen), "aria-label": "Details" });
    line.firstChild.prepend(opener); // the row takes its clicks
    return isOpen ? [line, element("tr", { class: "details" }, element("td", { colspan: String(this.shownColumns.length) }, ...this.detailsOf(row)))] : [line];
  }

  detailsOf(row) {
    const { table, report } = this;
    const cells = this.cellsOf(row);
    const facts = this.shownColumns.map((i) => [element("dt", {}, headingText(table.columns[i])), element("dd", {}, exactText(cells[i] ?? null, table.columns[i]))]);
    const details = [element("dl", {}, ...facts.flat())];
    const bufferAt = cellOf(table, row, "buffer_at");
    if (bufferAt !== null) {
      details.push(element("p", {}, `${table.verb === "slowest" ? "The event that ends it" : "Its event"} is at offset ${cellOf(table, row, "offset")} of buffer ${cellOf(table, row, "buffer")}, which is at file offset ${bufferAt}.`));
    }
    const command = rowCommand(report, table, row, this.selection);
    details.push(command ? commandLine("Its events", command) : commandLine("More", tableCommand(report, table, this.selection)));
    return details;
  }

  toggle(row) {
    if (!this.open.delete(row)) {
      this.open.add(row);
    }
    const index = this.table.rows.indexOf(row);
    this.update();
    this.body.querySelector(`[data-row="${index}"]`)?.focus();
    this.changed();
  }

  updateFoot() {
    const { table } = this;
    const total = this.part?.total ?? table.total;
    const hasTotal = this.shownColumns.some((i) => (total[i] ?? null) !== null);
    const cells = this.shownColumns.map((i, place) => {
      const column = table.columns[i];
      const text = place === 0 ? "total of all rows" : (total[i] ?? null) === null ? "" : cellText(total[i], column, this.report.coverage.begin);
      return element("td", { class: isNumeric(column) ? "number" : null }, text);
    });
    this.foot.replaceChildren(...(hasTotal ? [element("tr", {}, ...cells)] : []));
  }

  /** What the rows are about, if a part of the time is selected, and the command that prints all of them. */
  updateNote() {
    const { table, report, selection, part } = this;
    const isCut = table.rows.length < table.row_count;
    const label = selection ? "The table of the selection" : isCut ? `The first ${countText(table.rows.length)} of ${countText(table.row_count)} rows; all` : "The same as text";
    this.all.replaceChildren(commandLine(label, tableCommand(report, table, selection)));
    this.remarks.hidden = part !== null; // they are about all of the time
    this.note.hidden = selection === null;
    this.note.textContent = selection === null ? "" : noteOf(table, selection, part);
  }

  press(event) {
    const line = event.target.closest("tr.row");
    if (!line || event.target !== line || event.ctrlKey || event.altKey || event.metaKey) {
      return;
    }
    const lines = [...this.body.querySelectorAll("tr.row")];
    const at = lines.indexOf(line);
    const moves = { ArrowDown: lines[at + 1], ArrowUp: lines[at - 1], Home: lines[0], End: lines.at(-1) };
    if (event.key === "Enter" || event.key === " ") {
      this.toggle(this.table.rows[Number(line.dataset.row)]);
    } else if (moves[event.key]) {
      moves[event.key].focus();
    } else if (!(event.key in moves)) {
      return;
    }
    event.preventDefault();
  }
}
