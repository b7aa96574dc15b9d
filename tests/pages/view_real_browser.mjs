// The page of `etl view` with its own server: view_real_browser.mjs ETL TRACE HOSTILE, traces of view.sh.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { accessibilityProblems, blockedBy, openBrowser, openPage, runTests } from "./browser.mjs";
import { serveView, stopViews } from "./view_process.mjs";

const skipped = 77;
const [etl, kitchen, hostile] = process.argv.slice(2);
const browser = await openBrowser();
if (!browser) {
  process.exit(skipped);
}

async function open(trace, address = "") {
  const page = await openPage(browser, (await serveView(etl, trace)) + address);
  await page.locator(".track").first().waitFor();
  await settled(page);
  return page;
}

async function settled(page) {
  await page.waitForTimeout(700);
  await page.waitForFunction(() => !document.querySelector("[aria-busy=true]"));
}

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

const passed = await runTests(browser, tests);
stopViews();
process.exit(passed ? 0 : 1);
