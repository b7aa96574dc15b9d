// A table of any number of rows, of which only those that are seen are elements. Rows come in pages; the last ones are kept.
import { element } from "../elements.mjs";

const height = 22; // of a row
const pageSize = 100;
const mostPages = 40;
const mostPixels = 8_000_000; // of what is scrolled; browsers have limits
const rest = 40; // ms that scrolling rests before rows are asked for
const patience = 300; // ms until it is told that an answer is waited for
const reading = "Reading\u2026";

/** Returns which rows are seen: {first, shift}. `top`: the number of the first row, with a fraction. Pure. */
export function placeOfRows(top, rows, clientHeight) {
  const most = Math.max(0, rows - clientHeight / height);
  const kept = Math.min(Math.max(0, top), most);
  return { top: kept, first: Math.floor(kept), shift: -(kept % 1) * height, count: Math.ceil(clientHeight / height) + 1 };
}

/** Returns the height of what is scrolled, and how many rows a pixel of it is. Pure. */
export function scrollScale(rows, clientHeight) {
  const all = rows * height;
  const shown = Math.min(all, mostPixels);
  return { pixels: shown, rowsPerPixel: shown === all ? 1 / height : (rows - clientHeight / height) / Math.max(1, shown - clientHeight) };
}

export class Grid {
  /**
   * `options`: `label`; `ask(first, count)`: returns {rows, row_count or null, next_row or null}, or null if it was stopped;
   * `cell(row, column, index)`: the content of a cell, a text or elements; `opened(row, index)`: Enter or a double click;
   * `chosen(row, index, how)`: another row is current; `sorted(column)`: a click on a heading; `rowClass(row)`; `moved(first)`;
   * `menu(x, y)`: opens a menu about the current cell at a place of the window.
   */
  constructor(options) {
    this.options = options;
    this.columns = []; // {name, title, width, isNumber}
    this.sort = null; // {name, isDescending}
    this.widths = new Map(); // of columns that a person has changed
    this.clear();
    this.make();
  }

  /** Forgets all rows. */
  clear() {
    this.pages = new Map();
    this.rows = 0;
    this.isEndKnown = false;
    this.top = 0;
    this.at = -1; // current row
    this.column = 0;
    this.asking = null;
    this.generation = (this.generation ?? 0) + 1;
  }

  make() {
    this.head = element("div", { class: "grid-head", role: "row", hidden: true });
    this.body = element("div", { class: "grid-body", role: "rowgroup" });
    this.space = element("div", { class: "grid-space", role: "presentation" }, this.body);
    this.foot = element("div", { class: "grid-foot", role: "row", hidden: true });
    this.scroller = element("div", { class: "grid-scroll", role: "grid", tabindex: "0", "aria-label": this.options.label }, element("div", { role: "rowgroup", class: "grid-heads" }, this.head), this.space, this.foot);
    this.note = element("p", { class: "grid-note muted", role: "status" });
    this.element = element("div", { class: "grid" }, this.scroller, this.note);
    this.scroller.addEventListener("scroll", () => this.scrolled());
    this.scroller.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.scroller.addEventListener("keydown", (event) => this.press(event));
    this.body.addEventListener("click", (event) => this.click(event));
    this.scroller.addEventListener("contextmenu", (event) => this.openMenu(event));
    this.body.addEventListener("pointerover", (event) => this.tellAll(event));
    this.body.addEventListener("dblclick", (event) => this.openRow(this.indexOf(event)));
    new ResizeObserver(() => this.draw()).observe(this.scroller);
  }

  get clientHeight() {
    return Math.max(height, this.scroller.clientHeight - this.head.offsetHeight - this.foot.offsetHeight);
  }

  /** Shows columns, with a heading for each. */
  setColumns(columns, sort = null) {
    this.columns = columns;
    this.sort = sort;
    this.layOut();
    this.head.hidden = columns.length === 0;
    this.head.replaceChildren(...columns.map((column) => this.headOf(column)));
    this.scroller.setAttribute("aria-colcount", String(columns.length));
  }

