// Data of flame graphs for tests, in the format of `etl flame`.

/** Returns data with these stacks: [weight, frame, frame, ...] outermost first; the first frame is the process. */
export function dataOf(stacks, others = null) {
  const names = [];
  const numberOf = (name) => {
    if (!names.includes(name)) {
      names.push(name);
    }
    return names.indexOf(name);
  };
  const root = new Map();
  const add = (stack, key) => {
    let at = root;
    let node = null;
    for (const name of stack.slice(1)) {
      const frame = numberOf(name);
      if (!at.has(frame)) {
        at.set(frame, { frame, weight: 0, before: 0, count: 0, children: new Map() });
      }
      node = at.get(frame);
      at = node.children;
    }
    node[key] += stack[0];
    node.count += key === "weight" ? 1 : 0;
  };
  stacks.forEach((stack) => add(stack, "weight"));
  (others ?? []).forEach((stack) => add(stack, "before"));
  const nodes = { depth: [], frame: [], weight: [], count: [], merged: [] };
  if (others) {
    nodes.before = [];
  }
  const flatten = (children, depth) => {
    for (const node of children.values()) {
      nodes.depth.push(depth);
      nodes.frame.push(node.frame);
      nodes.weight.push(node.weight);
      nodes.count.push(node.count);
      nodes.before?.push(node.before);
      flatten(node.children, depth + 1);
    }
  };
  flatten(root, 0);
  return {
    title: "made.etl",
    summary: "a made trace",
    unit: "nanoseconds",
    events: "samples",
    modules: ["", "tea.dll"],
    frames: { name: names, module: names.map(() => 1), kind: names.map((_, i) => (i === 0 ? 3 : 0)) },
    nodes,
  };
}
