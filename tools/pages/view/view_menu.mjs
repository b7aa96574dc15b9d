// A menu at the pointer, or at what is current.
import { element } from "../elements.mjs";

export class Menu {
  constructor(label) {
    this.element = element("ul", { class: "menu", role: "menu", "aria-label": label, hidden: true, click: (event) => this.run(event.target.closest("li")), keydown: (event) => this.press(event), focusout: (event) => this.element.contains(event.relatedTarget) || this.close() });
  }

  /**
   * Opens the menu at a place of the window. `back`: has the focus afterwards.
   * @param {{title: string, key: string, run: () => void}[]} items
   * @param {HTMLElement} back
   */
  open(items, x, y, back) {
    this.items = items;
    this.back = back;
    this.element.replaceChildren(...items.map(({ title, key }) => element("li", { role: "menuitem", tabindex: "-1" }, element("span", {}, title), element("kbd", {}, key))));
    this.element.hidden = false;
    this.element.style.left = `${Math.max(0, Math.min(x, innerWidth - this.element.offsetWidth))}px`;
    this.element.style.top = `${Math.max(0, Math.min(y, innerHeight - this.element.offsetHeight))}px`;
    this.focus(0);
  }

  focus(at) {
    const { children } = this.element;
    /** @type {HTMLElement} */ (children[(at + children.length) % children.length]).focus();
  }

  close() {
    this.element.hidden = true;
  }

  run(item) {
    const at = [...this.element.children].indexOf(item);
    if (at >= 0) {
      this.back.focus();
      this.close();
      this.items[at].run();
    }
  }

  press(event) {
    const at = [...this.element.children].indexOf(event.target);
    const actions = { ArrowDown: () => this.focus(at + 1), ArrowUp: () => this.focus(at - 1), Home: () => this.focus(0), End: () => this.focus(-1), Enter: () => this.run(event.target), " ": () => this.run(event.target), Escape: () => this.back.focus(), Tab: () => this.back.focus() };
    actions[event.key]?.();
    event.preventDefault();
    event.stopPropagation();
  }
}