  headOf(column) {
    const isSorted = this.sort?.name === column.name;
    const order = isSorted ? (this.sort.isDescending ? "descending" : "ascending") : "none";
    const content = this.options.sorted ? element("button", { type: "button", class: "sort", tabindex: "-1", click: () => this.options.sorted(column) }, column.title) : column.title;
    const edge = element("span", {
      class: "grid-edge",
      "aria-hidden": "true",
      pointerdown: (event) => event.target.setPointerCapture(event.pointerId),
      pointermove: (event) => event.buttons === 1 && this.resize(column, event),
    });
    return element("div", { role: "columnheader", class: `grid-cell${column.isNumber ? " number" : ""}`, "aria-sort": this.options.sorted ? order : null }, content, edge);
  }

  /** Makes a column as wide as the pointer says. */
  resize(column, event) {
    const { left } = event.target.parentElement.getBoundingClientRect();
    this.widths.set(column.name, Math.min(2000, Math.max(30, Math.round(event.clientX - left))));
    this.layOut();
  }

  layOut() {
    const width = ({ name, width, isWide }) => (this.widths.has(name) ? `${this.widths.get(name)}px` : isWide ? `minmax(${width}px, 1fr)` : `${width}px`);
    this.scroller.style.setProperty("--columns", this.columns.map(width).join(" "));
  }

  /** A row below all others: texts by column, or null. */
  setFoot(texts) {
    this.foot.hidden = texts === null;
    this.foot.replaceChildren(...(texts ?? []).map((text, i) => element("div", { role: "gridcell", class: `grid-cell${this.columns[i].isNumber ? " number" : ""}` }, text)));
  }

  /** Asks anew, from a row on. */
  async reload(first = 0, note = "") {
    this.clear();
    this.top = this.wanted = first;
    this.isLoaded = true;
    this.note.textContent = note;
    await this.askFor(Math.floor(first / pageSize), 1);
  }

  rowAt(index) {
    return this.pages.get(Math.floor(index / pageSize))?.[index % pageSize] ?? null;
  }

  draw() {
    this.pending ??= requestAnimationFrame(() => {
      this.pending = null;
      this.paint();
    });
  }

  paint() {
    const { pixels } = scrollScale(this.rows, this.clientHeight);
    this.space.style.height = `${pixels}px`;
    const place = placeOfRows(this.top, this.rows, this.clientHeight);
    this.top = place.top;
    this.first = place.first;
    const rows = [];
    for (let i = place.first; i < Math.min(this.rows, place.first + place.count); ++i) {
      rows.push(this.rowElement(i));
    }
    this.scroller.setAttribute("aria-rowcount", String(this.isEndKnown ? this.rows : -1));
    this.setScroll(place.top);
    // Sticky below the heading; the fraction of a row moves it.
    this.body.style.transform = `translateY(${this.scroller.scrollTop + place.shift}px)`;
    this.body.replaceChildren(...rows);
    this.scroller.setAttribute("aria-activedescendant", this.at >= 0 ? this.rowId(this.at) : "");
    this.askSoon();
    if (this.isLoaded && this.rows > 0) {
      this.options.moved?.(place.first);
    }
  }

  rowId(index) {
    return `${this.options.id}-row-${index}`;
  }

  rowElement(index) {
    const row = this.rowAt(index);
    const line = element("div", {
      id: this.rowId(index),
      role: "row",
      class: `grid-row${row && this.options.rowClass?.(row) ? ` ${this.options.rowClass(row)}` : ""}`,
      "aria-rowindex": String(index + 1),
      "aria-selected": String(index === this.at),
      "data-row": String(index),
    });
    this.columns.forEach((column, i) => {
      const content = row ? this.options.cell(row, column, index) : i === 0 ? "\u2026" : "";
      const cell = element("div", { role: "gridcell", class: `grid-cell${column.isNumber ? " number" : ""}${index === this.at && i === this.column ? " at" : ""}`, "data-column": String(i) });
      cell.append(...(Array.isArray(content) ? content : [content]));
      const measure = row ? this.options.measure?.(row, column) : null;
      if (measure) {
        cell.classList.add("measure");
        cell.style.setProperty("--part", `${measure}%`);
      }
      line.append(cell);
    });
    return line;
  }

