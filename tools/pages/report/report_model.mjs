// What a report contains, as `etl report --json` writes it (docs/report.md#json). Pure functions.

/** Returns a table, or undefined. */
export function findTable(report, verb, by) {
  return report.tables.find((table) => table.verb === verb && table.by === by);
}

/** Returns the index of a column, or -1. */
export function columnOf(table, name) {
  return table.columns.findIndex((column) => column.name === name);
}

/** Returns the cell of a row by the name of its column; null: no such column. */
export function cellOf(table, row, name) {
  const column = columnOf(table, name);
  return column < 0 ? null : row[column];
}

/** Returns a time (RFC 3339) as 100 ns after another one. Exact for differences of up to 28 years. */
export function ticksBetween(from, to) {
  const parse = (time) => [Date.parse(`${time.slice(0, 19)}Z`) / 1000, Number(time.slice(20, 27))];
  const [seconds, fraction] = parse(to);
  const [startSeconds, startFraction] = parse(from);
  return (seconds - startSeconds) * 1e7 + (fraction - startFraction);
}

/** Returns the time (RFC 3339) that is some 100 ns after another one. */
export function timeAfter(from, ticks) {
  const fraction = Number(from.slice(20, 27)) + Math.round(ticks);
  const seconds = Math.floor(fraction / 1e7);
  const start = new Date(Date.parse(`${from.slice(0, 19)}Z`) + seconds * 1000).toISOString().slice(0, 19);
  return `${start}.${String(fraction - seconds * 1e7).padStart(7, "0")}Z`;
}

/** Returns the limits of the slices in 100 ns after the begin of the report: one more than there are slices. */
export function slicesOf(report) {
  const all = findTable(report, "timeline", "all");
  if (!all || !report.coverage.begin) {
    return [];
  }
  const begin = columnOf(all, "begin");
  const limits = all.rows.map((row) => ticksBetween(report.coverage.begin, row[begin]));
  return [...limits, Math.max(ticksBetween(report.coverage.begin, report.coverage.end), (limits.at(-1) ?? 0) + 1)];
}

function seriesName(table, row) {
  const process = cellOf(table, row, "process");
  const pid = cellOf(table, row, "pid");
  if (columnOf(table, "process") < 0) {
    return row[columnOf(table, "provider")] ?? "(unknown)";
  }
  return process === null && pid === null ? "(no process)" : pid === null ? process : `${process ?? "?"} (${pid})`;
}

/** What a series has its color by, as in the viewer: processes with the same name have one; null: others, or unknown. */
function colorKey(table, row) {
  const name = cellOf(table, row, columnOf(table, "process") < 0 ? "provider" : "process");
  return name === "(other)" ? null : name;
}

/** Returns the number of series of a timeline; `(other)` is one. */
export function seriesCount(table) {
  return new Set(table.rows.map((row) => seriesName(table, row))).size;
}

/**
 * Returns the series of a timeline for a column, those with the largest sums first: [{name, row, total, values}], with a
 * value for each slice. Beyond `most` series, the rest is one, `(other)`. `row` is a row of the table.
 */
export function seriesOf(table, name, slices, most) {
  const column = columnOf(table, name);
  const slice = columnOf(table, "slice");
  const all = new Map();
  for (const row of column < 0 ? [] : table.rows) {
    const key = seriesName(table, row);
    if (row[column] > 0 && row[slice] !== null) {
      if (!all.has(key)) {
        all.set(key, { name: key, key: colorKey(table, row), row, total: 0, values: new Float64Array(slices) });
      }
      const series = all.get(key);
      series.values[row[slice]] += row[column];
      series.total += row[column];
    }
  }
  const isRest = (series) => series.name === "(other)";
  const sorted = [...all.values()].sort((a, b) => Number(isRest(a)) - Number(isRest(b)) || b.total - a.total);
  const kept = sorted.filter((series) => !isRest(series)).slice(0, most);
  const others = sorted.filter((series) => !kept.includes(series));
  if (others.length === 0) {
    return kept;
  }
  const rest = { name: "(other)", key: null, row: null, total: 0, values: new Float64Array(slices) };
  for (const series of others) {
    rest.total += series.total;
    series.values.forEach((value, i) => (rest.values[i] += value));
  }
  return [...kept, rest];
}

/** Returns the intervals of the table `slowest` by kind: [{kind, intervals: [{begin, end, row}]}], in 100 ns. */
export function lanesOf(report) {
  const table = findTable(report, "slowest", "");
  const lanes = new Map();
  for (const row of table?.rows ?? []) {
    const kind = cellOf(table, row, "kind");
    const begin = ticksBetween(report.coverage.begin, cellOf(table, row, "begin"));
    if (!lanes.has(kind)) {
      lanes.set(kind, { kind, intervals: [] });
    }
    lanes.get(kind).intervals.push({ begin, end: begin + cellOf(table, row, "duration_ns") / 100, row });
  }
  return [...lanes.values()];
}

/** Returns the texts of a row that a search looks at, in lower case. */
export function searchTextOf(row) {
  return row.filter((cell) => cell !== null && !Array.isArray(cell)).join("\u0001").toLowerCase();
}

/** Returns whether a row contains all words of a search. */
export function isFound(text, words) {
  return words.every((word) => text.includes(word));
}

/** Returns the words of a search. */
export function wordsOf(search) {
  return search.toLowerCase().split(/\s+/).filter(Boolean);
}

/** Compares cells: numbers, times, and texts ascending, null last in both directions. */
export function compareCells(a, b, isDescending = false) {
  if (a === null || b === null) {
    return Number(a === null) - Number(b === null);
  }
  const order = typeof a === "number" && typeof b === "number" ? a - b : a < b ? -1 : a > b ? 1 : 0;
  return isDescending ? -order : order;
}

/** Whether a column is first sorted with the largest value first. */
export function isDescendingFirst(column) {
  return !["text", "id", "time", "address"].includes(column.unit);
}
