// Times of the page of `etl view` in Chromium: viewer.mjs ETL TRACE prints a line for each, name and milliseconds (heap and
// memory: MB). The trace has an index. scripts/setup check installs the browser.
import { readFileSync } from "node:fs";
import { openBrowser } from "../tests/pages/browser.mjs";
import { startView, stopViews } from "../tests/pages/view_process.mjs";

const steps = 120;
const [etl, trace] = process.argv.slice(2);
const browser = await openBrowser();
if (!browser) {
  process.exit(77);
}

const percentile = (times, part) => [...times].sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * part))];
const print = (name, value) => console.log(`${name} ${value.toFixed(2)}`);

/** Milliseconds of the answers to a request, as the page saw them. */
const answers = (page, name) =>
  page.evaluate((end) => performance.getEntriesByType("resource").filter((entry) => entry.name.endsWith(end)).map((entry) => entry.duration), `/api/${name}`);

/** Turns the wheel over the tracks, and returns how long each frame took. */
const turn = (page, makeStep) =>
  page.evaluate(async ([count, text]) => {
    const step = new Function("i", `return (${text})(i)`);
    const target = document.querySelector(".tracks-canvas");
    const { left, top, width } = target.getBoundingClientRect();
    const lengths = [];
    for (let i = 0; i < count; ++i) {
      target.dispatchEvent(new WheelEvent("wheel", { clientX: left + width / 3, clientY: top + 60, bubbles: true, cancelable: true, ...step(i) }));
      lengths.push(await new Promise((done) => requestAnimationFrame((began) => done(performance.now() - began))));
      await new Promise((done) => setTimeout(done, 30));
    }
    return lengths;
  }, [steps, makeStep.toString()]);

const { address, pid } = await startView(etl, trace);
const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
const page = await context.newPage();
await page.addInitScript(() => performance.setResourceTimingBufferSize(10_000));
const began = performance.now();
await page.goto(address);
await page.locator(".track").first().waitFor();
print("tracks", performance.now() - began);
await page.waitForFunction(() => !document.querySelector("[aria-busy=true]"));
print("overview", (await answers(page, "overview"))[0]);

await page.evaluate(() => performance.clearResourceTimings());
const zooming = await turn(page, (i) => ({ deltaY: i % 60 < 30 ? -120 : 120 }));
const moving = await turn(page, (i) => ({ deltaY: -40 + (i % 2) * 80, shiftKey: true }));
print("frame.95", percentile([...zooming, ...moving], 0.95));
const pictures = await answers(page, "lod");
print("lod.50", percentile(pictures, 0.5));
print("lod.95", percentile(pictures, 0.95));

const box = await page.locator(".tracks-canvas").boundingBox();
const select = async (tab, name) => {
  await page.getByRole("tab", { name: tab, exact: true }).click();
  await page.waitForTimeout(1500);
  await page.evaluate(() => performance.clearResourceTimings());
  for (let i = 0; i < 5; ++i) { // 1 % of what is shown
    const x = box.x + box.width * (0.1 + 0.15 * i);
    await page.mouse.move(x, box.y + 100);
    await page.mouse.down();
    await page.mouse.move(x + box.width / 100, box.y + 100, { steps: 3 });
    await page.mouse.up();
    await page.waitForTimeout(800);
  }
  print(name, percentile(await answers(page, name), 0.5));
};
await page.keyboard.press("0");
await select("CPU", "table");
await select("Flame graph", "flame");
print("heap", await page.evaluate(() => performance.memory.usedJSHeapSize / 1e6));
const [, anonymous] = /RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
print("memory", Number(anonymous) / 1000);
await browser.close();
stopViews();
process.exit(0);
