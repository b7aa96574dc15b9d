// The chain of a wait that is followed, over the tracks: what each thread did, and who ended it.
import { rowHeight } from "./view_rows.mjs";

/** Returns the lines of a chain: from the begin of what a thread did to the wait that it ended. [{from: step, to: step}]. Pure. */
export function linksOf(chain) {
  const links = [];
  for (let i = 1; i < chain.length; ++i) {
    const ended = chain.findLast((step, at) => at < i && step.key !== chain[i].key && step.isWait && step.to >= chain[i].from);
    if (ended && chain[i].key !== chain[i - 1].key) {
      links.push({ from: chain[i], to: ended });
    }
  }
  return links;
}

/** `timeline`: placeOf(ns). `rows`: [{node, y}]. */
export function paintChain(pen, timeline, rows, { mark }) {
  const { chain } = timeline.viewer;
  if (chain.length === 0) {
    return;
  }
  const places = new Map([...rows].reverse().map(({ node, y }) => [node.trackKey, y]));
  pen.strokeStyle = mark;
  pen.lineWidth = 2;
  for (const { key, from, to } of chain) {
    if (places.has(key)) {
      const left = timeline.placeOf(from);
      pen.strokeRect(left, places.get(key) + 1, Math.max(2, timeline.placeOf(to) - left), rowHeight - 3);
    }
  }
  for (const { from, to } of linksOf(chain)) {
    if (places.has(from.key) && places.has(to.key)) {
      paintArrow(pen, timeline.placeOf(to.to), places.get(from.key) + rowHeight / 2, places.get(to.key) + rowHeight / 2);
    }
  }
}

/** An arrow along a time, from the thread that ended a wait to the one that waited. */
function paintArrow(pen, x, from, to) {
  const step = to > from ? -6 : 6;
  pen.beginPath();
  pen.moveTo(x, from);
  pen.lineTo(x, to);
  pen.moveTo(x - 4, to + step);
  pen.lineTo(x, to);
  pen.lineTo(x + 4, to + step);
  pen.stroke();
  pen.beginPath();
  pen.arc(x, from, 2.5, 0, 7);
  pen.stroke();
}