  // Scrolling.

  setScroll(top) {
    const { rowsPerPixel } = scrollScale(this.rows, this.clientHeight);
    const wanted = top / rowsPerPixel;
    if (Math.abs(this.scroller.scrollTop - wanted) >= 1) {
      this.scroller.scrollTop = wanted;
      this.ownScroll = this.scroller.scrollTop;
    }
  }

  scrolled() {
    if (Math.abs(this.scroller.scrollTop - (this.ownScroll ?? -10)) < 1) {
      return; // not moved by a person
    }
    this.ownScroll = null;
    this.top = this.scroller.scrollTop * scrollScale(this.rows, this.clientHeight).rowsPerPixel;
    this.draw();
  }

  wheel(event) {
    const isScaled = this.rows * height > mostPixels;
    if (isScaled && !event.shiftKey && Math.abs(event.deltaY) > Math.abs(event.deltaX)) {
      event.preventDefault();
      this.top += (event.deltaY * (event.deltaMode === 1 ? 20 : 1)) / height;
      this.draw();
    }
  }

  /** Shows the first row that is loaded and found, if none of those that are seen is. */
  reveal(isFound) {
    const loaded = [...this.pages].sort(([a], [b]) => a - b).flatMap(([page, rows]) => rows.map((row, i) => [page * pageSize + i, row]));
    const found = loaded.filter(([, row]) => isFound(row)).map(([index]) => index);
    const shown = this.clientHeight / height;
    if (found.length > 0 && !found.some((index) => index >= this.top && index + 1 <= this.top + shown)) {
      this.top = Math.max(0, found[0] - 2);
      this.draw();
    }
  }

  /** Makes a row current, and seen. `how`: what is told with it. */
  choose(index, how = "chosen") {
    if (this.rows === 0) {
      return;
    }
    const at = Math.min(Math.max(index, 0), this.rows - 1);
    const shown = Math.floor(this.clientHeight / height);
    this.at = at;
    if (at < this.top) {
      this.top = at;
    } else if (at >= this.top + shown) {
      this.top = at - shown + 1;
    }
    this.paint();
    const row = this.rowAt(at);
    if (row) {
      this.options.chosen?.(row, at, how);
    }
    this.telling = row ? null : how; // when it comes
  }

  // Pages.

