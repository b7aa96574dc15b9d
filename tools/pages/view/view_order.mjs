// The order of tracks: a person moves them within their groups. Pure functions.

const mostMoves = 200;

/** Moves what is to be moved, one after the other. */
function inOrder(nodes, moves) {
  const list = [...nodes];
  for (const [key, before] of moves) {
    const at = list.findIndex((node) => node.key === key);
    const to = before === "" ? list.length : list.findIndex((node) => node.key === before);
    if (at >= 0 && to >= 0 && key !== before) {
      const [node] = list.splice(at, 1);
      list.splice(to > at ? to - 1 : to, 0, node);
    }
  }
  return list;
}

/** Returns a tree in another order. `moves`: [key, key of the track before which it is, or "": the last one]. */
export function movedTree(tree, moves) {
  if (moves.length === 0) {
    return tree;
  }
  const moved = new Set(moves.map(([key]) => key));
  const within = (nodes) => {
    const changed = nodes.map((node) => (node.children.length > 0 ? { ...node, children: within(node.children) } : node));
    return changed.some(({ key }) => moved.has(key)) ? inOrder(changed, moves) : changed;
  };
  return within(tree);
}

/** Returns moves with one more; what was said about its track before does not matter any more. */
export function movesWith(moves, key, before) {
  return [...moves.filter(([one]) => one !== key), [key, before]].slice(-mostMoves);
}

/** Returns the numbers of the rows that are in the same group as a row, with it. */
export function siblingsOf(rows, index) {
  const { level, isTop = false } = rows[index];
  const isOwn = (row) => row.level === level && Boolean(row.isTop) === isTop;
  const found = [index];
  for (let i = index - 1; i >= 0 && rows[i].level >= level; --i) {
    isOwn(rows[i]) && found.unshift(i);
  }
  for (let i = index + 1; i < rows.length && rows[i].level >= level; ++i) {
    isOwn(rows[i]) && found.push(i);
  }
  return found;
}

/** Returns a list of pinned keys with one of them before another, or the last one. */
export function pinsWith(pins, key, before) {
  const others = pins.filter((one) => one !== key);
  const at = before === "" ? others.length : others.indexOf(before);
  return [...others.slice(0, at), key, ...others.slice(at)];
}

/** Returns whether a value has the form of moves: an address can contain anything. */
export function areMoves(value) {
  return Array.isArray(value) && value.length <= mostMoves && value.every((one) => Array.isArray(one) && one.length === 2 && one.every((key) => typeof key === "string"));
}
