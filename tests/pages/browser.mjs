// Debian's Chromium, driven by playwright-core, and what every page must fulfill. See scripts/setup.
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const top = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const chromiumPath = "/usr/bin/chromium";
const hang = 300_000; // ms; a slow machine is no failure
const npm = join(top, "build", "npm");
const axePath = join(npm, "node_modules", "axe-core", "axe.min.js");

/** Returns a browser, or null and prints why there is none. */
export async function openBrowser() {
  if (!existsSync(chromiumPath) || ![axePath, join(npm, "node_modules", "playwright-core")].every((path) => existsSync(path))) {
    console.log("skipped: chromium, playwright-core, or axe-core is not installed (scripts/setup check)");
    return null;
  }
  const { chromium } = createRequire(join(npm, "package.json"))("playwright-core");
  return chromium.launch({
    executablePath: chromiumPath,
    timeout: hang,
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
}

/** Opens a page. `page.problems` collects what it must not do: errors, messages, requests of others than the server it is from. */
export async function openPage(browser, url, options = {}) {
  const context = await browser.newContext({ colorScheme: "light", viewport: { width: 1280, height: 900 }, ...options });
  context.setDefaultTimeout(hang);
  const page = await context.newPage();
  page.on("filechooser", () => {}); // else, a real one opens if a click is faster than the request for this event
  page.problems = [];
  page.on("console", (message) => page.problems.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => page.problems.push(`error: ${error.message}`));
  const { origin } = new URL(url);
  const isOwn = (address) => address === url.replace(/#.*/, "") || (origin !== "null" && address.startsWith(`${origin}/`));
  page.on("request", (request) => isOwn(request.url()) || request.url().startsWith("data:") || page.problems.push(`request: ${request.url()}`));
  await page.goto(url);
  return page;
}

const dataBegin = 'id="data">';

/** Returns the data of a page. */
export function dataOfPage(path) {
  const html = readFileSync(path, "utf8");
  const begin = html.indexOf(dataBegin) + dataBegin.length;
  return JSON.parse(html.slice(begin, html.indexOf("</script>", begin)));
}

/** Writes a page with other data to a file, and returns its address. */
export function pageWith(path, file, data) {
  const html = readFileSync(path, "utf8");
  const begin = html.indexOf(dataBegin) + dataBegin.length;
  writeFileSync(file, html.slice(0, begin) + JSON.stringify(data).replaceAll("<", "\\u003c") + html.slice(html.indexOf("</script>", begin)));
  return pathToFileURL(file).href;
}

/** Returns what axe-core finds that is a barrier for some people. */
export async function accessibilityProblems(page) {
  await page.evaluate(readFileSync(axePath, "utf8"));
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"], preload: false }));
  const problems = violations.filter(({ impact }) => ["serious", "critical"].includes(impact));
  return problems.flatMap(({ id, nodes }) => nodes.map(({ html, any }) => `${id}: ${html.slice(0, 120)} (${any[0]?.message ?? ""})`));
}

/** Makes a page try to run, load, and send something; returns what its policy blocked. */
export function blockedBy(page) {
  return page.evaluate(async () => {
    const violations = [];
    document.addEventListener("securitypolicyviolation", (event) => violations.push(event.effectiveDirective));
    document.body.append(Object.assign(document.createElement("script"), { textContent: "window.isHacked = true" }));
    document.body.append(Object.assign(document.createElement("img"), { src: "http://127.0.0.1:9/x.png" }));
    await fetch("http://127.0.0.1:9/").catch(() => {});
    await new Promise((done) => setTimeout(done, 100));
    return { violations: violations.sort(), isHacked: Boolean(window.isHacked) };
  });
}

/** Runs tests by name, each of which returns its page, or null; closes the browser. Returns whether all passed. */
export async function runTests(browser, tests) {
  let failed = 0;
  for (const [name, run] of Object.entries(tests)) {
    try {
      const page = await run();
      assert.deepEqual(page?.problems ?? [], [], "errors, messages, or requests");
      await page?.context().close();
      console.log(`passed: the page ${name}`);
    } catch (error) {
      ++failed;
      console.log(`FAILED: the page ${name}\n${error.stack}`);
    }
  }
  await browser.close();
  return failed === 0;
}
