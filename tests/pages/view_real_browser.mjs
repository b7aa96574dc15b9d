// The page of `etl view` with its own server: view_real_browser.mjs ETL TRACE BEFORE HOSTILE [TEST], traces of view.sh.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { appendFileSync, copyFileSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { accessibilityProblems, blockedBy, openBrowser, openPage, runTests } from "./browser.mjs";
import { serveView, stopViews } from "./view_process.mjs";

const skipped = 77;
const [etl, kitchen, before, hostile, only] = process.argv.slice(2);
const browser = await openBrowser();
if (!browser) {
  process.exit(skipped);
}

async function open(trace, address = "", ...words) {
  const page = await openPage(browser, (await serveView(etl, trace, ...words)) + address);
  await page.locator(".track").first().waitFor();
  await settled(page);
  return page;
}

async function settled(page) {
  await page.waitForTimeout(700);
  await page.waitForFunction(() => !document.querySelector("[aria-busy=true]"));
}

/** A trace that is written in steps: {path, add(buffers), finish()}. */
function growingTrace(path) {
  const complete = readFileSync(kitchen);
  const size = complete.readUInt32LE(0); // of a buffer
  const live = Buffer.from(complete);
  live.fill(0, 120, 128); // EndTime (docs/format/logfile-header.md)
  live.fill(0, 140, 144); // BuffersWritten
  let at = 0;
  const add = (buffers) => {
    const to = Math.min(live.length, at + Math.round(buffers * size));
    appendFileSync(path, live.subarray(at, to));
    at = to;
  };
  const finish = () => {
    add(Infinity);
    writeFileSync(path, complete.subarray(0, size), { flag: "r+" });
  };
  rmSync(path, { force: true });
  add(Math.floor(live.length / size / 3));
  return { path, add, finish };
}

const endOf = (text) => Number(/\.\. \+([\d.]+) s/.exec(text)[1]);
const shownRange = (page) => page.locator(".range").inputValue();
const note = (page, hasText) => page.locator(".live-note", { hasText }).waitFor({ timeout: 120_000 });

const rows = (page) => page.locator(".panel .grid-row");
const tab = (page, name) => page.getByRole("tab", { name, exact: true });
const printed = (...words) => execFileSync(etl, words, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });

