// The chain of a wait that is followed, over the tracks: what each thread did, and who ended it.

/**
 * Returns the arrows of a chain, each from a thread to the one whose wait it ended: [{from: key, to: key, at: time}]. A chain goes
 * back in time, from the last wait on; a path goes forward, and has an arrow wherever its thread changes. Pure.
 */
export function linksOf(chain) {
  const links = [];
  if (chain.length > 1 && chain[0].to < chain.at(-1).to) {
    const changes = chain.slice(1).map((step, i) => ({ from: chain[i].key, to: step.key, at: step.from }));
    return changes.filter(({ from, to }) => from !== to);
  }
  for (let i = 1; i < chain.length; ++i) {
    const ended = chain.findLast((step, at) => at < i && step.key !== chain[i].key && step.isWait && step.to >= chain[i].from);
    if (ended && chain[i].key !== chain[i - 1].key) {
      links.push({ from: chain[i].key, to: ended.key, at: ended.to });
    }
  }
  return links;
}

/** `timeline`: placeOf(ns). `rows`: [{node, y, height}]. */
export function paintChain(pen, timeline, rows, { mark }) {
  const { chain } = timeline.viewer;
  if (chain.length === 0) {
    return;
  }
  const places = new Map([...rows].reverse().map((row) => [row.node.trackKey, row]));
  pen.strokeStyle = mark;
  pen.lineWidth = 2;
  for (const { key, from, to } of chain) {
    if (places.has(key)) {
      const left = timeline.placeOf(from);
      const { y, height } = places.get(key);
      pen.strokeRect(left, y + 1, Math.max(2, timeline.placeOf(to) - left), height - 3);
    }
  }
  for (const { from, to, at } of linksOf(chain)) {
    if (places.has(from) && places.has(to)) {
      const middle = ({ y, height }) => y + height / 2;
      paintArrow(pen, timeline.placeOf(at), middle(places.get(from)), middle(places.get(to)));
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
