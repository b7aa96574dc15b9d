import assert from "node:assert/strict";
import test from "node:test";
import { filterValue, rowCommand, shellWord, tableCommand } from "../../tools/pages/report/report_commands.mjs";
import { factsOf, keyFigures } from "../../tools/pages/report/report_facts.mjs";
import { compareCells, isFound, lanesOf, searchTextOf, seriesOf, slicesOf, ticksBetween, timeAfter, wordsOf } from "../../tools/pages/report/report_model.mjs";
import { cellText, exactText, headingText, momentText, remaindersOf } from "../../tools/pages/report/report_values.mjs";
import { heightsOf, highestOf, sliceAt } from "../../tools/pages/report/report_chart.mjs";
import { colorsOf, omissionsOf } from "../../tools/pages/report/report_charts.mjs";
import { noteOf, textWidth } from "../../tools/pages/report/report_table.mjs";
import { AddressModel } from "../../tools/pages/address.mjs";
import { leftOut, selectionOf, tableIn } from "../../tools/pages/report/report_selection.mjs";
import { partAddress, reportForm } from "../../tools/pages/report/report_state.mjs";
import { TimeWindow } from "../../tools/pages/report/report_window.mjs";

const begin = "2024-05-17T04:00:00.0000000Z";

function column(name, unit = "text", key = true) {
  return { name, unit, key };
}

function made(tables = []) {
  return {
    trace: "'my trace.etl'",
    options: "",
    symbol_options: "",
    info: { file: "my trace.etl", size: 1000, buffers: 2, damage: 0 },
    coverage: { begin, end: "2024-05-17T04:00:00.0000400Z", duration_ns: 40_000, processors: 2, events: 9, lost_events: 0, lost_buffers: 0 },
    notes: [],
    not_recorded: [],
    tables,
  };
}

const timeline = {
  verb: "timeline",
  by: "all",
  columns: [column("slice", "id"), column("begin", "time"), column("events", "count", false)],
  rows: [0, 1, 2, 3].map((i) => [i, timeAfter(begin, 100 * i), 1]),
};

test("times are exact to 100 ns", () => {
  assert.equal(ticksBetween("1999-12-31T23:59:59.9999999Z", "2000-01-01T00:00:00.0000001Z"), 2);
  assert.equal(timeAfter("1999-12-31T23:59:59.9999999Z", 2), "2000-01-01T00:00:00.0000001Z");
  assert.equal(timeAfter(begin, 12_345_678_901), "2024-05-17T04:20:34.5678901Z");
  assert.equal(momentText(12_345_679), "+1.234567 s");
  assert.equal(momentText(-36_000_000_000), "\u22123600.000000 s"); // before the begin
});

test("slices end where the next one begins, and the last one at the end", () => {
  assert.deepEqual(slicesOf(made([timeline])), [0, 100, 200, 300, 400]);
  assert.deepEqual(slicesOf(made()), []);
  assert.deepEqual([0, 99, 100, 399, 400, 1000].map((time) => sliceAt([0, 100, 200, 300, 400], time)), [0, 0, 1, 3, 3, 3]);
});

const byProcess = {
  verb: "timeline",
  by: "process",
  columns: [column("slice", "id"), column("process"), column("pid", "id"), column("events", "count", false)],
  rows: [
    [0, "kettle.exe", 100, 5],
    [1, "kettle.exe", 100, 5],
    [1, "teapot.exe", 200, 7],
    [1, null, null, 2],
    [2, "(other)", null, 20],
    [3, "cup.exe", 300, 1],
  ],
};

test("series are the largest ones, and the rest is one", () => {
  const names = (most) => seriesOf(byProcess, "events", 4, most).map(({ name, total }) => `${name} ${total}`);
  assert.deepEqual(names(9), ["kettle.exe (100) 10", "teapot.exe (200) 7", "(no process) 2", "cup.exe (300) 1", "(other) 20"]);
  assert.deepEqual(names(1), ["kettle.exe (100) 10", "(other) 30"]);
  assert.deepEqual([...seriesOf(byProcess, "events", 4, 1)[1].values], [0, 9, 20, 1]);
  assert.deepEqual(seriesOf(byProcess, "absent", 4), []);
  const total = seriesOf(byProcess, "events", 4, 2).reduce((sum, series) => sum + series.total, 0);
  assert.equal(total, 40);
});

