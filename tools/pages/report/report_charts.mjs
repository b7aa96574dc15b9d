// The charts of a report: activity over time, and what took longest.
import { commandLine, copyButton } from "../commands.mjs";
import { element, isDark } from "../elements.mjs";
import { cssColor } from "../flame_colors.mjs";
import { ColorBook, nameColor, otherColor } from "../name_colors.mjs";
import { heightsOf, highestOf, paintHeights, paintSeries, sliceAt, TimeChart } from "./report_chart.mjs";
import { reportCommand, tableCommand } from "./report_commands.mjs";
import { cellOf, columnOf, findTable, lanesOf, seriesCount, seriesOf, slicesOf } from "./report_model.mjs";
import { momentText } from "./report_values.mjs";
import { countText, valueText, visibleText } from "../values.mjs";

const laneHeight = 18;
const mostSeries = 9;
const kindTitles = { disk: "Disk", file: "File", hard_fault: "Hard fault", ready: "Ready", dpc: "DPC", isr: "ISR", gc_pause: "GC pause", activity: "Activity" };
const perSecond = (value, ticks) => (value * 1e7) / ticks;
const partOfTime = (value, ticks) => value / (ticks * 100);

/** A rate with as many digits as it needs. */
const numberText = (rate) => (rate >= 100 || Number.isInteger(rate) ? countText(rate) : String(Number(rate.toPrecision(3))));

/** What charts show. */
const chartKinds = [
  { title: "Events", axis: "per second", by: ["provider", "process"], column: "events", rate: perSecond, rateText: (rate) => `${numberText(rate)} per second` },
  {
    title: "CPU",
    axis: "processors in use",
    by: ["process"],
    column: "running_ns",
    rate: partOfTime,
    rateText: (rate) => `${numberText(rate)} ${rate === 1 ? "processor" : "processors"}`,
  },
  { title: "Samples", axis: "per second", by: ["process"], column: "samples", rate: perSecond, rateText: (rate) => `${numberText(rate)} per second` },
  { title: "Disk", axis: "bytes per second", unit: "bytes", by: ["process"], column: "disk_bytes", rate: perSecond, rateText: (rate) => `${valueText(rate, "bytes")} per second` },
  { title: "GC pauses", axis: "part of the time", by: ["process"], column: "gc_pause_ns", rate: partOfTime, rateText: (rate) => `${numberText(100 * rate)}% of the time` },
];

/** Returns colors for the names of charts: those of one chart differ, and a name has one color in all of them. Pure. */
export function colorsOf(charts) {
  const names = new Map();
  charts.flat().forEach(({ key, name }) => names.set(key, (names.get(key) ?? new Set()).add(name)));
  const keyOf = ({ key, name }) => (key === null || names.get(key).size === 1 ? key : name); // several processes have the name
  const book = new ColorBook();
  book.start(charts.map((series) => series.map(keyOf).filter((key) => key !== null)));
  return (series, dark) => (series.key === null ? otherColor(dark) : book.rgbOf(keyOf(series), dark));
}

/**
 * Returns a section with the charts, or null. `picked(row)`: an interval was chosen. `model`: the state of the page, of which charts
 * keep which series they show.
 */
export function chartsSection(report, window, model, picked) {
  const limits = slicesOf(report);
  if (limits.length < 2) {
    return null;
  }
  const kinds = chartKinds.map((kind) => ({ kind, forms: formsOf(report, kind, limits.length - 1) })).filter(({ forms }) => forms.length > 0);
  const colorOf = colorsOf(kinds.flatMap(({ forms }) => forms.map(({ series }) => series)));
  const made = kinds.map(({ kind, forms }) => chartOf({ window, limits, kind, forms, colorOf, model }));
  const hasSwitches = made.some(({ title }) => title === "CPU"); // more exact than samples
  const charts = made.filter(({ title }) => title !== "Samples" || !hasSwitches);
  const lanes = lanesChart(report, window, picked);
  const notes = omissionsOf(report).map(({ text, command }) => commandLine(text, command));
  const section = element("section", { id: "time", "aria-labelledby": "time-heading" }, element("h2", { id: "time-heading" }, "Over time"));
  section.append(windowBar(report, window), ...charts.map((chart) => chart.element), ...notes, ...(lanes ? [lanes] : []));
  return section;
}

