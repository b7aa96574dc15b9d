// The page of `etl view` in a browser, with a server that answers with a made-up trace (view_server.mjs).
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { accessibilityProblems, blockedBy, openBrowser, openPage, runTests } from "./browser.mjs";
import { startServer } from "./view_server.mjs";

const skipped = 77;
const browser = await openBrowser();
if (!browser) {
  process.exit(skipped);
}
const servers = [];

/** Opens the page of a server with options, and waits until it has drawn. */
async function open(options = {}, address = "", view = {}) {
  const server = await startServer(options);
  servers.push(server);
  const page = await openPage(browser, server.url + address, view);
  page.server = server;
  await page.locator(options.isEmpty ? ".tracks-empty" : ".track").first().waitFor();
  await settled(page);
  return page;
}

/** Waits until nothing is asked any more and the state is in the address. */
async function settled(page) {
  await page.waitForTimeout(700);
  await page.waitForFunction(() => !document.querySelector("[aria-busy=true]"));
}

const shownRange = (page) => page.locator(".range").inputValue();
const canvas = (page) => page.locator(".tracks-canvas");
const grid = (page) => page.locator('.panel [role="grid"]').first();
const rows = (page) => page.locator(".panel .grid-row");
const tab = (page, name) => page.getByRole("tab", { name, exact: true });
const picture = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(document.querySelector(".tracks-canvas").toDataURL())))));
const asked = (page, name) => page.server.asked.filter(([one]) => one === name).map(([, question]) => question);
const stateOf = (page) => page.evaluate(() => Object.fromEntries(new URLSearchParams(location.hash.slice(1))));

async function drag(page, from, to, y = 30) {
  const box = await canvas(page).boundingBox();
  await page.mouse.move(box.x + from * box.width, box.y + y);
  await page.mouse.down();
  await page.mouse.move(box.x + to * box.width, box.y + y, { steps: 4 });
  await page.mouse.up();
}

const canvases = (page) => page.locator(".tracks-canvas");
const timesOf = ({ selection, before_from: from, before_to: to }) => [selection.from, selection.to, from, to].map((time) => (time === undefined ? null : Number(BigInt(time) % 864_000_000_000n) / 1e7 - 22_400));

