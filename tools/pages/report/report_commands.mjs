// Command lines that show more. Pure functions.
import { cellOf, columnOf, timeAfter } from "./report_model.mjs";

/** Returns a word of a POSIX shell. */
export function shellWord(text) {
  return /^[A-Za-z0-9_./:=+,@%-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Returns a value of a filter expression (docs/filters.md). Texts are globs: `[`, `*`, and `?` match themselves as `?`. */
export function filterValue(value) {
  return typeof value === "number" ? String(value) : `"${value.replaceAll('"', '""')}"`;
}

/** Returns options without those with these names, and their values. */
function without(options, names) {
  const words = options.match(/(?:'[^']*'|\\.|[^\s'\\])+/g) ?? [];
  return words.flatMap((word, i) => (names.includes(word) || names.includes(words[i - 1]) ? [] : [` ${word}`])).join("");
}

/**
 * Returns the options of the report for a window in 100 ns after its begin, or for a selection, which has its own times; null: for all
 * of the report.
 */
export function windowOptions(report, window) {
  const { begin } = report.coverage;
  const times = typeof window?.from === "string" ? [window.from, window.to] : window && begin ? [timeAfter(begin, window.begin), timeAfter(begin, window.end)] : ["", ""];
  const set = ["--from", "--to"].map((name, i) => [name, times[i]]).filter(([, time]) => time !== "");
  const kept = set.length > 0 ? without(report.options, set.map(([name]) => name)) : report.options;
  return kept + set.map(([name, time]) => ` ${name} ${time}`).join("");
}

function valueOf(table, row, name) {
  if (name === "process") {
    return cellOf(table, row, "pid") ?? cellOf(table, row, "process");
  }
  if (name === "event") {
    return cellOf(table, row, "event") ?? cellOf(table, row, "id");
  }
  if (name === "address" || name === "port") {
    const parts = /^\[?(.*?)\]?:(\d+)$/.exec(cellOf(table, row, "peer") ?? "");
    return parts ? (name === "address" ? parts[1] : Number(parts[2])) : null;
  }
  return cellOf(table, row, name);
}

/** The text of a row by which its events can be found among others of the same kind; null: none. */
function textOf(table, row) {
  for (const name of ["function", "file", "module"]) {
    const column = columnOf(table, name);
    if (column >= 0) {
      return row[column];
    }
  }
  return null;
}

/** Returns the command that lists the events behind a row; null if no filter can. */
export function rowCommand(report, table, row, window = null) {
  let isComplete = table.events !== "" && !row.includes("(other)");
  const filter = table.events.replace(/\{(\w+)\}/g, (_, name) => {
    const value = valueOf(table, row, name);
    isComplete &&= value !== null && !(typeof value === "string" && value.endsWith("\u2026"));
    return value === null ? "" : filterValue(value);
  });
  if (!isComplete) {
    return null;
  }
  const isEnriched = table.events_options === "--enrich";
  const options = [table.events_options, isEnriched ? report.symbol_options : ""].filter(Boolean).join("");
  const isOneEvent = table.events.includes("{offset}");
  const own = windowOptions(report, isOneEvent ? null : window);
  const command = `etl dump${options && ` ${options.trim()}`}${own} --where ${shellWord(filter)} ${report.trace}`;
  const text = isEnriched ? textOf(table, row) : null;
  return text ? `${command} | grep -F -e ${shellWord(text.replace(/\u2026$/, ""))}` : command;
}

/** Returns the command that prints all of a table, in a window. */
export function tableCommand(report, table, window = null) {
  const end = `${report.options} ${report.trace}`;
  const isOwn = table.command.endsWith(end);
  const command = isOwn ? table.command.slice(0, -end.length) : table.command.slice(0, -report.trace.length - 1);
  const options = windowOptions(isOwn ? report : { ...report, options: "" }, window);
  return `${command}${options} ${report.trace}`;
}

/** Returns the command that makes a report of a window. */
export function reportCommand(report, window) {
  return `etl report${windowOptions(report, window)}${report.symbol_options} ${report.trace} -o window.html`;
}
