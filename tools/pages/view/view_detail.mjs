// One event: all fields, its bytes with the field under the pointer marked, its stack, and where it is.
import { commandLine, copyButton } from "../commands.mjs";
import { element } from "../elements.mjs";
import { filterValue } from "../report/report_commands.mjs";
import { actionButton } from "./view_controls.mjs";
import { bytesOfHex, dumpLines, fieldAt } from "./view_bytes.mjs";
import { filetimeOfText, nsOfFiletime, offsetText } from "./view_time.mjs";
import { countText, visibleText } from "../values.mjs";

const hiddenKeys = ["data", "stack", "message", "enriched"];
const mostFields = 500;

/** Returns the filter that matches events like this one. Pure. */
export function filterOfEvent(event) {
  return ["provider", "event"].filter((key) => event[key] !== null && event[key] !== undefined).map((key) => `${key} == ${filterValue(event[key])}`).join(" && ");
}

/** Returns a field as expressions name it. Pure. */
export function nameOfField(path) {
  return /^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/.test(path) ? `data.${path}` : `data."${path.replaceAll('"', '""')}"`;
}

/** Returns a value as Windows displays it, for comparisons with a field: in quotes, a number would be text. Pure. */
export function fieldValue(text) {
  return /^(-?\d+(\.\d+)?|0x[0-9a-f]+)$/i.test(text) ? text : filterValue(text);
}

export class EventDetail {
  /**
   * `actions`: `showInTimeline()`, `close()`.
   * @param {import("./view_viewer.mjs").Viewer} viewer
   */
  constructor(viewer, actions) {
    this.viewer = viewer;
    this.actions = actions;
    this.place = null;
    this.answer = null; // about the event at the place
    this.ns = null;
    this.about = {};
    this.element = element("aside", { class: "event-detail", "aria-label": "The chosen event", tabindex: "0", hidden: true });
  }

  async show(place) {
    if (JSON.stringify(place) === JSON.stringify(this.place)) {
      return;
    }
    this.place = place;
    this.answer = null;
    this.ns = null;
    this.about = {};
    this.element.hidden = place === null;
    if (place === null) {
      return;
    }
    const [input, buffer, offset] = place;
    try {
      const answer = await this.viewer.client.latest("event", "event", { input, buffer, offset });
      if (answer) {
        this.fill(answer);
      }
    } catch (error) {
      this.element.replaceChildren(element("p", { class: "warning" }, visibleText(error.message)));
    }
  }

  /** Shows the same event again, with other columns in the list. */
  refresh() {
    if (this.answer) {
      const { scrollTop } = this.element;
      this.fill(this.answer);
      this.element.scrollTop = scrollTop;
    }
  }

  fill(answer) {
    this.answer = answer;
    const { event } = answer;
    const filetime = typeof event.time === "string" ? filetimeOfText(event.time) : null;
    this.ns = filetime === null ? null : nsOfFiletime(this.viewer.begin, filetime);
    answer.fields.slice(0, mostFields).forEach(([path]) => this.viewer.names.add("field", nameOfField(path)));
    this.about = { pid: event.pid ?? null, tid: event.tid ?? null };
    this.element.replaceChildren(...this.headOf(event), ...this.fieldsOf(answer), ...this.stackOf(answer), ...this.bytesOf(answer), ...this.propertiesOf(answer), ...this.footOf(answer));
    this.element.scrollTop = 0;
  }

  headOf(event) {
    const copied = copyButton(() => JSON.stringify(event));
    copied.title = "Copy the event as JSON";
    const filter = copyButton(() => filterOfEvent(event));
    filter.title = "Copy a filter for events of this kind";
    const named = (label, one) => element("span", { class: "muted" }, `${label} `, one);
    const origin = [event.provider, this.ns === null ? event.time : offsetText(this.ns), event.process].filter(Boolean).join(" \u00b7 ");
    const actions = [
      actionButton("Show in timeline", "Show the time and the thread of the event (T)", () => this.actions.showInTimeline()),
      named("JSON", copied),
      named("filter", filter),
      element("span", { class: "spread" }),
      actionButton("Close", "Close the details (Escape)", () => this.actions.close()),
    ];
    return [
      element("h2", {}, visibleText(`${event.event ?? event.id ?? "event"}`, 120)),
      element("p", { class: "muted" }, visibleText(origin, 400)),
      ...(typeof event.message === "string" ? [element("p", { class: "event-message" }, visibleText(event.message, 4000))] : []),
      element("div", { class: "panel-bar" }, ...actions),
    ];
  }

