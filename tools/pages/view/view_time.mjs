// Times of a trace. The page counts nanoseconds from the begin of the trace, as BigInt; the server takes FILETIME. Pure functions.

/**
 * A part of the time, in nanoseconds after the begin.
 * @typedef {{from: bigint, to: bigint}} Span
 */

const second = 1_000_000_000n;
const unixEpoch = 116_444_736_000_000_000n; // as FILETIME
const units = { ns: 1n, us: 1_000n, "\u00b5s": 1_000n, ms: 1_000_000n, s: second, m: 60n * second, h: 3600n * second, d: 86_400n * second };

/** Returns a time as the server takes it. Half ticks are rounded down. */
export function filetimeOf(begin, ns) {
  const ticks = ns >= 0n ? ns / 100n : (ns - 99n) / 100n;
  return String(begin + ticks);
}

/** Returns a span as the server takes it, at whole ticks; its end is exclusive. */
export function timesOf(begin, { from, to }) {
  return { from: filetimeOf(begin, from), to: filetimeOf(begin, to + 99n) };
}

/** Returns nanoseconds after the begin of a FILETIME. */
export function nsOfFiletime(begin, filetime) {
  return (BigInt(filetime) - begin) * 100n;
}

/** Returns the FILETIME of a time in RFC 3339, or null. */
export function filetimeOfText(text) {
  const parts = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::(\d\d))?(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)?$/.exec(text);
  if (!parts) {
    return null;
  }
  const [, day, minutes, seconds = "00", fraction = "", zone = "Z"] = parts;
  const whole = Date.parse(`${day}T${minutes}:${seconds}${zone}`);
  const ticks = BigInt(fraction.padEnd(7, "0").slice(0, 7));
  return Number.isNaN(whole) ? null : BigInt(whole) * 10_000n + ticks + unixEpoch;
}

/** Returns the time of day in UTC with seven digits, or with a date: `2024-05-17 04:00:00.0126713`. */
export function clockText(begin, ns, hasDate = false) {
  const unix = BigInt(filetimeOf(begin, ns)) - unixEpoch;
  const ms = Number(unix >= 0n ? unix / 10_000_000n : (unix - 9_999_999n) / 10_000_000n) * 1000;
  const date = new Date(ms);
  if (Number.isNaN(date.getTime())) {
    return String(unix + unixEpoch);
  }
  const fraction = String(((unix % 10_000_000n) + 10_000_000n) % 10_000_000n).padStart(7, "0");
  const text = `${date.toISOString().slice(0, 19)}.${fraction}`;
  return hasDate ? text.replace("T", " ") : text.slice(11);
}

/** Returns nanoseconds as seconds with a sign and as many digits as are needed, seven at most: `+3.2 s`. */
export function offsetText(ns, digits = 7) {
  const isNegative = ns < 0n;
  const size = isNegative ? -ns : ns;
  const fraction = String((size % second) / 100n).padStart(7, "0").slice(0, digits).replace(/0+$/, "");
  return `${isNegative ? "\u2212" : "+"}${size / second}${fraction && `.${fraction}`} s`;
}

/** Returns nanoseconds as seconds with all seven digits, which align in a column. */
export function secondsText(ns) {
  const size = ns < 0n ? -ns : ns;
  return `${ns < 0n ? "\u2212" : ""}${size / second}.${String((size % second) / 100n).padStart(7, "0")}`;
}

/** Returns nanoseconds after the begin of a time of an event: a FILETIME, or in RFC 3339. */
export function nsOfTime(begin, time) {
  const filetime = typeof time === "string" && time.includes("-") ? filetimeOfText(time) : time;
  return filetime === null ? 0n : nsOfFiletime(begin, filetime);
}

function nsOfNumber(text, unit) {
  const [whole, fraction = ""] = text.split(".");
  const scale = units[unit];
  const part = BigInt(fraction.padEnd(15, "0").slice(0, 15));
  return BigInt(whole || "0") * scale + (part * scale) / 10n ** 15n;
}

/**
 * Returns the time that a person typed, in the forms of docs/filters.md#times, as nanoseconds after the begin; null: none of
 * them. `trace`: {begin: FILETIME, length: nanoseconds}.
 */
export function momentOf(typed, { begin, length }) {
  const text = typed.trim().replace("\u2212", "-");
  const offset = /^([+-]?)\s*(\d+\.?\d*|\.\d+)\s*(ns|us|\u00b5s|ms|s|m|h|d)$/.exec(text);
  if (offset) {
    const ns = nsOfNumber(offset[2], offset[3]);
    return offset[1] === "-" ? length - ns : ns;
  }
  if (/^\d{13,20}$/.test(text)) {
    return nsOfFiletime(begin, text);
  }
  const day = clockText(begin, 0n, true).slice(0, 10);
  const clock = /^\d{1,2}:\d\d(:\d\d(\.\d+)?)?$/.test(text) ? `${day}T${text.padStart(text.indexOf(":") === 1 ? text.length + 1 : 0, "0")}` : text;
  const filetime = filetimeOfText(/^\d{4}-\d\d-\d\d$/.test(clock) ? `${clock}T00:00` : clock);
  return filetime === null ? null : nsOfFiletime(begin, filetime);
}

/** Returns the window that a person typed: `+1s .. +2s`, or a time, which becomes the middle of a window of `length`. */
export function windowOfText(typed, trace, length) {
  const parts = typed.split(/\s*(?:\.\.+|\u2026|\bto\b)\s*/);
  const times = parts.map((part) => momentOf(part, trace));
  if (times.includes(null) || times.length > 2) {
    return null;
  }
  if (times.length === 2) {
    return times[0] < times[1] ? { from: times[0], to: times[1] } : null;
  }
  const from = times[0] - length / 2n;
  return { from, to: from + length };
}

/**
 * Returns a window within bounds, at least `least` long.
 * @param {Span} window
 * @param {Span} bounds
 * @returns {Span}
 */
export function keptWithin({ from, to }, bounds, least = 20n) {
  const length = bounds.to - bounds.from;
  const whole = length > least ? length : least;
  const size = to - from < least ? least : to - from > whole ? whole : to - from;
  const middle = (from + to) / 2n;
  const start = to - from === size ? from : middle - size / 2n;
  const last = bounds.from + whole - size;
  const begin = start < bounds.from ? bounds.from : start > last ? last : start;
  return { from: begin, to: begin + size };
}

/**
 * Returns the part of a window that is within bounds, or null if there is none.
 * @param {Span} window
 * @param {Span} bounds
 * @returns {?Span}
 */
export function partWithin({ from, to }, bounds) {
  if (from >= bounds.to || to <= bounds.from) {
    return null;
  }
  return keptWithin({ from: from < bounds.from ? bounds.from : from, to: to > bounds.to ? bounds.to : to }, bounds);
}

/**
 * Returns a window that is `factor` times as long, around the part `place` of it, 0 to 1.
 * @param {Span} window
 * @returns {Span}
 */
export function zoomed({ from, to }, factor, place) {
  const length = Number(to - from);
  const at = length * place;
  const start = from + BigInt(Math.round(at - at * factor));
  return { from: start, to: start + BigInt(Math.max(1, Math.round(length * factor))) };
}