test("what charts leave out has a number and a command", () => {
  const many = (count) => ({
    ...byProcess,
    command: "etl timeline --by process 'my trace.etl'",
    row_count: 20,
    rows: Array.from({ length: count }, (_, i) => [0, "cup.exe", i, 1]),
  });
  assert.deepEqual(omissionsOf(made([timeline])), []);
  assert.deepEqual(omissionsOf(made([{ ...many(9), row_count: 9 }])), []);
  const [series, rows] = omissionsOf(made([many(12)]));
  assert.match(series.text, /the 9 largest of 12 series by process/);
  assert.match(rows.text, /the first 12 of 20 values/);
  assert.equal(rows.command, "etl timeline --by process 'my trace.etl'");
});

test("what is not in the rows of a table is named", () => {
  const coverage = { ...made().coverage, used_events: 9, not_recorded: [], shorter_intervals: 1200, unknown_ns: 2_000_000, dropped_rows: 3, unpaired_starts: 1, other_versions: [{ event: "Process", version: 5, layout_version: null, events: 2 }] };
  assert.deepEqual(remaindersOf({ coverage }), [
    "1,200 shorter intervals (--per-kind N prints more)",
    "2 ms of processors in which the running thread is unknown",
    "3 that are part of (other)",
    "1 start without a stop",
  ]);
  assert.deepEqual(remaindersOf({ coverage: { ...made().coverage, used_events: 9, not_recorded: [] } }), []);
});

test("a column of texts is as wide as most of them, in limits", () => {
  assert.equal(textWidth([]), 4);
  assert.equal(textWidth(["a", null]), 4);
  assert.equal(textWidth(Array(20).fill("198.51.100.7")), 0.62 * 12 + 2);
  assert.equal(textWidth(["x".repeat(400)]), 24);
});

test("the height of a chart is that of what it shows", () => {
  const series = seriesOf(byProcess, "events", 4);
  const limits = [0, 100, 200, 300, 400];
  const rate = (value, ticks) => value / ticks;
  assert.equal(highestOf(series, limits, rate, { begin: 0, end: 400 }), 0.2);
  assert.equal(highestOf(series, limits, rate, { begin: 0, end: 150 }), 0.14);
  series[0].isHidden = true;
  assert.equal(highestOf(series, limits, rate, { begin: 0, end: 50 }), 0);
});

test("commands quote what a shell and a filter would understand otherwise", () => {
  assert.equal(shellWord("C:/a-b.etl"), "C:/a-b.etl");
  assert.equal(shellWord("it's; rm -rf $HOME"), "'it'\\''s; rm -rf $HOME'");
  assert.equal(filterValue('say "hi"'), '"say ""hi"""');
  assert.equal(filterValue(7), "7");
});

const disk = {
  verb: "disk",
  by: "process",
  title: "Disk",
  command: "etl disk --by process 'my trace.etl'",
  events: "event == DiskIo/* && process == {process}",
  events_options: "",
  columns: [column("process"), column("pid", "id"), column("reads", "count", false)],
  rows: [["kettle.exe", 100, 1], ["teapot.exe", null, 1], [null, null, 1], ["(other)", null, 4]],
};

test("a row names the command that lists its events", () => {
  const commands = disk.rows.map((row) => rowCommand(made(), disk, row));
  assert.equal(commands[0], "etl dump --where 'event == DiskIo/* && process == 100' 'my trace.etl'");
  assert.equal(commands[1], "etl dump --where 'event == DiskIo/* && process == \"teapot.exe\"' 'my trace.etl'");
  assert.equal(commands[2], null);
  assert.equal(commands[3], null);
});

test("commands are about the window that is shown", () => {
  const window = { begin: 100, end: 200 };
  const times = "--from 2024-05-17T04:00:00.0000100Z --to 2024-05-17T04:00:00.0000200Z";
  assert.ok(rowCommand(made(), disk, disk.rows[0], window).startsWith(`etl dump ${times} --where`));
  assert.equal(tableCommand(made(), disk, window), `etl disk --by process ${times} 'my trace.etl'`);
  assert.equal(tableCommand(made(), disk), disk.command);
});