/** Returns what charts do not show, with the command that prints it: [{text, command}]. Pure. */
export function omissionsOf(report) {
  const omissions = [];
  for (const by of ["provider", "process"]) {
    const table = findTable(report, "timeline", by);
    const count = table ? seriesCount(table) : 0;
    if (count > mostSeries) {
      omissions.push({ text: `Charts show the ${mostSeries} largest of ${countText(count)} series by ${by} and the sum of the others; all`, command: tableCommand(report, table) });
    }
    if (table && table.rows.length < table.row_count) {
      omissions.push({ text: `Charts by ${by} end early: they contain the first ${countText(table.rows.length)} of ${countText(table.row_count)} values; all`, command: tableCommand(report, table) });
    }
  }
  return omissions;
}

/** The shown window, and commands for it. */
function windowBar(report, window) {
  const shown = element("span", { role: "status" });
  const button = (label, title, click) => element("button", { type: "button", title, click }, label);
  const reset = button("Show all", "Show the whole range (Escape)", () => window.reset());
  const command = element("code", { class: "command" });
  const copy = copyButton(() => command.textContent);
  const more = element("span", { class: "window-command" }, "In more detail: ", command, copy);
  const zoomIn = button("+", "Zoom in (+)", () => window.zoom(0.5));
  const zoomOut = button("\u2212", "Zoom out (-)", () => window.zoom(2));
  zoomIn.setAttribute("aria-label", "Zoom in");
  zoomOut.setAttribute("aria-label", "Zoom out");
  window.follow(() => {
    const { begin, end } = window.shown;
    const text = window.isZoomed
      ? `${momentText(begin)} to ${momentText(end)}, ${valueText((end - begin) * 100, "nanoseconds")}`
      : `All ${valueText((end - begin) * 100, "nanoseconds")}. Drag across a chart to zoom in.`;
    if (shown.textContent !== text) {
      shown.textContent = text;
      reset.disabled = !window.isZoomed;
      more.hidden = !window.isZoomed;
      command.textContent = visibleText(reportCommand(report, window.part), 2000);
    }
  });
  return element("div", { class: "window-bar", role: "group", "aria-label": "Shown time" }, zoomIn, zoomOut, reset, shown, more);
}

/** The series of a chart, by provider or process. */
function formsOf(report, kind, slices) {
  return kind.by
    .map((by) => ({ by, table: findTable(report, "timeline", by) }))
    .filter(({ table }) => table && columnOf(table, kind.column) >= 0)
    .map(({ by, table }) => ({ by, series: seriesOf(table, kind.column, slices, mostSeries) }))
    .filter(({ series }) => series.length > 0);
}

function chartOf({ window, limits, kind, forms, colorOf, model }) {
  let { by, series } = forms[0];
  const legend = element("div", { class: "legend", role: "group", "aria-label": `Legend of ${kind.title}` });
  const most = () => highestOf(series, limits, kind.rate, window.shown);
  const chart = new TimeChart(window, {
    height: 96,
    label: `${kind.title} over time by ${by}. Largest: ${visibleText(series[0].name)}.`,
    paint(pen, place) {
      series.forEach((one) => {
        one.color = cssColor(colorOf(one, isDark()));
        one.swatch.style.background = one.color;
      });
      const highest = most() || 1;
      paintSeries(pen, place, series, limits, kind.rate, highest);
      paintHeights(pen, place, heightsOf(highest, kind.unit, kind.rateText), highest);
    },
    describe(time) {
      const slice = sliceAt(limits, time);
      const length = limits[slice + 1] - limits[slice];
      const present = series.filter(({ values, isHidden }) => !isHidden && values[slice] > 0);
      const lines = present.sort((a, b) => b.values[slice] - a.values[slice]).slice(0, 6);
      return lines.map(({ name, values }) => `${visibleText(name, 60)}: ${kind.rateText(kind.rate(values[slice], length))}`);
    },
  });
  const choice = forms.length < 2 ? null : formChoice(kind, forms, (form) => model.change({ by: { ...model.state.by, [kind.title]: form.by } }));
  const keyOf = (one) => `${kind.title} ${one.name}`;
  const toggle = (one) => {
    const key = keyOf(one);
    const { hidden } = model.state;
    model.change({ hidden: hidden.includes(key) ? hidden.filter((other) => other !== key) : [...hidden, key] });
  };
  const update = (state) => {
    ({ by, series } = forms.find((form) => form.by === state.by[kind.title]) ?? forms[0]);
    if (choice) {
      choice.selectedIndex = forms.findIndex((form) => form.by === by);
    }
    series.forEach((one) => (one.isHidden = state.hidden.includes(keyOf(one))));
    legend.replaceChildren(...series.map((one) => legendEntry(one, () => toggle(one))));
    chart.draw();
  };
  update(model.state);
  model.follow((state, before) => (state.by !== before.by || state.hidden !== before.hidden) && update(state));
  const heading = element("div", { class: "chart-heading" }, element("h3", {}, kind.title), ...(choice ? [choice] : []), element("span", { class: "chart-scale muted" }, kind.axis));
  return { title: kind.title, element: element("div", { class: "chart-block" }, heading, chart.element, legend) };
}

