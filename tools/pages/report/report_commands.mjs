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

/**
 * Returns the options for a window in 100 ns after the begin of the report, or for a selection, which has its own; null: all of
 * the time.
 */
export function windowOptions(report, window) {
  const { begin } = report.coverage;
  if (typeof window?.options === "string") {
    return window.options;
  }
  return window && begin ? ` --from ${timeAfter(begin, window.begin)} --to ${timeAfter(begin, window.end)}` : "";
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
  const time = isOneEvent ? "" : windowOptions(report, window);
  const command = `etl dump${options && ` ${options.trim()}`}${report.options}${time} --where ${shellWord(filter)} ${report.trace}`;
  const text = isEnriched ? textOf(table, row) : null;
  return text ? `${command} | grep -F -e ${shellWord(text.replace(/\u2026$/, ""))}` : command;
}

/** Returns the command that prints all of a table, in a window. */
export function tableCommand(report, table, window = null) {
  const time = windowOptions(report, window);
  const end = ` ${report.trace}`;
  return time ? `${table.command.slice(0, -end.length)}${time}${end}` : table.command;
}

/** Returns the command that makes a report of a window. */
export function reportCommand(report, window) {
  return `etl report${report.options}${report.symbol_options}${windowOptions(report, window)} ${report.trace} -o window.html`;
}
