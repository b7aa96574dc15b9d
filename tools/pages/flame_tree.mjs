// The tree of a flame graph, top down and by callers, and its layout. Pure functions.
//
// Data, as `etl` writes them (tools/pages/flame_data.hpp):
//   frames: {name: [...], module: [...], kind: [...]}   by frame; module: index in `modules`
//   nodes: {depth, frame, weight, count, before, merged}  in preorder; weight and count without
//     those of the children; `before`: weight in the trace compared with, or absent;
//     merged: [[node, branches], ...]

/** Kinds of frames. */
export const kinds = { user: 0, kernel: 1, managed: 2, process: 3, mark: 4 };

class Node {
  constructor(frame, parent) {
    this.frame = frame; // -1: the root
    this.parent = parent;
    this.depth = parent ? parent.depth + 1 : 0;
    this.self = 0; // weight without children
    this.total = 0;
    this.count = 0; // of events, with those of the children
    this.before = 0; // total of the other trace
    this.selfBefore = 0;
    this.merged = 0; // branches that this node replaces
    this.made = null; // children
    this.ends = null; // of a tree of callers: where its stacks go on
  }

  /** The children, heaviest first. Those of a tree of callers are made when they are first used. */
  get children() {
    this.made ??= callersOf(this);
    return this.made;
  }
}

function byWeight(a, b) {
  return b.total - a.total || b.before - a.before || a.frame - b.frame;
}

/** Returns the root of the tree: every node with totals. */
export function treeOf(data) {
  const { depth, frame, weight, count, before, merged } = data.nodes;
  const root = new Node(-1, null);
  root.made = [];
  const nodes = new Array(depth.length);
  const path = [root]; // by depth
  for (let i = 0; i < depth.length; ++i) {
    const parent = path[depth[i]];
    const node = new Node(frame[i], parent);
    node.self = node.total = weight[i];
    node.count = count[i];
    node.before = node.selfBefore = before ? before[i] : 0;
    node.made = [];
    parent.made.push(node);
    path[depth[i] + 1] = nodes[i] = node;
  }
  for (const [node, branches] of merged ?? []) {
    nodes[node].merged = branches;
  }
  for (let i = nodes.length - 1; i >= 0; --i) {
    const { parent, total, count: events, before: earlier } = nodes[i];
    parent.total += total;
    parent.count += events;
    parent.before += earlier;
    nodes[i].made.sort(byWeight);
  }
  root.made.sort(byWeight);
  return root;
}

/** Returns how many nodes others replace. */
export function mergedCount(data) {
  return (data.nodes.merged ?? []).reduce((sum, [, count]) => sum + count, 0);
}

/** Calls `visit` for each node below `root`, parents first. */
export function forEachNode(root, visit) {
  const open = [...root.children];
  while (open.length > 0) {
    const node = open.pop();
    visit(node);
    open.push(...node.children);
  }
}

/**
 * Returns the tree of callers: below the root are the frames in which stacks end, and below a frame
 * are its callers. Processes are the last callers.
 */
export function callersTreeOf(root) {
  const reversed = new Node(-1, null);
  reversed.total = root.total;
  reversed.count = root.count;
  reversed.before = root.before;
  reversed.ends = [];
  forEachNode(root, (node) => {
    const below = node.children.reduce((sum, child) => sum + child.count, 0);
    const count = node.count - below;
    if (node.self > 0 || count > 0 || node.selfBefore > 0) {
      reversed.ends.push({ at: node, weight: node.self, count, before: node.selfBefore });
    }
  });
  return reversed;
}

function callersOf(node) {
  const byFrame = new Map();
  for (const end of node.ends) {
    if (end.at.frame < 0) {
      continue; // the stack is complete
    }
    let caller = byFrame.get(end.at.frame);
    if (!caller) {
      caller = new Node(end.at.frame, node);
      caller.ends = [];
      byFrame.set(end.at.frame, caller);
    }
    caller.total += end.weight;
    caller.count += end.count;
    caller.before += end.before;
    caller.merged += end.at.merged;
    caller.ends.push({ ...end, at: end.at.parent });
  }
  return [...byFrame.values()].sort(byWeight);
}

