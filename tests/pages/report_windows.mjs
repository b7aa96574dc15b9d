// report_windows.mjs ETL TRACE...: what tables of a report show of a selection (tools/pages/report/report_selection.mjs) is what the
// commands below them print; also of a report of a window.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { tableCommand } from "../../tools/pages/report/report_commands.mjs";
import { ticksBetween } from "../../tools/pages/report/report_model.mjs";
import { selectionOf, tableIn } from "../../tools/pages/report/report_selection.mjs";

const [etl, ...traces] = process.argv.slice(2);

/** The JSON that a command prints; null: it cannot read the trace. Damage is no failure. */
function printed(program, words) {
  try {
    return JSON.parse(execFileSync(program, words, { maxBuffer: 1 << 30, stdio: ["ignore", "pipe", "ignore"] }).toString());
  } catch (error) {
    return error.status === 1 && error.stdout.length > 0 ? JSON.parse(error.stdout.toString()) : null;
  }
}

/** Compares a table of a selection with the rows of its verb; returns the number of cells that were compared. */
function compare(report, table, selection, label) {
  const part = tableIn(report, table, selection);
  const command = tableCommand(report, table, selection);
  const lines = printed("sh", ["-c", `"$0"${command.replace(/^etl/, "")} --format json`, etl]);
  assert.ok(lines, `${label}: ${command}`);
  const shown = { rows: lines.filter((line) => !("total" in line)), total: lines.find((line) => "total" in line)?.total };
  const keys = table.columns.map((_, i) => i).filter((i) => table.columns[i].key);
  const keyOf = (cellAt) => JSON.stringify(keys.map((i) => cellAt(table.columns[i].name, i)));
  const rows = new Map(shown.rows.map((row) => [keyOf((name) => row[name]), row]));
  const known = new Set(table.rows.filter((_, i) => table.sums.rows[i]).map((row) => keyOf((_, i) => row[i])));
  const found = new Map(part.rows.map((row) => [keyOf((_, i) => row[i]), part.cells.get(row)]));
  let compared = 0;
  const same = (cells, row, about) => {
    for (const i of part.columns.filter((column) => !table.columns[column].key && cells[column] !== undefined)) {
      assert.deepEqual(cells[i], row[table.columns[i].name], `${label}: ${command}: ${about}, ${table.columns[i].name}`);
      ++compared;
    }
  };
  for (const [key, cells] of found) {
    assert.ok(rows.has(key), `${label}: ${command} does not print ${key}`);
    same(cells, rows.get(key), key);
  }
  for (const [key, row] of rows) {
    const isKnown = known.has(key) && !found.has(key);
    assert.ok(!isKnown || table.sums.columns.every(({ column }) => !row[table.columns[column].name]), `${label}: ${command} also prints ${key}`);
  }
  if (shown.rows.length > 0) {
    same(part.total, shown.total, "total");
  }
  return compared;
}

let cells = 0;
let tables = 0;
const all = traces.map((trace) => [trace]);
const parts = traces.slice(0, 2).map((trace) => [trace, "--from", "+0.2s", "--to", "+1.1s"]);
for (const [trace, ...options] of [...all, ...parts]) {
  const report = printed(etl, ["report", "--json", ...options, trace]);
  if (!report?.slices) {
    continue;
  }
  const limits = report.slices.times.map((time) => ticksBetween(report.coverage.begin, time));
  const last = limits.length - 1;
  for (const [from, to] of [[0, 1], [17, 31], [40, last], [last - 1, last]]) {
    const selection = selectionOf(report, { begin: limits[from], end: limits[to] });
    assert.deepEqual([selection.first, selection.last], [from, to]);
    for (const table of report.tables.filter(({ sums }) => sums)) {
      cells += compare(report, table, selection, trace);
      ++tables;
    }
  }
}
assert.ok(cells > 0, "no table has sums");
console.log(`${tables} tables of selections: ${cells} cells are those of the verbs`);
