// Colors of states. Pure functions.
import { otherColor } from "../name_colors.mjs";

/** What threads do, as the legend shows it. Shapes differ, too: running fills the height, waiting is a line at the bottom. */
export const threadStates = [
  { name: "running", title: "Running", light: [22, 122, 74], dark: [72, 190, 124] },
  { name: "ready", title: "Ready", light: [240, 150, 20], dark: [255, 186, 84] },
  { name: "disk", title: "Waiting: I/O or paging", light: [150, 86, 190], dark: [190, 140, 235] },
  { name: "lock", title: "Waiting: object or lock", light: [74, 128, 205], dark: [110, 160, 235] },
  { name: "sleep", title: "Waiting: delay, queue, or message", light: [164, 172, 184], dark: [104, 114, 130] },
];

// Reasons of waits (docs/analysis.md#waits). All others wait for an object or a lock.
/** @type {[RegExp, string][]} */
const reasons = [
  [/preempt|quantumend|dispatchint|yield/i, "ready"],
  [/^(wr)?executive$|page|virtualmemory|poolallocation|inswap/i, "disk"],
  [/delay|queue|lpc|suspended|eventpair|spare|terminated|rundown|ratecontrol/i, "sleep"],
];

/** Returns the entry of `threadStates` for a state of a thread. */
export function threadState(state) {
  const isBar = state === "running" || state === "ready";
  const [, group] = reasons.find(([pattern]) => pattern.test(state)) ?? [null, "lock"];
  return threadStates.find(({ name }) => name === (isBar ? state : group));
}

const operations = {
  read: { light: [46, 116, 200], dark: [106, 166, 250] },
  write: { light: [200, 96, 20], dark: [250, 156, 88] },
  flush: { light: [120, 70, 160], dark: [180, 130, 230] },
  dpc: { light: [176, 60, 60], dark: [236, 120, 120] },
  isr: { light: [120, 60, 150], dark: [196, 140, 226] },
  suspended: { light: [190, 60, 90], dark: [240, 120, 150] },
  exact: { light: [20, 124, 130], dark: [80, 196, 200] },
  by_fields: { light: [70, 150, 156], dark: [60, 150, 156] },
  guessed: { light: [150, 186, 188], dark: [56, 104, 108] },
};

/**
 * Returns the color of a state of a track as [r, g, b]; null: not drawn. `owner`: the thread or process that ran on a processor,
 * {process, pid, id}, or null: several.
 */
export function stateColor(track, state, owner, book, dark) {
  const theme = dark ? "dark" : "light";
  if (track.kind === "thread") {
    return threadState(state)[theme];
  }
  if (track.kind === "processor") {
    return owner === null ? otherColor(dark) : owner.pid === 0 ? null : book.rgbOf(owner.process ?? state, dark);
  }
  if (track.kind === "samples") {
    return book.rgbOf(track.process ?? "", dark);
  }
  if (track.kind === "events") {
    const level = Number(/\d+$/.exec(state)?.[0] ?? 4);
    return level === 1 || level === 2 ? (dark ? [255, 110, 110] : [200, 30, 40]) : level === 3 ? (dark ? [255, 190, 90] : [190, 110, 0]) : book.rgbOf(track.name ?? "", dark);
  }
  const known = Object.keys(operations).find((name) => state === name || (name.length < 4 && state.includes(name)));
  return known ? operations[known][theme] : book.rgbOf(state, dark);
}
