// The page of `etl report` in a browser: report_browser.mjs PAGE STACKS HOSTILE PACKETS, pages of traces of report.sh.
import assert from "node:assert/strict";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { accessibilityProblems, blockedBy, dataOfPage, openBrowser, openPage, pageWith, runTests } from "./browser.mjs";

const skipped = 77;
const [kitchen, stacks, hostile, packets] = process.argv.slice(2).map((path) => pathToFileURL(resolve(path)).href);
const browser = await openBrowser();
if (!browser) {
  process.exit(skipped);
}
const shownTime = (page) => page.locator(".window-bar [role=status]").innerText();
const chart = (page, number = 0) => page.locator(".chart canvas").nth(number);
const rows = (page, table) => page.locator(`#${table} tbody tr.row`);

/** A picture of a chart, to see whether it has changed. */
const picture = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(document.querySelector(".chart canvas").toDataURL())))));

async function drag(page, from, to) {
  const { x, y, width, height } = await chart(page).boundingBox();
  await page.mouse.move(x + from * width, y + height / 3);
  await page.mouse.down();
  await page.mouse.move(x + to * width, y + height / 3, { steps: 4 });
  await page.mouse.up();
}

const tests = {
  async "shows what the trace is"() {
    const page = await openPage(browser, kitchen);
    assert.equal(await page.locator("h1").innerText(), "kitchen.etl");
    const figures = await page.locator(".figures").innerText();
    assert.match(figures, /Events\s+20,00\d/);
    assert.match(figures, /Lost\s+0/);
    assert.match(await page.locator("#facts").innerText(), /Not recorded: .*DPCs and ISRs/);
    assert.equal(await page.locator(".chart").count(), 5);
    return page;
  },

  async "zooms all charts by dragging"() {
    const page = await openPage(browser, kitchen);
    const before = await picture(page);
    await drag(page, 0.25, 0.5);
    assert.match(await shownTime(page), /^\+0\.3\d+ s to \+0\.7\d+ s, 3\d\d\.?\d* ms$/);
    assert.notEqual(await picture(page), before);
    assert.match(await page.locator(".window-command code").innerText(), /^etl report --from 2024-.*Z --to 2024-.*Z kitchen\.etl -o window\.html$/);
    await rows(page, "table-cpu-process").nth(1).click();
    assert.match(await page.locator("#table-cpu-process .details code").innerText(), /^etl dump --from 2024-.* --where /);
    await page.getByRole("button", { name: "Show all" }).click();
    assert.match(await shownTime(page), /^All 1\.43 s/);
    assert.equal(await picture(page), before);
    return page;
  },

  async "tables follow the selection, and say what they do not know"() {
    const page = await openPage(browser, kitchen);
    const table = page.locator("#table-cpu-process");
    const total = () => table.locator("tfoot").innerText();
    const all = await total();
    await drag(page, 0.25, 0.5);
    assert.notEqual(await total(), all);
    assert.match(await table.locator(".selection-note").innerText(), /^From \+0\.3\d+ s to \+0\.7\d+ s: a selection is of whole slices\. Not known of a selection: ready\./);
    assert.match(await table.locator(".table-command code").innerText(), /^etl cpu --by process --from 2024-.*Z --to 2024-.*Z kitchen\.etl$/);
    assert.equal(await table.getByRole("button", { name: "ready", exact: true }).count(), 0);
    const slowest = page.locator("#table-slowest");
    assert.match(await slowest.locator(".selection-note").innerText(), /^These rows are about all of the time/);
    assert.match(await slowest.locator(".table-command code").innerText(), /^etl slowest .*--from 2024-/);
    await page.getByRole("button", { name: "Show all" }).click();
    assert.equal(await total(), all);
    assert.equal(await page.locator(".selection-note:visible").count(), 0);
    return page;
  },

  async "keeps the view in the address"() {
    const page = await openPage(browser, kitchen);
    await drag(page, 0.25, 0.5);
    await page.waitForURL(/window=\d+_\d+/);
    await page.getByLabel("Series of Events").selectOption("by process");
    await page.getByLabel("Filter Events by kind").fill("diskio");
    await page.locator("#table-stats-event").getByRole("button", { name: "bytes", exact: true }).click();
    await rows(page, "table-cpu-process").nth(1).click();
    await page.locator("#about > summary").click();
    await page.waitForURL(/opened=.*/);
    const time = await shownTime(page);
    const texts = () => page.locator("#table-stats-event, #table-cpu-process, .legend").allInnerTexts();
    const shown = await texts();
    const copied = await openPage(browser, page.url());
    assert.equal(await shownTime(copied), time);
    assert.deepEqual(await copied.locator("#table-stats-event, #table-cpu-process, .legend").allInnerTexts(), shown);
    assert.ok(await copied.locator("#about").evaluate((one) => one.open));
    await page.getByRole("link", { name: "Disk by process" }).click();
    await page.waitForURL(/part=table-disk-process/);
    await page.goBack();
    await page.goBack();
    assert.match(await shownTime(page), /^All/);
    await page.goForward();
    assert.equal(await shownTime(page), time);
    const part = await openPage(browser, `${kitchen}#table-disk-process`);
    assert.ok(await part.locator("#table-disk-process").evaluate((one) => Math.abs(one.getBoundingClientRect().top) < innerHeight));
    return page;
  },

  async "zooms by keyboard, and describes the cursor"() {
    const page = await openPage(browser, kitchen);
    await chart(page, 1).focus();
    await page.keyboard.press("ArrowRight");
    assert.match(await chart(page, 1).getAttribute("aria-description"), /^\+0\.0\d+ s, .*processors/);
    await page.keyboard.down("Shift");
    for (let i = 0; i < 10; ++i) {
      await page.keyboard.press("ArrowRight");
    }
    await page.keyboard.up("Shift");
    await page.keyboard.press("Enter");
    assert.match(await shownTime(page), /^\+0\.01\d+ s to \+0\.15\d+ s/);
    await page.keyboard.press("Escape");
    assert.match(await shownTime(page), /^All/);
    return page;
  },

  async "hides series"() {
    const page = await openPage(browser, kitchen);
    const before = await picture(page);
    await page.locator(".legend").first().getByRole("button").first().click();
    assert.notEqual(await picture(page), before);
    await page.getByLabel("Series of Events").selectOption("by process");
    assert.match(await page.locator(".legend").first().innerText(), /kettle\.exe \(100\)/);
    return page;
  },

  async "searches all tables, and one"() {
    const page = await openPage(browser, kitchen);
    await page.keyboard.press("/");
    await page.keyboard.type("KETTLE 116");
    assert.match(await page.locator(".search [role=status]").innerText(), /^\d+ rows in 2 tables$/);
    assert.equal(await page.locator(".table-section:visible").count(), 2);
    await page.keyboard.press("Escape");
    assert.ok((await page.locator(".table-section:visible").count()) > 10);
    await page.getByLabel("Filter Events by kind").fill("diskio/read");
    assert.match(await page.locator("#table-stats-event").innerText(), /2 of \d+ rows/);
    return page;
  },

  async "sorts tables"() {
    const page = await openPage(browser, kitchen);
    const first = () => rows(page, "table-stats-event").first().locator("td").nth(1).innerText();
    const byEvents = await first();
    await page.locator("#table-stats-event").getByRole("button", { name: "event", exact: true }).click();
    assert.notEqual(await first(), byEvents);
    assert.equal(await page.locator("#table-stats-event th[aria-sort=ascending]").innerText(), "event");
    await page.locator("#table-stats-event").getByRole("button", { name: "events", exact: true }).click();
    assert.equal(await first(), byEvents);
    return page;
  },

  async "shows rows by keyboard, with the place of an event"() {
    const page = await openPage(browser, kitchen);
    await rows(page, "table-slowest").first().focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    const details = await page.locator("#table-slowest .details").innerText();
    assert.match(details, /at offset \d+ of buffer \d+, which is at file offset 0x[0-9a-f]+/);
    assert.match(details, /etl dump --raw --where 'buffer == \d+ && offset == \d+' kitchen\.etl/);
    assert.match(details, /duration\s+[\d,]+ ns/);
    await page.keyboard.press("Enter");
    assert.equal(await page.locator(".details").count(), 0);
    return page;
  },

  async "leads from an interval in a chart to its row"() {
    const page = await openPage(browser, kitchen);
    const lanes = page.locator(".chart canvas").last();
    const { width } = await lanes.boundingBox();
    for (let x = 90; x < width && (await page.locator("#table-slowest .details").count()) === 0; x += 5) {
      await lanes.click({ position: { x, y: 11 } });
    }
    assert.equal(await page.locator("#table-slowest .details").count(), 1);
    return page;
  },

  async "shows more rows"() {
    const page = await openPage(browser, kitchen);
    assert.equal(await rows(page, "table-slowest").count(), 10);
    await page.locator("#table-slowest").getByRole("button", { name: "Show 100 more" }).click();
    assert.equal(await rows(page, "table-slowest").count(), 110);
    return page;
  },

  async "is readable in both themes"() {
    const page = await openPage(browser, kitchen);
    await rows(page, "table-cpu-process").first().click();
    await page.locator("details").evaluateAll((all) => all.forEach((one) => (one.open = true)));
    assert.deepEqual(await accessibilityProblems(page), []);
    await page.getByRole("button", { name: "Dark" }).click();
    assert.deepEqual(await accessibilityProblems(page), []);
    const dark = await openPage(browser, kitchen, { colorScheme: "dark" });
    await dark.locator(".chart").first().scrollIntoViewIfNeeded();
    assert.equal(await picture(dark), await (await page.evaluate(() => scrollTo(0, 0)), picture(page)), "the theme of the system is that of the button");
    return page;
  },

  async "is readable on a phone"() {
    const page = await openPage(browser, kitchen, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    assert.deepEqual(await accessibilityProblems(page), []);
    return page;
  },

  async "has a flame graph"() {
    const page = await openPage(browser, stacks);
    assert.match(await page.locator("#flame").innerText(), /924 samples, 924 ms/);
    assert.match(await page.locator("#flame .flame-functions").innerText(), /Tea\.Kitchen\.Kettle\.Boil/);
    const canvas = page.locator("#flame canvas");
    await canvas.focus();
    await page.keyboard.press("/");
    await page.keyboard.type("kettle");
    assert.match(await page.locator(".flame-found").innerText(), /^1 found, \d+\.\d%$/);
    assert.equal(await page.getByLabel("Search all tables").inputValue(), "");
    await page.keyboard.press("Enter");
    assert.match(await page.locator(".flame-status").innerText(), /Kettle\.Boil/);
    await page.keyboard.press("Enter");
    assert.match(await page.locator(".flame-path").innerText(), /^all › .*Kettle\.Boil/);
    assert.match(await page.locator("#flame .command").innerText(), /^etl flame --kind cpu stacks\.etl -o cpu\.html$/);
    assert.deepEqual(await accessibilityProblems(page), []);
    await page.getByRole("button", { name: "Dark" }).click();
    assert.deepEqual(await accessibilityProblems(page), []);
    assert.equal(await page.locator("#flame").count(), 1);
    assert.equal(await (await openPage(browser, kitchen)).locator("#flame option").count(), 1, "graphs without any stack are left out");
    return page;
  },

  async "can be printed"() {
    const light = await openPage(browser, kitchen);
    const page = await openPage(browser, kitchen, { colorScheme: "dark" });
    assert.notEqual(await picture(page), await picture(light));
    await light.emulateMedia({ media: "print" });
    await page.emulateMedia({ media: "print" });
    assert.equal(await picture(page), await picture(light), "paper is light");
    assert.equal(await page.locator("nav:visible, .copy:visible, .table-heading input:visible").count(), 0);
    assert.ok((await page.locator("table:visible").count()) > 5);
    assert.deepEqual((await accessibilityProblems(page)).filter((problem) => problem.startsWith("wider")), []);
    return page;
  },

  async "lists the keys"() {
    const page = await openPage(browser, kitchen);
    await page.keyboard.press("?");
    assert.match(await page.locator("dialog").innerText(), /Search all tables/);
    await page.keyboard.press("Escape");
    assert.equal(await page.locator("dialog[open]").count(), 0);
    return page;
  },

  async "shows hostile names as text"() {
    const page = await openPage(browser, hostile);
    assert.equal(await page.locator("main img, main script, main iframe").count(), 0);
    const text = await page.locator("main").innerText();
    assert.ok(text.includes("<img src=x onerror=alert(1)>"));
    assert.ok(text.includes("</script><script>alert(1)</script>"));
    assert.ok(text.includes("a\\u{202e}exe.gpj\\u{202c}"));
    assert.ok(!/[\u202e\u001b\u0007]/.test(text));
    assert.deepEqual(await accessibilityProblems(page), []);
    return page;
  },

  async "cuts names of a megabyte"() {
    const long = `${"<b>".repeat(350_000)}`;
    const data = dataOfPage(fileURLToPath(stacks));
    data.notes.push(long);
    data.info.session = data.info.file = data.info.log_file_name = long;
    data.not_recorded.push({ source: long, record: long });
    for (const table of data.tables) {
      const texts = table.columns.map(({ unit }, i) => (unit === "text" ? i : -1)).filter((i) => i >= 0);
      table.rows.slice(0, 3).forEach((row) => texts.forEach((i) => (row[i] = long)));
      table.command = `etl ${long}`;
    }
    data.flames[0].graph.frames.name[1] = data.flames[0].graph.modules[1] = long;
    data.flames[0].graph.notes.push(long);
    const page = await openPage(browser, pageWith(fileURLToPath(stacks), resolve("long.html"), data));
    await rows(page, "table-stats-event").first().click();
    assert.equal(await page.locator("main b:not(.figure b, .flame-path b)").count(), 0);
    const { length } = await page.locator("main").innerText();
    assert.ok(length < 300_000, `${length} characters`);
    assert.deepEqual(await accessibilityProblems(page), []);
    return page;
  },

  async "has conversations and packets"() {
    const page = await openPage(browser, packets);
    assert.match(await page.locator("#table-packets").innerText(), /The first 300 of \d+ rows; all: etl packets packets\.etl/);
    await rows(page, "table-packets").first().click();
    const details = await page.locator("#table-packets .details").innerText();
    assert.match(details, /Its event is at offset \d+ of buffer \d+, which is at file offset 0x/);
    assert.match(details, /etl dump --raw --where 'buffer == \d+ && offset == \d+' packets\.etl/);
    assert.match(await page.locator("#table-flows h2").innerText(), /Conversations/);
    assert.match(await page.locator(".figures").innerText(), /Conversations/);
    return page;
  },

  async "loads nothing, even if it is asked to"() {
    const page = await openPage(browser, kitchen);
    assert.deepEqual(page.problems, []);
    assert.deepEqual(await blockedBy(page), { violations: ["connect-src", "img-src", "script-src-elem"], isHacked: false });
    return null;
  },
};

process.exit((await runTests(browser, tests)) ? 0 : 1);
