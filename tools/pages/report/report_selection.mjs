// Tables of a selected part of the time, added up from slices (docs/report.md#selection). Pure functions.
import { ticksBetween } from "./report_model.mjs";

/**
 * A part of the time that begins and ends with slices: the first one, and the one after the last; `begin` and `end` in 100 ns after
 * the begin of the report. `from` and `to`: those of a command for it; empty: as the report. Without slices, it is just a part.
 * @typedef {{first?: number, last?: number, begin: number, end: number, from?: string, to?: string}} Selection
 */

/** Returns the slices that contain a part of the time; null: all of it is shown. */
export function selectionOf(report, part) {
  const { slices } = report;
  if (!part || !slices) {
    return part ?? null;
  }
  const limits = slices.times.map((time) => ticksBetween(report.coverage.begin, time));
  const first = Math.max(0, limits.findLastIndex((limit) => limit <= part.begin));
  const next = limits.findIndex((limit) => limit >= part.end);
  const last = Math.max(first + 1, next < 0 ? limits.length - 1 : next);
  const from = first > 0 ? slices.times[first] : "";
  const to = last < limits.length - 1 ? slices.times[last] : "";
  return { first, last, begin: limits[first], end: limits[last], from, to };
}

function nanosecondsOf(ticks, { ticks_per_second: frequency }) {
  return Number((BigInt(ticks) * 1_000_000_000n) / BigInt(frequency));
}

/** Returns the sums of a row over slices, by column of `sums`. */
function sumsOf(slices, count, { first, last }) {
  const sums = new Array(count).fill(0);
  for (const [slice, ...values] of slices) {
    if (slice >= first && slice < last) {
      values.forEach((value, i) => (sums[i] += value));
    }
  }
  return sums;
}

/** Returns the ratios that can be computed in a selection. */
function ratiosOf({ columns, ratios }) {
  const isKnown = (number) => columns.some(({ column }) => column === number);
  return ratios.filter(({ numerator, denominator }) => isKnown(numerator) && (denominator === undefined || isKnown(denominator)));
}

/** Returns the cells of a row of the selection; those that are not known are undefined. */
function cellsOf(report, table, row, sums, selection) {
  const { slices } = report;
  const cells = table.columns.map(({ key }, i) => (key ? row[i] : undefined));
  table.sums.columns.forEach(({ column, recorded_from: recordedFrom, ticks }, i) => {
    cells[column] = recordedFrom >= selection.last ? null : ticks ? nanosecondsOf(sums[i], slices) : sums[i];
  });
  const length = nanosecondsOf(slices.ticks[selection.last] - slices.ticks[selection.first], slices);
  for (const { column, numerator, denominator, scale } of ratiosOf(table.sums)) {
    const divisor = denominator === undefined ? length : cells[denominator];
    if (cells[numerator] === null || divisor === null) {
      continue; // the verb may divide another column
    }
    const quotient = divisor > 0 ? Number((BigInt(scale) * BigInt(cells[numerator])) / BigInt(divisor)) : null;
    cells[column] = quotient !== null && table.columns[column].unit === "number" ? quotient / 100 : quotient;
  }
  return cells;
}

/**
 * Returns a table in a selection: `columns`: the numbers of those that are known; `rows`: rows of the table that have values;
 * `cells`: theirs; `total`; `unknown`: how many rows of the table are not known. Null: nothing of it is known.
 */
export function tableIn(report, table, selection) {
  const { sums } = table;
  if (!sums || selection?.first === undefined) {
    return null;
  }
  const computed = [...sums.columns, ...ratiosOf(sums)].map(({ column }) => column);
  const columns = table.columns.map((_, i) => i).filter((i) => table.columns[i].key || computed.includes(i));
  const cells = new Map();
  table.rows.forEach((row, i) => {
    const values = sums.rows[i] ? sumsOf(sums.rows[i], sums.columns.length, selection) : [];
    if (values.some((value) => value !== 0)) {
      cells.set(row, cellsOf(report, table, row, values, selection));
    }
  });
  const known = sums.rows.filter(Boolean).length;
  const total = cellsOf(report, table, table.columns.map(() => null), sumsOf(sums.total, sums.columns.length, selection), selection);
  return { columns, rows: [...cells.keys()], cells, total, unknown: table.row_count - known };
}

/** Returns the names of the columns that a selection does not know. */
export function leftOut(table, columns) {
  return table.columns.filter((column, i) => !columns.includes(i)).map(({ name }) => name);
}
