// Command lines that can be copied.
import { element } from "./elements.mjs";
import { visibleText } from "./values.mjs";

/** A button that copies a text. */
export function copyButton(text) {
  const button = element("button", {
    type: "button",
    class: "copy",
    title: "Copy the command",
    click: async () => {
      try {
        await navigator.clipboard.writeText(text());
        button.textContent = "Copied";
      } catch {
        button.textContent = "Not permitted"; // select it instead
      }
      setTimeout(() => (button.textContent = "Copy"), 1500);
    },
  }, "Copy");
  return button;
}

/** A command line that can be copied. */
export function commandLine(label, command) {
  const shown = visibleText(command, 4000);
  return element("p", { class: "command-line" }, element("span", { class: "muted" }, `${label}: `), element("code", { class: "command" }, shown), " ", copyButton(() => command));
}