function formChoice(kind, forms, chosen) {
  const select = element("select", { "aria-label": `Series of ${kind.title}`, change: () => chosen(forms[select.selectedIndex]) });
  select.append(...forms.map(({ by }) => element("option", {}, `by ${by}`)));
  return select;
}

function legendEntry(series, toggle) {
  series.swatch = element("span", { class: "swatch", "aria-hidden": "true" });
  const name = visibleText(series.name, 60);
  return element("button", { type: "button", class: "legend-entry", title: "Show or hide", "aria-pressed": String(!series.isHidden), "data-series": name, click: toggle }, series.swatch, name);
}

/** A lane for each kind of what took longest. */
function lanesChart(report, window, picked) {
  const lanes = lanesOf(report);
  if (lanes.length === 0) {
    return null;
  }
  const table = findTable(report, "slowest", "");
  const near = (time, y, pixel) => {
    const lane = lanes[Math.floor(y / laneHeight)];
    const found = (lane?.intervals ?? []).filter(({ begin, end }) => time >= begin - 3 * pixel && time <= end + 3 * pixel);
    return found.sort((a, b) => a.end - a.begin - (b.end - b.begin))[0];
  };
  const describe = ({ row }) =>
    [`${cellOf(table, row, "kind")} ${valueText(cellOf(table, row, "duration_ns"), "nanoseconds")}`, cellOf(table, row, "process"), cellOf(table, row, "what"), cellOf(table, row, "paired_by") === "guessed" ? "guessed" : null]
      .filter(Boolean)
      .map((text) => visibleText(text, 80));
  const chart = new TimeChart(window, {
    height: lanes.length * laneHeight + 2,
    label: `The longest intervals of ${lanes.map(({ kind }) => kindTitles[kind] ?? kind).join(", ")}; the table below has the same.`,
    paint: (pen, place) => paintLanes(pen, place, lanes),
    describe: (time, y, pixel) => {
      const found = near(time, y, pixel);
      return found ? describe(found) : [];
    },
    pick: (time, y, pixel) => {
      const found = near(time, y, pixel);
      if (found) {
        picked(found.row);
      }
    },
  });
  const heading = element("div", { class: "chart-heading" }, element("h3", {}, "Longest intervals"), element("span", { class: "chart-scale muted" }, "click one to see its event"));
  return element("div", { class: "chart-block" }, heading, chart.element);
}

function paintLanes(pen, { width, chart, colors }, lanes) {
  pen.textBaseline = "middle";
  lanes.forEach(({ kind, intervals }, lane) => {
    const y = lane * laneHeight + 2;
    pen.fillStyle = cssColor(nameColor(lane, isDark()));
    for (const { begin, end } of intervals) {
      const left = chart.placeOf(begin);
      const right = chart.placeOf(end);
      if (right >= -2 && left <= width) {
        const from = Math.max(left, 0);
        pen.fillRect(from, y + 2, Math.max(Math.min(right, width) - from, 2), laneHeight - 5);
      }
    }
    const title = kindTitles[kind] ?? kind;
    const space = pen.measureText(title).width + 8;
    pen.fillStyle = colors.background;
    pen.fillRect(1, y, space, laneHeight - 1);
    pen.fillStyle = colors.text;
    pen.fillText(title, 5, y + laneHeight / 2);
  });
}