const tests = {
  async "shows two traces below each other, which move together"() {
    const page = await open({ hasBefore: true });
    assert.equal(await page.locator(".tracks").count(), 1);
    assert.deepEqual(asked(page, "tracks"), [{ selection: {} }]);
    await page.keyboard.press("Shift+D");
    await settled(page);
    assert.deepEqual(asked(page, "tracks")[1], { is_about_before: true, selection: {} });
    assert.equal(await page.locator(".align-name").innerText(), "before.etl");
    const [upper, lower] = [await canvases(page).nth(0).boundingBox(), await canvases(page).nth(1).boundingBox()];
    assert.deepEqual([upper.x, upper.width], [lower.x, lower.width]);
    assert.ok(lower.y > upper.y + upper.height);
    await page.locator(".tracks-scroll").nth(0).evaluate((scroller) => (scroller.scrollTop = 180)); // the other one follows
    await page.locator(".tracks-labels").nth(1).getByText("kettle.exe (107)").click();
    await settled(page);
    assert.equal((await stateOf(page)).current, "process/100/kettle.exe");
    const tops = await page.locator('.track[aria-selected="true"]').evaluateAll((items) => items.map((item) => [item.innerText, item.style.transform]));
    assert.deepEqual(tops.map(([text]) => text.split(/\s+\d+\S* /)[0].trim()), ["kettle.exe (100)", "kettle.exe (107)"]);
    assert.equal(tops[0][1], tops[1][1]);
    await page.mouse.move(lower.x + lower.width / 2, lower.y + 30);
    await page.mouse.wheel(0, -300);
    await settled(page);
    assert.match(await shownRange(page), /^\+15(\.0\d*)? s .. \+45(\.0\d*)? s$/);
    const about = asked(page, "lod").filter((question) => question.is_about_before).at(-1);
    assert.ok(about.tracks.every(({ pid }) => pid === null || pid % 100 === 7), "tracks of the other trace");
    assert.equal(BigInt(about.selection.from) / 864_000_000_000n, 154_633n); // a day earlier
    await page.mouse.down();
    await page.mouse.move(lower.x + lower.width * 0.75, lower.y + 30, { steps: 3 });
    await page.mouse.up();
    await settled(page);
    assert.match(await page.locator(".scope-about").innerText(), /^Selection: \+30(\.\d+)? s, 7\.\d+ s$/);
    assert.deepEqual(asked(page, "table").at(-1).is_compared, true);
    assert.equal(asked(page, "table").at(-1).before_from, undefined);
    assert.equal(await page.locator(".tracks-cursor:visible").count(), 2);
    assert.deepEqual(await accessibilityProblems(page), []);
    await page.reload();
    await settled(page);
    assert.equal(await page.locator(".tracks").count(), 2);
    await page.keyboard.press("Shift+D");
    await settled(page);
    assert.equal(await page.locator(".tracks").count(), 1);
    return page;
  },

  async "aligns two traces by marks, and by an event"() {
    const page = await open({ hasBefore: true }, "&compared=1&panel=table-cpu&selection=25000000000_35000000000");
    assert.deepEqual(timesOf(asked(page, "table").at(-1)), [25, 35, null, null]);
    const [upper, lower] = [await canvases(page).nth(0).boundingBox(), await canvases(page).nth(1).boundingBox()];
    const click = (box, part) => page.mouse.click(box.x + Math.round(part * box.width), box.y + 30);
    await click(upper, 1 / 3);
    await page.keyboard.press("u");
    await settled(page);
    assert.equal(await page.locator(".align-bar [role=status]").innerText(), ""); // both marks are beside each other
    await click(lower, 1 / 6);
    await page.keyboard.press("Shift+U");
    await settled(page);
    assert.match(await page.locator(".align-bar [role=status]").innerText(), /^its times are (9\.9|10)\S* s earlier$/);
    const marked = timesOf(asked(page, "table").at(-1));
    assert.deepEqual(marked.slice(0, 2), [25, 35]);
    assert.ok(Math.abs(marked[2] - 15) < 0.2 && Math.abs(marked[3] - marked[2] - 10) < 1e-6, String(marked));
    assert.deepEqual(JSON.parse((await stateOf(page)).aligned).by, "mark");
    await page.keyboard.press("Shift+E");
    await page.keyboard.type("event == Boil");
    await page.keyboard.press("Enter");
    await settled(page);
    assert.deepEqual(asked(page, "events").filter(({ count }) => count === 1).map(({ question, ...asks }) => asks), [
      { selection: { where: "event == Boil" }, first: 0, count: 1 },
      { is_about_before: true, selection: { where: "event == Boil" }, first: 0, count: 1 },
    ]);
    assert.equal(await page.locator(".align-bar [role=status]").innerText(), "its times are 5 s later");
    assert.deepEqual(timesOf(asked(page, "table").at(-1)), [25, 35, 30, 40]);
    await page.goBack();
    await settled(page);
    assert.match(await page.locator(".align-bar [role=status]").innerText(), /earlier$/);
    await page.goForward();
    await page.reload();
    await settled(page);
    assert.deepEqual(timesOf(asked(page, "table").at(-1)), [25, 35, 30, 40]);
    await page.getByLabel("Filter of the event to align by").fill("event == never");
    await page.keyboard.press("Enter");
    await settled(page);
    assert.equal(await page.locator(".align-bar .warning").innerText(), "No event matches in /traces/made.etl: aligned by start");
    assert.deepEqual(timesOf(asked(page, "table").at(-1)), [25, 35, null, null]);
    await page.getByLabel("Aligned by").selectOption("start");
    await settled(page);
    assert.equal((await stateOf(page)).aligned, undefined);
    assert.equal(await page.locator(".align-bar .warning").innerText(), "");
    return page;
  },

  async "shows what the trace is, its tracks, and a table"() {
    const page = await open();
    assert.equal(await page.locator("h1").innerText(), "made.etl");
    assert.match(await page.locator(".facts-line").innerText(), /24,000,000 events . 60 s . 4 processors/);
    assert.match(await page.locator(".tracks-labels").innerText(), /Processors\s+6\s+CPU 0[^]*kettle\.exe \(100\)/);
    assert.equal(await tab(page, "CPU").getAttribute("aria-selected"), "true");
    assert.equal(await rows(page).count(), 4);
    assert.match(await page.locator(".panel-foot").innerText(), /etl cpu --by process made\.etl/);
    const lods = asked(page, "lod").filter(({ columns }) => columns > 500); // the others are about the overview
    assert.equal(lods.length, 1);
    assert.ok(lods[0].tracks.length < 40, "tracks that are not seen were asked for");
    return page;
  },

  async "zooms at the pointer by wheel, and moves by Shift and wheel"() {
    const page = await open();
    const before = await picture(page);
    const box = await canvas(page).boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + 40);
    await page.mouse.wheel(0, -300);
    await settled(page);
    assert.match(await shownRange(page), /^\+15(\.0\d*)? s .. \+45(\.0\d*)? s$/);
    assert.notEqual(await picture(page), before);
    await page.keyboard.down("Shift");
    await page.mouse.wheel(0, 100);
    await page.keyboard.up("Shift");
    await settled(page);
    assert.match(await shownRange(page), /^\+17\.\d+ s .. \+47\.\d+ s$/);
    await page.goBack();
    await settled(page);
    assert.match(await shownRange(page), /^\+15/);
    await page.goForward();
    assert.match(await shownRange(page), /^\+17/);
    return page;
  },

  async "zooms and moves by keys, and takes a typed time"() {
    const page = await open();
    await page.keyboard.press("w");
    await settled(page);
    const zoomed = await shownRange(page);
    assert.notEqual(zoomed, "+0 s .. +60 s");
    await page.keyboard.press("d");
    await settled(page);
    assert.notEqual(await shownRange(page), zoomed);
    await page.keyboard.press("0");
    await settled(page);
    assert.equal(await shownRange(page), "+0 s .. +60 s");
    await page.keyboard.press("g");
    await page.keyboard.type("+1s .. +1.5s");
    await page.keyboard.press("Enter");
    await settled(page);
    assert.equal(await shownRange(page), "+1 s .. +1.5 s");
    const [last] = asked(page, "lod").slice(-1);
    assert.equal(last.selection.from, "133604000007500000"); // half a window more on both sides
    return page;
  },

  async "selects time by dragging, and asks about it"() {
    const page = await open();
    await drag(page, 0.25, 0.5);
    await settled(page);
    assert.match(await page.locator(".scope-about").innerText(), /^Selection: \+1[45](\.\d+)? s, 1\d(\.\d+)? s$/);
    const [last] = asked(page, "table").slice(-1);
    assert.match(last.selection.from, /^1336040001[45]/);
    assert.match(await page.locator(".panel-foot").innerText(), /--from 133604000/);
    await page.keyboard.press("f");
    await settled(page);
    assert.match(await shownRange(page), /^\+1[45]\.\d+ s .. \+30\.\d+ s$/);
    await page.keyboard.press("Escape");
    assert.match(await page.locator(".scope-about").innerText(), /^Window/);
    return page;
  },

  async "selects time and tracks with Ctrl"() {
    const page = await open();
    const row = await page.getByRole("treeitem", { name: /100004/ }).boundingBox();
    const box = await canvas(page).boundingBox();
    await page.keyboard.down("Control");
    await drag(page, 0.2, 0.4, row.y - box.y + 8);
    await page.keyboard.up("Control");
    await settled(page);
    assert.equal(await page.locator(".chip").innerText(), "only kettle.exe (100) \u00d7");
    assert.deepEqual(asked(page, "table").slice(-1)[0].selection.processes, ["100"]);
    assert.equal(await rows(page).count(), 1);
    await page.locator(".chip").click();
    await settled(page);
    assert.equal(await rows(page).count(), 4);
    return page;
  },

  async "says what is under the pointer"() {
    const page = await open({}, "&window=10000000000_10000020000");
    const row = await page.getByRole("treeitem", { name: /100004/ }).boundingBox();
    const box = await canvas(page).boundingBox();
    await page.mouse.move(box.x + 200, row.y + 8);
    const text = await page.locator(".tracks-status").innerText();
    assert.match(text, /^\+10\.00000\d+ s \(06:13:30\.00000\d\d\) . thread 100004 of kettle\.exe \(100\) . (running|ready to run|waiting: \w+), /);
    assert.equal(await page.locator(".tip").isVisible(), true);
    return page;
  },

  async "leads from a row to its track, and from a track to its row"() {
    const page = await open();
    await page.getByLabel("Rows of CPU", { exact: true }).selectOption("thread");
    await settled(page);
    await rows(page).filter({ hasText: "200004" }).click();
    assert.equal(await page.locator(".track[aria-selected=true] .track-name").innerText(), "200004");
    await page.evaluate(() => document.querySelector(".tracks-scroll").scrollTo(0, 0));
    await page.getByRole("treeitem", { name: /100008/ }).click();
    await settled(page);
    assert.match(await page.locator(".grid-row.related").innerText(), /100008/);
    return page;
  },

  async "sorts on the server, searches rows, and saves them"() {
    const page = await open();
    await page.getByRole("button", { name: "switches" }).click();
    await settled(page);
    assert.deepEqual([asked(page, "table").slice(-1)[0].sort, asked(page, "table").slice(-1)[0].is_reversed], ["switches", false]);
    await page.getByRole("button", { name: "switches" }).click();
    await settled(page);
    assert.equal(asked(page, "table").slice(-1)[0].is_reversed, true);
    assert.equal(await page.locator(".grid-head [aria-sort=ascending]").innerText(), "switches");
    await page.getByLabel("Search rows of CPU").fill("cup");
    await settled(page);
    assert.equal(await rows(page).count(), 1);
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "CSV" }).click()]);
    assert.equal(download.suggestedFilename(), "cpu-process.csv");
    assert.match(readFileSync(await download.path(), "utf8"), /^process,pid,/);
    return page;
  },

  async "shows any of 24 million events"() {
    const page = await open({}, "&panel=events");
    assert.equal(await grid(page).getAttribute("aria-rowcount"), "24000000");
    await grid(page).focus();
    await page.keyboard.press("End");
    await settled(page);
    assert.match(await page.locator(".grid-row[aria-selected=true]").innerText(), /^23,999,999\s+59\.9999975/);
    await page.evaluate(() => {
      const scroller = document.querySelector(".grid-scroll");
      scroller.scrollTop = scroller.scrollHeight / 2;
    });
    await settled(page);
    assert.match(await rows(page).first().innerText(), /^(11,99|12,00)\d,\d\d\d\s+(29\.9|30)/);
    const before = await rows(page).first().innerText();
    await grid(page).hover();
    await page.mouse.wheel(0, 66);
    await settled(page);
    const numberOf = (text) => Number(text.split(/\s/)[0].replaceAll(",", ""));
    assert.equal(numberOf(await rows(page).first().innerText()) - numberOf(before), 3);
    assert.ok((await page.locator(".grid-row").count()) < 60);
    return page;
  },

  async "filters events by expression and by cell, and shows where an expression is wrong"() {
    const page = await open({}, "&panel=events");
    await page.keyboard.press("e");
    await page.keyboard.type("tid = = 4");
    await page.keyboard.press("Enter");
    await settled(page);
    assert.equal(await page.locator(".scope-bar [role=alert]").innerText(), "column 7: expected a value");
    await page.locator(".where").fill("level <= 3");
    await page.keyboard.press("Enter");
    await settled(page);
    assert.equal(await page.locator(".scope-bar [role=alert]").innerText(), "");
    assert.match(await page.locator(".events .panel-bar").first().innerText(), /more than 100 events/);
    await rows(page).nth(2).getByText("cup.exe").first().click();
    await page.getByRole("button", { name: "\u2212 exclude" }).click();
    await settled(page);
    assert.match(await page.locator(".where").inputValue(), /^level <= 3 && !\(process == "\S+\.exe"\)$/);
    assert.match(asked(page, "events").slice(-1)[0].selection.where, /^level <= 3 && !/);
    page.problems = page.problems.filter((text) => !text.includes("400 (Bad Request)")); // the browser tells of the answer
    return page;
  },

  async "colors rows of events by rules"() {
    const page = await open({}, "&panel=events");
    const cell = (row, column) => rows(page).nth(row).locator(".grid-cell").nth(column);
    await cell(1, 7).click();
    await page.keyboard.press("h");
    await settled(page);
    assert.deepEqual(JSON.parse((await stateOf(page)).rules), [{ field: "event", test: "equals", value: "Boil", color: "yellow" }]);
    assert.match(await rows(page).nth(3).getAttribute("class"), /ruled tint-yellow/);
    assert.doesNotMatch(await rows(page).nth(2).getAttribute("class"), /ruled/);
    assert.match(await cell(3, 0).innerText(), /^A\s*3$/);
    await page.keyboard.press("c");
    await page.getByRole("button", { name: "Add rule" }).click();
    await page.getByLabel("Column of rule B").selectOption("level");
    await page.getByLabel("Test of rule B").selectOption("is at most");
    await page.getByLabel("Value of rule B").fill("2");
    await page.getByLabel("Value of rule B").press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "Color of rule B");
    await page.getByLabel("Color of rule B").selectOption("red");
    await page.getByLabel("Move rule B up").click();
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "Move rule A up");
    assert.deepEqual(await accessibilityProblems(page), []);
    await page.keyboard.press("Escape");
    await settled(page);
    assert.match(await rows(page).nth(0).getAttribute("class"), /critical ruled tint-red/);
    assert.match(await cell(1, 0).innerText(), /^B/);
    await page.reload();
    await rows(page).nth(1).waitFor();
    await settled(page);
    assert.match(await rows(page).nth(0).getAttribute("class"), /tint-red/);
    await page.keyboard.press("c");
    await page.getByLabel("Remove rule A").click();
    await page.getByLabel("Remove rule A").click();
    await page.locator(".rules-dialog").getByRole("button", { name: "Close" }).click();
    await settled(page);
    assert.equal((await stateOf(page)).rules, undefined);
    return page;
  },

  async "has a menu about a cell of an event"() {
    const page = await open({}, "&panel=events");
    await rows(page).nth(2).locator(".grid-cell").nth(3).click({ button: "right" });
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "Only events with this valuei");
    assert.deepEqual(await accessibilityProblems(page), []);
    await page.getByRole("menuitem", { name: "Color rows like this" }).click();
    await settled(page);
    assert.equal(await page.locator(".menu").isVisible(), false);
    assert.equal(JSON.parse((await stateOf(page)).rules)[0].field, "process");
    assert.equal(await page.evaluate(() => document.activeElement.className), "grid-scroll");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Shift+F10");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await settled(page);
    assert.match(await page.locator(".where").inputValue(), /^!\(process == "System"\)$/);
    await rows(page).nth(2).locator(".grid-cell").nth(3).click({ button: "right" });
    await page.keyboard.press("Escape");
    assert.equal(await page.locator(".menu").isVisible(), false);
    assert.equal(await page.evaluate(() => document.activeElement.className), "grid-scroll");
    return page;
  },

  async "keeps the contrast of rows that rules color"() {
    for (const colorScheme of ["light", "dark"]) {
      for (const color of ["yellow", "green", "blue", "red", "purple", "orange", "gray"]) {
        const rules = JSON.stringify([{ field: "cpu", test: "atMost", value: "9", color }]);
        const page = await open({}, `&panel=events&rules=${encodeURIComponent(rules)}`, { colorScheme });
        assert.ok((await page.locator(`.ruled.tint-${color}.critical`).count()) > 0);
        assert.deepEqual(await accessibilityProblems(page), [], `${colorScheme} ${color}`);
        await page.context().close();
      }
    }
    return null;
  },

  async "completes expressions"() {
    const page = await open({}, "&panel=events");
    await page.keyboard.press("e");
    await page.keyboard.type("prov");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Tab");
    assert.equal(await page.locator(".where").inputValue(), "provider");
    await page.keyboard.type(" == cont");
    await page.getByRole("option", { name: "Contoso-Kettle" }).click();
    await page.keyboard.press("Enter");
    await settled(page);
    assert.equal(asked(page, "events").slice(-1)[0].selection.where, "provider == Contoso-Kettle");
    assert.deepEqual(await accessibilityProblems(page), []);
    return page;
  },

  async "leads from an event to the timeline, its stack, and back"() {
    const page = await open({}, "&panel=events");
    await rows(page).nth(5).click();
    await settled(page);
    const detail = page.locator(".event-detail");
    assert.match(await detail.innerText(), /Boil[^]*The tea of[^]*Fields[^]*Cups[^]*Stack[^]*KiSwapThread[^]*Payload, 40 bytes[^]*Properties/);
    await detail.locator("tr", { hasText: "Tea" }).hover();
    assert.equal(await detail.locator(".byte.marked").count(), 12);
    await detail.locator(".byte").first().hover();
    assert.match(await detail.locator("tr.marked").innerText(), /Cups/);
    await page.getByRole("button", { name: "Show in timeline" }).click();
    await settled(page);
    assert.equal(await page.locator(".track[aria-selected=true] .track-name").innerText(), "200000 Main of teapot.exe");
    const box = await canvas(page).boundingBox();
    await canvas(page).click({ position: { x: box.width / 2, y: 30 } });
    await page.waitForTimeout(1500);
    assert.match(await page.locator(".grid-row[aria-selected=true]").innerText(), /^(11,9|12,0)\d\d,\d\d\d\s+(29\.9|30)/);
    return page;
  },

  async "finds the next event with a text"() {
    const page = await open({}, "&panel=events");
    await page.keyboard.press("Control+f");
    await page.keyboard.type("kettle");
    await page.keyboard.press("Enter");
    await settled(page);
    assert.match(await page.locator(".grid-row[aria-selected=true]").innerText(), /^1,000\s/);
    await page.keyboard.press("Enter");
    await settled(page);
    assert.match(await page.locator(".grid-row[aria-selected=true]").innerText(), /^2,000\s/);
    return page;
  },

  async "draws the flame graph of the selection"() {
    const page = await open({}, "&selection=1000000000_2000000000");
    await tab(page, "Flame graph").click();
    await settled(page);
    assert.equal(await page.locator(".flame-view canvas").count(), 1);
    assert.deepEqual(asked(page, "flame").slice(-1)[0].selection, { from: "133604000010000000", to: "133604000020000000" });
    await page.getByLabel("Stacks of").selectOption("wait");
    await settled(page);
    assert.equal(asked(page, "flame").slice(-1)[0].kind, "wait");
    await page.getByLabel("Groups of frames").selectOption("modules");
    await page.getByText("Patterns").click();
    await page.getByLabel("Fold frames").fill("ntdll!*");
    await page.keyboard.press("Enter");
    await settled(page);
    const { grouping, folding } = asked(page, "flame").slice(-1)[0];
    assert.deepEqual([grouping, folding], ["modules", "ntdll!*"]);
    await page.locator(".flame-view canvas").click({ position: { x: 40, y: 9 } });
    await page.getByRole("button", { name: "Callers of frame" }).click();
    await settled(page);
    const { focus, is_inverted: isInverted } = asked(page, "flame").slice(-1)[0];
    assert.deepEqual([focus, isInverted], ["kettle.exe!Heat", true]);
    assert.match(await page.locator(".panel .chip").innerText(), /^callers of kettle\.exe!Heat/);
    assert.deepEqual(await accessibilityProblems(page), []);
    return page;
  },

  async "shows the critical path of a thread in the selection"() {
    const page = await open({}, "&selection=1000000000_2000000000");
    await page.getByRole("treeitem", { name: /100008/ }).click();
    await page.keyboard.press("]");
    await settled(page);
    assert.deepEqual(asked(page, "follow").slice(-1)[0].selection, { from: "133604000010000000", to: "133604000020000000" });
    assert.equal(asked(page, "follow").length, 1);
    assert.equal(await rows(page).count(), 3);
    return page;
  },

  async "follows a wait to who ended it"() {
    const page = await open();
    const row = await page.getByRole("treeitem", { name: /100008/ }).boundingBox();
    const box = await canvas(page).boundingBox();
    await page.mouse.click(box.x + 300, row.y + 8);
    await page.keyboard.press("[");
    await settled(page);
    assert.equal(asked(page, "follow").slice(-1)[0].tid, 100_008);
    assert.equal(await rows(page).count(), 3);
    assert.match(await page.locator(".tracks-labels").innerText(), /^\s*Who ended the wait\s+2\s+thread 100008/);
    return page;
  },

  async "keeps its state when it is loaded again, and by a copied address"() {
    const page = await open();
    await drag(page, 0.25, 0.5);
    await tab(page, "Waits").click();
    await page.getByRole("treeitem", { name: /100004/ }).click();
    await page.keyboard.press("p");
    await page.keyboard.press("m");
    await page.keyboard.type("kettle on");
    await page.keyboard.press("Enter");
    await settled(page);
    const state = await stateOf(page);
    assert.match(state.marks, /kettle on/);
    await page.reload();
    await page.locator(".track").first().waitFor();
    await settled(page);
    assert.deepEqual(await stateOf(page), state);
    assert.match(await page.locator(".tracks-labels").innerText(), /^\s*Pinned\s+1\s+thread 100004 of kettle\.exe/);
    assert.equal(await page.getByLabel("Note of mark 1").inputValue(), "kettle on");
    const other = await openPage(browser, page.url());
    await other.locator(".track").first().waitFor();
    await settled(other);
    assert.deepEqual(await stateOf(other), state);
    assert.deepEqual(other.problems, []);
    await other.context().close();
    return page;
  },

  async "saves a view and opens it"() {
    const page = await open({}, "&panel=marks&window=1000000000_2000000000");
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save view" }).click()]);
    assert.equal(download.suggestedFilename(), "made.etl.etlview.json");
    const path = await download.path();
    await page.keyboard.press("0");
    await settled(page);
    const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.getByRole("button", { name: "Open view" }).click()]);
    await chooser.setFiles(path);
    await settled(page);
    assert.equal(await shownRange(page), "+1 s .. +2 s");
    return page;
  },

  async "scrolls through ten thousand threads"() {
    const page = await open({ threads: 10_000 });
    await page.keyboard.press("/");
    await page.keyboard.type("kettle");
    await settled(page);
    await page.evaluate(async () => {
      const scroller = document.querySelector(".tracks-scroll");
      for (let i = 1; i <= 60; ++i) {
        scroller.scrollTop = (scroller.scrollHeight * i) / 70;
        await new Promise((done) => requestAnimationFrame(done));
      }
    });
    await settled(page);
    assert.ok((await page.locator(".track").count()) < 60);
    assert.ok(asked(page, "lod").length < 50, `${asked(page, "lod").length} questions`);
    assert.ok(Math.max(...asked(page, "lod").map(({ tracks }) => tracks.length)) <= 120);
    return page;
  },

  async "shows hostile names as texts"() {
    const page = await open({ isHostile: true, threads: 60 });
    assert.match(await page.locator("h1").innerText(), /^<b>\\u\{202e\}elt\.etl$/);
    const labels = await page.locator(".tracks-labels").innerText();
    assert.doesNotMatch(labels, /\u202e|\u001b/);
    for (const name of ["Events", "Kinds", "Flame graph", "Slowest", "Tracks"]) {
      await tab(page, name).click();
      await settled(page);
      const text = await page.locator(".panel").innerText();
      assert.doesNotMatch(text, /[\u202e\u001b]/, name);
      assert.deepEqual(await accessibilityProblems(page), [], name);
    }
    await tab(page, "Events").click();
    await rows(page).nth(1).click();
    await settled(page);
    assert.match(await page.locator(".event-detail").innerText(), /<\/script><script>alert\(1\)<\/script>/);
    assert.equal(await page.evaluate(() => document.querySelectorAll("img, b").length), 0);
    return page;
  },

  async "loads and runs nothing of others"() {
    const page = await open();
    const { violations, isHacked } = await blockedBy(page);
    assert.equal(isHacked, false);
    assert.ok(["connect-src", "img-src", "script-src-elem"].every((one) => violations.includes(one)), `${violations}`);
    page.problems = [];
    return page;
  },

  async "shows regions of a file, over the timeline and in a list"() {
    const page = await open();
    const event = (id) => `<Event Provider="{9E3B3947-CA5D-4614-91A2-7B624E0E7244}" Id="${id}" Version="0"/>`;
    const region = (name, start, stop, inner = "") => `<Region Guid="{00000000-0000-0000-0000-000000000000}" Name="${name}"><Start>${event(start)}</Start><Stop>${event(stop)}</Stop>${inner}</Region>`;
    const text = `<?xml version="1.0" encoding="utf-16"?><?Copyright (c) Contoso?><InstrumentationManifest><Instrumentation><Regions><RegionRoot Guid="{00000000-0000-0000-0000-000000000001}" Name="Kitchen">${region("Boil &lt;b>\u202e", 1, 9, region("Steam", 3, 5))}${region("Never", 200, 201)}</RegionRoot></Regions></Instrumentation></InstrumentationManifest>`;
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, "utf16le")]);
    await page.evaluate((bytes) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([new Uint8Array(bytes)], "kitchen.regions.xml"));
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    }, [...utf16]);
    await page.locator(".regions", { hasText: "25 spans" }).waitFor();
    assert.match(await page.locator(".regions").innerText(), /25 spans of 3 regions[^]*Kitchen[^]*Boil <b>[^]*Steam/);
    await page.locator(".region-remarks summary").click();
    assert.match(await page.locator(".region-remarks").innerText(), /Never: not found in the trace/);
    assert.ok(await page.locator(".regions-canvas").evaluate((element) => element.getContext("2d").getImageData(element.width / 2, 8, 1, 1).data[3] === 255));
    await page.locator(".regions .grid-row", { hasText: "Steam" }).nth(1).click();
    await settled(page);
    assert.equal((await stateOf(page)).selection, "5300000000_5500000000");
    await page.locator(".tracks-labels").focus();
    await page.keyboard.press("n");
    await settled(page);
    assert.equal((await stateOf(page)).selection, "10100000000_10900000000");
    await page.keyboard.press("Shift+N");
    await page.keyboard.press("Shift+N");
    await settled(page);
    assert.equal((await stateOf(page)).selection, "5100000000_5900000000");
    const strip = await page.locator(".regions-canvas").boundingBox();
    await page.mouse.click(strip.x + strip.width / 2, strip.y + 8);
    await settled(page);
    assert.equal((await stateOf(page)).selection, "100000000_55900000000");
    assert.deepEqual(await accessibilityProblems(page), []);
    await page.reload();
    await page.locator(".regions", { hasText: "25 spans" }).waitFor();
    await page.getByRole("button", { name: "Remove regions" }).click();
    await settled(page);
    assert.equal(await page.locator(".regions-strip").isVisible(), false);
    assert.equal((await stateOf(page)).regions, undefined);
    return page;
  },

  async "refuses what is not a file of regions"() {
    const page = await open();
    const files = { "entities.xml": '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', "broken.xml": "<a><b></a>", "other.xml": "<a/>", "large.xml": "x".repeat(2 << 20), "image.xml": '<html xmlns="http://www.w3.org/1999/xhtml"><img src="http://127.0.0.1:9/x.png" onerror="alert(1)"/></html>' };
    for (const [name, content] of Object.entries(files)) {
      const chosen = page.waitForEvent("filechooser");
      await page.keyboard.press("Shift+R");
      await (await chosen).setFiles({ name, mimeType: "text/xml", buffer: Buffer.from(content) });
      await page.locator(".regions", { hasText: `${name}: The file ` }).waitFor();
    }
    return page;
  },

  async "shows an empty trace, and one that is indexed"() {
    const empty = await open({ isEmpty: true });
    assert.match(await empty.locator(".tracks-empty").innerText(), /no events/);
    assert.match(await empty.locator(".panel").innerText(), /No events\./);
    assert.deepEqual(empty.problems, []);
    await empty.context().close();
    const server = await startServer({ progress: { what: "Indexing", part: 0.42 } });
    servers.push(server);
    const page = await openPage(browser, server.url);
    await page.locator(".progress", { hasText: "Indexing 42%" }).waitFor();
    assert.equal(await page.locator(".overview-note").isVisible(), true);
    assert.deepEqual(server.asked.filter(([name]) => ["tracks", "lod", "table"].includes(name)), []);
    server.trace.advance(null);
    await page.locator(".track").first().waitFor();
    await settled(page);
    assert.equal(await page.locator(".overview-note").isVisible(), false);
    return page;
  },

  async "follows a trace that grows, and keeps what is seen while it is paused"() {
    const page = await open({ growth: { has_ended: false, why: "" } });
    const live = page.locator("button.live");
    const note = page.locator(".live-note");
    assert.equal(await live.getAttribute("aria-pressed"), "true");
    const before = await picture(page);
    page.server.trace.grow(20);
    await note.filter({ hasText: "20 s added" }).waitFor();
    await settled(page);
    assert.equal(await shownRange(page), "+0 s .. +80 s");
    assert.notEqual(await picture(page), before);
    await page.locator(".range").fill("+70s .. +80s");
    await page.keyboard.press("Enter");
    await settled(page);
    page.server.trace.grow(5);
    await note.filter({ hasText: "25 s added" }).waitFor();
    await settled(page);
    assert.equal(await shownRange(page), "+75 s .. +85 s");
    await page.goBack(); // moving on is no step
    await settled(page);
    assert.equal(await shownRange(page), "+0 s .. +85 s");
    await page.keyboard.press("Shift+L");
    await live.filter({ hasText: "Live: paused" }).waitFor();
    const seen = await picture(page);
    const count = asked(page, "lod").length + asked(page, "table").length;
    page.server.trace.grow(15);
    await note.filter({ hasText: "15 s more" }).waitFor();
    await settled(page);
    assert.equal(await shownRange(page), "+0 s .. +85 s");
    assert.equal(await picture(page), seen);
    assert.equal(asked(page, "lod").length + asked(page, "table").length, count);
    assert.deepEqual(await accessibilityProblems(page), []);
    await live.click();
    await note.filter({ hasText: "40 s added" }).waitFor();
    await settled(page);
    assert.equal(await shownRange(page), "+0 s .. +100 s");
    assert.equal(asked(page, "table").at(-1).selection.to, String(133_604_000_000_000_000n + 1_000_000_001n));
    return page;
  },

  async "stays where it is shown when a trace grows, goes to its end, and says that it has ended"() {
    const page = await open({ growth: { has_ended: false, why: "" } }, `&window=${10e9}_${20e9}`);
    const live = page.locator("button.live");
    page.server.trace.grow(20);
    await page.locator(".live-note", { hasText: "60 s more" }).waitFor();
    await settled(page);
    assert.equal(await shownRange(page), "+10 s .. +20 s");
    assert.equal(await live.innerText(), "Live: paused");
    await page.keyboard.press("Control+p");
    await page.keyboard.type("live");
    await page.keyboard.press("Enter");
    await settled(page);
    assert.equal(await shownRange(page), "+70 s .. +80 s");
    page.server.trace.grow(2, "<b>Gone</b>\u202e.");
    await live.filter({ hasText: "Ended" }).waitFor();
    await settled(page);
    assert.equal(await shownRange(page), "+72 s .. +82 s");
    assert.equal(await live.isDisabled(), true);
    assert.equal(await page.locator(".live-note").innerText(), "<b>Gone</b>\\u{202e}.");
    assert.deepEqual(await accessibilityProblems(page), []);
    return page;
  },

  async "says that the server does not answer, and that an address is not valid"() {
    const page = await open();
    const bad = await openPage(browser, `${page.server.address}#token=wrong`);
    await bad.locator(".message").waitFor();
    assert.match(await bad.locator(".message").innerText(), /not valid any more/);
    await bad.context().close();
    page.server.close();
    await page.locator(".message").waitFor({ timeout: 10_000 });
    assert.match(await page.locator(".message").innerText(), /does not answer/);
    page.problems = [];
    return page;
  },

  async "has a key and a command for what it does"() {
    const page = await open();
    await page.keyboard.press("Control+p");
    await page.keyboard.type("waits");
    await page.keyboard.press("Enter");
    assert.equal(await tab(page, "Waits").getAttribute("aria-selected"), "true");
    await page.keyboard.press("Control+p");
    await page.getByRole("option", { name: /^Show the whole/ }).waitFor();
    await page.keyboard.type("+5s .. +6s");
    await page.keyboard.press("Enter");
    await settled(page);
    assert.equal(await shownRange(page), "+5 s .. +6 s");
    await page.keyboard.press("?");
    assert.match(await page.locator(".keys-dialog").innerText(), /Follow the wait at the cursor/);
    assert.deepEqual(await accessibilityProblems(page), []);
    return page;
  },

  async "moves in the tree of tracks by keys"() {
    const page = await open();
    await page.locator(".tracks-labels").focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowLeft");
    await settled(page);
    assert.equal(await page.locator(".track[aria-selected=true]").getAttribute("aria-expanded"), "false");
    await page.keyboard.press("ArrowDown");
    await settled(page);
    assert.equal(await page.locator(".track[aria-selected=true] .track-name").innerText(), "Disks");
    assert.equal(await page.locator(".tracks-labels").getAttribute("aria-activedescendant"), await page.locator(".track[aria-selected=true]").getAttribute("id"));
    return page;
  },

  async "moves tracks within their group, by keys and by dragging"() {
    const page = await open();
    const names = async (count) => (await page.locator(".track .track-name").allInnerTexts()).slice(0, count);
    assert.deepEqual(await names(4), ["Processors", "CPU 0", "CPU 0 interrupts", "CPU 1"]);
    await page.getByRole("treeitem", { name: /^CPU 1 [^i]/ }).click();
    await page.keyboard.press("Alt+ArrowUp");
    await page.keyboard.press("Alt+ArrowUp");
    await page.keyboard.press("Alt+ArrowUp");
    await settled(page);
    assert.deepEqual(await names(4), ["Processors", "CPU 1", "CPU 0", "CPU 0 interrupts"]);
    assert.equal(await page.locator(".track[aria-selected=true] .track-name").innerText(), "CPU 1");
    assert.equal(await page.locator(".tracks-status").innerText(), "Moved CPU 1");
    await page.keyboard.press("Alt+ArrowDown");
    await settled(page);
    assert.deepEqual(await names(4), ["Processors", "CPU 0", "CPU 1", "CPU 0 interrupts"]);
    const box = await page.getByRole("treeitem", { name: /^CPU 0 interrupts/ }).boundingBox();
    await page.mouse.move(box.x + 60, box.y + 10);
    await page.mouse.down();
    await page.mouse.move(box.x + 60, box.y - 20, { steps: 3 });
    assert.equal(await page.locator(".track-drop").isVisible(), true);
    await page.mouse.move(box.x + 60, box.y - 38, { steps: 3 });
    await page.mouse.up();
    await settled(page);
    assert.deepEqual(await names(4), ["Processors", "CPU 0 interrupts", "CPU 0", "CPU 1"]);
    await page.reload();
    await page.locator(".track").first().waitFor();
    assert.deepEqual(await names(4), ["Processors", "CPU 0 interrupts", "CPU 0", "CPU 1"]);
    for (const name of [/^CPU 0 [^i]/, /^CPU 1 [^i]/]) {
      await page.getByRole("treeitem", { name }).click();
      await page.keyboard.press("p");
    }
    await settled(page);
    assert.deepEqual(await names(3), ["Pinned", "CPU 0", "CPU 1"]);
    await page.locator(".track", { hasText: "CPU 1" }).first().click();
    await page.keyboard.press("Alt+ArrowUp");
    await settled(page);
    assert.deepEqual(await names(3), ["Pinned", "CPU 1", "CPU 0"]);
    await page.keyboard.press("Control+p");
    await page.keyboard.type("usual order");
    await page.keyboard.press("Enter");
    await settled(page);
    assert.deepEqual((await names(7)).slice(3), ["Processors", "CPU 0", "CPU 0 interrupts", "CPU 1"]);
    return page;
  },

  async "shows tracks in three heights, all or single ones"() {
    const page = await open();
    const height = async (name) => (await page.getByRole("treeitem", { name }).boundingBox()).height;
    await page.getByRole("treeitem", { name: /^CPU 1 [^i]/ }).click();
    await page.keyboard.press("Shift+Z");
    await settled(page);
    assert.deepEqual([await height(/^CPU 1 [^i]/), await height(/^CPU 0 [^i]/)], [44, 20]);
    assert.deepEqual(JSON.parse((await stateOf(page)).heights).map(([, name]) => name), ["tall"]);
    const box = await canvas(page).boundingBox();
    const label = await page.getByRole("treeitem", { name: /^CPU 2/ }).boundingBox();
    await page.mouse.click(box.x + 300, label.y + 5);
    await settled(page);
    assert.match(await page.locator(".track[aria-selected=true]").innerText(), /CPU 2/);
    await page.keyboard.press("z");
    await page.keyboard.press("z");
    await settled(page);
    assert.deepEqual([await height(/^CPU 1 [^i]/), await height(/^CPU 0 [^i]/), await height(/^Disks/)], [44, 14, 14]);
    assert.deepEqual(await accessibilityProblems(page), []);
    await page.keyboard.press("End");
    await page.locator(".tracks-labels").focus();
    await page.keyboard.press("End");
    await settled(page);
    const last = await page.locator(".track[aria-selected=true]").boundingBox();
    const seen = await page.locator(".tracks-scroll").boundingBox();
    assert.ok(last.y + last.height <= seen.y + seen.height + 1);
    await page.reload();
    await page.locator(".track").first().waitFor();
    await settled(page);
    assert.equal((await page.locator(".track", { hasText: "Contoso-Kettle" }).first().boundingBox())?.height ?? 14, 14);
    return page;
  },

  async "passes rows that are shown twice by keys, and moves the cursor"() {
    const page = await open();
    await page.getByRole("treeitem", { name: /100004/ }).click();
    await page.keyboard.press("p");
    await page.locator(".tracks-labels").focus();
    await page.keyboard.press("Home");
    for (let i = 1; i <= 5; ++i) {
      await page.keyboard.press("ArrowDown");
      await page.waitForFunction((id) => document.querySelector(".tracks-labels").getAttribute("aria-activedescendant") === id, `track-${i}`);
    }
    await canvas(page).click({ position: { x: 200, y: 30 } });
    await settled(page);
    const before = Number((await stateOf(page)).moment);
    await page.keyboard.press("Shift+ArrowRight");
    await page.keyboard.press("Shift+ArrowRight");
    await page.keyboard.press("Shift+ArrowLeft");
    await settled(page);
    const pixel = 60e9 / (await canvas(page).evaluate(({ clientWidth }) => clientWidth));
    assert.ok(Math.abs(Number((await stateOf(page)).moment) - before - pixel) < 2);
    await page.emulateMedia({ forcedColors: "active" });
    assert.match(await page.locator(".track[aria-selected=true]").evaluate((row) => getComputedStyle(row).outline), /solid 2px$/);
    await grid(page).focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("s");
    await settled(page);
    assert.equal(asked(page, "table").slice(-1)[0].sort, "process");
    return page;
  },

  async "goes to the event of a click, and leaves cursor and panel as they are"() {
    const page = await open({}, "&panel=events");
    await canvas(page).click({ position: { x: 333, y: 30 } });
    await page.waitForTimeout(1500);
    assert.equal(await page.locator(".grid-row[aria-selected=true]").count(), 1);
    const width = await canvas(page).evaluate(({ clientWidth }) => clientWidth);
    assert.equal((await stateOf(page)).moment, String(Math.round((333 * 60e9) / width)));
    await canvas(page).click({ position: { x: 500, y: 30 } });
    await tab(page, "CPU").click();
    await page.waitForTimeout(1500);
    assert.equal(await tab(page, "CPU").getAttribute("aria-selected"), "true");
    return page;
  },

  async "replaces a picture that takes long, though nothing moves any more"() {
    const page = await open();
    let held = 0;
    await page.route("**/api/lod", (route) => {
      if (route.request().postDataJSON().columns > 500 && held++ === 0) {
        return; // never answered
      }
      return route.continue();
    });
    await page.keyboard.press("g");
    await page.keyboard.type("+1s .. +1.5s");
    await page.keyboard.press("Enter");
    await page.waitForTimeout(100);
    await page.keyboard.press("g");
    await page.keyboard.type("+20s .. +20.5s");
    await page.keyboard.press("Enter");
    await settled(page);
    assert.ok(held > 1);
    assert.equal(asked(page, "lod").slice(-1)[0].selection.from, "133604000197500000");
    return page;
  },

  async "keeps marks when one goes back"() {
    const page = await open();
    await page.keyboard.press("w");
    await settled(page);
    await page.keyboard.press("m");
    await page.keyboard.type("tea");
    await page.keyboard.press("Enter");
    await settled(page);
    await page.goBack();
    await settled(page);
    assert.match((await stateOf(page)).marks, /tea/);
    return page;
  },

  async "shows all of the trace if an address is about another time, and asks no more than once"() {
    const page = await open({}, "&window=90000000000000_90000000001000");
    assert.equal(await shownRange(page), "+0 s .. +60 s");
    const { length } = asked(page, "lod");
    await page.waitForTimeout(1000);
    assert.equal(asked(page, "lod").length, length);
    return page;
  },

  async "is accessible, light, dark, on a phone, and enlarged"() {
    const views = [{ colorScheme: "light" }, { colorScheme: "dark" }, { colorScheme: "dark", viewport: { width: 390, height: 740 }, isMobile: true, hasTouch: true }, { viewport: { width: 640, height: 450 }, deviceScaleFactor: 2 }];
    for (const view of views) {
      const page = await open({}, "&panel=events&event=%5B1%2C0%2C72%5D", view);
      assert.deepEqual(await accessibilityProblems(page), [], JSON.stringify(view));
      await tab(page, "CPU").click();
      await settled(page);
      assert.deepEqual(await accessibilityProblems(page), [], JSON.stringify(view));
      assert.deepEqual(page.problems, []);
      await page.context().close();
    }
    return null;
  },

  async "draws a frame in little time"() {
    const page = await open({ threads: 400 });
    const box = await canvas(page).boundingBox();
    await page.mouse.move(box.x + box.width / 3, box.y + 60);
    const times = await page.evaluate(async () => {
      const lengths = []; // ms
      const target = document.querySelector(".tracks-canvas");
      const { left, top, width } = target.getBoundingClientRect();
      for (let i = 0; i < 60; ++i) {
        target.dispatchEvent(new WheelEvent("wheel", { deltaY: i < 30 ? -60 : 60, clientX: left + width / 3, clientY: top + 60, bubbles: true, cancelable: true }));
        await new Promise((done) => requestAnimationFrame((began) => {
          lengths.push(performance.now() - began); // what the page did in this frame, before this function
          done();
        }));
      }
      return lengths.sort((a, b) => a - b);
    });
    console.log(`    frames: median ${times[30].toFixed(1)} ms, 95th percentile ${times[57].toFixed(1)} ms`);
    return page;
  },
};

const only = process.argv[2];
const passed = await runTests(browser, Object.fromEntries(Object.entries(tests).filter(([name]) => !only || name.includes(only))));
servers.forEach((server) => server.close());
process.exit(passed ? 0 : 1);