test("events of code and files are found by their text", () => {
  const table = { ...disk, verb: "cpu", by: "function", events: "event == PerfInfo/SampleProf", events_options: "--enrich", columns: [column("module"), column("function")], rows: [["a.dll", "b's"]] };
  assert.equal(
    rowCommand(made(), table, table.rows[0]),
    "etl dump --enrich --where 'event == PerfInfo/SampleProf' 'my trace.etl' | grep -F -e 'b'\\''s'",
  );
});

test("the place of an event is not limited to the window", () => {
  const table = { ...disk, verb: "slowest", events: "buffer == {buffer} && offset == {offset}", events_options: "--raw", columns: [column("kind"), column("buffer", "id"), column("offset", "id")], rows: [["disk", 3, 72]] };
  assert.equal(rowCommand(made(), table, table.rows[0], { begin: 0, end: 9 }), "etl dump --raw --where 'buffer == 3 && offset == 72' 'my trace.etl'");
});

test("peers have an address and a port", () => {
  const table = { ...disk, verb: "network", by: "peer", events: "daddr == {address} && dport == {port}", columns: [column("protocol"), column("peer")], rows: [["tcp", "[fe80::1]:443"], ["udp", "10.0.0.1:53"], ["tcp", null]] };
  const commands = table.rows.map((row) => rowCommand(made(), table, row));
  assert.ok(commands[0].includes('daddr == "fe80::1" && dport == 443'));
  assert.ok(commands[1].includes('daddr == "10.0.0.1" && dport == 53'));
  assert.equal(commands[2], null);
});

test("a search finds rows with all of its words", () => {
  const text = searchTextOf(["Kettle.exe", 100, null, [1, 2]]);
  assert.ok(isFound(text, wordsOf(" KETTLE 100 ")));
  assert.ok(!isFound(text, wordsOf("kettle 2")));
  assert.ok(isFound(text, wordsOf("")));
});

test("null is last in both directions", () => {
  for (const isDescending of [false, true]) {
    const sorted = [3, null, 1].sort((a, b) => compareCells(a, b, isDescending));
    assert.equal(sorted[2], null);
    assert.equal(sorted[0], isDescending ? 3 : 1);
  }
});

test("cells have the unit of their column", () => {
  assert.equal(cellText(1_500_000, column("a_ns", "nanoseconds"), begin), "1.50 ms");
  assert.equal(cellText(null, column("process"), begin), "\u2013");
  assert.equal(cellText("2024-05-17T04:00:01.5000000Z", column("first", "time"), begin), "+1.500000 s");
  assert.equal(cellText("a\u202eb", column("process"), begin), "a\\u{202e}b");
  assert.equal(exactText(1_500_000, column("a_ns", "nanoseconds", false)), "1,500,000 ns");
  assert.equal(exactText(12345, column("pid", "id")), "12345");
  assert.equal(exactText(12.34, column("cpu_percent", "number", false)), "12.34");
  assert.equal(exactText(null, column("x", "count", false)), "not recorded");
  assert.equal(headingText(column("max_wait_ns", "nanoseconds")), "max wait");
});

test("heights have lines at round numbers", () => {
  const textsOf = (most, unit) => heightsOf(most, unit, String).map(({ text }) => text);
  assert.deepEqual(textsOf(95), ["50"]);
  assert.deepEqual(textsOf(3), ["1", "2", "3"]);
  assert.deepEqual(textsOf(0.7), ["0.5"]);
  assert.deepEqual(textsOf(3 * 1024 ** 2, "bytes"), [1, 2, 3].map((i) => String(i * 1024 ** 2)));
  assert.deepEqual(textsOf(0), []);
});

test("a window stays in the range, and tells all that follow it", () => {
  const window = new TimeWindow(1000);
  const seen = [];
  window.follow(({ shown }) => seen.push(`${shown.begin}-${shown.end}`));
  window.show(900, 400);
  window.zoom(0.5, 500);
  window.move(1);
  window.move(10);
  window.zoom(100);
  assert.deepEqual(seen, ["0-1000", "400-900", "450-700", "700-950", "750-1000", "0-1000"]);
  assert.equal(window.isZoomed, false);
  window.show(10, 15);
  assert.equal(window.isZoomed, false);
});

