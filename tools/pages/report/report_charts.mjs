// The charts of a report: activity over time, and what took longest.
import { commandLine, copyButton } from "../commands.mjs";
import { element } from "../elements.mjs";
import { highestOf, paintSeries, seriesColor, sliceAt, TimeChart } from "./report_chart.mjs";
import { reportCommand, tableCommand } from "./report_commands.mjs";
import { cellOf, columnOf, findTable, lanesOf, seriesCount, seriesOf, slicesOf } from "./report_model.mjs";
import { momentText } from "./report_values.mjs";
import { countText, valueText, visibleText } from "../values.mjs";

const laneHeight = 18;
const mostSeries = 9;
const kindTitles = { disk: "Disk", file: "File", hard_fault: "Hard fault", ready: "Ready", dpc: "DPC", isr: "ISR", gc_pause: "GC pause", activity: "Activity" };
const perSecond = (value, ticks) => (value * 1e7) / ticks;
const partOfTime = (value, ticks) => value / (ticks * 100);

/** What charts show. */
const chartKinds = [
  { title: "Events", by: ["provider", "process"], column: "events", rate: perSecond, rateText: (rate) => `${countText(rate)} per second` },
  {
    title: "CPU",
    by: ["process"],
    column: "running_ns",
    rate: partOfTime,
    rateText: (rate) => `${rate.toFixed(2)} processors`,
  },
  { title: "Samples", by: ["process"], column: "samples", rate: perSecond, rateText: (rate) => `${countText(rate)} per second` },
  { title: "Disk", by: ["process"], column: "disk_bytes", rate: perSecond, rateText: (rate) => `${valueText(rate, "bytes")} per second` },
  { title: "GC pauses", by: ["process"], column: "gc_pause_ns", rate: partOfTime, rateText: (rate) => `${(100 * rate).toFixed(1)}% of the time` },
];

/** Returns a function that numbers the colors of names: a process has the same color in all charts. */
function colorNumbers() {
  const numbers = new Map();
  return (name) => {
    if (!numbers.has(name)) {
      numbers.set(name, numbers.size);
    }
    return numbers.get(name);
  };
}

/** Returns a section with the charts, or null. `picked(row)`: an interval was chosen. */
export function chartsSection(report, window, picked) {
  const limits = slicesOf(report);
  if (limits.length < 2) {
    return null;
  }
  const colorOf = { provider: colorNumbers(), process: colorNumbers() };
  const made = chartKinds.map((kind) => chartOf(report, window, limits, kind, colorOf)).filter(Boolean);
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

function chartOf(report, window, limits, kind, colorOf) {
  const forms = kind.by
    .map((by) => ({ by, table: findTable(report, "timeline", by) }))
    .filter(({ table }) => table && columnOf(table, kind.column) >= 0)
    .map(({ by, table }) => ({ by, series: seriesOf(table, kind.column, limits.length - 1, mostSeries) }))
    .filter(({ series }) => series.length > 0);
  if (forms.length === 0) {
    return null;
  }
  let { by, series } = forms[0];
  const scale = element("span", { class: "chart-scale muted" });
  const legend = element("div", { class: "legend", role: "group", "aria-label": `Legend of ${kind.title}` });
  const most = () => highestOf(series, limits, kind.rate, window.shown);
  const chart = new TimeChart(window, {
    height: 96,
    label: `${kind.title} over time by ${by}. Largest: ${visibleText(series[0].name)}.`,
    paint(pen, place) {
      series.forEach((one) => {
        one.color = seriesColor(colorOf[by](one.name), one.name === "(other)");
        one.swatch.style.background = one.color;
      });
      const highest = most();
      scale.textContent = `up to ${kind.rateText(highest)}`;
      paintSeries(pen, place, series, limits, kind.rate, highest || 1);
    },
    describe(time) {
      const slice = sliceAt(limits, time);
      const length = limits[slice + 1] - limits[slice];
      const present = series.filter(({ values, isHidden }) => !isHidden && values[slice] > 0);
      const lines = present.sort((a, b) => b.values[slice] - a.values[slice]).slice(0, 6);
      return lines.map(({ name, values }) => `${visibleText(name, 60)}: ${kind.rateText(kind.rate(values[slice], length))}`);
    },
  });
  const update = () => {
    legend.replaceChildren(...series.map((one) => legendEntry(one, () => chart.draw())));
    chart.draw();
  };
  const choice = forms.length < 2 ? [] : [formChoice(kind, forms, (form) => {
    ({ by, series } = form);
    update();
  })];
  update();
  const heading = element("div", { class: "chart-heading" }, element("h3", {}, kind.title), ...choice, scale);
  return { title: kind.title, element: element("div", { class: "chart-block" }, heading, chart.element, legend) };
}

function formChoice(kind, forms, chosen) {
  const select = element("select", { "aria-label": `Series of ${kind.title}`, change: () => chosen(forms[select.selectedIndex]) });
  select.append(...forms.map(({ by }) => element("option", {}, `by ${by}`)));
  return select;
}

function legendEntry(series, changed) {
  series.swatch = element("span", { class: "swatch", "aria-hidden": "true" });
  const button = element("button", {
    type: "button",
    class: "legend-entry",
    title: "Show or hide",
    "aria-pressed": String(!series.isHidden),
    click: () => {
      series.isHidden = !series.isHidden;
      button.setAttribute("aria-pressed", String(!series.isHidden));
      changed();
    },
  }, series.swatch, visibleText(series.name, 60));
  return button;
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
    pen.fillStyle = seriesColor(lane, false);
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
