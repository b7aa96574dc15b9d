// Controls that several panels have.
import { copyButton } from "../commands.mjs";
import { element } from "../elements.mjs";
import { visibleText } from "../values.mjs";

/** A button. `name`: for screen readers, if its label is a sign. */
export function actionButton(label, title, click, name = null) {
  return element("button", { type: "button", title, "aria-label": name, click }, label);
}

/** A choice of [value, text] pairs; calls `change(value)`. */
export function choiceOf(label, options, change, title = null) {
  const made = element("select", { "aria-label": label, title, change: () => change(made.value) });
  made.append(...options.map(([value, text]) => element("option", { value }, text)));
  return made;
}

/** A button that compares a panel with the other trace, if there is one: {element, update()}. `isPossible()`: for what is shown. */
export function compareButton(viewer, isPossible) {
  const button = actionButton("Compare", "", () => viewer.model.change({ compared: !viewer.state.compared, sort: "", reversed: false }));
  const update = () => {
    const { against } = viewer;
    button.hidden = against.length === 0;
    button.disabled = !isPossible();
    button.title = isPossible() ? `Compare with ${against.map((name) => visibleText(name)).join(", ")}, at the times below each other (Shift-D)` : "These rows cannot be compared";
    button.setAttribute("aria-pressed", String(viewer.isCompared && isPossible()));
  };
  update();
  return { element: button, update };
}

/** A chip with the color of a name. */
export function swatchOf(color) {
  const made = element("span", { class: "swatch", "aria-hidden": "true" });
  made.style.background = color;
  return made;
}

/** The end of a panel: the command that prints the same, and remarks. */
export class PanelFoot {
  constructor() {
    this.command = "";
    this.code = element("code", { class: "command" });
    this.remarks = element("span", { class: "muted" });
    const line = element("span", { class: "command-line" }, this.code, " ", copyButton(() => this.command));
    this.element = element("div", { class: "panel-foot", hidden: true }, line, this.remarks);
  }

  show(command, remarks = []) {
    this.command = command ?? "";
    this.code.textContent = visibleText(this.command, 2000);
    this.remarks.textContent = remarks.map((text) => visibleText(text)).join("; ");
    this.element.hidden = this.command === "" && remarks.length === 0;
  }
}

/** Shows in a panel with a grid, a count, and a foot that its question was refused. */
export function showRefusal({ grid, count, foot, viewer }, error) {
  grid.note.textContent = visibleText(error.message);
  count.textContent = "";
  foot.show("");
  viewer.tell("refused", error);
  return null;
}
