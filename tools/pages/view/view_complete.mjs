// Completion of filter expressions (docs/filters.md): names of fields, and values that occur in the trace.
import { element } from "../elements.mjs";
import { visibleText } from "../values.mjs";

const keys = [
  ...["provider", "event", "process", "pid", "tid", "cpu", "time", "level", "id", "version", "opcode", "task", "keyword", "channel", "message"],
  ...["data", "activity_id", "related_activity_id", "user", "machine", "file", "trace", "buffer", "offset", "has(stack)", "has(decode_error)"],
];
const levels = ["critical", "error", "warning", "information", "verbose"];
const most = 12; // entries
const mostKnown = 500; // names of a kind

/** Names that occur in a trace, as the page learns them; the first ones are kept. */
export class KnownNames {
  constructor() {
    this.byName = new Map([["level", new Set(levels)]]);
  }

  add(name, value) {
    if (typeof value === "string" && value !== "") {
      if (!this.byName.has(name)) {
        this.byName.set(name, new Set());
      }
      const values = this.byName.get(name);
      if (values.size < mostKnown) {
        values.add(value);
      }
    }
  }

  of(name) {
    return [...(this.byName.get(name) ?? [])];
  }
}

function wordOf(value) {
  return /^[\w.*\\/-]+$/.test(value) && !/^\d+$/.test(value) ? value : `"${value.replaceAll('"', '""')}"`;
}

/**
 * Returns what can stand at the end of an expression: {from, items: [{text, shown}]}; `from`: where the text begins that it
 * replaces. `names`: KnownNames, with names of fields as `field`.
 */
export function completionsOf(expression, names) {
  const value = /([A-Za-z_][\w.]*)\s*(?:==|=|!=|in\s*\((?:[^()]*,)?)\s*("[^"]*|[^\s"()&|,]*)$/.exec(expression);
  const name = /(?:^|[(!&|]|\b(?:and|or|not)\b)\s*([A-Za-z_][\w.]*)?$/.exec(expression);
  const values = () => names.of(value[1]).map((one) => ({ text: wordOf(one), shown: one }));
  const fields = () => [...keys, ...names.of("field")].map((one) => ({ text: one, shown: one }));
  const [typed, known] = value ? [value[2].replace(/^"/, ""), values()] : name ? [name[1] ?? "", fields()] : ["", []];
  const from = expression.length - (value ? value[2].length : typed.length);
  const wanted = typed.toLowerCase();
  const found = known.filter(({ shown }) => shown.toLowerCase().includes(wanted) && shown !== typed);
  found.sort((a, b) => b.shown.toLowerCase().startsWith(wanted) - a.shown.toLowerCase().startsWith(wanted));
  return { from, items: expression === "" ? [] : found.slice(0, most) };
}

/** A list below an input, from which its text is completed. */
export class Completion {
  constructor(input, names) {
    this.input = input;
    this.names = names;
    this.items = [];
    this.at = -1;
    this.from = 0; // where the word begins that is completed
    this.list = element("ul", { id: "completions", class: "completions", role: "listbox", "aria-label": "Completions", hidden: true });
    this.list.addEventListener("pointerdown", (event) => {
      event.preventDefault(); // the input keeps the focus
      this.take(Number(event.target.closest("[data-at]")?.dataset.at ?? -1));
    });
    for (const [name, value] of Object.entries({ role: "combobox", "aria-autocomplete": "list", "aria-controls": "completions", "aria-expanded": "false" })) {
      input.setAttribute(name, value);
    }
    input.addEventListener("input", () => this.find());
    input.addEventListener("blur", () => this.close());
    input.addEventListener("keydown", (event) => this.press(event));
    this.element = element("span", { class: "completed" }, input, this.list);
  }

  find() {
    const { input } = this;
    const isAtEnd = input.selectionStart === input.value.length;
    const { from, items } = isAtEnd ? completionsOf(input.value, this.names) : { from: 0, items: [] };
    Object.assign(this, { from, items, at: -1 });
    this.draw();
  }

  draw() {
    const item = ({ shown }, i) => element("li", { id: `completion-${i}`, role: "option", "aria-selected": String(i === this.at), "data-at": String(i) }, visibleText(shown, 100));
    this.list.replaceChildren(...this.items.map(item));
    this.list.hidden = this.items.length === 0;
    this.input.setAttribute("aria-expanded", String(this.items.length > 0));
    this.input.setAttribute("aria-activedescendant", this.at >= 0 ? `completion-${this.at}` : "");
  }

  close() {
    this.items = [];
    this.draw();
  }

  take(at) {
    const chosen = this.items[at];
    if (chosen) {
      this.input.value = this.input.value.slice(0, this.from) + chosen.text;
      this.close();
    }
  }

  press(event) {
    const last = this.items.length - 1;
    if (last < 0) {
      return;
    }
    const moves = { ArrowDown: this.at < last ? this.at + 1 : 0, ArrowUp: this.at > 0 ? this.at - 1 : last };
    if (event.key in moves) {
      this.at = moves[event.key];
      this.draw();
    } else if ((event.key === "Enter" || event.key === "Tab") && this.at >= 0) {
      this.take(this.at);
    } else if (event.key === "Escape") {
      this.close();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}
