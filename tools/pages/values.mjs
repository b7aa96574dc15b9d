// Values as text. Pure functions.

const durations = [
  [1e9, "s"],
  [1e6, "ms"],
  [1e3, "\u00b5s"],
  [1, "ns"],
];
const sizes = [
  [2 ** 30, "GB"],
  [2 ** 20, "MB"],
  [2 ** 10, "KB"],
  [1, "bytes"],
];

function scaled(value, units) {
  const [factor, name] = units.find(([least]) => Math.abs(value) >= least) ?? units.at(-1);
  const number = value / factor;
  const digits = Number.isInteger(number) || factor === 1 ? 0 : number >= 100 ? 1 : 2;
  return `${number.toFixed(digits)} ${name}`;
}

/** Returns a count with its digits in groups of three. */
export function countText(value) {
  return Math.round(value).toString().replace(/\B(?=(\d{3})+$)/g, ",");
}

/** Returns a count of things: `1 event`, `2 events`. */
export function countedText(value, one, many = `${one}s`) {
  return `${countText(value)} ${value === 1 ? one : many}`;
}

/** Returns a value with its unit: `nanoseconds`, `bytes`, or `count`. */
export function valueText(value, unit) {
  if (unit === "nanoseconds") {
    return scaled(value, durations);
  }
  return unit === "bytes" ? scaled(value, sizes) : countText(value);
}

/** Returns a part of a total, as a percentage. */
export function percentText(part, total) {
  const percent = total > 0 ? (100 * part) / total : 0;
  const digits = Math.abs(percent) >= 10 ? 1 : 2;
  return `${percent.toFixed(digits)}%`;
}

// Controls, line and paragraph separators, and characters that change the direction of text.
const unsafe = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/**
 * Returns a name as it can be shown: invisible characters, and those that would reorder the text
 * around them, are escaped; what is longer than `most` characters is cut.
 */
export function visibleText(text, most = 300) {
  const start = () => text.slice(0, most).replace(/[\ud800-\udbff]$/, "");
  const cut = text.length > most ? `${start()}\u2026 (${countText(text.length)} characters)` : text;
  return cut.replace(unsafe, (one) => `\\u{${one.codePointAt(0).toString(16)}}`);
}

/** Returns the name of a file in a path of any system. */
export function fileNameOf(path) {
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
}

/** Returns the least round number, 1, 2, or 5 with zeros, that is not below a number. */
export function roundUp(least) {
  const power = 10 ** Math.floor(Math.log10(least) + 1e-9);
  return power * [1, 2, 5, 10].find((factor) => factor * power >= least * (1 - 1e-9));
}
