// Where regions are in a trace: a start is joined with the stop that follows it. Pure functions; events are asked for by functions
// that are handed in.
import { compareCells } from "../report/report_model.mjs";

const mostMoments = 2000; // of one end of a region
const mostDetails = 250; // events whose activities are read, which are asked for one by one
const mostOpen = 250; // starts that wait for a stop
const mostFields = 32; // of the question about events
const mostSpans = 5000;

const inQuotes = (text) => `"${text.replaceAll('"', '""')}"`;
const valueOfFilter = (text) => (/^(?:-?\d+|0x[0-9a-f]+)$/i.test(text) ? text : inQuotes(text.replaceAll("*", "?"))); // texts are globs

/** Returns the filter (docs/filters.md) of the events of an end of a region. Pure. */
export function filterOfEnd({ event, identifiers = [] }) {
  const { provider, id, opcode, version, name } = event;
  const numbers = { id, opcode, version };
  const tests = Object.entries(numbers).filter(([, value]) => value !== null).map(([key, value]) => `${key} == ${value}`);
  const names = name ? [`event == ${valueOfFilter(name)}`] : [];
  const fields = identifiers.map(({ field, value, isExcluded }) => {
    const test = `data.${inQuotes(field)} == ${valueOfFilter(value)}`;
    return isExcluded ? `!(${test})` : test;
  });
  return [`provider_guid == ${provider}`, ...tests, ...names, ...fields].join(" && ");
}

/**
 * Returns the pairs of starts and stops: [start, stop]. A stop ends the latest start before it that has the same key and is not ended;
 * a moment that is both ends before it starts. Moments: {ns, key, place}; a key that is null matches nothing. Pure.
 */
export function pairedMoments(starts, stops) {
  const isBoth = new Set(starts.map(({ place }) => place).filter(Boolean));
  const order = ({ moment, isStop }) => (isStop ? (isBoth.has(moment.place) ? 0 : 2) : 1);
  const all = [...starts.map((moment) => ({ moment, isStop: false })), ...stops.map((moment) => ({ moment, isStop: true }))];
  all.sort((a, b) => compareCells(a.moment.ns, b.moment.ns) || order(a) - order(b));
  const open = new Map();
  const pairs = [];
  for (const { moment, isStop } of all.filter(({ moment }) => moment.key !== null)) {
    const waiting = open.get(moment.key) ?? [];
    if (isStop && waiting.length > 0) {
      pairs.push([waiting.pop(), moment]);
    } else if (!isStop) {
      open.set(moment.key, [...waiting.slice(-mostOpen), moment]);
    }
  }
  return pairs.sort(([a], [b]) => compareCells(a.ns, b.ns));
}

/** Finds where regions are. Each region is found once, also if others refer to it. */
class Finder {
  /** As `spansOf`. */
  constructor(regions, { ask, detail }) {
    this.regions = regions;
    this.ask = ask;
    this.detail = detail;
    this.found = new Map(); // by number of the region; undefined while it is looked for
    this.problems = new Map(); // by region
  }

  tell(region, text) {
    if (!this.problems.has(region)) {
      this.problems.set(region, `${region.name}: ${text}`);
    }
  }

  /** The spans of a region: [{from, to, start, stop}]. */
  async spansOf(number) {
    if (!this.found.has(number)) {
      this.found.set(number, undefined);
      const region = this.regions[number];
      try {
        this.found.set(number, await this.find(region, number));
      } catch (error) {
        this.tell(region, error.message);
        this.found.set(number, []);
      }
    }
    return this.found.get(number) ?? [];
  }

  async find(region, number) {
    const { start, stop } = region;
    if (!start && !stop) {
      return this.container(number);
    }
    if (start?.kind === "duration" || stop?.kind === "duration") {
      return this.byDuration(region);
    }
    const [starts, stops] = [start && (await this.moments(region, start, 0)), stop && (await this.moments(region, stop, 1))];
    if (!starts || !stops) {
      return (starts ?? stops).map((moment) => ({ from: moment.ns, to: moment.ns, start: moment, stop: moment }));
    }
    return pairedMoments(starts, stops).map(([from, to]) => ({ from: from.ns, to: to.ns, start: from, stop: to }));
  }

  /** From the first to the last of the regions within. */
  async container(number) {
    const { level } = this.regions[number];
    const after = this.regions.slice(number + 1);
    const end = after.findIndex((region) => region.level <= level);
    let [from, to] = [null, null];
    for (let i = number + 1; i <= number + (end < 0 ? after.length : end); ++i) {
      for (const span of await this.spansOf(i)) {
        from = from === null || span.from < from ? span.from : from;
        to = to === null || span.to > to ? span.to : to;
      }
    }
    return from === null ? [] : [{ from, to, start: null, stop: null }];
  }