test("lanes have the intervals of each kind", () => {
  const slowest = {
    verb: "slowest",
    by: "",
    columns: [column("kind"), column("duration_ns", "nanoseconds", false), column("begin", "time")],
    rows: [["disk", 2000, timeAfter(begin, 50)], ["dpc", 100, begin], ["disk", 100, begin]],
  };
  const lanes = lanesOf(made([slowest]));
  assert.deepEqual(lanes.map(({ kind, intervals }) => `${kind} ${intervals.length}`), ["disk 2", "dpc 1"]);
  assert.deepEqual([lanes[0].intervals[0].begin, lanes[0].intervals[0].end], [50, 70]);
});

test("losses are told first, and nothing is invented", () => {
  const report = made();
  assert.deepEqual(keyFigures(report).map(([name]) => name), ["Range", "Events", "Lost"]);
  report.coverage.lost_events = 3;
  const lost = keyFigures(report).find(([name]) => name === "Lost");
  assert.deepEqual(lost, ["Lost", "3", "and 0 buffers", true]);
  report.coverage.lost_events = null;
  assert.deepEqual(keyFigures(report)[2], ["Lost", "unknown", "not stated by the trace"]);
  report.coverage.lost_buffers = 2;
  assert.deepEqual(keyFigures(report)[2], ["Lost", "unknown", "and 2 buffers", true]);
  assert.ok(factsOf(report).every(([, text]) => text !== ""));
});

const sliced = {
  ...made(),
  slices: { times: [0, 100, 200, 300, 400].map((ticks) => timeAfter(begin, ticks)), ticks: [0, 30, 60, 90, 120], ticks_per_second: 3_000_000 },
};
const cpu = {
  verb: "cpu",
  by: "process",
  title: "CPU by process",
  command: "etl cpu --by process 'my trace.etl'",
  columns: [column("process"), column("pid", "id"), column("samples", "count", false), column("running_ns", "nanoseconds", false), column("ready_ns", "nanoseconds", false), column("cpu_percent", "number", false)],
  rows: [
    ["kettle.exe", 100, 3, 20_000, 7, 50],
    ["teapot.exe", 200, 1, 10_000, 7, 25],
    ["svchost.exe", null, 1, 0, 0, 0],
  ],
  total: [null, null, 5, 30_000, 14, 75],
  row_count: 4,
  coverage: {},
  sums: {
    columns: [{ column: 2, recorded_from: 0, ticks: false }, { column: 3, recorded_from: 2, ticks: true }],
    ratios: [{ column: 5, numerator: 3, scale: 10_000 }],
    rows: [[[0, 1, 0], [2, 2, 40], [3, 0, 20]], [[3, 1, 30]], null],
    total: [[0, 2, 0], [2, 2, 41], [3, 1, 50]],
  },
};

test("a selection is of whole slices", () => {
  const shown = (part) => {
    const selection = selectionOf(sliced, part);
    return [selection.first, selection.last, selection.from, selection.to];
  };
  assert.equal(selectionOf(sliced, null), null);
  assert.deepEqual(selectionOf(made(), { begin: 1, end: 2 }), { begin: 1, end: 2 });
  assert.match(noteOf(disk, selectionOf(made(), { begin: 1, end: 2 }), null), /about all of the time/);
  assert.deepEqual(shown({ begin: 120, end: 130 }), [1, 2, timeAfter(begin, 100), timeAfter(begin, 200)]);
  assert.deepEqual(shown({ begin: 100, end: 200.5 }), [1, 3, timeAfter(begin, 100), timeAfter(begin, 300)]);
  assert.deepEqual(shown({ begin: 0, end: 99 }), [0, 1, "", timeAfter(begin, 100)]); // the edges of the trace need no option
  assert.deepEqual(shown({ begin: 350, end: 400 }), [3, 4, timeAfter(begin, 300), ""]);
  assert.match(tableCommand(sliced, cpu, selectionOf(sliced, { begin: 350, end: 400 })), /^etl cpu --by process --from \S+ 'my trace.etl'$/);
});

