// A flame graph with its controls: renderFlame(element, data). The format of the data is described in flame_tree.mjs.
import { element, isDark, themeButton, toggleButton } from "./elements.mjs";
import { changeColor, cssColor, moduleColor } from "./flame_colors.mjs";
import { functionTable } from "./flame_table.mjs";
import { describeNode, frameName, frameTexts } from "./flame_texts.mjs";
import { callersTreeOf, matcherOf, mergedCount, moduleSums, searchTree, treeOf } from "./flame_tree.mjs";
import { FlameView } from "./flame_view.mjs";
import { countText, percentText, visibleText } from "./values.mjs";

/**
 * Draws a flame graph into an element. `isPage`: whether it is all of a page: with its title, and a button for dark and
 * light. Returns functions: `search(text)`, `recolor()` after the theme has changed, and `frame()`: the name of the frame that is
 * zoomed to, as `module!function`, or null.
 */
export function renderFlame(to, data, { isPage } = { isPage: true }) {
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
  const table = functionTable(graph, isPage, (text) => search.set(text));
  const recolor = () => {
    graph.showLegend?.();
    view.draw();
  };
  to.classList.add("flame");
  if (isPage) {
    to.append(element("header", {}, element("h1", {}, visibleText(data.title)), element("p", { class: "muted" }, data.summary)));
  }
  for (const note of data.notes ?? []) {
    to.append(element("p", { class: "warning" }, visibleText(note)));
  }
  const merged = mergedCount(data);
  if (merged > 0) {
    to.append(element("p", { class: "muted" }, `The smallest ${countText(merged)} nodes are merged into \u201c(smaller ones)\u201d.`));
  }
  to.append(view.element);
  graph.isIcicle = view.isHigh();
  view.element.before(controls(graph, view, search, table, isPage ? recolor : null), path);
  to.append(status, legend(graph, (text) => search.set(text)), table.element);
  view.attach();
  // A page of its own listens everywhere.
  (isPage ? document : to).addEventListener("keydown", (event) => {
    if (event.key === "/" && !(event.target instanceof HTMLInputElement)) {
      search.input.focus();
      event.preventDefault();
      event.stopPropagation();
    }
  });
  view.zoom(root);
  return { search: (text) => search.set(text), recolor, frame: () => (view.focus.frame < 0 ? null : frameName(data, view.focus.frame)) };
}

/** `recolor`: what a button for dark and light does; null: there is none. */
function controls(graph, view, search, table, recolor) {
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
  if (recolor) {
    bar.append(themeButton(recolor));
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
