// A flame graph with its controls: renderFlame(element, data). The format of the data is described in flame_tree.mjs.
import { element, isDark, themeButton, toggleButton } from "./elements.mjs";
import { changeColor, cssColor, moduleColor } from "./flame_colors.mjs";
import { functionTable } from "./flame_table.mjs";
import { describeNode, frameTexts } from "./flame_texts.mjs";
import { callersTreeOf, matcherOf, moduleSums, searchTree, treeOf } from "./flame_tree.mjs";
import { FlameView } from "./flame_view.mjs";
import { countText, percentText, visibleText } from "./values.mjs";

/**
 * Draws a flame graph into an element. `options`: `theme`: whether it has a button for dark and light, `title`: whether
 * it has a heading.
 */
export function renderFlame(to, data, options = { theme: true, title: true }) {
  const root = treeOf(data);
  const graph = {
    data,
    texts: frameTexts(data),
    root,
    reversed: null, // made when it is first shown
    isReversed: false,
    isDifferential: Boolean(data.nodes.before),
    byChange: Boolean(data.nodes.before),
    isIcicle: false,
    scale: 1, // of weights in the trace compared with
    matching: null, // by frame
  };
  const status = element("p", { class: "flame-status", role: "status", "aria-live": "polite" });
  const path = element("p", { class: "flame-path muted" });
  const tell = (node) => {
    status.textContent = describeNode(node ?? view.focus, graph);
  };
  const view = new FlameView(graph, { shown: tell, focused: (node) => showPath(path, node, graph, view) });
  const search = searchBox(graph, view);
  const table = functionTable(graph, (text) => search.set(text));
  to.classList.add("flame");
  if (options.title) {
    to.append(element("header", {}, element("h1", {}, visibleText(data.title)), element("p", { class: "muted" }, data.summary)));
  }
  for (const note of data.notes ?? []) {
    to.append(element("p", { class: "warning" }, visibleText(note)));
  }
  to.append(view.element);
  graph.isIcicle = view.isHigh();
  view.element.before(controls(graph, view, search, table, options), path);
  to.append(status, legend(graph, (text) => search.set(text)), table.element);
  view.attach();
  // A page of its own listens everywhere.
  (options.title ? document : to).addEventListener("keydown", (event) => {
    if (event.key === "/" && !(event.target instanceof HTMLInputElement)) {
      search.input.focus();
      event.preventDefault();
    }
  });
  view.zoom(root);
  return { view, search: (text) => search.set(text) };
}

function controls(graph, view, search, table, options) {
  const reverse = toggleButton("Callers", "Show functions with the most weight first, and below them their callers", false, (on) => {
    graph.isReversed = on;
    graph.reversed ??= callersTreeOf(graph.root);
    view.zoom(on ? graph.reversed : graph.root);
    search.update();
  });
  const icicle = toggleButton("Icicle", "Draw callers at the top", graph.isIcicle, (on) => {
    graph.isIcicle = on;
    view.draw();
  });
  const bar = element("div", { class: "flame-controls", role: "toolbar", "aria-label": "Flame graph" }, search.element, icicle, reverse);
  if (graph.isDifferential) {
    bar.append(
      toggleButton("Change", "Color by the change from the other trace instead of by module", true, (on) => {
        graph.byChange = on;
        graph.showLegend();
        view.draw();
      }),
      toggleButton("Shares", "Compare shares of the totals instead of weights", false, (on) => {
        graph.scale = on && graph.root.before > 0 ? graph.root.total / graph.root.before : 1;
        view.draw();
        table.update();
      }),
    );
  }
  bar.append(element("button", { type: "button", title: "Show all (Escape)", click: () => view.zoom(view.top) }, "Reset"));
  if (options.theme) {
    bar.append(themeButton(() => {
      graph.showLegend?.();
      view.draw();
    }));
  }
  return bar;
}

/** What the colors mean: modules with the most weight, or changes. `find` searches for a module. */
function legend(graph, find) {
  const { data, root } = graph;
  const entry = (colorOf, content) => {
    const chip = element("span", { class: "flame-color", "aria-hidden": "true" });
    const recolor = () => {
      chip.style.background = cssColor(colorOf(isDark()));
    };
    return { element: element("li", {}, chip, content), recolor };
  };
  const modules = moduleSums(root, data).slice(0, 12).map((sum) => {
    const name = visibleText(sum.module);
    const button = element("button", { type: "button", class: "link", title: "Search for this module", click: () => find(name) }, `${name} ${percentText(sum.self, root.total)}`);
    return entry((dark) => moduleColor(sum.module, sum.kind, dark), button);
  });
  const changes = [[-1, "less"], [0, "the same"], [0.5, "twice as much"], [1, "new"]].map(([change, text]) => entry((dark) => changeColor(change, dark), text));
  const list = element("ul", { class: "flame-legend", "aria-label": "Colors" });
  graph.showLegend = () => {
    const entries = graph.byChange ? changes : modules;
    entries.forEach(({ recolor }) => recolor());
    list.replaceChildren(...entries.map((one) => one.element));
  };
  graph.showLegend();
  return list;
}

function searchBox(graph, view) {
  const found = element("span", { class: "flame-found", role: "status" });
  const input = element("input", {
    type: "search",
    placeholder: "Search (/)",
    "aria-label": "Search functions and modules",
    input: () => box.update(),
    keydown: (event) => {
      if (event.key === "Escape") {
        box.set("");
        view.canvas.focus();
        event.stopPropagation();
      } else if (event.key === "Enter") {
        view.selectMatch(event.shiftKey ? -1 : 1);
      }
    },
  });
  const box = {
    input,
    element: element("span", { class: "flame-search" }, input, found),
    set(text) {
      input.value = text;
      box.update();
    },
    update() {
      const matches = matcherOf(input.value);
      const isSearching = input.value.trim() !== "";
      graph.matching = isSearching ? graph.texts.map(matches) : null;
      found.textContent = isSearching ? foundText(graph) : "";
      view.draw();
    },
  };
  return box;
}

function foundText(graph) {
  const functions = graph.matching.filter(Boolean).length;
  const total = searchTree(graph.isReversed ? graph.reversed : graph.root, graph.matching);
  return `${countText(functions)} found, ${percentText(total, graph.root.total)}`;
}

function showPath(to, node, graph, view) {
  const links = [];
  for (let at = node; at; at = at.parent) {
    const target = at;
    const text = at.frame < 0 ? "all" : graph.texts[at.frame];
    links.unshift(at === node ? element("b", {}, text) : element("button", { type: "button", click: () => view.zoom(target) }, text));
  }
  to.replaceChildren(...links.flatMap((link, i) => (i === 0 ? [link] : [" \u203a ", link])));
}
