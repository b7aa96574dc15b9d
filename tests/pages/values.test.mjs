import assert from "node:assert/strict";
import test from "node:test";
import { contrastOf, changeColor, moduleColor, textColor } from "../../tools/pages/flame_colors.mjs";
import { shortText } from "../../tools/pages/flame_texts.mjs";
import { countedText, countText, percentText, valueText, visibleText } from "../../tools/pages/values.mjs";

test("values have a unit that suits them", () => {
  assert.equal(valueText(1_250_000, "nanoseconds"), "1.25 ms");
  assert.equal(valueText(999, "nanoseconds"), "999 ns");
  assert.deepEqual([0, 1, 2000].map((count) => countedText(count, "event")), ["0 events", "1 event", "2,000 events"]);
  assert.equal(valueText(90e9, "nanoseconds"), "90 s");
  assert.equal(valueText(1536, "bytes"), "1.50 KB");
  assert.equal(valueText(0, "nanoseconds"), "0 ns");
  assert.equal(valueText(1234567, "count"), "1,234,567");
  assert.equal(countText(999), "999");
});

test("a part of nothing is 0%", () => {
  assert.equal(percentText(0, 0), "0.00%");
  assert.equal(percentText(1, 3), "33.3%");
});

test("names show what they contain, and cannot change the text around them", () => {
  assert.equal(visibleText("<img src=x onerror=alert(1)>"), "<img src=x onerror=alert(1)>");
  assert.equal(visibleText("a\u202eb\u0007\nc"), "a\\u{202e}b\\u{7}\\u{a}c");
  assert.equal(visibleText("x".repeat(1_000_000)).length, "x".repeat(300).length + "… (1,000,000 characters)".length);
  assert.ok(!visibleText("\ud83c\udf75".repeat(400), 3).includes("\ud83c…"));
});

test("texts on bars have a contrast of 4.5 in both themes", () => {
  for (const dark of [false, true]) {
    for (let i = 0; i < 2000; ++i) {
      for (const kind of [0, 1, 2, 3, 4]) {
        const contrast = contrastOf(moduleColor(`module${i}.dll`, kind, dark), textColor(dark));
        assert.ok(contrast >= 4.5, `module${i} ${kind} ${dark}: ${contrast}`);
      }
    }
    for (let change = -1; change <= 1; change += 0.01) {
      assert.ok(contrastOf(changeColor(change, dark), textColor(dark)) >= 4.5, `${change} ${dark}`);
    }
  }
});

test("bars show the end of a name", () => {
  const name = "tea.dll!Tea.Kitchen.Kettle.Boil(int32, class System.String)";
  assert.equal(shortText(name, 100), name);
  assert.equal(shortText(name, 50), "Tea.Kitchen.Kettle.Boil()");
  assert.equal(shortText(name, 22), "Kitchen.Kettle.Boil()");
  assert.equal(shortText(name, 13), "Kettle.Boil()");
  assert.equal(shortText(name, 6), "Boil()");
  assert.equal(shortText(name, 4), "Boi\u2026");
  assert.equal(shortText("tea.dll!std::vector<int>::push_back", 11), "push_back");
  assert.equal(shortText("coreclr.dll!0x12345", 12), "coreclr.dll");
  assert.equal(shortText("coreclr.dll!0x12345", 5), "core\u2026");
  assert.equal(shortText("tea.dll!std::vector<int>::push_back", 24), "vector<int>::push_back");
  assert.ok(shortText("....", 2).length <= 2);
  assert.equal(shortText("System.Order..ctor()", 12), ".ctor()");
});