const tests = {
  async "shows tracks, and the rows that the command prints"() {
    const page = await open(kitchen);
    assert.match(await page.locator(".tracks-labels").innerText(), /Processors\s+4\s+CPU 0[^]*Processes\s+3/);
    assert.match(await page.locator(".panel-foot").innerText(), /etl cpu --by process kitchen\.etl/);
    const table = JSON.parse(printed("cpu", "--format", "json", kitchen));
    const shown = await rows(page).first().innerText();
    assert.ok(shown.startsWith(table[0].process), shown);
    assert.equal(await rows(page).count(), table.length - 1); // without the total
    const isPainted = await page.evaluate(() => {
      const canvas = document.querySelector(".tracks-canvas");
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, 200);
      return data.filter((value, i) => i % 4 === 3 && value === 255).length > 5000;
    });
    assert.ok(isPainted);
    return page;
  },

  async "saves the rows that the command prints"() {
    const page = await open(kitchen);
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "CSV" }).click()]);
    assert.equal(readFileSync(await download.path(), "utf8"), printed("cpu", "--format", "csv", kitchen));
    return page;
  },

  async "compares what is below each other, as the command does"() {
    const aligned = encodeURIComponent(JSON.stringify({ by: "mark", after: "300000000", before: "100000000" }));
    const page = await open(kitchen, `&compared=1&panel=table-cpu&selection=300000000_400000000&aligned=${aligned}`, "--against", before);
    const text = await page.locator(".panel-foot .command").innerText();
    const words = text.split(" ");
    assert.equal(words[1], "diff");
    const timeAfter = (option) => Date.parse(words[words.indexOf(option) + 1]) % 1000; // both begin at a full second
    assert.deepEqual(["--from", "--to", "--before-from", "--before-to"].map(timeAfter), [300, 400, 100, 200]);
    const table = JSON.parse(printed(...words.slice(1), "--format", "json"));
    assert.ok(table.length > 2, text);
    assert.equal(await rows(page).count(), table.length - 1); // without the total
    const shown = await rows(page).first().innerText();
    assert.ok(shown.startsWith(table[0].process), shown);
    const painted = await page.evaluate(() =>
      [...document.querySelectorAll(".tracks-canvas")].map((canvas) => {
        const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
        return data.filter((value, i) => i % 4 === 3 && value === 255).length > 2000;
      }),
    );
    assert.deepEqual(painted, [true, true]);
    return page;
  },

  async "asks about a selection"() {
    const page = await open(kitchen, "&selection=200000000_400000000");
    const text = await page.locator(".panel-foot").innerText();
    const [, from, to] = /--from (\S+) --to (\S+)/.exec(text);
    const [first] = JSON.parse(printed("cpu", "--format", "json", "--from", from, "--to", to, kitchen));
    assert.ok((await rows(page).first().innerText()).includes(first.switches.toLocaleString("en")));
    return page;
  },

  async "shows events, one of them, and where an expression is wrong"() {
    const page = await open(kitchen, "&panel=events");
    assert.match(await page.locator(".events .panel-bar").first().innerText(), /events/);
    await page.locator(".where").fill("event == Thread/CSwitch");
    await page.keyboard.press("Enter");
    await settled(page);
    const [event] = printed("dump", "--format", "jsonl", "--where", "event == Thread/CSwitch", "--limit", "1", kitchen).split("\n").map((line) => line && JSON.parse(line));
    await rows(page).first().click();
    await settled(page);
    const detail = await page.locator(".event-detail").innerText();
    assert.match(detail, new RegExp(`NewThreadId\\s+${event.data.NewThreadId}\\s`));
    assert.match(detail, /Payload, \d+ bytes/);
    await page.locator(".where").fill("level ==");
    await page.keyboard.press("Enter");
    await settled(page);
    assert.match(await page.locator(".scope-bar [role=alert]").innerText(), /\S/);
    page.problems = page.problems.filter((text) => !text.includes("400 (Bad Request)")); // the browser tells of the answer
    return page;
  },

  async "draws flame graphs, and follows a wait"() {
    const page = await open(kitchen, "&panel=flame");
    assert.equal(await page.locator(".flame-view canvas").count(), 1);
    const follow = encodeURIComponent(JSON.stringify([104, "133603920005000000", 1]));
    const other = await open(kitchen, `&panel=follow&follow=${follow}`);
    assert.ok((await rows(other).count()) > 0);
    assert.match(await other.locator(".tracks-labels").innerText(), /^\s*Who ended the wait/);
    assert.deepEqual(other.problems, []);
    await other.context().close();
    return page;
  },

  async "grows with a trace that is written, and keeps what is seen while it is paused"() {
    const growing = growingTrace("growing.etl");
    const page = await open(growing.path, "", "--follow");
    const first = endOf(await shownRange(page));
    growing.add(2.5); // half a buffer is not shown
    await note(page, "added");
    await settled(page);
    const second = endOf(await shownRange(page));
    assert.ok(second > first, `${first} ${second}`);
    await page.keyboard.press("Shift+L");
    const seen = await page.locator(".panel").innerText();
    growing.add(2);
    await note(page, "more");
    await settled(page);
    assert.equal(endOf(await shownRange(page)), second);
    assert.equal(await page.locator(".panel").innerText(), seen);
    await page.locator("button.live").click();
    await note(page, "added");
    await settled(page);
    assert.ok(endOf(await shownRange(page)) > second);
    assert.notEqual(await page.locator(".panel").innerText(), seen);
    growing.finish();
    await note(page, "The session has ended.");
    await settled(page);
    const table = JSON.parse(printed("cpu", "--format", "json", kitchen));
    const shown = await rows(page).first().innerText();
    assert.ok(shown.includes(table[0].switches.toLocaleString("en")), shown);
    assert.deepEqual(await accessibilityProblems(page), []);
    return page;
  },

  async "says why a trace grows no more"() {
    copyFileSync(kitchen, "other.etl");
    const ends = [[(path) => truncateSync(path, 100_000), "The file was truncated"], [(path) => renameSync("other.etl", path), "The file was replaced or removed"], [(path) => rmSync(path), "The file was replaced or removed"]];
    let page = null;
    for (const [hurt, why] of ends) {
      await page?.context().close();
      const { path } = growingTrace("growing.etl");
      page = await open(path, "&panel=events", "--follow");
      hurt(path);
      await note(page, why);
      await page.keyboard.press("Control+p");
      await page.keyboard.type("cpu");
      await page.keyboard.press("Enter");
      await settled(page);
      if (why.includes("removed")) {
        assert.ok((await rows(page).count()) > 0, why);
      }
      assert.deepEqual(page.problems, [], why);
    }
    return page;
  },

  async "shows hostile names as texts in all panels"() {
    const page = await open(hostile);
    const names = await page.getByRole("tab").allInnerTexts();
    for (const name of names) {
      await tab(page, name).click();
      await settled(page);
      assert.doesNotMatch(await page.locator("main").innerText(), /[\u202e\u001b]/, name);
      assert.deepEqual(await accessibilityProblems(page), [], name);
    }
    assert.equal(await page.evaluate(() => document.querySelectorAll("img").length), 0);
    return page;
  },

  async "loads and runs nothing of others"() {
    const page = await open(kitchen);
    const { violations, isHacked } = await blockedBy(page);
    assert.equal(isHacked, false);
    assert.ok(["connect-src", "img-src", "script-src-elem"].every((one) => violations.includes(one)), `${violations}`);
    page.problems = [];
    return page;
  },
};

const passed = await runTests(browser, Object.fromEntries(Object.entries(tests).filter(([name]) => !only || name.includes(only))));
stopViews();
process.exit(passed ? 0 : 1);
