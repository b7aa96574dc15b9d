// The head of a report: what the trace is, what was lost, and what was not recorded.
import { commandLine } from "../commands.mjs";
import { element } from "../elements.mjs";
import { cellOf, columnOf, findTable } from "./report_model.mjs";
import { countText, percentText, valueText, visibleText } from "../values.mjs";

function totalOf(report, verb, by, name) {
  const table = findTable(report, verb, by);
  const column = table ? columnOf(table, name) : -1;
  return column < 0 ? null : table.total[column];
}

/** Returns what a reader wants to know first: [name, value, remark, isWarning]. Pure. */
export function keyFigures(report) {
  const { coverage, info } = report;
  /** @type {[string, string, string, boolean?][]} */
  const figures = [["Range", valueText(coverage.duration_ns, "nanoseconds"), coverage.begin ? `from ${coverage.begin.slice(0, 19).replace("T", " ")} UTC` : "no events"]];
  figures.push(["Events", countText(coverage.events), `${valueText(info.size, "bytes")} of trace`]);
  const lost = (coverage.lost_events ?? 0) + (coverage.lost_buffers ?? 0);
  const lossText = (count) => (count === null ? "unknown" : countText(count));
  const isUnknown = coverage.lost_events === null || coverage.lost_buffers === null;
  figures.push(lost > 0
    ? ["Lost", lossText(coverage.lost_events), `and ${lossText(coverage.lost_buffers)} buffers`, true]
    : ["Lost", isUnknown ? "unknown" : "0", isUnknown ? "not stated by the trace" : "no events, no buffers"]);
  const running = totalOf(report, "cpu", "process", "running_ns") ?? totalOf(report, "cpu", "process", "sampled_ns");
  if (running !== null) {
    const all = coverage.duration_ns * coverage.processors;
    figures.push(["CPU", percentText(running, all), `of ${coverage.processors} processors`]);
    const cpu = findTable(report, "cpu", "process");
    const first = cpu.rows.find((row) => cellOf(cpu, row, "pid") !== 0 && cellOf(cpu, row, "process") !== null);
    if (first) {
      const most = cellOf(cpu, first, "running_ns") ?? cellOf(cpu, first, "sampled_ns");
      figures.push(["Most CPU", visibleText(cellOf(cpu, first, "process"), 40), valueText(most, "nanoseconds")]);
    }
  }
  const read = totalOf(report, "disk", "process", "read_bytes");
  const written = totalOf(report, "disk", "process", "write_bytes");
  if (read !== null && written !== null) {
    figures.push(["Disk", valueText(read + written, "bytes"), `${valueText(read, "bytes")} read, ${valueText(written, "bytes")} written`]);
  }
  const pauses = totalOf(report, "gc", "", "pause_ns");
  if (pauses !== null) {
    figures.push(["GC pauses", valueText(pauses, "nanoseconds"), `longest ${valueText(totalOf(report, "gc", "", "max_pause_ns") ?? 0, "nanoseconds")}`]);
  }
  const flows = findTable(report, "flows", "");
  if (flows) {
    figures.push(["Conversations", countText(flows.row_count), `${countText(flows.total[columnOf(flows, "packets")] + flows.total[columnOf(flows, "packets_back")])} packets`]);
  }
  return figures;
}

/** Returns facts of the trace and its machine: [name, text]. Pure. */
export function factsOf({ info }) {
  const machine = info.machine ?? {};
  const facts = [
    ["Session", info.session],
    ["Log file", info.log_file_name],
    ["Computer", [machine.computer, machine.domain].filter(Boolean).join(", ")],
    ["Windows", [info.windows, machine.product, machine.windows_build].filter(Boolean).join(", ")],
    ["Processors", info.processors && `${info.processors}${info.processor_mhz ? ` at ${info.processor_mhz} MHz` : ""}`],
    ["Memory", machine.memory_mb && `${countText(machine.memory_mb)} MB`],
    ["Clock", info.clock && `${info.clock}, ${countText(info.clock_frequency)} Hz`],
    ["Started", info.start_time],
    ["Stopped", info.unfinalized ? "never (not finalized)" : info.end_time],
    ["Booted", info.boot_time],
    ["Buffers", `${countText(info.buffers)}${info.buffer_size ? ` of ${countText(info.buffer_size)} bytes` : ""}`],
    ["Damage", info.damage === 0 ? "none" : `${countText(info.damage)} findings`],
  ];
  return facts.filter(([, text]) => text).map(([name, text]) => [name, visibleText(String(text))]);
}

/** Returns the elements of the head. */
export function factsSection(report) {
  const figures = keyFigures(report).map(([name, value, remark, isWarning]) =>
    element("div", { class: isWarning ? "figure warning" : "figure" }, element("dt", {}, name), element("dd", {}, element("b", {}, value), element("span", { class: "muted" }, remark))));
  const facts = factsOf(report).flatMap(([name, text]) => [element("dt", {}, name), element("dd", {}, text)]);
  const notes = report.notes.map((note) => element("p", { class: "note warning" }, `\u26a0 ${visibleText(note, 600)}`));
  const section = element("section", { id: "facts", "aria-label": "Facts" }, element("dl", { class: "figures" }, ...figures), ...notes);
  section.append(element("details", { id: "about" }, element("summary", {}, "About the trace"), element("dl", { class: "facts" }, ...facts), commandLine("More", `etl info ${report.trace}`)));
  if (report.not_recorded.length > 0) {
    section.append(notRecorded(report));
  }
  return section;
}

function notRecorded({ not_recorded: missing }) {
  const rows = missing.map(({ source, record }) => element("tr", {}, element("td", {}, visibleText(source)), element("td", {}, element("code", {}, visibleText(record, 600)))));
  const names = missing.map(({ source }) => visibleText(source)).join(", ");
  return element(
    "details",
    { id: "not-recorded" },
    element("summary", {}, "Not recorded: ", element("span", { class: "muted" }, names)),
    element("table", {}, element("caption", { class: "hidden" }, "What was not recorded"), element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "Not recorded"), element("th", { scope: "col" }, "To record it"))), element("tbody", {}, ...rows)),
  );
}
