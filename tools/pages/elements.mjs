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

/** Returns whether the page is printed. */
export function isPrinted() {
  return matchMedia("print").matches;
}

/** Returns whether the page is shown dark, as chosen or as the system prefers; paper is light. */
export function isDark() {
  if (isPrinted()) {
    return false;
  }
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

/** Calls `paint` before the next frame, or at once if the page is printed: then there is none. */
export function paintSoon(owner, paint) {
  if (isPrinted()) {
    paint();
  } else {
    owner.pending ??= requestAnimationFrame(() => {
      owner.pending = null;
      paint();
    });
  }
}

/** A button that changes between dark and light. `changed` is also called if the system changes, and to print. */
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
  matchMedia("print").addEventListener("change", changed);
  update();
  return button;
}
