// Labels of time axes, with units. Times are nanoseconds after the begin of a trace, as BigInt. Pure functions.
import { roundUp } from "./values.mjs";

const second = 1_000_000_000n;
const minus = "\u2212";
// Distances of labels beyond seconds, in seconds.
const longSteps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400, 172_800, 604_800, 2_592_000, 31_536_000];

/** Returns the distance of labels in nanoseconds, so that `length` has at most `most` of them. */
export function labelStep(length, most) {
  const least = Math.max(1, length / Math.max(1, most));
  if (least <= 1e9) {
    return roundUp(least);
  }
  return 1e9 * (longSteps.find((step) => step * 1e9 >= least) ?? Math.ceil(least / (1e9 * 31_536_000)) * 31_536_000);
}

function longText(seconds) {
  const days = Math.floor(seconds / 86_400);
  const two = (value) => String(value).padStart(2, "0");
  const clock = `${Math.floor(seconds / 3600) % 24}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return days > 0 ? `${days} d ${clock}` : clock;
}

/** @type {[number, string][]} */
const scales = [[1e9, "s"], [1e6, "ms"], [1e3, "\u00b5s"], [1, "ns"]];

/** Returns labels in the unit of the largest one, with as many digits as the step needs. */
function shortTexts(sizes, step) {
  const largest = Math.max(step, ...sizes.map(Math.abs));
  const [factor, unit] = scales.find(([size]) => largest >= size) ?? scales.at(-1);
  const digits = Math.max(0, Math.ceil(-Math.log10(step / factor) - 1e-9));
  return sizes.map((size) => `${size < 0 ? minus : ""}${(Math.abs(size) / factor).toFixed(digits)} ${unit}`);
}

/**
 * Returns the labels of a time axis: {base, labels: [{at, text}]}. If they would have many digits, they are distances from
 * `base`, which is a time; else it is null.
 */
export function axisLabels(from, to, most) {
  const furthest = Math.max(Math.abs(Number(from)), Math.abs(Number(to)));
  const hasDays = furthest >= 86_400e9;
  const step = labelStep(Number(to - from), hasDays ? most / 1.6 : most);
  const distance = BigInt(Math.round(step));
  const isFar = furthest >= 2e4 * step && step < 1e9;
  const round = distance * 100n;
  const base = isFar ? ((from < 0n ? from - round + 1n : from) / round) * round : null;
  const times = [];
  const toNext = from > 0n ? distance - 1n : 0n; // division is toward zero
  for (let at = ((from + toNext) / distance) * distance; at <= to && times.length < 100; at += distance) {
    times.push(at);
  }
  const isLong = step >= 1e9 && furthest >= 120e9;
  const signed = (seconds) => `${seconds < 0 ? minus : ""}${longText(Math.abs(seconds))}`;
  const texts = isLong ? times.map((at) => signed(Number(at / second))) : shortTexts(times.map((at) => Number(at - (base ?? 0n))), step);
  return { base, labels: times.map((at, i) => ({ at, text: base === null ? texts[i] : `+${texts[i]}` })) };
}
