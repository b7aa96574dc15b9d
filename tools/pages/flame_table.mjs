// The functions of a flame graph as a table: what a screen reader reads, and what is sorted by self time.
import { element } from "./elements.mjs";
import { frameSums } from "./flame_tree.mjs";
import { countText, percentText, valueText } from "./values.mjs";

const moreRows = 100;

/** Returns a table of all functions. `isPage`: as of renderFlame; `find` searches for a function. */
export function functionTable(graph, isPage, find) {
  const first = isPage ? moreRows : 10;
  const { data, texts, root } = graph;
  const sums = frameSums(root, texts.length);
  const body = element("tbody");
  const more = element("button", { type: "button", click: () => show(shown + moreRows) });
  let shown = 0;
  let order = "self";
  const headings = [
    heading("self", "Self", "without what it called"),
    heading("total", "Total", "with what it called"),
    ...(graph.isDifferential ? [heading("change", "Change", "of the total, from the other trace")] : []),
  ];

  function heading(key, label, title) {
    const cell = element("th", { class: "number", scope: "col", "aria-sort": key === order ? "descending" : "none" });
    cell.append(element("button", { type: "button", title: `Sort by ${label.toLowerCase()}: ${title}`, click: () => sortBy(key, cell) }, label));
    return cell;
  }

  function changeOf(sum) {
    return sum.total - sum.before * graph.scale;
  }

  function sortBy(key, cell) {
    order = key;
    headings.forEach((one) => one.setAttribute("aria-sort", one === cell ? "descending" : "none"));
    update();
  }

  function update() {
    const value = { self: (sum) => sum.self, total: (sum) => sum.total, change: (sum) => Math.abs(changeOf(sum)) }[order];
    sums.sort((a, b) => value(b) - value(a) || b.total - a.total || a.frame - b.frame);
    body.replaceChildren();
    shown = 0;
    show(first);
  }

  function show(count) {
    body.append(...sums.slice(shown, count).map(rowOf));
    shown = Math.min(count, sums.length);
    more.hidden = shown === sums.length;
    more.textContent = `Show more (${countText(shown)} of ${countText(sums.length)})`;
  }

  function rowOf(sum) {
    const cell = (value) =>
      element("td", { class: "number" }, `${valueText(value, data.unit)} `, element("span", { class: "muted" }, percentText(value, root.total)));
    const change = changeOf(sum);
    return element(
      "tr",
      {},
      cell(sum.self),
      cell(sum.total),
      ...(graph.isDifferential ? [element("td", { class: "number" }, `${change < 0 ? "\u2212" : "+"}${valueText(Math.abs(change), data.unit)}`)] : []),
      element("td", {}, element("button", { type: "button", class: "link", click: () => find(texts[sum.frame]) }, texts[sum.frame])),
    );
  }

  update();
  const table = element(
    "table",
    {},
    element("caption", { class: "hidden" }, "Functions with the weight of their samples"),
    element("thead", {}, element("tr", {}, ...headings, element("th", { scope: "col" }, "Function"))),
    body,
  );
  return { element: element("section", { class: "flame-functions" }, element(isPage ? "h2" : "h3", {}, "Functions"), table, more), update };
}
