import assert from "node:assert/strict";
import test from "node:test";
import { callersTreeOf, changeOf, frameSums, layoutOf, matcherOf, searchTree, treeOf } from "../../tools/pages/flame_tree.mjs";
import { dataOf } from "./made_data.mjs";

const stacks = [
  [5, "kettle (1)", "main", "boil", "heat"],
  [3, "kettle (1)", "main", "boil"],
  [2, "kettle (1)", "main", "pour"],
];

/** The tree as text: `name total(children)`. */
function shown(node, data) {
  const own = node.frame < 0 ? "all" : data.frames.name[node.frame];
  const children = node.children.map((child) => shown(child, data));
  return `${own} ${node.total}${children.length > 0 ? `(${children.join(" ")})` : ""}`;
}

test("totals are those of the node and all below it, heaviest first", () => {
  const data = dataOf([...stacks].reverse());
  assert.equal(shown(treeOf(data), data), "all 10(kettle (1) 10(main 10(boil 8(heat 5) pour 2)))");
});

test("counts are those of the node and all below it", () => {
  const root = treeOf(dataOf(stacks));
  assert.equal(root.count, 3);
  assert.deepEqual(root.children[0].children[0].children.map((node) => node.count), [2, 1]);
});

test("callers are below the functions in which stacks end", () => {
  const data = dataOf(stacks);
  const reversed = callersTreeOf(treeOf(data));
  assert.equal(
    shown(reversed, data),
    "all 10(heat 5(boil 5(main 5(kettle (1) 5))) boil 3(main 3(kettle (1) 3)) pour 2(main 2(kettle (1) 2)))",
  );
  assert.equal(reversed.children.reduce((sum, child) => sum + child.count, 0), 3);
});

test("a function counts once if it calls itself", () => {
  const data = dataOf([[4, "p", "f", "g", "f"], [1, "p", "f"]]);
  const sums = frameSums(treeOf(data), data.frames.name.length);
  const f = sums.find((sum) => data.frames.name[sum.frame] === "f");
  assert.deepEqual([f.self, f.total], [5, 5]);
});

test("the layout fills the width and has no more than it can show", () => {
  const data = dataOf(Array.from({ length: 1000 }, (_, i) => [1 + (i % 7), "p", `f${i}`]));
  const root = treeOf(data);
  const rectangles = layoutOf(root, 200);
  assert.ok(rectangles.length < 220);
  const level2 = rectangles.filter((rectangle) => rectangle.level === 2);
  const end = Math.max(...level2.map((rectangle) => rectangle.x + rectangle.width));
  assert.ok(Math.abs(end - 200) < 1e-6);
});

test("a focused node has all of the width, and its callers below it", () => {
  const root = treeOf(dataOf(stacks));
  const boil = root.children[0].children[0].children[0];
  const rectangles = layoutOf(boil, 100);
  assert.deepEqual(rectangles.filter((one) => one.isAncestor).map((one) => one.level), [2, 1, 0]);
  assert.ok(rectangles.filter((one) => one.level <= 3).every((one) => one.width === 100));
});

test("a search finds words in any order and case", () => {
  const matches = matcherOf("BOIL tea");
  assert.ok(matches("tea.dll!Boil"));
  assert.ok(!matches("tea.dll!Pour"));
  assert.ok(!matcherOf(" ")("anything"));
});

test("weights that a search finds inside one another count once", () => {
  const data = dataOf([[4, "p", "f", "g", "f"], [1, "p", "h"]]);
  const matching = data.frames.name.map((name) => name === "f");
  assert.equal(searchTree(treeOf(data), matching), 4);
});

test("changes are relative to the larger weight", () => {
  const data = dataOf([[10, "p", "f"], [5, "p", "g"]], [[5, "p", "f"], [5, "p", "g"], [5, "p", "gone"]]);
  const [f, g, gone] = treeOf(data).children[0].children;
  assert.equal(changeOf(f, 1), 0.5);
  assert.equal(changeOf(g, 1), 0);
  assert.equal(changeOf(gone, 1), -1);
  assert.equal(changeOf(g, 2), -0.5);
});

test("100,000 nodes keep their sums, and the layout has no more than it can show", () => {
  const depth = [], frame = [], weight = [];
  for (let i = 0; i < 100_000; ++i) {
    depth.push(i % 40);
    frame.push((i * 7919) % 5000);
    weight.push((i * 31) % 100);
  }
  const data = { nodes: { depth, frame, weight, count: weight } };
  const began = performance.now();
  const root = treeOf(data);
  const reversed = callersTreeOf(root);
  const most = Math.max(layoutOf(root, 1500).length, layoutOf(reversed, 1500).length);
  const sums = frameSums(root, 5000);
  console.log(`# ${Math.round(performance.now() - began)} ms`);
  assert.equal(root.total, weight.reduce((sum, one) => sum + one, 0));
  assert.equal(sums.reduce((sum, one) => sum + one.self, 0), root.total);
  assert.ok(most < 1500 * 41);
});
