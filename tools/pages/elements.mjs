// Elements of a page, without markup from data.

/** Creates an element. Keys of `properties` are attributes; those that are functions are listeners. */
export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) {
    if (typeof value === "function") {
      made.addEventListener(key, value);
    } else if (value !== null && value !== false) {
      made.setAttribute(key, value === true ? "" : value);
    }
  }
  made.append(...children);
  return made;
}

/** A button that stays pressed. `changed` is called with its state. */
export function toggleButton(label, title, isPressed, changed) {
  const button = element("button", {
    type: "button",
    title,
    "aria-pressed": String(isPressed),
    click: () => {
      const pressed = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(pressed));
      changed(pressed);
    },
  }, label);
  return button;
}

/** Returns whether the page is shown dark, as chosen or as the system prefers. */
export function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

/** A button that changes between dark and light. `changed` is also called if the system changes. */
export function themeButton(changed) {
  const button = element("button", {
    type: "button",
    class: "theme",
    click: () => {
      document.documentElement.dataset.theme = isDark() ? "light" : "dark";
      update();
    },
  });
  const update = () => {
    button.textContent = isDark() ? "Light" : "Dark";
    button.title = `Show the page ${isDark() ? "light" : "dark"}`;
    changed();
  };
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", update);
  update();
  return button;
}
