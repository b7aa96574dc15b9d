// What a flame graph says about its frames and nodes. Pure functions.
import { countText, percentText, valueText, visibleText } from "./values.mjs";

/** Returns the name of a frame: `module!function`. */
export function frameName({ frames, modules }, frame) {
  const text = frames.name[frame];
  const from = modules[frames.module[frame]];
  return from && !text.startsWith(`${from}!`) ? `${from}!${text}` : text;
}

/** The texts of all frames. */
export function frameTexts(data) {
  return data.frames.name.map((_, frame) => visibleText(frameName(data, frame)));
}

/** Returns the beginning of a text. */
export function cutText(text, letters) {
  return text.length <= letters ? text : `${text.slice(0, Math.max(1, letters - 1))}\u2026`;
}

/**
 * Returns what a bar of so many letters shows of `module!Namespace.Type.Method(arguments)`: as much of its end as fits, without
 * arguments if need be. Of `module!0x1234`, the module.
 */
export function shortText(text, letters) {
  if (text.length <= letters) {
    return text;
  }
  const [, module] = /^(.+)!0x[0-9a-f]+$/.exec(text) ?? [];
  let short = module ?? text.slice(text.indexOf("!") + 1);
  if (!module && short.length > letters) {
    const [name, ...rest] = short.split("(");
    const end = rest.length > 0 ? "()" : "";
    const starts = [0, ...[...name.matchAll(/(?<=.)(?:::|\.)/g)].map((one) => one.index + one[0].length)];
    const start = starts.find((at) => name.length - at + end.length <= letters) ?? starts.at(-1);
    short = name.slice(start) + end;
  }
  return cutText(short, letters);
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