/**
 * Returns each frame with its weights: `self`, and `total` of the nodes in which it is not on the
 * stack twice. Heaviest first.
 */
export function frameSums(root, frames) {
  const sums = Array.from({ length: frames }, (_, frame) => ({ frame, self: 0, total: 0, before: 0 }));
  const onPath = new Uint32Array(frames);
  const open = [...root.children];
  while (open.length > 0) {
    const node = open.pop();
    if (typeof node === "number") {
      --onPath[node]; // all below this frame were visited
      continue;
    }
    const sum = sums[node.frame];
    sum.self += node.self;
    if (onPath[node.frame]++ === 0) {
      sum.total += node.total;
      sum.before += node.before;
    }
    open.push(node.frame, ...node.children);
  }
  return sums
    .filter((sum) => sum.total > 0 || sum.before > 0)
    .sort((a, b) => b.self - a.self || b.total - a.total || a.frame - b.frame);
}

/** Returns the modules with the weight of their frames, heaviest first, as {module, kind, self}. */
export function moduleSums(root, data) {
  const sums = new Map();
  forEachNode(root, (node) => {
    const module = data.frames.module[node.frame];
    const kind = data.frames.kind[node.frame];
    if (data.modules[module] && node.self > 0) {
      const sum = sums.get(module) ?? { module: data.modules[module], kind, self: 0 };
      sum.self += node.self;
      sums.set(module, sum);
    }
  });
  return [...sums.values()].sort((a, b) => b.self - a.self);
}

/**
 * Returns the nodes that are at least `least` wide, as rectangles {node, x, width, level}: the
 * ancestors of `focus` over all of the width, and below them the tree of `focus`. Neighbors that are
 * narrower become one rectangle without a node.
 */
export function layoutOf(focus, width, least = 1) {
  const rectangles = [];
  for (let node = focus.parent; node; node = node.parent) {
    rectangles.push({ node, x: 0, width, level: node.depth, isAncestor: true });
  }
  const open = [{ node: focus, x: 0, width, level: focus.depth }];
  while (open.length > 0) {
    const place = open.pop();
    rectangles.push(place);
    const { node } = place;
    let x = place.x;
    let narrow = null;
    for (const child of node.total > 0 ? node.children : []) {
      const childWidth = (place.width * child.total) / node.total;
      if (childWidth >= least) {
        open.push({ node: child, x, width: childWidth, level: place.level + 1 });
      } else if (narrow) {
        narrow.width += childWidth;
      } else {
        narrow = { node: null, x, width: childWidth, level: place.level + 1 };
      }
      x += childWidth;
    }
    if (narrow && narrow.width >= least / 2) {
      rectangles.push(narrow);
    }
  }
  return rectangles;
}

/** Returns a function that tells whether a text contains the words of a search, in any case. */
export function matcherOf(search) {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return (text) => {
    const lower = text.toLowerCase();
    return words.length > 0 && words.every((word) => lower.includes(word));
  };
}

/**
 * Marks the frames that match, and returns their number and weight; the weight of nodes inside one
 * another counts once.
 */
export function searchTree(root, matching) {
  let total = 0;
  const open = [...root.children];
  while (open.length > 0) {
    const node = open.pop();
    if (matching[node.frame]) {
      total += node.total;
    } else {
      open.push(...node.children);
    }
  }
  return total;
}

/**
 * Returns the change of a node from the trace compared with, from -1 (gone) to 1 (new). `scale`
 * converts weights of that trace: 1, or the ratio of the totals to compare shares.
 */
export function changeOf(node, scale) {
  const before = node.before * scale;
  const larger = Math.max(node.total, before);
  return larger > 0 ? (node.total - before) / larger : 0;
}
