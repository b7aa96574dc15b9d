// Functions of the page of `etl view`. Run by node --test.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { foundActions, keyText } from "../../tools/pages/view/view_actions.mjs";
import { bytesOfHex, dumpLines, fieldAt } from "../../tools/pages/view/view_bytes.mjs";
import { Alignment, extentOf, isAlignment, markedAt, offsetOf } from "../../tools/pages/view/view_alignment.mjs";
import { offsetWords } from "../../tools/pages/view/view_alignment_bar.mjs";
import { patchAfter, stateBefore } from "../../tools/pages/view/view_before.mjs";
import { linksOf } from "../../tools/pages/view/view_chain.mjs";
import { AskError, Client, NoAnswerError } from "../../tools/pages/view/view_client.mjs";
import { ColorBook } from "../../tools/pages/name_colors.mjs";
import { stateColor, threadState, threadStates } from "../../tools/pages/view/view_colors.mjs";
import { completionsOf, KnownNames } from "../../tools/pages/view/view_complete.mjs";
import { filterOfEvent, nameOfField } from "../../tools/pages/view/view_detail.mjs";
import { fieldsOfText, rowAtTime, textOfFields, withCell } from "../../tools/pages/view/view_events.mjs";
import { stepsOf, switchAfter } from "../../tools/pages/view/view_follow.mjs";
import { placeOfRows, scrollScale } from "../../tools/pages/view/view_grid.mjs";
import { liveTexts } from "../../tools/pages/view/view_live.mjs";
import { keyAfter, keyBefore, matchedTree } from "../../tools/pages/view/view_match.mjs";
import { pictureOf, Pictures, recordsAt, stretchOf, trackKey } from "../../tools/pages/view/view_lod.mjs";
import { countsOf, sumsOf } from "../../tools/pages/view/view_overview.mjs";
import { areMoves, movedTree, movesWith, pinsWith, siblingsOf } from "../../tools/pages/view/view_order.mjs";
import { isPaintedAsRecords, paintTrack, PixelPaper, wideRecords } from "../../tools/pages/view/view_paint.mjs";
import { areHeights, heightName, heightsWith, nextHeight, rowAtPlace, topsOf } from "../../tools/pages/view/view_places.mjs";
import { isRegions, regionsOfTree, treeOfXml } from "../../tools/pages/view/view_regions.mjs";
import { bothWheres, nodeOf, ownKey, pathOf, rowsOf, scopeOfTracks, toggledToShow, trackTree } from "../../tools/pages/view/view_rows.mjs";
import { savedView, viewOfText } from "../../tools/pages/view/view_save.mjs";
import { isRules, letterOfRule, nextColor, ruleColors, ruleOf, rulesWithCell, rulesWithNew, ruleText, withMoved } from "../../tools/pages/view/view_rules.mjs";
import { filterOfEnd, linesOfSpans, pairedMoments, spanBeside, spansOf } from "../../tools/pages/view/view_spans.mjs";
import { addressOf, firstState, isStep, Model, stateOf } from "../../tools/pages/view/view_state.mjs";
import { columnWidths, firstPanel, panelsOfTables } from "../../tools/pages/view/view_subjects.mjs";
import { eventsFilter, headingOf, inReadingOrder } from "../../tools/pages/view/view_table.mjs";
import { axisLabels, labelStep } from "../../tools/pages/time_axis.mjs";
import { clockText, filetimeOf, filetimeOfText, keptWithin, momentOf, offsetText, partWithin, windowOfText, zoomed } from "../../tools/pages/view/view_time.mjs";
import { Viewer } from "../../tools/pages/view/view_viewer.mjs";
import { contrastOf } from "../../tools/pages/flame_colors.mjs";
import { modulesOf } from "./page_of_files.mjs";
import { lodBytes, startServer } from "./view_server.mjs";

const pages = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "tools", "pages");
const begin = 133_604_000_000_000_000n; // 2024-05-17T06:13:20Z
const second = 1_000_000_000n;
const trace = { begin, length: 60n * second };

const track = (kind, more = {}) => ({ kind, process: null, pid: null, id: null, name: null, busy_ns: null, count: 1, bytes: null, ...more });
const kettle = { process: "kettle.exe", pid: 100 };
const many = Array.from({ length: 30 }, (_, i) => track("events", { name: `Contoso-Tea-${i}`, count: 1 }));
const some = [
  track("processor", { id: 1, busy_ns: 5 }),
  track("processor", { id: 0, busy_ns: 5 }),
  track("interrupts", { id: 0, busy_ns: 1 }),
  track("thread", { ...kettle, id: 104, busy_ns: 10 }),
  track("thread", { ...kettle, id: 108, busy_ns: 20, name: "Boiler" }),
  track("thread", { process: "cup.exe", pid: 300, id: 304, busy_ns: 0, count: 0 }),
  track("samples", { ...kettle, count: 7 }),
  track("disk", { id: 0 }),
  track("events", { name: "Contoso-Kettle", count: 50 }),
];

