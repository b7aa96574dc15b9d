// Debian's Chromium, driven by playwright-core, and what every page must fulfill. See scripts/setup.
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const top = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const chromiumPath = "/usr/bin/chromium";
const npm = join(top, "build", "npm");

/** Returns a browser, or null and prints why there is none. */
export async function openBrowser() {
  if (!existsSync(chromiumPath) || !existsSync(join(npm, "node_modules", "playwright-core"))) {
    console.log("skipped: chromium or playwright-core is not installed (scripts/setup check)");
    return null;
  }
  const { chromium } = createRequire(join(npm, "package.json"))("playwright-core");
  return chromium.launch({
    executablePath: chromiumPath,
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
}

/** Opens a page. `page.problems` collects what it must not do: errors, messages, requests of others than the server it is from. */
export async function openPage(browser, url, options = {}) {
  const context = await browser.newContext({ colorScheme: "light", viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  page.problems = [];
  page.on("console", (message) => page.problems.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => page.problems.push(`error: ${error.message}`));
  const { origin } = new URL(url);
  const isOwn = (address) => address === url || (origin !== "null" && address.startsWith(`${origin}/`));
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

/** Returns what is wrong with the contrast, names, and structure of a page, as axe would report it. */
export function accessibilityProblems(page) {
  return page.evaluate(() => {
    const problems = [];
    const isShown = (element) => element.checkVisibility?.({ visibilityProperty: true }) ?? true;
    const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const rgba = (color) => {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
      return [...canvas.getImageData(0, 0, 1, 1).data];
    };
    const backgroundOf = (element) => {
      for (let at = element; at; at = at.parentElement) {
        const color = rgba(getComputedStyle(at).backgroundColor);
        if (color[3] > 0) {
          return color;
        }
      }
      return [255, 255, 255, 255];
    };
    const luminance = ([r, g, b]) => {
      const part = (value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
      return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
    };
    const nameOf = (element) =>
      element.getAttribute("aria-label") || element.textContent.trim() || document.querySelector(`label[for="${element.id || "-"}"]`)?.textContent || element.closest("label")?.textContent;
    for (const element of document.querySelectorAll("body *")) {
      const ownText = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim());
      if (!isShown(element) || ["SCRIPT", "STYLE", "NOSCRIPT"].includes(element.tagName)) {
        continue;
      }
      if (ownText && !element.disabled) {
        const [low, high] = [luminance(rgba(getComputedStyle(element).color)), luminance(backgroundOf(element))].sort((a, b) => a - b);
        const contrast = (high + 0.05) / (low + 0.05);
        if (contrast < 4.5) {
          problems.push(`contrast ${contrast.toFixed(2)}: ${element.tagName} ${element.textContent.slice(0, 40)}`);
        }
      }
      if (element.matches("button, a, input, select, textarea, canvas, [role=img], [role=toolbar], section[role]") && !nameOf(element)) {
        problems.push(`no name: ${element.outerHTML.slice(0, 80)}`);
      }
      if (Number(element.getAttribute("tabindex") ?? 0) > 0) {
        problems.push(`tabindex: ${element.outerHTML.slice(0, 80)}`);
      }
    }
    for (const cell of document.querySelectorAll("th")) {
      if (!cell.getAttribute("scope")) {
        problems.push(`th without scope: ${cell.textContent}`);
      }
    }
    for (const table of document.querySelectorAll("table")) {
      if (!table.caption && !table.getAttribute("aria-label") && !table.getAttribute("aria-labelledby")) {
        problems.push("table without a caption");
      }
    }
    const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
    problems.push(...ids.filter((id, i) => ids.indexOf(id) !== i).map((id) => `id twice: ${id}`));
    const levels = [...document.querySelectorAll("h1,h2,h3,h4")].map((heading) => Number(heading.tagName[1]));
    if (levels[0] !== 1 || levels.some((level, i) => level > (levels[i - 1] ?? 0) + 1)) {
      problems.push(`headings: ${levels}`);
    }
    if (!document.documentElement.lang || !document.title || !document.querySelector("main")) {
      problems.push("no language, title, or main element");
    }
    if (document.documentElement.scrollWidth > innerWidth) {
      problems.push(`wider than the screen: ${document.documentElement.scrollWidth} > ${innerWidth}`);
    }
    return problems;
  });
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