  /** The moments of an end. `side`: 0 of the start, 1 of the stop: fields that must match can have two names. */
  async moments(region, end, side) {
    if (end.kind === "region") {
      return this.momentsOfRegion(end);
    }
    const moments = await this.events(region, end, region.match.fields.map((names) => names[side]));
    const made = [];
    for (const moment of moments) {
      made.push({ ...moment, key: await this.keyOf(moment, region.match, side) });
    }
    return made;
  }

  async momentsOfRegion({ guid, isStop }) {
    const number = this.regions.findIndex((region) => region.guid !== "" && region.guid === guid);
    if (number < 0) {
      throw new Error(`the region ${guid} is not defined, or not supported`);
    }
    if (this.found.has(number) && this.found.get(number) === undefined) {
      throw new Error("it depends on itself");
    }
    return (await this.spansOf(number)).map(({ from, to }) => ({ ns: isStop ? to : from, key: "", place: null, values: new Map() }));
  }

  /** The events of an end, with the values of fields, and of the one that names the region. */
  async events(region, end, fields) {
    const most = region.match.activity ? mostDetails : mostMoments;
    const wanted = [...new Set([...fields, region.naming])].filter(Boolean).slice(0, mostFields);
    const { moments, isCut } = await this.ask(filterOfEnd(end), most, wanted);
    if (isCut) {
      this.tell(region, `only its first ${most} events are read`);
    }
    return moments.slice(0, most);
  }

  /** What a moment must have in common with the other end; null: it lacks some of it. */
  async keyOf(moment, match, side) {
    const { pid, tid, values } = moment;
    const activity = match.activity ? [(await this.detail(moment)).activity_id ?? null] : [];
    const parts = [...(match.pid ? [pid] : []), ...(match.tid ? [tid] : []), ...activity, ...match.fields.map((names) => values.get(names[side]) ?? null)];
    return parts.includes(null) ? null : JSON.stringify(parts);
  }

  /** A field of the event at one end says how long the region is. */
  async byDuration(region) {
    const isStart = region.start?.kind === "duration";
    const [end, length] = isStart ? [region.stop, region.start] : [region.start, region.stop];
    if (end?.kind !== "event" || !["provider", "id", "opcode", "name"].every((key) => end.event[key] === length.event[key])) {
      throw new Error("its duration is that of another event than its end");
    }
    const moments = await this.events(region, end, [length.field]);
    return moments.flatMap((moment) => {
      const ns = Number(moment.values.get(length.field) ?? NaN) * length.factor;
      if (!(ns >= 0 && ns < 1e19)) {
        return [];
      }
      const size = BigInt(Math.round(ns));
      return [{ from: isStart ? moment.ns - size : moment.ns, to: isStart ? moment.ns : moment.ns + size, start: moment, stop: moment }];
    });
  }
}

/** The value of the field that names the region: of the event at the start, else at the stop. */
const instanceOf = (naming, ends) => ends.map((moment) => moment?.values.get(naming) ?? "").find(Boolean) ?? "";

/**
 * Returns where regions are: {spans: [{name, instance, level, from, to}], problems}, by their begin. `ask(filter, most, fields)`: returns
 * {moments: [{ns, pid, tid, place, values}], isCut} of events; `values` is a Map of texts by field. `detail(moment)`: one event as JSON. An
 * `ask` that throws is a problem of one region.
 */
export const spansOf = async (regions, questions) => {
  const finder = new Finder(regions, questions);
  const spans = [];
  for (const [number, region] of regions.entries()) {
    const { name, level, naming } = region;
    const found = await finder.spansOf(number);
    if (found.length === 0) {
      finder.tell(region, "not found in the trace");
    }
    spans.push(...found.map(({ from, to, start, stop }) => ({ name, instance: instanceOf(naming, [start, stop]), level, from, to })));
  }
  spans.sort((a, b) => compareCells(a.from, b.from) || compareCells(b.to, a.to) || a.level - b.level);
  return { spans: spans.slice(0, mostSpans), problems: [...finder.problems.values()] };
};

/** Returns the line of each span, so that spans in a line do not overlap; what exceeds `most` lines is in the last one. Pure. */
export function linesOfSpans(spans, most) {
  const ends = [];
  return spans.map(({ from, to }) => {
    const free = ends.findIndex((end) => end <= from);
    const line = Math.min(free < 0 ? ends.length : free, most - 1);
    ends[line] = ends[line] > to ? ends[line] : to;
    return line;
  });
}

/** Returns the number of the next span after a time, or of the previous one before it; -1: there is none. Pure. */
export function spanBeside(spans, ns, step) {
  return step > 0 ? spans.findIndex(({ from }) => from > ns) : spans.findLastIndex(({ from }) => from < ns);
}
