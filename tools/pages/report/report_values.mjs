// Cells, times, and headings as text. Pure functions.
import { ticksBetween } from "./report_model.mjs";
import { countText, valueText, visibleText } from "../values.mjs";

/** Returns a time after the begin of the report, given in 100 ns: `+1.234567 s`. */
export function momentText(ticks) {
  return `${ticks < 0 ? "\u2212" : "+"}${(Math.floor(Math.abs(ticks) / 10) / 1e6).toFixed(6)} s`;
}

/** Returns a cell as text. `begin`: that of the report. */
export function cellText(cell, column, begin) {
  if (cell === null) {
    return column.key ? "\u2013" : "";
  }
  switch (column.unit) {
    case "nanoseconds":
    case "bytes":
      return valueText(cell, column.unit);
    case "count":
      return countText(cell);
    case "number":
      return cell.toFixed(2);
    case "time":
      return begin ? momentText(ticksBetween(begin, cell)) : cell;
    case "histogram":
      return cell.join(" ");
    default:
      return typeof cell === "string" ? visibleText(cell, 420) : String(cell);
  }
}

/** Returns a cell as it is exactly, for details. */
export function exactText(cell, column) {
  if (cell === null) {
    return column.key ? "unknown" : "not recorded";
  }
  const units = { nanoseconds: " ns", bytes: " bytes", count: "" };
  return column.unit in units ? countText(cell) + units[column.unit] : cellText(cell, column, null);
}

/** Returns the heading of a column: `max_wait_ns` is `max wait`. */
export function headingText(column) {
  const name = column.unit === "nanoseconds" ? column.name.replace(/_ns$/, "") : column.name;
  return name.replaceAll("_", " ") + (column.unit === "histogram" ? " (0, 1, 2, 4, ... \u00b5s)" : "");
}

const coverageKeys = ["begin", "end", "duration_ns", "processors", "events", "used_events", "lost_events", "lost_buffers", "not_recorded",
  "other_versions"]; // the last ones are notes
// Of one, and of several.
const remainderTexts = {
  dropped_rows: ["that are part of (other)", "that are part of (other)"],
  shorter_intervals: ["shorter interval (--per-kind N prints more)", "shorter intervals (--per-kind N prints more)"],
  samples_without_stack: ["sample without a stack", "samples without a stack"],
  never_completed: ["operation that never completed", "operations that never completed"],
  invalid_times: ["invalid time", "invalid times"],
  unknown_ns: ["of processors in which the running thread is unknown", "of processors in which the running thread is unknown"],
  excluded_ns: ["in DPCs and ISRs", "in DPCs and ISRs"],
  unpaired_starts: ["start without a stop", "starts without a stop"],
  unpaired_stops: ["stop without a start", "stops without a start"],
  untimed_events: ["event without a usable timestamp", "events without a usable timestamp"],
  counter_samples: ["sample of a hardware counter", "samples of hardware counters"],
};

const assumptionTexts = {
  guessed_pairs: ["pair of start and stop is a guess", "pairs of start and stop are guesses"],
  samples_of_assumed_interval: [
    "sample is weighted by an assumed interval of 1 ms",
    "samples are weighted by an assumed interval of 1 ms",
  ],
};

const textOf = (texts, count) => texts[count === 1 ? 0 : 1];

/** Returns what the rows of a table do not contain: `12 dropped rows`. */
export function remaindersOf({ coverage }) {
  return Object.entries(coverage)
    .filter(([key]) => !coverageKeys.includes(key) && !(key in assumptionTexts))
    .map(([key, value]) => {
      const plainName = key.replace(/_ns$/, "").replaceAll("_", " ");
      const name = key in remainderTexts ? textOf(remainderTexts[key], value) : plainName;
      return `${key.endsWith("_ns") ? valueText(value, "nanoseconds") : countText(value)} ${name}`;
    });
}

/** Returns what the rows contain without being certain of it. */
export function assumptionsOf({ coverage }) {
  return Object.entries(assumptionTexts)
    .filter(([key]) => key in coverage)
    .map(([key, texts]) => `${countText(coverage[key])} ${textOf(texts, coverage[key])}`);
}

export function isNumeric(column) {
  return !["text", "time", "histogram"].includes(column.unit);
}
