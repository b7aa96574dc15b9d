// The page of a trace with a million names: many_browser.mjs PAGE.
import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { accessibilityProblems, openBrowser, openPage, runTests } from "./browser.mjs";

const skipped = 77;
const largest = 10 * 2 ** 20;
const path = resolve(process.argv[2]);
assert.ok(statSync(path).size < largest, `${statSync(path).size} bytes`);
const browser = await openBrowser();
if (!browser) {
  process.exit(skipped);
}
const passed = await runTests(browser, {
  async "shows the first of a million names, and the number of all"() {
    const began = performance.now();
    const page = await openPage(browser, pathToFileURL(path).href);
    console.log(`    ${statSync(path).size} bytes, opened in ${Math.round(performance.now() - began)} ms`);
    const kinds = await page.locator("#table-stats-event").innerText();
    assert.match(kinds, /total of all rows\s+1,000,018/);
    assert.match(kinds, /The first 300 of [\d,]+ rows; all: etl stats --by event many\.etl/);
    assert.match(kinds, /Not in the rows: [\d,]+ that are part of \(other\)/);
    assert.deepEqual(await accessibilityProblems(page), []);
    return page;
  },
});
process.exit(passed ? 0 : 1);
