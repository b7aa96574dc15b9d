// Pictures of a page in both themes and on a phone: pictures.mjs PAGE PREFIX [SELECTOR] writes PREFIX-light.png, -dark.png,
// and -phone.png. SELECTOR: what is pointed at.
import { pathToFileURL } from "node:url";
import { resolve } from "node:path";
import { openBrowser, openPage } from "./browser.mjs";

const [file, prefix, pointed] = process.argv.slice(2);
const browser = await openBrowser();
if (!browser) {
  process.exit(2);
}
const url = pathToFileURL(resolve(file)).href;
const views = {
  light: { colorScheme: "light", viewport: { width: 1000, height: 580 } },
  dark: { colorScheme: "dark", viewport: { width: 1000, height: 580 } },
  phone: { colorScheme: "dark", viewport: { width: 390, height: 640 }, isMobile: true, hasTouch: true },
};
for (const [name, view] of Object.entries(views)) {
  const page = await openPage(browser, url, view);
  if (pointed && name !== "phone") {
    const { width, height } = await page.locator(pointed).boundingBox();
    await page.locator(pointed).hover({ position: { x: width * 0.22, y: height * 0.35 } });
  }
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await page.screenshot({ path: `${prefix}-${name}.png` });
  console.log(`${prefix}-${name}.png`);
}
await browser.close();