  fieldsOf({ fields }) {
    if (fields.length === 0) {
      return [element("h3", {}, "Fields"), element("p", { class: "muted" }, "The payload is empty, or its schema is not known.")];
    }
    const rows = fields.slice(0, mostFields).map((field) => this.fieldRow(field));
    const headings = element("tr", {}, element("th", { scope: "col" }, "field"), element("th", { scope: "col" }, "value"));
    const caption = element("caption", { class: "hidden" }, "Fields of the event");
    const table = element("table", { class: "event-fields" }, caption, element("thead", { class: "hidden" }, headings), element("tbody", {}, ...rows));
    const more = element("p", { class: "muted" }, `${countText(fields.length - mostFields)} more fields; the command below prints them`);
    return [element("h3", {}, "Fields"), table, ...(fields.length > mostFields ? [more] : [])];
  }

  fieldRow(field) {
    const [path, value, offset] = field;
    const text = visibleText(typeof value === "string" ? value : JSON.stringify(value) ?? "", 2000);
    const filter = () => this.viewer.model.change({ where: this.whereWith(path, value) });
    const only = actionButton("+", "Only events with this value", filter, `Only events with this ${visibleText(path, 100)}`);
    only.className = "link";
    const { fields } = this.viewer.state;
    const isShown = fields.includes(path);
    const toggle = () => this.viewer.model.change({ fields: isShown ? fields.filter((one) => one !== path) : [...fields, path] });
    const column = actionButton(isShown ? "\u2212 column" : "column", isShown ? "No column of this field in the list" : "Show this field as a column of the list", toggle, `Column of ${visibleText(path, 100)}`);
    column.className = "link";
    const mark = () => this.mark(field);
    const cell = element("td", {}, text, " ", ["string", "number", "boolean"].includes(typeof value) ? only : "", " ", column);
    const row = element("tr", { tabindex: offset === null ? null : "0", pointerenter: mark, focusin: mark }, element("th", { scope: "row" }, visibleText(path, 200)), cell);
    field.row = row;
    return row;
  }

  whereWith(path, value) {
    const before = this.viewer.state.where.trim();
    const test = `${nameOfField(path)} == ${fieldValue(String(value))}`;
    return before ? `(${before}) && ${test}` : test;
  }

  stackOf({ stack }) {
    if (!stack || stack.length === 0) {
      return [];
    }
    const lines = stack.map(([address, frame]) => element("li", { title: address }, frame === null ? address : visibleText(frame, 400)));
    return [element("h3", {}, "Stack"), element("ol", { class: "event-stack" }, ...lines)];
  }

  bytesOf({ payload, fields }) {
    const bytes = bytesOfHex(payload ?? "");
    this.fields = fields;
    this.cells = [];
    if (bytes.length === 0) {
      return [];
    }
    const lines = dumpLines(bytes).map((line) => this.lineOf(line));
    const dump = element("div", { class: "event-bytes", role: "img", tabindex: "0", "aria-label": `${bytes.length} bytes of the payload`, pointerover: (event) => this.pointAt(event) }, ...lines);
    return [element("h3", {}, `Payload, ${countText(bytes.length)} bytes`), dump, ...(bytes.length > 4096 ? [element("p", { class: "muted" }, "The first 4,096 bytes")] : [])];
  }

  lineOf({ offset, bytes }) {
    const part = (of, name) => bytes.map((byte) => {
      const cell = element("span", { class: name, "data-at": String(byte.at) }, of(byte));
      (this.cells[byte.at] ??= []).push(cell);
      return cell;
    });
    const texts = [part(({ hex }) => hex, "byte"), part(({ character }) => character, "character")];
    const [numbers, characters] = texts.map((cells, i) => element("span", { class: i === 0 ? "bytes" : "characters" }, ...cells));
    return element("div", { class: "byte-line" }, element("span", { class: "muted" }, offset), numbers, characters);
  }

  pointAt(event) {
    const at = event.target.dataset?.at;
    const field = at === undefined ? null : fieldAt(this.fields, Number(at));
    if (field) {
      this.mark(field);
    }
  }

  /** Marks a field and its bytes. */
  mark(field) {
    this.marked?.forEach((one) => one.classList.remove("marked"));
    const [, , offset, size] = field;
    const cells = offset === null || size === null ? [] : this.cells.slice(offset, offset + size).flat();
    this.marked = [field.row, ...cells].filter(Boolean);
    this.marked.forEach((one) => one.classList.add("marked"));
  }

  propertiesOf({ event }) {
    const entries = Object.entries(event).filter(([key, value]) => !hiddenKeys.includes(key) && value !== null && typeof value !== "object");
    const list = entries.flatMap(([key, value]) => [element("dt", {}, key), element("dd", {}, visibleText(String(value), 400))]);
    return [element("h3", {}, "Properties"), element("dl", { class: "event-properties" }, ...list)];
  }

  footOf({ file_offset: at, command }) {
    const [input, buffer, offset] = this.place;
    const place = element("p", { class: "muted" }, `Trace ${input}, buffer ${buffer}, offset ${offset}${at === null || at === undefined ? "" : `, at file offset 0x${Number(at).toString(16)}`}`);
    return [place, ...(command ? [commandLine("The same as text", command)] : [])];
  }
}