test("the files of the page are those that its modules need, each after those that it imports", () => {
  const names = (paths) => paths.map((path) => path.replace(/.*\//, ""));
  const [, list] = /view_files\[\] = \{([^}]*)\}/.exec(readFileSync(join(pages, "page.cpp"), "utf8"));
  const listed = [...list.matchAll(/"([^"]+\.mjs)"/g)].map(([, name]) => name);
  const needed = modulesOf(join(pages, "view", "view_page.mjs"));
  assert.deepEqual([...listed].sort(), names(needed).sort());
  for (const path of needed) {
    const imported = names(modulesOf(path)).filter((name) => name !== names([path])[0]);
    assert.deepEqual(imported.filter((name) => listed.indexOf(name) > listed.indexOf(names([path])[0])), [], path);
  }
});

test("exported names are those of one module only, because pages share them", () => {
  const names = modulesOf(join(pages, "view", "view_page.mjs")).flatMap((path) => [...readFileSync(path, "utf8").matchAll(/^export (?:function|class|const) (\w+)/gm)].map(([, name]) => name));
  assert.deepEqual(names.filter((name, i) => names.indexOf(name) !== i), []);
});

test("times are exact to the tick", () => {
  assert.equal(filetimeOf(begin, 1_234_567_800n), "133604000012345678");
  assert.equal(filetimeOf(begin, -50n), "133603999999999999");
  assert.equal(filetimeOfText("2024-05-17T04:00:00.0126713Z"), 133_603_920_000_126_713n);
  assert.equal(clockText(begin, 100n), "06:13:20.0000001");
  assert.equal(clockText(begin, 0n, true), "2024-05-17 06:13:20.0000000");
  assert.equal(filetimeOfText("nonsense"), null);
  assert.equal(offsetText(3_200_000_000n), "+3.2 s");
  assert.equal(offsetText(-100n), "\u22120.0000001 s");
});

test("typed times have the forms of filters", () => {
  assert.equal(momentOf("+3.2s", trace), 3_200_000_000n);
  assert.equal(momentOf("1.5 ms", trace), 1_500_000n);
  assert.equal(momentOf("-10s", trace), 50n * second);
  assert.equal(momentOf("133604000010000000", trace), second);
  assert.equal(momentOf("06:13:21.5", trace), 1_500_000_000n);
  assert.equal(momentOf("6:14", trace), 40n * second);
  assert.equal(momentOf("2024-05-17T06:13:22Z", trace), 2n * second);
  for (const text of ["", "kettle", "1", "+", "12:00:00:00", "9e9s", "<img>"]) {
    assert.equal(momentOf(text, trace), null, text);
  }
  assert.deepEqual(windowOfText("+1s .. +2s", trace, 0n), { from: second, to: 2n * second });
  assert.deepEqual(windowOfText("+10s", trace, 2n * second), { from: 9n * second, to: 11n * second });
  assert.equal(windowOfText("+2s .. +1s", trace, 0n), null);
});

test("a window stays within the trace, and is never empty", () => {
  const all = { from: 0n, to: 1000n };
  assert.deepEqual(keptWithin({ from: -5n, to: 15n }, all), { from: 0n, to: 20n });
  assert.deepEqual(keptWithin({ from: 995n, to: 1015n }, all), { from: 980n, to: 1000n });
  assert.deepEqual(keptWithin({ from: 500n, to: 501n }, all), { from: 490n, to: 510n });
  assert.deepEqual(keptWithin({ from: -500n, to: 5000n }, all), { from: 0n, to: 1000n });
  assert.deepEqual(partWithin({ from: -500n, to: 400n }, all), { from: 0n, to: 400n });
  assert.deepEqual(partWithin({ from: 100n, to: 5000n }, all), { from: 100n, to: 1000n });
  assert.deepEqual(partWithin({ from: -50n, to: 1n }, all), { from: 0n, to: 20n });
  assert.equal(partWithin({ from: 1000n, to: 2000n }, all), null);
  assert.equal(partWithin({ from: -9n, to: 0n }, all), null);
  const beside = { from: -100n, to: 900n };
  assert.deepEqual(keptWithin({ from: -150n, to: 50n }, beside), { from: -100n, to: 100n });
  assert.deepEqual(keptWithin({ from: 850n, to: 950n }, beside), { from: 800n, to: 900n });
  assert.deepEqual(partWithin({ from: -500n, to: -50n }, beside), { from: -100n, to: -50n });
  assert.deepEqual(zoomed({ from: 0n, to: 1000n }, 0.5, 0.25), { from: 125n, to: 625n });
});

test("an axis has few labels, from years to ticks", () => {
  assert.equal(labelStep(10e9, 10), 1e9);
  assert.equal(labelStep(3600e9 * 24, 8), 10_800e9);
  assert.deepEqual(axisLabels(0n, 60n * second, 12).labels.map(({ text }) => text).slice(0, 3), ["0 s", "5 s", "10 s"]);
  assert.deepEqual(axisLabels(10n * second, 10n * second + 20_000_000n, 10).labels.map(({ text }) => text).slice(0, 2), ["10.000 s", "10.002 s"]);
  assert.deepEqual(axisLabels(-25n * 10n ** 8n, 2n * second, 5).labels.map(({ text }) => text), ["\u22122 s", "\u22121 s", "0 s", "1 s", "2 s"]);
  const early = axisLabels(-500n * second, -500n * second + 20_000_000n, 10);
  assert.equal(early.base, -500n * second);
  assert.deepEqual(early.labels.map(({ text }) => text).slice(0, 2), ["+0 ms", "+2 ms"]);
  const near = axisLabels(10n * second, 10n * second + 2000n, 10);
  assert.equal(near.base, 10n * second);
  assert.deepEqual(near.labels.map(({ text }) => text).slice(0, 2), ["+0.0 \u00b5s", "+0.2 \u00b5s"]);
  for (const length of [1n, 100n, 12_345n, second, 3600n * second, 86_400n * 365n * 5n * second]) {
    const { labels } = axisLabels(0n, length, 12);
    assert.ok(labels.length > 0 && labels.length <= 14, `${length}: ${labels.length}`);
    assert.equal(new Set(labels.map(({ text }) => text)).size, labels.length, `${length}: ${labels.map(({ text }) => text)}`);
  }
  assert.ok(axisLabels(3600n * second, 7200n * second, 12).labels.some(({ text }) => text === "1:30:00"));
});

test("a state is what its address says, and the other way round", () => {
  const state = { ...firstState(), window: { from: 5n, to: 9n }, selection: { from: -1n, to: 12n }, tracks: ["thread/1/2/a/b", "x&y=#"], panel: "events", where: 'provider == "A & B" || x = 1', reversed: true, event: [1, 2, 3], follow: [4, "133604000010000000", 1], marks: [{ at: "7", text: "\u00e4 \u202e" }], share: 0.02, moment: 3n };
  assert.deepEqual(stateOf(addressOf(state, "t")), state);
  assert.equal(addressOf(firstState()), "");
  assert.equal(addressOf(firstState(), "t0ken"), "token=t0ken");
});

test("what is not valid in an address is left out", () => {
  for (const address of ["window=9_5", "window=a_b", "window=1_", "event=%5B1%5D", "event=x", "tracks=%5B1%5D", "marks=%5B%7B%7D%5D", "marks=null", "moment=1e5", "share=NaN", "unknown=1", "%"]) {
    assert.deepEqual(stateOf(address), firstState(), address);
  }
});

test("changes of the view are steps, others are not", () => {
  const state = firstState();
  assert.ok(isStep(state, { ...state, window: { from: 0n, to: 1n } }));
  assert.ok(isStep(state, { ...state, where: "x" }));
  assert.ok(!isStep(state, { ...state, window: null, split: 0.2, toggled: ["a"], row: 5 }));
  const done = [];
  const model = new Model({ read: () => "token=t", push: (address) => done.push(["push", address]), replace: (address) => done.push(["replace", address]) });
  model.change({ split: 0.3 });
  model.settle();
  model.change({ window: { from: 0n, to: 5n } });
  model.change({ window: { from: 0n, to: 6n } });
  model.settle();
  assert.deepEqual(done, [["replace", "token=t&split=0.3"], ["push", "token=t&window=0_6&split=0.3"]]);
});

test("a window that moves on by itself is no step", () => {
  const done = [];
  const model = new Model({ read: () => "token=t", push: (address) => done.push(["push", address]), replace: (address) => done.push(["replace", address]) });
  model.change({ window: { from: 0n, to: 5n } });
  model.settle();
  model.drift({ window: { from: 1n, to: 6n } });
  model.settle();
  assert.deepEqual(done, [["push", "token=t&window=0_5"], ["replace", "token=t&window=1_6"]]);
  model.change({ window: { from: 0n, to: 3n } });
  model.drift({ window: { from: 1n, to: 4n } });
  model.settle();
  assert.deepEqual(done.slice(2), [["push", "token=t&window=0_3"], ["replace", "token=t&window=1_4"]], "a change shortly before is one");
});

test("back keeps what describes no view", () => {
  let address = "window=0_5";
  const model = new Model({ read: () => address, push: (text) => (address = text), replace: (text) => (address = text) });
  model.change({ window: { from: 0n, to: 9n }, marks: [{ at: "7", text: "tea" }], pins: ["a"], split: 0.3 });
  model.settle();
  address = "window=0_5";
  model.reread(true);
  assert.deepEqual([model.state.window.to, model.state.marks.length, model.state.pins, model.state.split], [5n, 1, ["a"], 0.3]);
  assert.deepEqual(stateOf(address), model.state);
  address = "window=0_5"; // typed
  model.reread(false);
  assert.deepEqual(model.state.marks, []);
});

test("the filter that is typed is found in that of a question", () => {
  assert.deepEqual(bothWheres("", "a"), { text: "a", at: 0 });
  assert.deepEqual(bothWheres("cpu == 1", ""), { text: "cpu == 1", at: 0 });
  const { text, at } = bothWheres("cpu == 1", "a || b");
  assert.equal(text, "(cpu == 1) && (a || b)");
  assert.equal(text.indexOf("a ||"), at);
});

test("what failed at the start is asked again", async () => {
  const asked = [];
  let fails = true;
  const opened = { begin: String(begin), end: String(begin + 10n), state: "ready", progress: null, revision: 1 };
  const ask = async (name) => {
    asked.push(name);
    if (fails) {
      throw new RangeError("no memory");
    }
    return name === "tracks" ? { tracks: some } : opened;
  };
  const viewer = new Viewer({ ask }, { state: firstState(), follow() {} });
  for (const isFailing of [true, false, true, false, false]) {
    fails = isFailing;
    await viewer.askNext().catch(() => {});
  }
  assert.deepEqual(asked, ["open", "open", "tracks", "tracks", "wait"]);
  assert.equal(viewer.tracks, some);
});

/** A viewer of a trace of 60 s that grows, without a server: {viewer, grow(seconds, why)}. */
function growingViewer(address = "") {
  const asked = [];
  const client = { ask: async (name, question) => (asked.push([name, question]), { tracks: some }) };
  const viewer = new Viewer(client, new Model({ read: () => address, push: () => {}, replace: () => {} }));
  const grow = (seconds, why = "") => {
    const end = String(begin + BigInt(seconds) * 10_000_000n);
    viewer.take({ state: "ready", revision: seconds, begin: String(begin), end, bytes: 1000 * seconds, progress: null, growth: { has_ended: why !== "", why } });
    viewer.hasTracks ||= seconds === 60;
  };
  grow(60);
  return { viewer, grow, asked };
}

const windowOf = ({ window: { from, to } }) => [Number(from / second), Number(to / second)];

test("a window at the end of a trace that grows follows it, any other one stays", () => {
  const all = growingViewer();
  all.grow(70);
  assert.deepEqual(windowOf(all.viewer), [0, 70]);
  assert.deepEqual([all.viewer.isFollowing, all.viewer.hasTracks], [true, false]);
  assert.deepEqual(all.viewer.selection(), { to: String(begin + 700_000_001n) }); // of what is shown, also when it is asked later
  const end = growingViewer(`window=${50n * second}_${60n * second}`);
  end.grow(70);
  assert.deepEqual(windowOf(end.viewer), [60, 70]);
  const middle = growingViewer(`window=${20n * second}_${30n * second}`);
  middle.grow(70);
  assert.deepEqual(windowOf(middle.viewer), [20, 30]);
  assert.deepEqual([middle.viewer.isFollowing, middle.viewer.restNs], [false, 40n * second]);
  middle.viewer.toggleLive();
  assert.deepEqual(windowOf(middle.viewer), [60, 70]);
  assert.ok(middle.viewer.isFollowing);
});

test("pausing keeps what is seen of a trace that grows", async () => {
  const { viewer, grow, asked } = growingViewer();
  viewer.toggleLive();
  const before = viewer.selection();
  grow(70);
  grow(80);
  assert.deepEqual([windowOf(viewer), viewer.restNs, viewer.hasTracks], [[0, 60], 20n * second, true]);
  assert.deepEqual([viewer.selection(), viewer.opened.revision], [before, 80]);
  viewer.toggleLive();
  assert.deepEqual([windowOf(viewer), viewer.restNs, viewer.isFollowing], [[0, 80], 0n, true]);
  assert.deepEqual(asked, [["tracks", { selection: { to: String(begin + 800_000_001n) } }]]);
  viewer.toggleLive();
  grow(90, "The session has ended.");
  assert.deepEqual([windowOf(viewer), viewer.isFollowing, viewer.restNs], [[0, 80], false, 10n * second]);
  viewer.toggleLive();
  assert.deepEqual([windowOf(viewer), viewer.isFollowing, viewer.restNs], [[0, 90], false, 0n]);
});

test("a trace that does not grow is asked about as a whole, and is not followed", () => {
  const viewer = new Viewer({}, { state: firstState(), follow() {} });
  viewer.take({ state: "ready", revision: 1, begin: String(begin), end: String(begin + 10n), bytes: 1, progress: null, growth: null });
  viewer.toggleLive();
  assert.deepEqual([viewer.selection(), viewer.isFollowing, viewer.isPaused], [{}, false, false]);
});

test("what is added to a trace is told in words", () => {
  const live = { isFollowing: true, hasEnded: false, why: "", addedNs: 0n, restNs: 0n };
  assert.deepEqual([liveTexts(live).label, liveTexts(live).note], ["Live", ""]);
  assert.equal(liveTexts({ ...live, addedNs: 3n * second }).note, "3 s added");
  const paused = { ...live, isFollowing: false, restNs: 2n * second };
  assert.deepEqual([liveTexts(paused).label, liveTexts(paused).note], ["Live: paused", "2 s more"]);
  const ended = { ...paused, hasEnded: true, why: "Gone.\u202e" };
  assert.deepEqual([liveTexts(ended).label, liveTexts(ended).note], ["Ended", "2 s more \u00b7 Gone.\\u{202e}"]);
});

test("a panel whose question is replaced by its own next one is not to ask anew", async () => {
  const answers = [];
  const client = { latest: () => new Promise((done) => answers.push(done)) };
  const viewer = new Viewer(client, { state: firstState(), follow() {} });
  const [one, other] = [{ asked: "q" }, { asked: "p" }];
  const first = viewer.askFor(one, "table", {});
  const next = viewer.askFor(one, "table", {});
  answers[0](null);
  await first;
  assert.equal(one.asked, "q");
  viewer.askFor(other, "table", {});
  answers[1](null);
  await next;
  assert.deepEqual([one.asked, other.asked], [null, "p"]);
});

const other = [
  track("processor", { id: 0, busy_ns: 5 }),
  track("thread", { process: "Cup.exe", pid: 77, id: 80, busy_ns: 90 }),
  track("thread", { process: "kettle.exe", pid: 55, id: 56, busy_ns: 1, name: "Boiler" }),
  track("thread", { process: "kettle.exe", pid: 55, id: 57, busy_ns: 9 }),
  track("thread", { process: "spoon.exe", pid: 66, id: 67, busy_ns: 99 }),
  track("events", { name: "Contoso-Kettle", count: 5 }),
];

test("tracks of two traces are paired by their names, and have the order of the first one", () => {
  const after = trackTree(some);
  const match = matchedTree(after, trackTree(other));
  const processes = match.tree.find(({ key }) => key === "group/processes").children;
  assert.deepEqual(processes.map(({ label }) => label), ["spoon.exe (66)", "kettle.exe (55)", "Cup.exe (77)"]); // the first one is alone, and follows none
  assert.deepEqual(processes[1].children.map(({ label }) => label), ["57", "56 Boiler"]);
  const thread = (process, pid, id, name = "") => `thread/${pid}/${id}/${process}/${name}`;
  const key = thread("kettle.exe", 100, 108, "Boiler");
  assert.equal(keyBefore(key, match), thread("kettle.exe", 55, 56, "Boiler"));
  assert.equal(keyBefore(`top/pins/${key}`, match), `top/pins/${thread("kettle.exe", 55, 56, "Boiler")}`);
  assert.equal(keyBefore(thread("kettle.exe", 100, 104), match), null); // threads without names are not guessed
  const alone = thread("kettle.exe", 55, 57);
  assert.equal(keyBefore(keyAfter(alone, match), match), alone);
  assert.equal(keyAfter("process/55/kettle.exe", match), "process/100/kettle.exe");
  const isOpen = new Map(after.find(({ key: one }) => one === "group/processes").children.map((node) => [node.label.replace(/ .*/, "").toLowerCase(), node.isOpen]));
  processes.slice(1).forEach((node) => assert.equal(node.isOpen, isOpen.get(node.label.replace(/ .*/, "").toLowerCase()), node.label));
  assert.deepEqual(matchedTree([], []).tree, []);
});

test("traces are aligned by their begins, marks, or events, at whole ticks", () => {
  assert.equal(offsetOf(null), 0n);
  assert.equal(offsetOf({ after: 1000n, before: 3050n }), 2000n);
  assert.equal(offsetOf({ after: 3050n, before: 1000n }), -2000n);
  assert.deepEqual(extentOf(100n, 80n, 0n), { from: 0n, to: 100n });
  assert.deepEqual(extentOf(100n, 150n, 0n), { from: 0n, to: 150n });
  assert.deepEqual(extentOf(100n, 80n, 30n), { from: -30n, to: 100n });
  assert.deepEqual(extentOf(100n, 80n, -30n), { from: 0n, to: 110n });
  const first = markedAt(null, "after", 500n, 200n);
  assert.deepEqual(first, { by: "mark", after: "500", before: "700" }); // nothing moves yet
  assert.deepEqual(markedAt(first, "before", 900n, 200n), { by: "mark", after: "500", before: "900" });
  assert.deepEqual(markedAt({ by: "event", where: "id == 1" }, "before", 900n, 200n), { by: "mark", after: "700", before: "900" });
  for (const wrong of [{}, { by: "mark", after: 5, before: "1" }, { by: "mark", after: "x", before: "1" }, { by: "event" }, { by: "event", where: "x".repeat(9000) }, "start", [1]]) {
    assert.equal(isAlignment(wrong), false, JSON.stringify(wrong));
  }
  const state = { ...firstState(), compared: true, aligned: first };
  assert.deepEqual(stateOf(addressOf(state)), state);
  assert.equal(stateOf(addressOf({ ...state, aligned: { by: "event", where: "id == 7 && data.X == \"y\"" } })).aligned.where, 'id == 7 && data.X == "y"');
  assert.equal(stateOf("aligned=%7B%22by%22%3A1%7D").aligned, null);
  assert.equal(offsetWords(2n * second), "its times are 2 s later");
  assert.equal(offsetWords(-2n * second), "its times are 2 s earlier");
});

test("an event that is looked for aligns traces only as long as it is wanted", async () => {
  const answers = [];
  const firstEvent = (time) => ({ columns: ["row", "time"], rows: time === null ? [] : [[0, String(time)]] });
  const told = [];
  const viewer = {
    isCompared: true,
    isReady: true,
    state: { aligned: { by: "event", where: "id == 1" } },
    opened: { inputs: ["after.etl"], against: ["before.etl"] },
    about: {},
    begin,
    before: { about: { is_about_before: true }, begin: begin + 500n },
    client: { latest: (slot, name, question) => new Promise((done, fail) => answers.push({ question, done, fail })) },
    tell: (kind) => told.push(kind),
  };
  const alignment = new Alignment(/** @type {any} */ (viewer));
  const settled = () => new Promise((done) => setTimeout(done, 0));
  alignment.update();
  alignment.update(); // is not asked twice
  assert.deepEqual(answers.map(({ question }) => question.is_about_before ?? false), [false, true]);
  assert.equal(alignment.isKnown, false);
  answers[0].done(firstEvent(begin + 10n));
  answers[1].done(firstEvent(begin + 500n + 40n));
  await settled();
  assert.deepEqual([alignment.points, alignment.offset, alignment.isKnown], [{ after: 1000n, before: 4000n }, 3000n, true]);
  viewer.state = { aligned: { by: "event", where: "id == 2" } };
  alignment.update();
  viewer.state = { aligned: { by: "mark", after: "0", before: "900" } };
  alignment.update();
  answers[2].done(firstEvent(begin));
  answers[3].done(firstEvent(begin + 900n));
  await settled();
  assert.equal(alignment.offset, 900n);
  viewer.state = { aligned: { by: "event", where: "id == 3" } };
  alignment.update();
  answers[4].done(firstEvent(begin));
  answers[5].done(firstEvent(null));
  await settled();
  assert.deepEqual([alignment.offset, alignment.problem], [0n, "No event matches in before.etl: aligned by start"]);
  viewer.isCompared = false;
  alignment.update();
  assert.deepEqual([alignment.points, alignment.problem, alignment.isKnown], [null, "", true]);
  assert.equal(told.length, 4);
});

test("an event that was looked for does not align traces that are aligned as before again", async () => {
  const answers = [];
  const viewer = { isCompared: true, isReady: true, state: { aligned: null }, opened: { inputs: [], against: [] }, about: {}, begin, before: { about: { is_about_before: true }, begin }, client: { latest: () => new Promise((done) => answers.push(done)) }, tell: () => {} };
  const alignment = new Alignment(/** @type {any} */ (viewer));
  alignment.update();
  viewer.state = { aligned: { by: "event", where: "id == 1" } };
  alignment.update();
  viewer.state = { aligned: null };
  alignment.update();
  answers[0]({ columns: ["time"], rows: [[String(begin)]] });
  answers[1]({ columns: ["time"], rows: [[String(begin + 70n)]] });
  await new Promise((done) => setTimeout(done, 0));
  assert.deepEqual([alignment.offset, alignment.isKnown], [0n, true]);
});

test("the trace before shows what the page shows, at its own times and tracks", () => {
  const match = matchedTree(trackTree(some), trackTree(other));
  const boiler = trackKey({ ...kettle, kind: "thread", id: 108, name: "Boiler" });
  const own = trackKey({ kind: "thread", process: "kettle.exe", pid: 55, id: 56, name: "Boiler" });
  const nameless = trackKey({ ...kettle, kind: "thread", id: 104, name: null });
  const state = { ...firstState(), window: { from: 10n, to: 20n }, moment: 15n, current: boiler, pins: [nameless, boiler], heights: [[boiler, "tall"]], moves: [[boiler, nameless], [boiler, ""]], scroll: 7, marks: [{ at: "1", text: "" }] };
  const before = stateBefore(state, 5n, match);
  assert.deepEqual([before.window, before.selection, before.moment], [{ from: 15n, to: 25n }, null, 20n]);
  assert.deepEqual([before.current, before.pins, before.heights, before.moves], [own, [own], [[own, "tall"]], [[own, ""]]]);
  assert.deepEqual([before.scroll, before.marks], [0, []]);
  const again = stateBefore({ ...state, moment: 16n }, 5n, match, { of: state, offset: 5n, match, state: before });
  assert.equal(again.window, before.window); // what did not change is the same
  assert.equal(again.pins, before.pins);
  assert.equal(again.moment, 21n);
  const patch = { window: { from: 5n, to: 15n }, selection: null, moment: 8n, current: own, pins: [], scroll: 3 };
  assert.deepEqual(patchAfter(patch, state, 5n, match), { window: { from: 0n, to: 10n }, selection: null, moment: 3n, current: boiler, pins: [nameless] });
  // What only the other trace has stays where it is, also as a part of a move.
  const second = trackKey({ ...kettle, kind: "thread", id: 112, name: null });
  const pinned = { ...state, pins: [nameless, boiler, second], moves: [[boiler, nameless]] };
  assert.deepEqual(patchAfter({ pins: [] }, pinned, 5n, match).pins, [nameless, second]);
  assert.deepEqual(patchAfter({ pins: [own] }, pinned, 5n, match).pins, [nameless, boiler, second]);
  assert.deepEqual(patchAfter({ moves: [] }, pinned, 5n, match).moves, [[boiler, nameless]]);
  assert.deepEqual(patchAfter({ moves: [[own, ""]] }, pinned, 5n, match).moves, [[boiler, ""]]);
  // A selection of tracks takes the place of another one, and is of tracks that panels can be about.
  assert.deepEqual(patchAfter({ tracks: [own, "thread/only/before"] }, { ...pinned, tracks: [nameless] }, 5n, match).tracks, [boiler]);
});

test("tracks are a tree of groups, the busiest first", () => {
  const tree = trackTree(some);
  assert.deepEqual(tree.map(({ label }) => label), ["Processors", "Disks", "Processes", "Events by provider"]);
  assert.deepEqual(tree[0].children.map(({ label }) => label), ["CPU 0", "CPU 0 interrupts", "CPU 1"]);
  const [first, other] = tree[2].children;
  assert.equal(first.label, "kettle.exe (100)");
  assert.equal(first.track.kind, "samples");
  assert.deepEqual(first.children.map(({ label }) => label), ["108 Boiler", "104"]);
  assert.equal(other.label, "cup.exe (300)");
  assert.deepEqual(trackTree([]), []);
});

test("rows are those of open groups, filtered, and pinned", () => {
  const tree = trackTree([...some, ...many]);
  const labels = (state) => rowsOf(tree, { ...firstState(), ...state }).map(({ label }) => label);
  assert.ok(labels({}).includes("108 Boiler")); // the busiest process is open
  assert.ok(!labels({}).includes("304"));
  assert.deepEqual(labels({ filter: "boil" }), ["Processes", "kettle.exe (100)", "108 Boiler"]);
  assert.deepEqual(labels({ filter: "cup" }), ["Processes", "cup.exe (300)", "304"]);
  assert.deepEqual(labels({ filter: "nothing" }), []);
  assert.ok(!labels({ hidesIdle: true }).includes("cup.exe (300)"));
  assert.ok(!labels({ toggled: ["group/processes"] }).includes("kettle.exe (100)"));
  const key = trackKey(some[5]);
  assert.deepEqual(labels({ pins: [key] }).slice(0, 2), ["Pinned", "thread 304 of cup.exe (300)"]);
  const rows = rowsOf(tree, { ...firstState(), toggled: ["process/300/cup.exe"], pins: [key] }, [key]);
  assert.equal(rows.filter((row) => ownKey(row.key) === key).length, 3);
  assert.equal(new Set(rows.map((row) => row.key)).size, rows.length);
  assert.ok(rowsOf(trackTree(some), firstState()).some(({ label }) => label === "304")); // few tracks: all are shown
  assert.deepEqual(rowsOf(tree, firstState(), [key]).slice(0, 2).map(({ label }) => label), ["Who ended the wait", "thread 304 of cup.exe (300)"]);
});

test("ten thousand threads are rows", () => {
  const many = Array.from({ length: 10_000 }, (_, i) => track("thread", { process: "many.exe", pid: 1 + (i % 3), id: i, busy_ns: i }));
  const tree = trackTree(many);
  const toggled = tree[0].children.map(({ key }) => key);
  assert.equal(rowsOf(tree, { ...firstState(), toggled }).length, 10_004);
});

test("tracks are moved within their groups", () => {
  const tree = trackTree(some);
  const keysOf = (nodes) => nodes.map(({ key }) => key);
  const processors = tree.find(({ key }) => key === "group/processors");
  const [first, interrupts, second] = keysOf(processors.children);
  const moved = (...moves) => keysOf(movedTree(tree, moves)[0].children);
  assert.equal(movedTree(tree, []), tree);
  assert.deepEqual(moved([second, first]), [second, first, interrupts]);
  assert.deepEqual(moved([first, ""]), [interrupts, second, first]);
  assert.deepEqual(moved([first, second]), [interrupts, first, second]);
  assert.deepEqual(moved([first, ""], [second, interrupts]), [second, interrupts, first]);
  assert.deepEqual(moved([first, "group/disks"], ["nothing", first], [first, first]), [first, interrupts, second], "other groups");
  assert.deepEqual(keysOf(movedTree(tree, [["group/events", "group/processors"]])).slice(0, 2), ["group/events", "group/processors"]);
  const thread = tree.find(({ key }) => key === "group/processes").children[0].children;
  assert.equal(movedTree(tree, [[thread[1].key, thread[0].key]]).find(({ key }) => key === "group/processes").children[0].children[0].key, thread[1].key);
  assert.deepEqual(movesWith([["a", "b"], ["c", "d"]], "a", ""), [["c", "d"], ["a", ""]]);
  assert.equal(Array.from({ length: 300 }, (_, i) => String(i)).reduce((moves, key) => movesWith(moves, key, ""), []).length, 200);
  assert.deepEqual(pinsWith(["a", "b", "c"], "c", "a"), ["c", "a", "b"]);
  assert.deepEqual(pinsWith(["a", "b", "c"], "a", ""), ["b", "c", "a"]);
});

test("the rows of a group are siblings", () => {
  const rows = [{ level: 0, isTop: true }, { level: 1, isTop: true }, { level: 1, isTop: true }, { level: 0 }, { level: 1 }, { level: 2 }, { level: 2 }, { level: 1 }, { level: 0 }];
  assert.deepEqual(siblingsOf(rows, 1), [1, 2]);
  assert.deepEqual(siblingsOf(rows, 3), [3, 8]);
  assert.deepEqual(siblingsOf(rows, 4), [4, 7]);
  assert.deepEqual(siblingsOf(rows, 6), [5, 6]);
});

test("tracks have three heights", () => {
  const rows = [{ key: "group", track: null }, { key: "a", track: {} }, { key: "top/pins/b", track: {} }, { key: "c", track: {} }];
  assert.deepEqual([...topsOf(rows, { height: "", heights: [] })], [0, 20, 40, 60, 80]);
  assert.deepEqual([...topsOf(rows, { height: "tall", heights: [["b", "compact"], ["c", "usual"]] })], [0, 20, 64, 78, 98]);
  assert.deepEqual([...topsOf([], { height: "", heights: [] })], [0]);
  const tops = topsOf(rows, { height: "", heights: [["a", "tall"]] });
  assert.deepEqual([-5, 0, 19, 20, 63, 64, 1e9].map((y) => rowAtPlace(tops, y)), [0, 0, 0, 1, 1, 2, 3]);
  assert.equal(rowAtPlace(topsOf([], { height: "", heights: [] }), 5), 0);
  assert.equal(heightName(rows[1], "compact", new Map()), "compact");
  assert.deepEqual(["compact", "usual", "tall"].map(nextHeight), ["usual", "tall", "compact"]);
  assert.deepEqual(heightsWith([["a", "tall"]], "a", "usual", ""), []);
  assert.deepEqual(heightsWith([["a", "tall"]], "b", "usual", "compact"), [["a", "tall"], ["b", "usual"]]);
});

test("order and heights of an address are valid, or as they are at first", () => {
  const state = { ...firstState(), height: "tall", heights: [["a", "compact"]], moves: [["a", "b"]], pins: ["c"] };
  assert.deepEqual(stateOf(addressOf(state)), state);
  for (const address of ["height=huge", "height=constructor", "heights=%5B%5B%22a%22%2C%22huge%22%5D%5D", "heights=%5B1%5D", "moves=%5B%5B%22a%22%5D%5D", "moves=%7B%7D"]) {
    assert.deepEqual(stateOf(address), firstState(), address);
  }
  assert.equal(areMoves(Array(201).fill(["a", "b"])), false);
  assert.equal(areHeights(Array(201).fill(["a", "tall"])), false);
});

test("a hidden track is shown by opening its groups", () => {
  const tree = trackTree([...some, ...many]);
  const key = trackKey(some[5]);
  assert.deepEqual(pathOf(tree, key).map(({ label }) => label), ["Processes", "cup.exe (300)"]);
  const toggled = toggledToShow(tree, key, ["group/processes"]);
  assert.deepEqual(toggled, ["process/300/cup.exe"]);
  assert.ok(rowsOf(tree, { ...firstState(), toggled }).some((row) => row.key === key));
  assert.equal(pathOf(tree, "thread/0"), null);
});

test("selected tracks narrow questions to what they can be about", () => {
  const tree = trackTree(some);
  const scope = (...tracks) => scopeOfTracks(tracks.map((one) => nodeOf(tree, trackKey(one))));
  assert.deepEqual(scope(some[3], some[4]), { processes: ["100"], where: "", text: "kettle.exe (100)" });
  assert.deepEqual(scopeOfTracks([nodeOf(tree, trackKey(some[3]))], true).processes, ["kettle.exe"]); // IDs are of one trace
  assert.deepEqual(scope(some[0]), { processes: [], where: "cpu == 1", text: "CPU 1" });
  assert.equal(scopeOfTracks([{ track: track("events", { name: 'a"b' }), label: "a" }]).where, 'provider == "a""b"');
});

test("comparisons begin with what changed", () => {
  const names = ["process", "a_samples", "b_samples", "a_running_ns", "b_running_ns", "change_percent"];
  const columns = names.map((name) => ({ column: { name, key: name === "process", unit: "count" } }));
  const shown = (sort) => inReadingOrder(columns, sort).map(({ column }) => column.name);
  assert.deepEqual(shown("b_running_ns"), ["process", "a_running_ns", "b_running_ns", "change_percent", "a_samples", "b_samples"]);
  assert.deepEqual(shown("change_percent"), ["process", "change_percent", "a_samples", "b_samples", "a_running_ns", "b_running_ns"]);
  const plain = columns.slice(0, 3);
  assert.equal(inReadingOrder(plain, "a_samples"), plain);
  assert.equal(headingOf(columns[1].column, true), "samples before");
  assert.equal(headingOf(columns[2].column, true), "samples after");
  assert.equal(headingOf(columns[2].column, false), "b samples");
});

const header = { base_ns: "-50", bin_ns: 100, bins: 10, tracks: [{ kind: "thread", process: "kettle.exe", pid: 100, id: 104, name: null }, { kind: "events", process: null, pid: null, id: null, name: "P" }], states: ["running", "Executive", "level 4"], state_of: [null, null, null], is_exact: true, remarks: [] };
const records = [[1, 3, 1, 2, 0, 5, 10], [0, 2, 4, 1, 1, 0, 0], [0, 0, 1, 0, 0.25, 1, 0], [0, 0, 1, 1, 0.75, 1, 0], [0, 6, 2, 1, 1, 1, 0]];
const arrayBuffer = (bytes) => bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
const picture = () => pictureOf(arrayBuffer(lodBytes(header, records)));

test("pictures are read from their bytes", () => {
  const made = picture();
  const key = trackKey(header.tracks[0]);
  assert.deepEqual([made.base, made.binNs, made.bins], [-50n, 100, 10]);
  assert.deepEqual(recordsAt(made, key, 0n).map((record) => made.states[made.state[record]]), ["Executive", "running"]);
  assert.deepEqual(recordsAt(made, key, 400n).map((record) => made.states[made.state[record]]), ["Executive"]);
  assert.deepEqual(recordsAt(made, key, 100n), []);
  assert.deepEqual(recordsAt(made, "nothing", 100n), []);
  const [wait] = recordsAt(made, key, 400n);
  assert.deepEqual(stretchOf(made, wait), { from: 150n, to: 750n }); // two records of the same wait
  const row = made.rows.get(key);
  assert.deepEqual(wideRecords(made, row, 0n, 1, 1000, 300).map(({ left, right }) => [left, right]), [[150, 550]]);
});

test("what is not a picture is refused", () => {
  const bytes = lodBytes(header, records);
  const changed = (change) => {
    const copy = Buffer.from(bytes);
    change(copy);
    return arrayBuffer(copy);
  };
  assert.throws(() => pictureOf(new ArrayBuffer(8)), RangeError);
  assert.throws(() => pictureOf(changed((copy) => copy.writeUInt32LE(1, 0))), RangeError);
  assert.throws(() => pictureOf(changed((copy) => copy.writeUInt32LE(2, 4))), RangeError);
  assert.throws(() => pictureOf(changed((copy) => copy.writeUInt32LE(1_000_000, 12))), RangeError);
  assert.throws(() => pictureOf(changed((copy) => copy.writeUInt32LE(0x7fffffff, 8))), RangeError);
  assert.throws(() => pictureOf(arrayBuffer(lodBytes(header, [[9, 0, 1, 0, 1, 1, 1]]))), RangeError);
});

test("the store of pictures is bounded and finds the finest one", () => {
  const store = new Pictures(5000);
  const add = (pixelNs, binNs = 100, to = 1000n) => {
    const made = { ...picture(), binNs };
    store.add(made, header.tracks, { from: 0n, to, pixelNs });
    return made;
  };
  const key = trackKey(header.tracks[0]);
  add(100);
  assert.ok(store.has(key, 0n, 1000n, 100));
  assert.ok(!store.has(key, 0n, 1000n, 10));
  assert.ok(!store.has(key, 0n, 2000n, 100));
  const last = add(50);
  assert.equal(store.of(key, 0n, 1000n).at(-1), last);
  assert.deepEqual(store.of(key, 0n, 1000n, 50), [last]); // fine enough: nothing coarser below it, however long its bins are
  assert.deepEqual(store.of(key, 0n, 1000n, 10), [last]);
  const parts = [[8, 20], [4, 10], [2, 5]].map((sizes) => add(...sizes, 300n));
  assert.deepEqual(store.of(key, 0n, 1000n, 2), [last, ...parts.slice(1)]); // one that covers all stays below
  store.age(); // the trace has grown
  assert.ok(!store.has(key, 0n, 300n, 100));
  assert.ok(store.of(key, 0n, 300n, 100).length > 0); // drawn until there is a better one
  const fresh = add(60);
  assert.deepEqual(store.of(key, 0n, 1000n, 60), [fresh]);
  const coarse = add(100, 200);
  assert.deepEqual(store.of(key, 0n, 1000n, 100), [fresh]);
  assert.deepEqual(store.of(key, 0n, 1000n).includes(coarse), false);
  for (let i = 0; i < 20; ++i) {
    add(10);
  }
  assert.ok(store.all.reduce((sum, { memory }) => sum + memory, 0) <= 5000);
  assert.deepEqual(store.of("nothing", 0n, 10n), []);
});

test("threads are painted by what they do", () => {
  const made = picture();
  const paper = new PixelPaper(new Uint32Array(10 * 10), 10, 0, 10);
  paintTrack(paper, made, made.rows.get(trackKey(header.tracks[0])), new ColorBook(), false);
  const column = (x) => Array.from({ length: 10 }, (_, y) => paper.pixels[y * 10 + x] !== 0);
  assert.equal(column(3).filter(Boolean).length, 2); // waiting: a line
  assert.equal(column(0).filter(Boolean).length, 3); // a quarter running
  assert.deepEqual(column(9).filter(Boolean), []);
});

test("sizes are painted until the next one is recorded", () => {
  const track = { kind: "heap", process: "a.exe", pid: 4, id: null, name: null };
  const made = pictureOf(arrayBuffer(lodBytes({ ...header, tracks: [track], states: ["size"], state_of: [null] }, [
    [0, 2, 1, 0, 0, 1, 500],
    [0, 6, 1, 0, 0, 2, 1000],
  ])));
  const paper = new PixelPaper(new Uint32Array(10 * 10), 10, 0, 10);
  paintTrack(paper, made, made.rows.get(trackKey(track)), new ColorBook(), false);
  const heights = Array.from({ length: 10 }, (_, x) => Array.from({ length: 10 }, (_, y) => paper.pixels[y * 10 + x] !== 0).filter(Boolean).length);
  assert.deepEqual(heights, [0, 0, 5, 5, 5, 5, 10, 10, 10, 10]);
});

test("few records are painted one by one", () => {
  assert.ok(isPaintedAsRecords({ first: 5, end: 7 }));
  assert.ok(!isPaintedAsRecords({ first: 0, end: 2000 }));
});

test("states of threads differ in lightness, and all reasons have a color", () => {
  const of = (state) => threadState(state).name;
  assert.deepEqual(["running", "ready", "Executive", "WrPageIn", "UserRequest", "WrQueue", "DelayExecution", "__proto__"].map(of), ["running", "ready", "disk", "disk", "lock", "sleep", "sleep", "lock"]);
  const [running, ready] = threadStates;
  assert.ok(contrastOf(running.light, ready.light) > 2 && contrastOf(running.dark, ready.dark) > 1.2);
  assert.ok(threadStates.every(({ light, dark }) => contrastOf(light, [255, 255, 255]) > 1.9 && contrastOf(dark, [22, 24, 29]) > 3));
  const book = new ColorBook();
  book.start([]);
  assert.equal(stateColor({ kind: "processor" }, "Idle (0)", { process: "Idle", pid: 0, id: null }, book, false), null);
  assert.deepEqual(stateColor({ kind: "processor" }, "x", { process: "kettle.exe", pid: 100, id: 104 }, book, false), book.rgbOf("kettle.exe", false));
  assert.equal(stateColor({ kind: "processor" }, "other processes", null, book, false).length, 3);
});

test("any of many rows can be scrolled to", () => {
  const { pixels, rowsPerPixel } = scrollScale(24_000_000, 400);
  assert.ok(pixels <= 8_000_000);
  assert.ok(Math.abs((pixels - 400) * rowsPerPixel - (24_000_000 - 400 / 22)) < 1);
  assert.equal(scrollScale(100, 400).rowsPerPixel, 1 / 22);
  assert.deepEqual(placeOfRows(1e9, 1000, 440), { top: 980, first: 980, shift: -0, count: 21 });
  assert.deepEqual(placeOfRows(-5, 3, 440), { top: 0, first: 0, shift: -0, count: 21 });
});

test("a row is found by its time with few questions", async () => {
  const find = async (times, ns) => {
    let asked = 0;
    const row = await rowAtTime(ns, times.length, async (first) => {
      ++asked;
      return times.slice(first, first + 50);
    });
    return { row, asked };
  };
  const even = Array.from({ length: 100_000 }, (_, i) => BigInt(10 * i));
  const bursts = Array.from({ length: 100_000 }, (_, i) => BigInt(i < 90_000 ? Math.floor(i / 100) : i * 1_000_000));
  for (const times of [even, bursts, [5n], [5n, 5n, 5n], Array(200).fill(7n)]) {
    for (const ns of [0n, 5n, 7n, 555n, 999_990n, 95_000_000_000n, 10n ** 15n]) {
      const first = times.findIndex((time) => time >= ns);
      const { row, asked } = await find(times, ns);
      assert.equal(row, first < 0 ? times.length : first, `${times.length} ${ns}`);
      assert.ok(asked <= 40, `${asked}`);
    }
  }
  assert.ok((await find(even, 500_000n)).asked <= 4);
  assert.equal((await find([], 5n)).row, 0);
  assert.equal(await rowAtTime(5n, 100, async () => null), null);
});

test("cells become filters", () => {
  assert.equal(withCell("", "process", "kettle.exe", false), 'process == "kettle.exe"');
  assert.equal(withCell("level <= 3", "pid", 100, true), "level <= 3 && !(pid == 100)");
  assert.equal(withCell("a == 1 || b == 2", "event", 'x"y', false), '(a == 1 || b == 2) && event == "x""y"');
  assert.equal(withCell("", "text", "x", false), "");
  assert.equal(withCell("", "pid", null, false), "");
  assert.equal(filterOfEvent({ provider: "P", event: "E", pid: 1 }), 'provider == "P" && event == "E"');
});

test("expressions are completed by names and values", () => {
  const names = new KnownNames();
  ["Contoso-Kettle", "Contoso Tea", ""].forEach((one) => names.add("provider", one));
  names.add("field", "data.Cups");
  names.add("process", null);
  const shown = (expression) => completionsOf(expression, names).items.map(({ text }) => text);
  assert.deepEqual(shown(""), []);
  assert.deepEqual(shown("prov"), ["provider"]);
  assert.deepEqual(shown("level <= 3 && cu"), ["data.Cups"]);
  assert.deepEqual(shown("provider == con"), ["Contoso-Kettle", '"Contoso Tea"']);
  assert.deepEqual(shown('!(provider == "contoso t'), ['"Contoso Tea"']);
  assert.deepEqual(shown("level in (error, w"), ["warning"]);
  assert.deepEqual(shown("pid == 4 "), []);
  assert.equal(completionsOf('provider == "Con', names).from, 12);
  for (let i = 0; i < 1000; ++i) {
    names.add("event", `e${i}`);
  }
  assert.equal(names.of("event").length, 500);
  assert.equal(nameOfField("Bytes Sent"), 'data."Bytes Sent"');
});

test("rows of tables lead to their events", () => {
  const table = { columns: [{ name: "process" }, { name: "pid" }], events: "event == X && process == {process}" };
  assert.equal(eventsFilter(table, ["kettle.exe", 100]), "event == X && process == 100");
  assert.equal(eventsFilter(table, ["(other)", null]), "");
  assert.equal(eventsFilter({ ...table, events: "" }, ["kettle.exe", 100]), "");
  assert.equal(eventsFilter({ ...table, events: "a == {missing}" }, ["kettle.exe", 100]), "");
});

test("panels group tables by subject; unknown ones have their own", () => {
  const table = (name, by) => ({ name, by, title: `${name} ${by}`, summary: "" });
  const panels = panelsOfTables([table("stats", "event"), table("new", ""), table("cpu", "process"), table("cpu", "thread"), table("tracks", "")]);
  assert.deepEqual(panels.map(({ title, forms }) => [title, forms.length]), [["CPU", 2], ["Kinds", 1], ["new ", 1]]);
  assert.equal(firstPanel([{ id: "events" }, ...panels], some), "table-cpu");
  assert.equal(firstPanel([{ id: "events" }], []), "events");
  assert.ok(columnWidths(["pid"], [["1"], ["x".repeat(500)]]).every((width) => width >= 48 && width <= 420));
});

test("bytes are shown with their fields", () => {
  const bytes = bytesOfHex("4142ff0a");
  assert.deepEqual(dumpLines(bytes), [{ offset: "0000", bytes: [{ at: 0, hex: "41", character: "A" }, { at: 1, hex: "42", character: "B" }, { at: 2, hex: "ff", character: "." }, { at: 3, hex: "0a", character: "." }] }]);
  const fields = [["all", null, 0, 4], ["one", 1, 1, 2], ["none", 1, null, null]];
  assert.equal(fieldAt(fields, 1)[0], "one");
  assert.equal(fieldAt(fields, 0)[0], "all");
  assert.equal(fieldAt(fields, 9), null);
});

test("a chain links each thread to the wait that it ended", () => {
  const columns = ["pid", "tid", "state", "begin", "end"].map((name) => ({ name }));
  const time = (offset) => `2024-05-17T06:13:20.${String(offset).padStart(7, "0")}Z`;
  const rows = [[1, 10, "waiting", time(0), time(300)], [1, 11, "running", time(200), time(300)], [1, 11, "waiting", time(100), time(200)], [1, 12, "running", time(150), time(200)], [1, 99, "waiting", null, null]];
  const steps = stepsOf({ columns }, rows, time(0), ({ tid }) => `thread/${tid}`);
  assert.deepEqual(steps.map(({ key, from, to }) => [key, from, to])[1], ["thread/11", 20_000n, 30_000n]);
  assert.deepEqual(linksOf(steps), [{ from: "thread/11", to: "thread/10", at: 30_000n }, { from: "thread/12", to: "thread/11", at: 20_000n }]);
  const path = [{ key: "a", from: 0n, to: 10n }, { key: "b", from: 10n, to: 20n }, { key: "b", from: 20n, to: 30n }];
  assert.deepEqual(linksOf(path), [{ from: "a", to: "b", at: 10n }]);
  assert.deepEqual(linksOf([]), []);
});

test("the context switch after a wait is found by any row of the wait", () => {
  const columns = ["tid", "state", "begin", "end", "reason"].map((name) => ({ name }));
  const of = (...row) => switchAfter({ columns }, row);
  assert.deepEqual(of(10, "waiting", "a", "b", "WrQueue"), { where: 'event == "Thread/CSwitch" && data.NewThreadId == 10', from: "b" });
  assert.equal(of(10, "ready", "b", "c", "WrQueue").from, "c");
  assert.equal(of(10, "running", "c", "d", "WrQueue").from, "c");
  assert.equal(of(10, "running", "c", "d", null), null);
  assert.equal(of(10, "unknown", "c", "d", "WrQueue"), null);
});

test("keys and commands are found", () => {
  assert.equal(keyText({ key: "p", ctrlKey: true }), "Ctrl-P");
  assert.equal(keyText({ key: "?", shiftKey: true }), "?");
  assert.equal(keyText({ key: "F", shiftKey: true }), "Shift-F");
  const actions = [{ title: "Show the selection", group: "Move" }, { title: "Clear the selection", group: "Select" }];
  assert.deepEqual(foundActions(actions, "sel clear").map(({ title }) => title), ["Clear the selection"]);
});

test("saved views are opened again", () => {
  const opened = { inputs: ["a.etl"], begin: "1", end: "2" };
  assert.deepEqual(viewOfText(savedView(opened, "panel=events"), opened), { address: "panel=events", isSame: true });
  assert.equal(viewOfText(savedView(opened, ""), { begin: "5", end: "6" }).isSame, false);
  for (const text of ["", "null", "{}", '{"version":2,"state":""}', '{"version":1,"state":5}']) {
    assert.throws(() => viewOfText(text, opened), SyntaxError, text);
  }
});

const guid = (number) => `{9E3B3947-ca5d-4614-91a2-${String(number).padStart(12, "0")}}`;
const plainGuid = (number) => guid(number).slice(1, -1).toLowerCase();

const inXml = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
const xml = (name, attributes = {}, ...children) => `<${name}${Object.entries(attributes).map(([key, value]) => ` ${key}="${inXml(value)}"`).join("")}>${children.join("")}</${name}>`;
const manifest = (...regions) => treeOfXml(xml("InstrumentationManifest", {}, xml("Instrumentation", {}, xml("Regions", {}, xml("RegionRoot", { Guid: guid(1), Name: "Kitchen" }, ...regions)))));
const event = (id, more = {}) => xml("Event", { Provider: guid(9), Id: String(id), ...more });
const region = (number, ...children) => xml("Region", { Guid: guid(number), Name: `Region ${number}` }, ...children);
const startStop = (start, stop) => [xml("Start", {}, start), xml("Stop", {}, stop)];

/** Events by filter: [[ns, tid, values, activity]]. */
const questionsAbout = (events) => ({
  ask: async (filter, most, fields) => ({
    moments: (events[filter] ?? []).slice(0, most).map(([ns, tid, values = {}, activity]) => ({ ns, tid, pid: 1, place: `${filter} ${ns}`, values: new Map(fields.map((field) => [field, values[field] ?? null])), activity })),
    isCut: (events[filter] ?? []).length > most,
  }),
  detail: async ({ activity }) => ({ activity_id: activity }),
});
const filterOf = (id) => `provider_guid == ${plainGuid(9)} && id == ${id}`;
const found = async (tree, events) => {
  const { spans, problems } = await spansOf(regionsOfTree(tree).regions, questionsAbout(events));
  return { spans: spans.map(({ name, level, from, to }) => [name, level, from, to]), problems };
};

test("XML is read, and nothing is expanded", () => {
  const tree = treeOfXml(`\ufeff<?xml version='1.0'?>\n<?Copyright (c) Contoso?><!-- <a> --><w:A xmlns:w="w" B='1 > "2"'\n C = "&lt;&#x41;&#66;&amp;lt;&unknown;"><b/>text<![CDATA[<c>]]></w:A >\n`);
  assert.deepEqual(JSON.parse(JSON.stringify(tree)), { name: "a", attributes: { w: "w", b: '1 > "2"', c: "<AB&lt;&unknown;" }, children: [{ name: "b", attributes: {}, children: [] }] });
  for (const text of ["", "text", "<a>", "<a></b>", "</a>", "<a/><b/>", "<a b=c/>", '<a b="<"/>', "<a", "<a><", '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', "<a b='1\"/>"]) {
    assert.throws(() => treeOfXml(text), SyntaxError, text);
  }
  assert.equal(treeOfXml('<a __proto__="1"/>').attributes.constructor, undefined);
  const started = performance.now();
  [`<a ${" ".repeat(1 << 20)}`, `<a${' b="c"'.repeat(150_000)}<`, "<!--".repeat(1 << 18), "<?".repeat(1 << 19), `<a>${"<".repeat(1 << 20)}`].forEach((text) => assert.throws(() => treeOfXml(text), SyntaxError));
  assert.ok(performance.now() - started < 5000);
});

test("files of regions are read", () => {
  const start = xml("Start", {}, event(1, { Version: "0" }), xml("PayloadIdentifier", { FieldName: "Name", FieldValue: 'a "b" *' }), xml("PayloadIdentifier", { FieldName: "Key", FieldValue: "00000", FieldValueRelationship: "DoesNotContain" }));
  const match = xml("Match", {}, xml("Event", { TID: "true", PID: "false" }, xml("Payload", { FieldName: "Cup", TargetFieldName: "Tea" })));
  const tree = manifest(xml("Region", { Guid: guid(2), Name: "Boil", FriendlyName: "Boiling" }, start, xml("Stop", {}, xml("Event", { Provider: guid(9), Opcode: "2" })), match, xml("Naming", {}, xml("PayloadBased", { NameField: "Cup" })), region(3, ...startStop(event(3), event(4)))));
  const { regions, problems } = regionsOfTree(tree);
  assert.deepEqual(problems, []);
  assert.deepEqual(regions.map(({ name, level }) => [name, level]), [["Kitchen", 0], ["Boiling", 1], ["Region 3", 2]]);
  assert.deepEqual(regions[1].match, { pid: false, tid: true, activity: false, fields: [["Cup", "Tea"]] });
  assert.equal(regions[1].naming, "Cup");
  assert.equal(filterOfEnd(regions[1].start), `provider_guid == ${plainGuid(9)} && id == 1 && version == 0 && data."Name" == "a ""b"" ?" && !(data."Key" == 00000)`);
  assert.equal(filterOfEnd(regions[1].stop), `provider_guid == ${plainGuid(9)} && opcode == 2`);
  assert.ok(isRegions(JSON.parse(JSON.stringify(regions))));
});

test("regions that are not supported are told, and files of others refused", () => {
  const told = (...children) => regionsOfTree(manifest(region(2, ...children, region(3, ...startStop(event(3), event(4))))));
  const ends = startStop(event(1), event(2));
  const wrong = [
    [[...ends, xml("Filter", { Type: "In" })], /conditions/],
    [[xml("Start", {}, xml("Event", { Provider: "x' || true", Id: "1" }))], /GUID/],
    [[xml("Start", {}, xml("Event", { Provider: guid(9) }))], /no ID/],
    [[xml("Start", {}, event("1 || id == 2"))], /not a number/],
    [[xml("Start", {}, event(65_536))], /not a number/],
    [[xml("Start", {}, xml("Trigger"))], /neither/],
    [[xml("Start", {}, event(1), ...Array.from({ length: 17 }, () => xml("PayloadIdentifier", { FieldName: "a", FieldValue: "b" })))], /too many/],
    [[xml("Start", {}, xml("Duration", { Provider: guid(9), Id: "1", Duration: "Length", Multiplier: "-1" })), ends[1]], /duration/],
  ];
  for (const [children, text] of wrong) {
    const { regions, problems } = told(...children);
    assert.deepEqual(regions.map(({ name, level }) => [name, level]), [["Kitchen", 0], ["Region 3", 1]], String(text));
    assert.equal(problems.length, 1);
    assert.match(problems[0], text);
  }
  assert.throws(() => regionsOfTree(treeOfXml(xml("html"))), /no regions/);
  const deep = Array.from({ length: 40 }).reduce((inner) => region(2, inner), region(2));
  assert.throws(() => manifest(deep), /too many/);
  assert.throws(() => manifest(...Array.from({ length: 20_001 }, () => region(2))), /too many/);
  assert.equal(regionsOfTree(manifest(...Array.from({ length: 500 }, () => region(2)))).regions.length, 200);
});

test("regions of an address are valid, or none", () => {
  const [, valid] = regionsOfTree(manifest(region(2, ...startStop(event(1), event(2))))).regions;
  const changed = [{ name: 1 }, { level: null }, { level: 1e9 }, { start: {} }, { start: { ...valid.start, event: { ...valid.start.event, provider: "x || 1" } } }, { start: { ...valid.start, event: { ...valid.start.event, id: "1 || 1" } } }, { match: null }, { match: { fields: [["a"]] } }, { naming: "x".repeat(201) }];
  assert.ok(isRegions([valid]));
  changed.forEach((patch) => assert.equal(isRegions([{ ...valid, ...patch }]), false, JSON.stringify(patch)));
  assert.equal(isRegions(Array(201).fill(valid)), false);
  assert.deepEqual(stateOf("regions=%5B%7B%7D%5D"), firstState());
});

test("a stop ends the latest start before it", () => {
  const moments = (...list) => list.map(([ns, key = ""]) => ({ ns: BigInt(ns), key, place: String(ns) }));
  const pairs = (starts, stops) => pairedMoments(moments(...starts), moments(...stops)).map(([a, b]) => [Number(a.ns), Number(b.ns)]);
  assert.deepEqual(pairs([[1], [5]], [[3], [9]]), [[1, 3], [5, 9]]);
  assert.deepEqual(pairs([[1], [2]], [[3], [4]]), [[1, 4], [2, 3]], "nested");
  assert.deepEqual(pairs([[1], [5]], [[7]]), [[5, 7]], "the first stop was lost");
  assert.deepEqual(pairs([[5]], [[1], [6], [7]]), [[5, 6]]);
  assert.deepEqual(pairs([[1, "a"], [2, "b"]], [[3, "a"], [4, "b"]]), [[1, 3], [2, 4]]);
  assert.deepEqual(pairs([[1, null]], [[2, null]]), []);
  assert.deepEqual(pairs([[1], [2], [3]], [[1], [2], [3]]), [[1, 2], [2, 3]], "an event that is both");
});

test("regions are found by events, durations, and other regions", async () => {
  const events = { [filterOf(1)]: [[10n, 1], [50n, 2]], [filterOf(2)]: [[20n, 1], [70n, 2]], [filterOf(3)]: [[1000n, 1, { Length: 4 }], [1100n, 1, {}]] };
  const refer = (number, more = {}) => xml("Region", { RegionGuid: guid(number), ...more });
  const between = region(3, ...startStop(refer(2), refer(2)));
  const all = region(4, ...startStop(refer(2, { Endpoint: "Start" }), refer(2, { Endpoint: "Stop" })));
  const long = region(5, xml("Start", {}, xml("Duration", { Provider: guid(9), Id: "3", Duration: "Length", Multiplier: "100" })), xml("Stop", {}, event(3)));
  const { spans, problems } = await found(manifest(between, region(2, ...startStop(event(1), event(2))), all, long, region(6, xml("Start", {}, event(2)))), events);
  assert.deepEqual(problems, []);
  assert.deepEqual(spans, [["Kitchen", 0, 10n, 1000n], ["Region 2", 1, 10n, 20n], ["Region 4", 1, 10n, 20n], ["Region 3", 1, 20n, 50n], ["Region 6", 1, 20n, 20n], ["Region 2", 1, 50n, 70n], ["Region 4", 1, 50n, 70n], ["Region 6", 1, 70n, 70n], ["Region 5", 1, 600n, 1000n]]);
});

test("regions match by thread and field, and have names of instances", async () => {
  const match = (attributes, ...fields) => xml("Match", {}, xml("Event", attributes, ...fields));
  const events = { [filterOf(1)]: [[10n, 1, { Cup: "a" }], [20n, 2, { Cup: "b" }]], [filterOf(2)]: [[30n, 1, { Tea: "b" }], [40n, 2, { Tea: "a" }]] };
  const ends = startStop(event(1), event(2));
  const byThread = await found(manifest(region(2, ...ends, match({ TID: "true" }))), events);
  assert.deepEqual(byThread.spans.slice(1), [["Region 2", 1, 10n, 30n], ["Region 2", 1, 20n, 40n]]);
  const naming = xml("Naming", {}, xml("PayloadBased", { NameField: "Tea" }));
  const { regions } = regionsOfTree(manifest(region(2, ...ends, match({}, xml("Payload", { FieldName: "Cup", TargetFieldName: "Tea" })), naming)));
  const { spans } = await spansOf(regions, questionsAbout(events));
  assert.deepEqual(spans.slice(1).map(({ from, to, instance }) => [from, to, instance]), [[10n, 40n, "a"], [20n, 30n, "b"]]);
});

test("regions match by activity, of which fewer events are read", async () => {
  const byActivity = region(2, ...startStop(event(1), event(2)), xml("Match", {}, xml("Event", { AID: "true" })));
  const { regions } = regionsOfTree(manifest(byActivity));
  assert.ok(regions[1].match.activity);
  const many = Array.from({ length: 300 }, (_, i) => [BigInt(i), 1, {}, i === 0 ? undefined : `activity ${i}`]);
  const { spans, problems } = await spansOf(regions, questionsAbout({ [filterOf(1)]: many, [filterOf(2)]: [[1000n, 1, {}, "activity 7"], [2000n, 1, {}, undefined]] }));
  assert.deepEqual(spans.slice(1).map(({ from, to }) => [from, to]), [[7n, 1000n]]);
  assert.match(problems[0], /only its first 250 events/);
});

test("what is not found, refused, or circular is told for each region", async () => {
  const refer = (number) => xml("Region", { RegionGuid: guid(number) });
  const tree = manifest(region(2, ...startStop(event(1), event(2))), region(3, ...startStop(refer(4), refer(4))), region(4, ...startStop(refer(3), refer(3))), region(5, ...startStop(refer(77), refer(2))));
  const { spans, problems } = await found(tree, {});
  assert.deepEqual(spans, []);
  assert.deepEqual(problems.map((text) => text.replace(/:.*/, "")).sort(), ["Kitchen", "Region 2", "Region 3", "Region 4", "Region 5"]);
  const { regions } = regionsOfTree(tree);
  const refused = await spansOf(regions, { ask: async () => Promise.reject(new Error("no such name")), detail: null });
  assert.ok(refused.problems.includes("Region 2: no such name"));
  const many = await spansOf(regions, { ask: async (filter, most) => ({ moments: Array.from({ length: 3000 }, (_, i) => ({ ns: BigInt(i), pid: 1, tid: 1, place: `${filter}${i}`, values: new Map() })), isCut: true }), detail: null });
  assert.ok(many.spans.length <= 5000);
  assert.ok(many.problems.some((text) => text.includes("only its first 2000 events")));
});

test("spans that overlap are in lines of their own", () => {
  const spans = [[0, 100], [0, 10], [5, 8], [10, 20], [100, 110]].map(([from, to]) => ({ from: BigInt(from), to: BigInt(to) }));
  assert.deepEqual(linesOfSpans(spans, 5), [0, 1, 2, 1, 0]);
  assert.deepEqual(linesOfSpans(spans, 2), [0, 1, 1, 1, 0]);
  assert.equal(spanBeside(spans, 5n, 1), 3);
  assert.equal(spanBeside(spans, 5n, -1), 1);
  assert.equal(spanBeside(spans, 100n, 1), -1);
});

test("the first rule that is true of a row colors it", () => {
  const rules = [{ field: "level", test: "atMost", value: "2", color: "red" }, { field: "text", test: "contains", value: "TEA", color: "green" }, { field: "pid", test: "equals", value: "100", color: "blue" }, { field: "event", test: "contains", value: "", color: "gray" }];
  const of = (row) => ruleOf(rules, (field) => row[field]);
  assert.equal(of({ level: 2, text: "tea", pid: 100 }), 0);
  assert.equal(of({ level: 4, text: 'Cups=1 Tea="x"', pid: 100 }), 1);
  assert.equal(of({ level: null, text: null, pid: 100 }), 2);
  assert.equal(of({ level: 3, text: "cup", pid: 1000, event: "Boil" }), -1, "a rule without a value is true of nothing");
  assert.equal(of({ level: "none" }), -1);
  assert.equal(ruleText(rules[0]), "level is at most 2");
  assert.equal(letterOfRule(2), "C");
});

test("a cell becomes a rule, and no rule when it is chosen again", () => {
  const one = rulesWithCell([], "event", "Boil");
  assert.deepEqual(one, [{ field: "event", test: "equals", value: "Boil", color: "yellow" }]);
  const two = rulesWithCell(one, "text", "x".repeat(300));
  assert.deepEqual([two[0].test, two[0].value.length, two[0].color], ["contains", 200, "green"]);
  assert.deepEqual(rulesWithCell(two, "event", "Boil"), [two[0]]);
  assert.equal(rulesWithCell(one, "time", "1"), null);
  assert.equal(rulesWithCell(one, "process", null), null);
  let all = [];
  for (let i = 0; i < 30; ++i) {
    all = rulesWithNew(all) ?? all;
  }
  assert.equal(all.length, 26);
  assert.deepEqual(all.slice(0, 7).map(({ color }) => color), ruleColors);
  assert.equal(nextColor(all), "orange");
  assert.deepEqual(withMoved([1, 2, 3], 2, -1), [1, 3, 2]);
  assert.deepEqual(withMoved([1, 2, 3], 0, -1), [1, 2, 3]);
  assert.ok(isRules(all) && isRules([...one, ...two.slice(0, 1)]));
});

test("rules of an address are valid, or none", () => {
  const rule = { field: "event", test: "equals", value: "Boil", color: "red" };
  const state = { ...firstState(), rules: [rule] };
  assert.deepEqual(stateOf(addressOf(state)), state);
  const wrong = [[{}], [null], [{ ...rule, color: "red; x" }], [{ ...rule, field: "constructor" }], [{ ...rule, value: 1 }], [{ ...rule, value: "x".repeat(201) }], Array(27).fill(rule), "x"];
  wrong.forEach((rules) => assert.deepEqual(stateOf(new URLSearchParams({ rules: JSON.stringify(rules) }).toString()), firstState()));
});

test("a question that was stopped elsewhere is asked once more, and only a lost connection is one", async () => {
  const { fetch, sessionStorage } = globalThis;
  const questions = [];
  const reply = (status, body) => ({ ok: status === 200, status, json: async () => body });
  let replies = [];
  globalThis.sessionStorage = { getItem: () => "key", setItem: () => {} };
  globalThis.fetch = async (address, { body }) => {
    questions.push(JSON.parse(body).question);
    return replies.shift()();
  };
  try {
    const client = new Client("t");
    assert.notEqual(client.next, new Client("t").next);
    replies = [() => reply(409, { error: "stopped" }), () => reply(200, 5)];
    assert.equal(await client.latest("panel", "table"), 5);
    assert.equal(new Set(questions).size, 2);
    replies = [() => reply(409, { error: "stopped" }), () => reply(409, { error: "stopped" })];
    await assert.rejects(client.latest("panel", "table"), AskError);
    replies = [() => { throw new TypeError("no connection"); }];
    await assert.rejects(client.ask("open"), NoAnswerError);
    client.key = "";
    replies = [() => reply(403, { error: "no" })];
    await assert.rejects(client.ask("open"), { status: 403 });
  } finally {
    Object.assign(globalThis, { fetch, sessionStorage });
  }
});

test("fields with columns are a list of names", () => {
  const fields = ["Size", "File Name", 'a,"b"', "Outer.Inner"];
  assert.deepEqual(fieldsOfText(textOfFields(fields)), fields);
  assert.equal(textOfFields(fields), 'Size, File Name, "a,""b""", Outer.Inner');
  assert.deepEqual(fieldsOfText(" data.Size,, Size ,x"), ["Size", "x"]);
  assert.equal(fieldsOfText(Array.from({ length: 50 }, (_, i) => `f${i}`).join()).length, 32);
  assert.equal(withCell("", "data.Size", "5", false), "data.Size == 5");
  assert.equal(withCell("", "data.Flags", "0x1F", false), "data.Flags == 0x1F");
  assert.equal(withCell("", "data.Name", "5 apples", false), 'data.Name == "5 apples"');
  assert.equal(withCell("", "data.File Name", "a b", true), '!(data."File Name" == "a b")');
});

test("a page that is closed stops its questions", async () => {
  const { fetch, sessionStorage } = globalThis;
  const sent = [];
  globalThis.sessionStorage = { getItem: () => "key", setItem: () => {} };
  globalThis.fetch = (address, { body, keepalive, signal }) => {
    sent.push({ address, keepalive, question: JSON.parse(body).question });
    return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(new Error("aborted"))));
  };
  try {
    const client = new Client("t");
    const waiting = [client.latest("panel", "table"), client.latest("lod", "lod")];
    await Promise.resolve();
    client.leave();
    assert.deepEqual(await Promise.all(waiting), [null, null]);
    const cancels = sent.filter(({ address }) => address === "/api/cancel");
    assert.deepEqual(cancels.map(({ question }) => question), sent.slice(0, 2).map(({ question }) => question));
    assert.ok(cancels.every(({ keepalive }) => keepalive));
  } finally {
    Object.assign(globalThis, { fetch, sessionStorage });
  }
});

test("the overview adds the series", () => {
  assert.deepEqual([...sumsOf([{ values: [1, 2] }, { values: [3, 4] }], 2)], [4, 6]);
  assert.deepEqual([...countsOf(picture(), 5, 1000n)], [2, 5, 0, 1, 0]);
});

test("the page is small", async () => {
  const { gzipSync } = await import("node:zlib");
  const server = await startServer();
  const html = await (await fetch(server.address)).text();
  server.close();
  assert.ok(gzipSync(html).length < 250 * 1024, `${gzipSync(html).length} bytes`);
});
