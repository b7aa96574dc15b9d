// Where rows of tracks are, one below the other: they have different heights. Pure functions.
import { ownKey } from "./view_rows.mjs";

/** The heights of tracks in pixels. */
export const trackHeights = { compact: 14, usual: 20, tall: 44 };
const names = Object.keys(trackHeights);
const mostHeights = 200; // of single tracks

/** Returns the name of the height of a row. `height`: of all, "" is usual; `own`: of single tracks, by key. */
export function heightName({ track, key }, height, own) {
  const name = own.get(ownKey(key)) ?? (height || "usual");
  return track || name === "compact" ? name : "usual"; // a row without a picture is not tall
}

/** Returns where rows begin, in pixels, and where the last one ends. `state`: of the page. */
export function topsOf(rows, { height, heights }) {
  const own = new Map(heights);
  const tops = new Float64Array(rows.length + 1);
  rows.forEach((row, i) => {
    tops[i + 1] = tops[i] + trackHeights[heightName(row, height, own)];
  });
  return tops;
}

/** Returns the number of the row at a place: the first one above all, the last one below. */
export function rowAtPlace(tops, y) {
  let low = 0;
  let high = Math.max(0, tops.length - 2);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (tops[middle] <= y) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

/** Returns the height after another one: compact, usual, tall, and compact again. */
export function nextHeight(name) {
  return names[(names.indexOf(name) + 1) % names.length];
}

/** Returns the heights of single tracks with that of one; it is left out if it is that of all. */
export function heightsWith(heights, key, name, ofAll) {
  const others = heights.filter(([one]) => one !== key);
  return name === (ofAll || "usual") ? others : [...others, [key, name]].slice(-mostHeights);
}

/** Returns whether a value has the form of heights: an address can contain anything. */
export function areHeights(value) {
  return Array.isArray(value) && value.length <= mostHeights && value.every((one) => Array.isArray(one) && one.length === 2 && typeof one[0] === "string" && names.includes(one[1]));
}
