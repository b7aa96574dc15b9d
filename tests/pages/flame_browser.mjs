// The page of `etl flame` in a browser: flame_browser.mjs PAGE COMPARISON, two pages of the trace of kitchen_trace.mjs.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { accessibilityProblems, blockedBy, openBrowser, openPage, pageWith, runTests } from "./browser.mjs";

const skipped = 77;
const [kitchen, comparison] = process.argv.slice(2).map((path) => resolve(path));
const browser = await openBrowser();
if (!browser) {
  process.exit(skipped);
}
const scratch = mkdtempSync(join(tmpdir(), "etl-flame-"));
const urlOf = (path) => pathToFileURL(path).href;
const textOf = (page, selector) => page.locator(selector).innerText();
const path = (page) => textOf(page, ".flame-path");
const status = (page) => textOf(page, ".flame-status");

/** The page of `etl flame` with other data. */
const flameWith = (name, data) => pageWith(kitchen, join(scratch, name), data);

/** A picture of the canvas, to see whether it has changed. */
const picture = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(document.querySelector("canvas").toDataURL())))));

async function changes(page, what, action) {
  const before = await picture(page);
  await action();
  assert.notEqual(await picture(page), before, what);
}

const tests = {
  async "shows what the trace contains"() {
    const page = await openPage(browser, urlOf(kitchen));
    assert.match(await textOf(page, "h1"), /kitchen\.etl: CPU time by samples/);
    assert.match(await status(page), /^all: \d+ ms, \d+ samples$/);
    assert.match(await textOf(page, ".flame-functions"), /Tea\.Kitchen\.Kettle\.Boil/);
    assert.match(await textOf(page, ".flame-legend"), /teahouse\.dll \d/);
    return page;
  },

  async "finds functions"() {
    const page = await openPage(browser, urlOf(kitchen));
    await changes(page, "matches are colored", async () => {
      await page.keyboard.press("/");
      await page.keyboard.type("kettle boil");
    });
    assert.match(await textOf(page, ".flame-found"), /^1 found, \d+\.\d%$/);
    await page.keyboard.press("Enter");
    assert.match(await status(page), /Kettle\.Boil/);
    await page.locator("input[type=search]").focus();
    await page.keyboard.press("Escape");
    assert.equal(await textOf(page, ".flame-found"), "");
    return page;
  },

  async "zooms by mouse and keyboard"() {
    const page = await openPage(browser, urlOf(kitchen));
    const isIcicle = (await page.getByRole("button", { name: "Icicle" }).getAttribute("aria-pressed")) === "true";
    const { width, height } = await page.locator("canvas").boundingBox();
    const row = (level) => (isIcicle ? level * 19 + 9 : height - level * 19 - 10);
    await changes(page, "a click zooms", () => page.locator("canvas").click({ position: { x: 10, y: row(1) } }));
    assert.match(await path(page), /^all › teahouse\.exe \(1200\)$/);
    assert.match(await status(page), /teahouse\.exe \(1200\)/);
    await page.getByRole("button", { name: "Reset" }).click();
    assert.equal(await path(page), "all");
    await page.locator("canvas").focus();
    const [deeper, back] = isIcicle ? ["ArrowDown", "ArrowUp"] : ["ArrowUp", "ArrowDown"];
    await page.keyboard.press(deeper);
    assert.match(await status(page), /^teahouse\.exe/);
    await page.keyboard.press("ArrowRight");
    assert.match(await status(page), /^menu\.exe/);
    await page.keyboard.press(back);
    assert.match(await status(page), /^all/);
    await page.keyboard.press(deeper);
    await page.keyboard.press("Enter");
    assert.match(await path(page), /teahouse/);
    await page.keyboard.press("Escape");
    assert.equal(await path(page), "all");
    await page.locator("canvas").hover({ position: { x: width / 4, y: row(2) } });
    assert.match(await textOf(page, ".flame-tip"), /ntdll\.dll/);
    return page;
  },

  async "turns the tree over"() {
    const page = await openPage(browser, urlOf(kitchen));
    await changes(page, "icicle", () => page.getByRole("button", { name: "Icicle" }).click());
    const total = await status(page);
    await changes(page, "callers", () => page.getByRole("button", { name: "Callers" }).click());
    assert.equal(await status(page), total);
    return page;
  },

  async "is readable in both themes"() {
    const page = await openPage(browser, urlOf(kitchen));
    assert.deepEqual(await accessibilityProblems(page), []);
    await changes(page, "dark", () => page.getByRole("button", { name: "Dark" }).click());
    assert.deepEqual(await accessibilityProblems(page), []);
    const dark = await openPage(browser, urlOf(kitchen), { colorScheme: "dark" });
    assert.equal(await picture(dark), await picture(page), "the system's theme is that of the button");
    return page;
  },

  async "is readable on a phone"() {
    const page = await openPage(browser, urlOf(kitchen), { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    assert.deepEqual(await accessibilityProblems(page), []);
    const { width, height } = await page.locator("canvas").boundingBox();
    assert.ok(width <= 390 && height > 100);
    return page;
  },

  async "sorts functions"() {
    const page = await openPage(browser, urlOf(kitchen));
    const first = () => textOf(page, "tbody tr:first-child td:last-child");
    const bySelf = await first();
    await page.getByRole("button", { name: "Total" }).click();
    assert.notEqual(await first(), bySelf);
    assert.equal(await page.locator("th[aria-sort=descending]").innerText(), "Total");
    return page;
  },

  async "compares two traces"() {
    const page = await openPage(browser, urlOf(comparison));
    await page.getByRole("button", { name: "Change", exact: true }).last().click(); // the heading of the table
    assert.match(await textOf(page, "tbody"), /[+−]\d/);
    await changes(page, "colors", () => page.getByRole("button", { name: "Change", exact: true }).first().click());
    assert.deepEqual(await accessibilityProblems(page), []);
    return page;
  },

  async "shows hostile names as text"() {
    const names = ["p (1)", "<img src=x onerror=alert(1)>", "</script><script>alert(1)</script>", "a\u202eexe.gpj\u202c", "\u0000\u0007\u001b[31m", "x".repeat(1_000_000), "javascript:alert(1)", "__proto__"];
    const frame = names.map((_, i) => i);
    const page = await openPage(browser, flameWith("hostile.html", {
      title: "<b>bold</b>\u202e", summary: "<i>", unit: "count", events: "events", notes: ["<u>note</u>"], modules: ["", "<b>module</b>"],
      frames: { name: names, module: frame.map(() => 1), kind: frame.map(() => 0) },
      nodes: { depth: frame, frame, weight: frame.map(() => 5), count: frame.map(() => 5), merged: [] },
    }));
    assert.equal(await page.locator("main img, main script, main b:not(.flame-path b), main i, main u").count(), 0);
    assert.match(await textOf(page, "h1"), /^<b>bold<\/b>\\u\{202e\}$/);
    assert.match(await textOf(page, "tbody"), /<img src=x onerror=alert\(1\)>/);
    assert.ok((await textOf(page, "tbody")).length < 3000);
    assert.deepEqual(await accessibilityProblems(page), []);
    return page;
  },

  async "opens a tree of 100,000 nodes"() {
    const count = 100_000;
    const numbers = Array.from({ length: count }, (_, i) => i);
    const data = {
      title: "large", summary: "", unit: "nanoseconds", events: "samples", modules: ["", "a.dll", "b.dll"],
      frames: { name: numbers.slice(0, 5000).map((i) => `function${i}`), module: numbers.slice(0, 5000).map((i) => 1 + (i % 2)), kind: numbers.slice(0, 5000).map(() => 0) },
      nodes: { depth: numbers.map((i) => i % 40), frame: numbers.map((i) => (i * 7919) % 5000), weight: numbers.map((i) => 1000 + (i * 31) % 9973), count: numbers.map(() => 1), merged: [] },
    };
    const url = flameWith("large.html", data);
    const began = performance.now();
    const page = await openPage(browser, url);
    await picture(page);
    console.log(`    ${Math.round(performance.now() - began)} ms`);
    assert.match(await status(page), /100,000 samples/);
    return page;
  },

  async "loads nothing, even if it is asked to"() {
    const page = await openPage(browser, urlOf(kitchen));
    assert.deepEqual(page.problems, []);
    assert.deepEqual(await blockedBy(page), { violations: ["connect-src", "img-src", "script-src-elem"], isHacked: false });
    return null;
  },
};

const havePassed = await runTests(browser, tests);
rmSync(scratch, { recursive: true });
process.exit(havePassed ? 0 : 1);
