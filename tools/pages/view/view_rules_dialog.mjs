// The dialog of the rules that color rows of events.
import { element } from "../elements.mjs";
import { actionButton, choiceOf } from "./view_controls.mjs";
import { letterOfRule, ruleColors, ruleFields, rulesWithNew, ruleTests, withMoved } from "./view_rules.mjs";

export class RulesDialog {
  constructor(model) {
    this.model = model;
    this.list = element("ol", { class: "rules", "aria-label": "Rules" });
    this.hint = element("p", { class: "muted" }, "The first rule that is true of a row colors it, and shows its letter. Rules are kept in the address and in saved views.");
    const buttons = [actionButton("Add rule", "Add a rule in the last place", () => this.add()), actionButton("Close", "Close (Escape)", () => this.element.close())];
    this.element = element("dialog", { class: "rules-dialog", "aria-label": "Colors of rows" }, element("h2", {}, "Colors of rows"), this.hint, this.list, element("div", { class: "buttons" }, ...buttons));
    model.follow((state, before) => state.rules !== before.rules && this.draw());
  }

  open() {
    this.draw();
    this.element.showModal();
    (this.list.querySelector("input") ?? this.element.querySelector("button")).focus();
  }

  get rules() {
    return this.model.state.rules;
  }

  change(rules) {
    this.model.change({ rules });
  }

  add() {
    const rules = rulesWithNew(this.rules);
    if (rules) {
      this.change(rules);
      this.list.lastElementChild.querySelector("input").focus();
    }
  }

  /** Moves a rule; the button that was pressed keeps the focus. */
  move(at, step) {
    this.change(withMoved(this.rules, at, step));
    const to = Math.min(Math.max(at + step, 0), this.rules.length - 1);
    this.list.children[to].querySelector(step < 0 ? ".up" : ".down").focus();
  }

  remove(at) {
    this.change(this.rules.filter((_, i) => i !== at));
    (this.list.children[Math.min(at, this.rules.length - 1)] ?? this.element).querySelector("button").focus();
  }

  /** Elements stay as they are, so that the focus does, too; they show other rules. */
  draw() {
    const { rules } = this;
    while (this.list.children.length > rules.length) {
      this.list.lastElementChild.remove();
    }
    rules.forEach((rule, i) => {
      const item = this.list.children[i] ?? this.list.appendChild(this.itemOf(i));
      item.firstElementChild.className = `rule-letter tint-${rule.color}`;
      for (const control of item.querySelectorAll("[data-name]")) {
        control.value = rule[control.dataset.name];
      }
    });
  }

  /** The controls of the rule at a place. */
  itemOf(i) {
    const letter = letterOfRule(i);
    const patch = (name, value) => this.change(this.rules.map((one, k) => (k === i ? { ...one, [name]: value } : one)));
    const choice = (label, options, name) => {
      const made = choiceOf(`${label} of rule ${letter}`, options, (value) => patch(name, value));
      made.dataset.name = name;
      return made;
    };
    const value = element("input", { type: "text", maxlength: "200", "data-name": "value", "aria-label": `Value of rule ${letter}`, change: () => patch("value", value.value) });
    const move = (sign, step, name) => {
      const made = actionButton(sign, `Move the rule ${name}`, () => this.move(i, step), `Move rule ${letter} ${name}`);
      made.classList.add(name);
      return made;
    };
    const remove = actionButton("\u00d7", "Remove the rule", () => this.remove(i), `Remove rule ${letter}`);
    const colors = ruleColors.map((color) => [color, color]);
    return element("li", {}, element("span", { "aria-hidden": "true" }, letter), choice("Column", ruleFields, "field"), choice("Test", ruleTests, "test"), value, choice("Color", colors, "color"), move("\u2191", -1, "up"), move("\u2193", 1, "down"), remove);
  }
}
