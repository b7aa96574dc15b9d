// Pictures of the page of `etl view` in both themes and on a phone: view_pictures.mjs ETL TRACE PREFIX STATE BEFORE writes
// PREFIX-light.png, -dark.png, and -phone.png. STATE: the address after the token. BEFORE: a trace to compare with.
import { openBrowser, openPage } from "./browser.mjs";
import { serveView, stopViews } from "./view_process.mjs";

const [etl, trace, prefix, state = "", before = ""] = process.argv.slice(2);
const browser = await openBrowser();
if (!browser) {
  process.exit(2);
}
const address = `${await serveView(etl, trace, ...(before ? ["--against", before] : []))}${state && `&${state}`}`;
const views = {
  light: { colorScheme: "light", viewport: { width: 1200, height: 760 } },
  dark: { colorScheme: "dark", viewport: { width: 1200, height: 760 } },
  phone: { colorScheme: "dark", viewport: { width: 390, height: 740 }, isMobile: true, hasTouch: true },
};
for (const [name, view] of Object.entries(views)) {
  const page = await openPage(browser, address, view);
  await page.locator(".track").first().waitFor();
  await page.waitForTimeout(1500);
  await page.waitForFunction(() => !document.querySelector("[aria-busy=true]"));
  await page.screenshot({ path: `${prefix}-${name}.png` });
  console.log(`${prefix}-${name}.png`);
}
await browser.close();
stopViews();
