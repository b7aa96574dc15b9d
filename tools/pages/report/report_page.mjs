// The page of `etl report`.
import { addressBar, AddressModel, followHistory } from "../address.mjs";
import { element, themeButton } from "../elements.mjs";
import { chartsSection } from "./report_charts.mjs";
import { factsSection } from "./report_facts.mjs";
import { flamesSection } from "./report_flames.mjs";
import { findTable, slicesOf, wordsOf } from "./report_model.mjs";
import { selectionOf } from "./report_selection.mjs";
import { partAddress, reportForm } from "./report_state.mjs";
import { TableView } from "./report_table.mjs";
import { TimeWindow } from "./report_window.mjs";
import { countText, fileNameOf, visibleText } from "../values.mjs";

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
function searchBox(views, links, model) {
  const found = element("span", { class: "muted", role: "status" });
  const input = element("input", {
    type: "search",
    placeholder: "Search all tables (/)",
    "aria-label": "Search all tables",
    input: () => model.change({ find: input.value }),
    keydown: (event) => event.key === "Escape" && model.change({ find: "" }),
  });
  const update = () => {
    if (input.value !== model.state.find) {
      input.value = model.state.find;
    }
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
  model.follow((state, before) => state.find !== before.find && update());
  return { input, update, element: element("span", { class: "search" }, input, found) };
}

function navigation(sections) {
  return element("nav", { "aria-label": "Parts of the report" }, element("ul", {}, ...sections.map(([, link]) => element("li", {}, link))));
}

/** Lets the state and the window of the charts follow each other. */
function followWindow(model, window) {
  const spanOf = ({ begin, end }) => ({ from: BigInt(Math.round(begin)), to: BigInt(Math.round(end)) });
  const isSame = (one, other) => one?.from === other?.from && one?.to === other?.to;
  const take = ({ window: wanted }) => {
    const shown = window.part ? spanOf(window.part) : null;
    if (!isSame(wanted, shown)) {
      wanted ? window.show(Number(wanted.from), Number(wanted.to)) : window.reset();
    }
  };
  take(model.state);
  model.follow(take);
  window.follow(() => {
    const shown = window.part ? spanOf(window.part) : null;
    if (!isSame(model.state.window, shown)) {
      model.change({ window: shown });
    }
  });
}

/** Lets tables follow the shown part of the time. */
function followSelection(report, window, views) {
  let shown = window.all;
  window.follow(() => {
    if (window.shown !== shown) {
      ({ shown } = window);
      const selection = selectionOf(report, window.part);
      views.forEach((view) => view.select(selection));
    }
  });
}

/** Lets the state and the open details of a page follow each other. */
function followDetails(model, page) {
  const details = [...page.querySelectorAll("details[id]")];
  const take = ({ opened }) => details.forEach((one) => (one.open = opened.includes(one.id)));
  take(model.state);
  model.follow((state, before) => state.opened !== before.opened && take(state));
  details.forEach((one) =>
    one.addEventListener("toggle", () => {
      if (one.open !== model.state.opened.includes(one.id)) {
        model.change({ opened: details.filter(({ open }) => open).map(({ id }) => id) });
      }
    }),
  );
}

/** Lets the state and the tables follow each other. */
function followTables(model, views) {
  const take = ({ tables }) => views.forEach((view) => view.restore(tables[view.id] ?? null));
  take(model.state);
  model.follow((state, before) => state.tables !== before.tables && take(state));
}

/** Goes to the part of the page that the state names. */
function followParts(model) {
  const go = ({ part }) => document.getElementById(part)?.scrollIntoView();
  if (model.state.part) {
    go(model.state);
  }
  model.follow((state, before) => state.part !== before.part && state.part && go(state));
}

function renderReport(page, report) {
  const window = new TimeWindow(slicesOf(report).at(-1) ?? 1);
  if (/^[\w-]+$/.test(addressBar.read())) {
    addressBar.replace(partAddress(addressBar.read())); // of a link to a part alone
  }
  const model = new AddressModel(reportForm, addressBar);
  const tables = report.tables.filter(({ verb, by }) => verb !== "timeline" || by === "all");
  const views = [...tables.filter(({ verb }) => verb !== "timeline"), ...tables.filter(({ verb }) => verb === "timeline")].map((table) => new TableView(report, table, () => keepTables()));
  const keepTables = () => {
    const kept = views.map((view) => [view.id, view.kept()]).filter(([, one]) => one !== null);
    if (JSON.stringify(Object.fromEntries(kept)) !== JSON.stringify(model.state.tables)) {
      model.change({ tables: Object.fromEntries(kept) });
    }
  };
  const goTo = (event, part) => {
    event.preventDefault();
    model.change({ part: "" }); // the same part again
    model.change({ part });
  };
  const link = (id, text) => element("a", { href: `#${partAddress(id)}`, click: (event) => goTo(event, id) }, text);
  const links = new Map(views.map((view) => [view, link(view.id, view.table.title)]));
  const slowest = views.find((view) => view.table === findTable(report, "slowest", ""));
  const charts = chartsSection(report, window, model, (row) => slowest?.show(row));
  const flames = flamesSection(report, model);
  const search = searchBox(views, links, model);
  const dialog = helpDialog();
  const keys = element("button", { type: "button", title: "Keys (?)", click: () => dialog.showModal() }, "Keys");
  const file = visibleText(report.info.file);
  const header = element("header", { class: "report-header" }, element("h1", { title: file }, fileNameOf(file)), search.element, keys, themeButton(() => {
    window.tell();
    flames?.recolor();
  }));
  const parts = [["facts", link("facts", "Facts")], ...(charts ? [["time", link("time", "Over time")]] : []), ...(flames ? [["flame", link("flame", "Flame graph")]] : []), ...views.map((view) => [view.id, links.get(view)])];
  const content = element("div", { class: "report-content" }, factsSection(report), ...(charts ? [charts] : []), ...(flames ? [flames.element] : []), ...views.map((view) => view.element));
  page.append(header, element("div", { class: "report-body" }, navigation(parts), content), dialog);
  flames?.start();
  search.update();
  followSelection(report, window, views);
  followWindow(model, window); // before tables, whose rows have commands for it
  followTables(model, views);
  followDetails(model, page);
  followParts(model);
  followHistory(model);
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
