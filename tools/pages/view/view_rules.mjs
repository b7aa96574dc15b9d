// Rules that color rows of events: the first one that is true of a row. Pure functions.
import { visibleText } from "../values.mjs";

/** The columns that rules can test: [name, title]. */
export const ruleFields = [["process", "process"], ["provider", "provider"], ["event", "event"], ["level", "level"], ["text", "fields and message"], ["pid", "pid"], ["tid", "tid"], ["cpu", "cpu"]];
/** How a rule tests a column: [name, title]. */
export const ruleTests = [["contains", "contains"], ["equals", "is"], ["atMost", "is at most"]];
/** The colors of rules; style sheets say how they look. */
export const ruleColors = ["yellow", "green", "blue", "red", "purple", "orange", "gray"];

const longest = 200;
const mostRules = 26; // letters

/** Returns the letter of a rule, which rows show beside the color. */
export function letterOfRule(number) {
  return String.fromCharCode(65 + number);
}

/** Returns what a rule says. */
export function ruleText({ field, test, value }) {
  const title = (list, name) => list.find(([one]) => one === name)?.[1] ?? name;
  return `${title(ruleFields, field)} ${title(ruleTests, test)} ${visibleText(value, 80)}`;
}

function isTrueOf({ field, test, value }, valueOf) {
  const found = valueOf(field);
  if (found === null || found === undefined || value === "") {
    return false;
  }
  switch (test) {
    case "equals":
      return String(found).toLowerCase() === value.toLowerCase();
    case "atMost":
      return Number(found) <= Number(value);
    default:
      return String(found).toLowerCase().includes(value.toLowerCase());
  }
}

/** Returns the number of the first rule that is true, or -1. `valueOf(field)`: of a row. */
export function ruleOf(rules, valueOf) {
  return rules.findIndex((rule) => isTrueOf(rule, valueOf));
}

/** Returns rules with one for rows that have a value in a column, in the first place; without it if it was there. Null: no such column. */
export function rulesWithCell(rules, field, value) {
  if (!ruleFields.some(([name]) => name === field) || value === null || value === undefined || value === "") {
    return null;
  }
  const own = { field, test: field === "text" ? "contains" : "equals", value: String(value).slice(0, longest) };
  const others = rules.filter((rule) => !Object.keys(own).every((key) => rule[key] === own[key]));
  if (others.length < rules.length) {
    return others;
  }
  return [{ ...own, color: nextColor(rules) }, ...rules].slice(0, mostRules);
}

/** Returns the first color that no rule has; if there is none, the one that the fewest have. */
export function nextColor(rules) {
  const uses = (color) => rules.filter((rule) => rule.color === color).length;
  return ruleColors.reduce((best, color) => (uses(color) < uses(best) ? color : best));
}

/** Returns rules with a new one in the last place; null: there are too many. */
export function rulesWithNew(rules) {
  return rules.length < mostRules ? [...rules, { field: "event", test: "contains", value: "", color: nextColor(rules) }] : null;
}

/** Returns a list with an entry moved by a step. */
export function withMoved(list, at, step) {
  const to = Math.min(Math.max(at + step, 0), list.length - 1);
  const others = list.filter((_, i) => i !== at);
  return [...others.slice(0, to), list[at], ...others.slice(to)];
}

/** Returns whether a value has the form of rules: an address can contain anything. */
export function isRules(value) {
  const isOne = (list, name) => list.some((one) => (Array.isArray(one) ? one[0] : one) === name);
  const isRule = (rule) => isOne(ruleFields, rule?.field) && isOne(ruleTests, rule.test) && isOne(ruleColors, rule.color) && typeof rule.value === "string" && rule.value.length <= longest;
  return Array.isArray(value) && value.length <= mostRules && value.every(isRule);
}
