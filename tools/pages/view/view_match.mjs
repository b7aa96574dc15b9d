// Tracks of two traces that mean the same: by their names, and where they have none, by all that identifies them. Pure functions.

/** Returns what a track is recognized by among those of its group in the other trace. */
function nameOf({ key, process, track }) {
  if (process?.process) {
    return `process/${process.process.toLowerCase()}`;
  }
  switch (track?.kind) {
    case undefined:
      return key; // a group
    case "thread":
      return track.name ? `thread/${track.name}` : key;
    case "processor":
    case "interrupts":
    case "disk":
      return `${track.kind}/${track.id}`;
    default:
      return `${track.kind}/${track.name ?? ""}`;
  }
}

/** Returns pairs of nodes, [theirs, own], of equal names, in the order of theirs. */
function pairsOf(theirs, ours) {
  const left = new Map(); // ours, by name
  for (const node of ours) {
    const name = nameOf(node);
    left.has(name) ? left.get(name).push(node) : left.set(name, [node]);
  }
  return theirs.flatMap((node) => {
    const own = left.get(nameOf(node))?.shift();
    return own ? [[node, own]] : [];
  });
}

/**
 * Pairs the tracks of two trees (view_rows.mjs), those of equal names in their order. Returns {tree, toBefore, toAfter}: the tree of
 * the trace before, in the order of the other one and open where that is, and the keys of pairs.
 */
export function matchedTree(after, before) {
  const toBefore = new Map();
  const inOrder = (theirs, ours) => {
    const pairs = pairsOf(theirs, ours);
    const followers = new Map();
    const paired = new Set(pairs.map(([, own]) => own));
    let last = null; // those that are not paired stay after the one that they follow
    for (const node of ours) {
      if (paired.has(node)) {
        last = node;
      } else {
        followers.has(last) ? followers.get(last).push(node) : followers.set(last, [node]);
      }
    }
    const withFollowers = pairs.flatMap(([node, own]) => {
      toBefore.set(node.key, own.key);
      return [{ ...own, isOpen: node.isOpen && own.children.length > 0, children: inOrder(node.children, own.children) }, ...(followers.get(own) ?? [])];
    });
    return [...(followers.get(null) ?? []), ...withFollowers];
  };
  const tree = inOrder(after, before);
  return { tree, toBefore, toAfter: new Map([...toBefore].map(([theirs, own]) => [own, theirs])) };
}

const onTop = /^top\/(?:chain|pins)\//;
const alone = "before/"; // begins keys of tracks that only the trace before has, in the state of the page

/** Returns whether a key is of a row that only the trace before has. */
export function isAlone(key) {
  return key.slice((onTop.exec(key)?.[0] ?? "").length).startsWith(alone);
}

/** Returns the key of a row in the trace before, or null: it has no such track. */
export function keyBefore(key, { toBefore }) {
  const [top = ""] = onTop.exec(key) ?? [];
  const own = key.slice(top.length);
  const found = own === "" ? "" : own.startsWith(alone) ? own.slice(alone.length) : (toBefore.get(own) ?? null);
  return found === null ? null : top + found;
}

/** Returns the key of a row of the trace before in the state of the page. */
export function keyAfter(key, { toAfter }) {
  const [top = ""] = onTop.exec(key) ?? [];
  const own = key.slice(top.length);
  return own === "" ? key : top + (toAfter.get(own) ?? alone + own);
}
