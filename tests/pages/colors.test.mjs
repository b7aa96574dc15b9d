import assert from "node:assert/strict";
import test from "node:test";
import { contrastOf } from "../../tools/pages/flame_colors.mjs";
import { apartColors, ColorBook, nameColor, nameColors, otherColor } from "../../tools/pages/name_colors.mjs";

// How colors look to people without one kind of cones: Machado, Oliveira, Fernandes (2009), severity 1, in linear RGB.
const visions = {
  usual: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
};

const linear = (part) => (part <= 10.31475 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4);

/** Returns a color in OKLab, as seen; distances of 2 are just noticed. */
function seen(color, vision) {
  const parts = color.map(linear);
  const [r, g, b] = [0, 3, 6].map((row) => Math.min(1, Math.max(0, parts.reduce((sum, part, i) => sum + vision[row + i] * part, 0))));
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s, 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s, 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s].map((part) => 100 * part);
}

const leastDistance = 7;

for (const [name, vision] of Object.entries(visions)) {
  test(`colors of names are told apart: ${name}`, () => {
    for (const dark of [false, true]) {
      const colors = [...Array.from({ length: apartColors }, (_, i) => nameColor(i, dark)), otherColor(dark)].map((color) => seen(color, vision));
      colors.forEach((one, i) => colors.slice(0, i).forEach((other, k) => {
        const distance = Math.hypot(...one.map((part, at) => part - other[at]));
        assert.ok(distance >= leastDistance, `${dark ? "dark" : "light"} ${k} and ${i}: ${distance.toFixed(1)}`);
      }));
    }
  });
}

test("colors differ from the page", () => {
  for (let i = 0; i < apartColors; ++i) {
    assert.ok(contrastOf(nameColor(i, false), [255, 255, 255]) >= 2.2);
    assert.ok(contrastOf(nameColor(i, true), [22, 24, 29]) >= 3);
  }
});

test("names keep their colors, on each page", () => {
  const one = new ColorBook();
  const other = new ColorBook();
  one.start([["kettle.exe", "teapot.exe"], ["cup.exe"]]);
  other.start([["cup.exe"], ["kettle.exe"]]);
  assert.equal(one.numberOf("kettle.exe"), other.numberOf("kettle.exe"));
  assert.equal(one.numberOf("cup.exe"), other.numberOf("cup.exe"));
});

test("names that are shown together have different colors", () => {
  const names = Array.from({ length: nameColors }, (_, i) => `p${i}.exe`);
  const together = new ColorBook();
  together.start([names]);
  assert.equal(new Set(names.map((name) => together.numberOf(name))).size, nameColors);
  const charts = [0, 7, 14, 21].map((from) => names.slice(from, from + 9));
  const book = new ColorBook();
  book.start(charts);
  for (const chart of charts) {
    const numbers = chart.map((name) => book.numberOf(name));
    assert.equal(new Set(numbers).size, chart.length);
    assert.ok(numbers.every((number) => number < apartColors)); // of few names, only the best ones
  }
  const late = book.numberOf("late.exe");
  assert.ok(late >= apartColors && !names.some((name) => book.numberOf(name) === late));
  const gray = new ColorBook();
  assert.deepEqual(gray.rgbOf("a", false), otherColor(false));
});
