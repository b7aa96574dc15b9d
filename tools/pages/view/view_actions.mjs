// What a person can do: each action has a key and an entry of the command palette.
import { element } from "../elements.mjs";

/** Returns the key of an event as actions name it: `Ctrl-P`, `W`, `?`. Pure. */
export function keyText({ key, ctrlKey, metaKey, altKey, shiftKey }) {
  const name = key.length === 1 ? key.toUpperCase() : key;
  const hasShift = shiftKey && (key.length > 1 || /[a-z]/i.test(key));
  return `${ctrlKey || metaKey ? "Ctrl-" : ""}${altKey ? "Alt-" : ""}${hasShift ? "Shift-" : ""}${name}`;
}

/** Returns the actions that a text finds, the best ones first. Pure. */
export function foundActions(actions, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = actions.filter(({ title, group }) => words.every((word) => `${title} ${group}`.toLowerCase().includes(word)));
  return matches.sort((a, b) => b.title.toLowerCase().startsWith(text.toLowerCase()) - a.title.toLowerCase().startsWith(text.toLowerCase()));
}

/** Returns whether an element takes letters. */
export function isTyping(target) {
  return target instanceof HTMLElement && (target.matches("input, select, textarea") || target.isContentEditable);
}

/** The command palette. `actions()`: [{title, group, keys, run}]. */
export class Palette {
  constructor(actions) {
    this.actions = actions;
    this.at = 0;
    this.input = element("input", {
      type: "text",
      role: "combobox",
      "aria-expanded": "true",
      "aria-controls": "palette-list",
      "aria-label": "Command",
      placeholder: "Command, panel, or time (+3.2s)",
      autocomplete: "off",
      spellcheck: "false",
      input: () => this.find(),
      keydown: (event) => this.press(event),
    });
    this.list = element("ul", { id: "palette-list", role: "listbox", "aria-label": "Commands", click: (event) => this.run(Number(event.target.closest("[data-at]")?.dataset.at ?? -1)) });
    this.element = element("dialog", { class: "palette", "aria-label": "Commands" }, this.input, this.list);
  }

  open() {
    this.input.value = "";
    this.find();
    this.element.showModal();
    this.input.focus();
  }

  find() {
    this.found = foundActions(this.actions(this.input.value), this.input.value).slice(0, 40);
    this.at = 0;
    this.draw();
  }

  draw() {
    const item = ({ title, group, keys = [] }, i) => {
      const signs = keys.slice(0, 2).map((key) => element("kbd", {}, key));
      const parts = [element("span", {}, title), element("span", { class: "muted" }, group), ...signs];
      return element("li", { id: `palette-${i}`, role: "option", "aria-selected": String(i === this.at), "data-at": String(i) }, ...parts);
    };
    this.list.replaceChildren(...this.found.map(item));
    this.input.setAttribute("aria-activedescendant", this.found.length > 0 ? `palette-${this.at}` : "");
    this.list.children[this.at]?.scrollIntoView({ block: "nearest" });
  }

  press(event) {
    if (!this.element.open) {
      return;
    }
    const last = this.found.length - 1;
    const to = { ArrowDown: Math.min(this.at + 1, last), ArrowUp: Math.max(this.at - 1, 0) }[event.key];
    if (to !== undefined) {
      this.at = to;
      this.draw();
      event.preventDefault();
    } else if (event.key === "Enter") {
      this.run(this.at);
      event.preventDefault();
    }
    event.stopPropagation();
  }

  run(at) {
    const action = this.found[at];
    if (action) {
      this.element.close();
      this.input.blur(); // else it has the focus until the next frame
      action.run();
    }
  }
}

/** A list of all keys. */
export function keysDialog(actions) {
  const groups = [...new Set(actions.map(({ group }) => group))];
  const signs = (keys) => keys.flatMap((key, i) => [i > 0 ? " " : "", element("kbd", {}, key)]);
  const entries = (group) => actions.filter((action) => action.group === group && action.keys.length > 0).flatMap(({ title, keys }) => [element("dt", {}, ...signs(keys)), element("dd", {}, title)]);
  const parts = groups.map((group) => [group, entries(group)]).filter(([, list]) => list.length > 0);
  const columns = parts.map(([group, list]) => element("div", {}, element("h3", {}, group), element("dl", { class: "keys" }, ...list)));
  const close = element("button", { type: "button", click: () => dialog.close() }, "Close");
  const dialog = element("dialog", { class: "keys-dialog", "aria-label": "Keys" }, element("h2", {}, "Keys"), element("div", { class: "keys-groups" }, ...columns), close);
  return dialog;
}
