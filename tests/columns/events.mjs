// Events as `etl dump --format jsonl` prints them, and their values in the form of a column.
import { execFileSync } from "node:child_process";

const LARGEST = 1 << 30;

/** Numbers stay texts: 64-bit integers do not survive as doubles. */
class NumberText {
  constructor(text) {
    this.text = text;
  }
}

/** The object on a line. */
function parse(line) {
  const marked = line.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (token) =>
    token.startsWith('"') ? token : `{"#":"${token}"}`);
  return JSON.parse(marked, (_, value) => (value && value["#"] !== undefined ? new NumberText(value["#"]) : value));
}

export function events(etl, trace) {
  const text = execFileSync(etl, ["dump", "--format", "jsonl", trace], { maxBuffer: LARGEST, stdio: ["ignore", "pipe", "ignore"] });
  return text.toString().trimEnd().split("\n").map(parse);
}

/** The leaves of `data` by path: members of arrays of structures are lists, arrays in arrays stay as they are. */
export function leaves(data) {
  const found = new Map();
  const walk = (value, path, add) => {
    if (value !== null && typeof value === "object" && !Array.isArray(value) && !(value instanceof NumberText)) {
      for (const [name, member] of Object.entries(value)) walk(member, path === "" ? name : `${path}.${name}`, add);
    } else if (Array.isArray(value) && value.some((one) => one !== null && typeof one === "object" && !(one instanceof NumberText))) {
      found.set(path, value); // if it is folded
      for (const element of value) {
        walk(element, path, (at, leaf) => found.set(at, [...(found.get(at) ?? []), leaf]));
      }
    } else {
      add(path, value);
    }
  };
  walk(data ?? {}, "", (path, value) => found.set(path, value));
  return found;
}

const NANOSECONDS = 1_000_000_000n;

/** Nanoseconds since 1970 of RFC 3339 with seven fractional digits. */
export function nanoseconds(text) {
  const [, seconds, fraction] = /^(.*)\.(\d{7})Z$/.exec(text);
  return BigInt(Date.parse(`${seconds}Z`)) * 1_000_000n + BigInt(fraction) * 100n;
}

const LEAST_TIME = -(2n ** 63n);
const GREATEST_TIME = 2n ** 63n - 1n;

/** A value of JSON as the text that a column of this type is compared by; undefined: not comparable. */
export function canonical(type, value) {
  if (value === null || value === undefined) return null;
  const text = value instanceof NumberText ? value.text : String(value);
  if (/^u?int/.test(type)) return BigInt(text).toString();
  if (type.startsWith("float")) return String(type === "float32" ? Math.fround(Number(text)) : Number(text));
  if (type === "time") {
    if (value instanceof NumberText) return undefined; // ticks of the session clock
    const time = nanoseconds(text);
    return time < LEAST_TIME || time > GREATEST_TIME ? null : time.toString();
  }
  return text;
}