  askSoon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.askMissing(), rest);
  }

  askMissing() {
    if (!this.isLoaded || !this.element.isConnected || this.wanted !== undefined) {
      return;
    }
    const first = Math.floor(this.first / pageSize);
    const last = Math.floor(Math.min(this.rows - 1, this.first + this.clientHeight / height) / pageSize);
    const missing = [first, last].filter((page, i, all) => page >= 0 && all.indexOf(page) === i && !this.pages.has(page));
    if (missing.length > 0 && this.asking !== missing[0]) {
      this.askFor(missing[0], missing.length);
    }
  }

  async askFor(page, pages) {
    const { generation } = this;
    this.asking = page;
    this.scroller.setAttribute("aria-busy", "true");
    const timer = setTimeout(() => (this.note.textContent ||= reading), patience);
    const answer = await this.options.ask(page * pageSize, pages * pageSize).catch((error) => this.options.failed(error));
    clearTimeout(timer);
    if (generation !== this.generation || this.asking !== page) {
      return;
    }
    this.note.textContent = this.note.textContent === reading ? "" : this.note.textContent;
    this.asking = null;
    this.scroller.setAttribute("aria-busy", "false");
    if (answer) {
      this.take(page, pages, answer);
    }
  }

  take(page, pages, answer) {
    const first = page * pageSize;
    for (let i = 0; i < pages; ++i) {
      this.pages.set(page + i, answer.rows.slice(i * pageSize, (i + 1) * pageSize));
    }
    for (const key of [...this.pages.keys()].slice(0, Math.max(0, this.pages.size - mostPages))) {
      this.pages.delete(key); // the oldest
    }
    const end = first + answer.rows.length;
    const isLast = answer.next_row === null || answer.next_row === undefined;
    if (answer.row_count !== null && answer.row_count !== undefined) {
      this.rows = answer.row_count;
      this.isEndKnown = true;
    } else {
      this.isEndKnown ||= isLast;
      this.rows = isLast ? end : Math.max(this.rows, end + pageSize);
    }
    if (this.wanted !== undefined) {
      this.top = this.wanted;
      this.wanted = undefined;
    }
    this.paint();
    if (this.telling && this.rowAt(this.at)) {
      const how = this.telling;
      this.telling = null;
      this.options.chosen?.(this.rowAt(this.at), this.at, how);
    }
  }

  // Input.

  indexOf(event) {
    const line = event.target.closest("[data-row]");
    return line ? Number(line.dataset.row) : -1;
  }

  click(event) {
    const index = this.indexOf(event);
    if (index >= 0 && !event.target.closest("button")) {
      this.column = Number(event.target.closest("[data-column]")?.dataset.column ?? this.column);
      this.choose(index);
      this.scroller.focus({ preventScroll: true });
    }
  }

  /** A menu about a cell: that of the pointer, or the current one if a key was pressed. */
  openMenu(event) {
    const index = this.indexOf(event);
    if (!this.options.menu || (index < 0 && (event.target !== this.scroller || this.at < 0))) {
      return;
    }
    event.preventDefault();
    if (index >= 0) {
      this.click(event);
    }
    const { left, bottom } = (this.body.querySelector(".at") ?? this.scroller).getBoundingClientRect();
    this.options.menu(...(index >= 0 ? [event.clientX, event.clientY] : [left, bottom]));
  }

  /** Copies the text of the current cell. */
  copyCell() {
    const cell = this.body.querySelector(".at");
    if (cell) {
      navigator.clipboard.writeText(cell.textContent).catch(() => {});
    }
  }

  /** What a cell has no space for is its title. */
  tellAll(event) {
    const cell = event.target.closest(".grid-cell");
    if (cell && cell.scrollWidth > cell.clientWidth) {
      cell.title = cell.textContent;
    }
  }

  openRow(index) {
    const row = this.rowAt(index);
    if (row) {
      this.options.opened?.(row, index);
    }
  }

  press(event) {
    const page = Math.max(1, Math.floor(this.clientHeight / height) - 1);
    const aside = (step) => {
      this.column = Math.min(Math.max(0, this.column + step), this.columns.length - 1);
      this.paint();
    };
    const actions = {
      ArrowDown: () => this.choose(this.at + 1),
      ArrowUp: () => this.choose(this.at - 1),
      PageDown: () => this.choose(this.at + page),
      PageUp: () => this.choose(this.at - page),
      Home: () => this.choose(0),
      End: () => this.choose(this.rows - 1),
      ArrowRight: () => aside(1),
      ArrowLeft: () => aside(-1),
      Enter: () => this.openRow(this.at),
      ...(this.options.sorted ? { s: (row, column) => this.options.sorted(column) } : {}),
    };
    if (event.key === "c" && (event.ctrlKey || event.metaKey) && event.target === this.scroller && String(getSelection()) === "") {
      this.copyCell();
      return;
    }
    const action = event.shiftKey || event.ctrlKey || event.altKey || event.metaKey || event.target !== this.scroller ? null : actions[event.key] ?? this.options.keys?.[event.key];
    if (action && this.rows > 0) {
      action(this.rowAt(this.at), this.columns[this.column]);
      event.preventDefault();
      event.stopPropagation();
    }
  }
}