test("commands of a selection take the place of the window of the report", () => {
  const report = { ...sliced, options: " --process 'a --from b' --from +0.5s --to '+1.5 s'" };
  const table = { ...cpu, command: `etl cpu --by process${report.options} ${report.trace}` };
  const inside = { first: 1, last: 2, begin: 100, end: 200, from: "A", to: "B" };
  assert.equal(tableCommand(report, table, inside), `etl cpu --by process --process 'a --from b' --from A --to B ${report.trace}`);
  assert.equal(tableCommand(report, table, { ...inside, from: "" }), `etl cpu --by process --process 'a --from b' --from +0.5s --to B ${report.trace}`);
  assert.equal(tableCommand(report, table), table.command);
});

test("rows of a selection are sums of slices, and the rest is left out", () => {
  const part = tableIn(sliced, cpu, selectionOf(sliced, { begin: 200, end: 400 }));
  assert.deepEqual(part.rows, [cpu.rows[0], cpu.rows[1]]);
  // 60 ticks of a third of a microsecond are 20 microseconds, all of the selection; rounded down, as 91 / 3 is
  assert.deepEqual(part.cells.get(cpu.rows[0]), ["kettle.exe", 100, 2, 20_000, undefined, 100]);
  assert.deepEqual(part.cells.get(cpu.rows[1]), ["teapot.exe", 200, 1, 10_000, undefined, 50]);
  assert.deepEqual(part.total.slice(2, 4), [3, 30_333]);
  assert.deepEqual(leftOut(cpu, part.columns), ["ready_ns"]);
  const note = noteOf(cpu, selectionOf(sliced, { begin: 200, end: 400 }), part);
  assert.match(note, /whole slices/);
  assert.match(note, /Not known of a selection: ready\./);
  assert.match(note, /Of 2 other rows only the total is known/);
});

test("what was not recorded so far is no zero", () => {
  const part = tableIn(sliced, cpu, selectionOf(sliced, { begin: 0, end: 100 }));
  assert.deepEqual(part.cells.get(cpu.rows[0]), ["kettle.exe", 100, 1, null, undefined, undefined]);
  assert.equal(tableIn(sliced, { ...cpu, sums: undefined }, selectionOf(sliced, { begin: 0, end: 100 })), null);
  assert.match(noteOf(cpu, selectionOf(sliced, { begin: 0, end: 100 }), null), /all of the time, not the selection/);
});

test("the address keeps the view, and takes no nonsense", () => {
  const state = { ...reportForm.first(), window: { from: 5n, to: 70n }, find: "a&b", tables: { "table-cpu": ["x", "samples", false, [3]] }, opened: ["about"], by: { Events: "process" }, hidden: ["CPU a (4)"], flame: "cpu" };
  assert.deepEqual(reportForm.read(reportForm.write(state)), state);
  assert.equal(reportForm.write(reportForm.first()), "");
  assert.equal(partAddress("table-cpu"), "part=table-cpu");
  const wrong = ['{"a":[1]}', '{"a":["","",true,[0.5]]}', "[]", "null", "{"];
  wrong.forEach((text) => assert.deepEqual(reportForm.read(new URLSearchParams({ tables: text, window: "9_1" }).toString()), reportForm.first()));
});

test("a selection is a step back, a filter is not", () => {
  const steps = [];
  const place = { read: () => "", push: (address) => steps.push(`push ${address}`), replace: (address) => steps.push(`replace ${address}`) };
  const model = new AddressModel(reportForm, place);
  model.change({ window: { from: 1n, to: 2n } });
  model.settle();
  model.change({ find: "x" });
  model.settle();
  assert.deepEqual(steps, ["push window=1_2", "replace window=1_2&find=x"]);
});

test("series of one chart have different colors, and a name has one in all charts", () => {
  const of = (name, key) => ({ name, key });
  const cpuSeries = [of("svchost.exe (4)", "svchost.exe"), of("svchost.exe (8)", "svchost.exe"), of("a.exe (1)", "a.exe"), of("(other)", null)];
  const color = colorsOf([cpuSeries, [of("a.exe (1)", "a.exe"), of("b.exe (2)", "b.exe")]]);
  assert.equal(new Set(cpuSeries.map((series) => String(color(series, false)))).size, 4);
  assert.deepEqual(color(of("a.exe (1)", "a.exe"), true), color(cpuSeries[2], true));
});
