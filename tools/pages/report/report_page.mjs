// The page of `etl report`.
import { element, themeButton } from "../elements.mjs";
import { chartsSection } from "./report_charts.mjs";
import { factsSection } from "./report_facts.mjs";
import { flamesSection } from "./report_flames.mjs";
import { findTable, slicesOf, wordsOf } from "./report_model.mjs";
import { TableView } from "./report_table.mjs";
import { TimeWindow } from "./report_window.mjs";
import { countText, visibleText } from "../values.mjs";

const help = [
  ["/", "Search all tables"],
  ["Escape", "Clear the search; in a chart: show all of the time"],
  ["\u2190 \u2192", "In a chart: move the cursor; with Shift: select"],
  ["Enter", "In a chart: zoom in; in a table: show the details of a row"],
  ["+ \u2212", "In a chart: zoom"],
  ["Page Up, Page Down", "In a chart: move"],
  ["\u2191 \u2193", "In a table: next row"],
  ["\u2190 \u2191 \u2192 \u2193, Enter, Escape, /", "In a flame graph: move, zoom in, zoom out, search"],
  ["?", "Show this"],
];

function helpDialog() {
  const keys = help.flatMap(([key, text]) => [element("dt", {}, element("kbd", {}, key)), element("dd", {}, text)]);
  const dialog = element("dialog", { "aria-label": "Keys" }, element("h2", {}, "Keys"), element("dl", { class: "facts" }, ...keys), element("button", { type: "button", click: () => dialog.close() }, "Close"));
  return dialog;
}

/** The search of all tables. */
function searchBox(views, links) {
  const found = element("span", { class: "muted", role: "status" });
  const input = element("input", {
    type: "search",
    placeholder: "Search all tables (/)",
    "aria-label": "Search all tables",
    input: () => update(),
    keydown: (event) => {
      if (event.key === "Escape") {
        input.value = "";
        update();
      }
    },
  });
  const update = () => {
    const words = wordsOf(input.value);
    let rows = 0;
    let tables = 0;
    views.forEach((view) => {
      const count = view.search(words);
      const isShown = words.length === 0 || count > 0;
      view.element.hidden = !isShown;
      links.get(view).hidden = !isShown;
      rows += count;
      tables += isShown ? 1 : 0;
    });
    found.textContent = words.length > 0 ? `${countText(rows)} rows in ${countText(tables)} tables` : "";
  };
  return { input, element: element("span", { class: "search" }, input, found) };
}

function navigation(sections) {
  return element("nav", { "aria-label": "Parts of the report" }, element("ul", {}, ...sections.map(([, link]) => element("li", {}, link))));
}

function renderReport(page, report) {
  const window = new TimeWindow(slicesOf(report).at(-1) ?? 1);
  const tables = report.tables.filter(({ verb, by }) => verb !== "timeline" || by === "all");
  const views = [...tables.filter(({ verb }) => verb !== "timeline"), ...tables.filter(({ verb }) => verb === "timeline")].map((table) => new TableView(report, table, window));
  const link = (id, text) => element("a", { href: `#${id}` }, text);
  const links = new Map(views.map((view) => [view, link(view.id, view.table.title)]));
  const slowest = views.find((view) => view.table === findTable(report, "slowest", ""));
  const charts = chartsSection(report, window, (row) => slowest?.show(row));
  const flames = flamesSection(report);
  const search = searchBox(views, links);
  const dialog = helpDialog();
  const keys = element("button", { type: "button", title: "Keys (?)", click: () => dialog.showModal() }, "Keys");
  const file = visibleText(report.info.file);
  const title = file.slice(Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\")) + 1);
  const header = element("header", { class: "report-header" }, element("h1", { title: file }, title), search.element, keys, themeButton(() => {
    window.tell();
    flames?.recolor();
  }));
  const parts = [["facts", link("facts", "Facts")], ...(charts ? [["time", link("time", "Over time")]] : []), ...(flames ? [["flame", link("flame", "Flame graph")]] : []), ...views.map((view) => [view.id, links.get(view)])];
  const content = element("div", { class: "report-content" }, factsSection(report), ...(charts ? [charts] : []), ...(flames ? [flames.element] : []), ...views.map((view) => view.element));
  page.append(header, element("div", { class: "report-body" }, navigation(parts), content), dialog);
  flames?.start();
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented) {
      return; // a flame graph has used it
    }
    const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
    if (isTyping || event.ctrlKey || event.altKey || event.metaKey) {
      return;
    }
    if (event.key === "/") {
      search.input.focus();
      event.preventDefault();
    } else if (event.key === "?") {
      dialog.showModal();
    }
  });
}

renderReport(document.getElementById("page"), JSON.parse(document.getElementById("data").textContent));
