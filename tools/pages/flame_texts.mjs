// What a flame graph says about its frames and nodes. Pure functions.
import { countText, percentText, valueText, visibleText } from "./values.mjs";

/** The text of a frame: `module!function`. */
export function frameTexts(data) {
  const { name, module } = data.frames;
  return name.map((text, frame) => {
    const from = data.modules[module[frame]];
    return visibleText(from && !text.startsWith(`${from}!`) ? `${from}!${text}` : text);
  });
}

/** What is said about a node: name, weight, share. */
export function describeNode(node, graph) {
  const { data, texts, root } = graph;
  if (node.frame < 0) {
    return `all: ${valueText(node.total, data.unit)}, ${countText(node.count)} ${data.events}`;
  }
  const parts = [
    texts[node.frame] + (node.merged ? ` (${countText(node.merged)} merged)` : ""),
    `${valueText(node.total, data.unit)}, ${percentText(node.total, root.total)} of all`,
  ];
  if (node.parent?.parent && !graph.isReversed) {
    parts.push(`${percentText(node.total, node.parent.total)} of its caller`);
  }
  if (data.unit !== "count") {
    parts.push(`${countText(node.count)} ${data.events}`);
  }
  if (node.self > 0 && node.self !== node.total) {
    parts.push(`self ${valueText(node.self, data.unit)}`);
  }
  if (graph.isDifferential) {
    const before = node.before * graph.scale;
    const change = node.total - before;
    parts.push(`${change < 0 ? "\u2212" : "+"}${valueText(Math.abs(change), data.unit)} from ${valueText(before, data.unit)}`);
  }
  return parts.join(" \u00b7 ");
}
