// read_back.mjs READER ETL MODULES TRACE...: tables that READER (hyparquet, duckdb, arrow) reads have every value that
// `etl dump` prints, and no other rows. MODULES is a node_modules directory.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { canonical, events, leaves } from "./events.mjs";

const SKIPPED = 77;
const [reader, etl, modules, ...traces] = process.argv.slice(2);
const ORIGIN = ["pid", "tid", "cpu", "provider", "event", "provider_guid", "id", "version", "channel", "level", "opcode", "task",
  "keyword", "activity_id", "related_activity_id", "source", "decode_error", "decode_note", "payload"];

const packages = { hyparquet: ["hyparquet", "hyparquet-compressors"], duckdb: ["@duckdb/node-api"],
  arrow: ["apache-arrow", "fzstd"] }[reader];
const format = reader === "arrow" ? "arrow" : "parquet";
if (!packages.every((name) => existsSync(join(modules, name)))) {
  console.log(`skipped: ${packages.join(", ")} not installed; scripts/setup check installs them`);
  process.exit(SKIPPED);
}
const { rowsOf, close } = await import(`./${reader}.mjs`).then((module) => module.open(modules));

const keyOf = (event) => [event.provider ?? event.provider_guid, event.event ?? "", event.id.text, event.version.text].join("\0");

/** DuckDB shows timestamps with a time zone in microseconds. */
const shown = (type, text) => (reader === "duckdb" && type === "time" && text ? String((BigInt(text) / 1000n) * 1000n) : text);

/** Whether a row has the values of an event; otherwise, the first column that differs. */
function difference(table, row, event, data) {
  for (const { name, type, list } of table.columns) {
    if (name === "file") continue;
    const isOrigin = name === "time" || ORIGIN.includes(name);
    let value = isOrigin ? event[name] : data.get(name.replace(/^data\./, "").replace(/(#2)+$/, ""));
    if (isOrigin && (name === "pid" || name === "tid") && value === undefined) value = null;
    const actual = row[name];
    if (list) {
      const expected = value === undefined || value === null ? null : value.map((one) => shown(type, canonical(type, one)));
      if (JSON.stringify(actual) !== JSON.stringify(expected)) return { name, actual, expected };
      continue;
    }
    if (Array.isArray(value)) continue; // an array in an array is a text
    const expected = shown(type, canonical(type, value));
    if (expected !== undefined && actual !== expected) return { name, actual, expected };
  }
  return null;
}

async function check(trace) {
  const folder = mkdtempSync(join(tmpdir(), "etl-columns-"));
  try {
    execFileSync(etl, ["export", "--to", format, trace, "-o", folder], { stdio: ["ignore", "pipe", "ignore"] });
    const { tables, rows } = JSON.parse(readFileSync(join(folder, "_tables.json")));
    const byKey = new Map();
    for (const table of tables) {
      const key = table.provider === undefined ? "" : [table.provider, table.event, table.id, table.version].join("\0");
      const read = await rowsOf(join(folder, table.file), table.columns);
      assert.equal(read.length, table.rows, table.file);
      byKey.set(key, [...(byKey.get(key) ?? []), { ...table, read, next: 0 }]);
    }
    let values = 0;
    const all = events(etl, trace);
    assert.equal(rows, all.length, "rows");
    for (const event of all) {
      const data = leaves(event.data);
      const candidates = byKey.get(event.source === "none" ? "" : keyOf(event)) ?? [];
      const differences = [];
      const found = candidates.find((table) => {
        if (table.next === table.rows) return false;
        const differs = difference(table, table.read[table.next], event, data);
        if (differs) differences.push(differs);
        return !differs;
      });
      assert.ok(found, `${basename(trace)}: no row for ${JSON.stringify(event)}: ${JSON.stringify(differences)}`);
      ++found.next;
      values += found.columns.length;
    }
    for (const list of byKey.values()) {
      for (const table of list) assert.equal(table.next, table.rows, table.file);
    }
    console.log(`${basename(trace)}: ${all.length} events, ${tables.length} tables, ${values} values`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

for (const trace of traces) {
  await check(trace).catch((error) => {
    console.log(error.message);
    process.exitCode = 1;
  });
}
close();
