// A server that answers the page of `etl view` with a made-up trace. view_server.mjs [PORT] runs it alone; options are those of
// `startServer`, as `--threads=10000 --hostile`.
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { pageOfFiles } from "./page_of_files.mjs";

export const viewStyles = ["page.css", "flame_graph.css", "view/view.css"];
const begin = 133_604_000_000_000_000n; // FILETIME
const lengthNs = 60_000_000_000;
const providerGuid = "9e3b3947-ca5d-4614-91a2-7b624e0e7244";
const hostileNames = ["<img src=x onerror=alert(1)>", "</script><script>alert(1)</script>", "a\u202eexe.gpj\u202c", "\u001b[31mred\u0007", "__proto__", "x".repeat(6000)];
const plainNames = ["kettle.exe", "teapot.exe", "cup.exe", "System"];
const reasons = ["UserRequest", "Executive", "WrQueue", "DelayExecution", "WrAlertByThreadId"];

/** A number from 0 to 1 that depends on numbers only. */
function chance(...numbers) {
  let hash = 2166136261;
  for (const number of numbers) {
    hash = Math.imul(hash ^ (number | 0), 16777619);
    hash = Math.imul(hash ^ (hash >>> 13), 2246822519);
  }
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

function timeText(filetime) {
  const ticks = BigInt(filetime) - 116_444_736_000_000_000n;
  return `${new Date(Number(ticks / 10_000n)).toISOString().slice(0, 19)}.${String(ticks % 10_000_000n).padStart(7, "0")}Z`;
}

/** Returns the tracks of a trace with some threads. */
function tracksOf({ threads, names }) {
  const track = (kind, process, pid, id, name, busy, count, bytes = null) => ({ kind, process, pid, id, name, busy_ns: busy, count, bytes });
  const made = [0, 1, 2, 3].map((id) => track("processor", null, null, id, null, lengthNs * 0.6, 5000));
  made.push(...[0, 1].map((id) => track("interrupts", null, null, id, null, 4e8, 900)));
  names.forEach((name, i) => {
    const pid = 100 * (i + 1);
    const own = Math.ceil(threads / names.length);
    for (let k = 0; k < own; ++k) {
      made.push(track("thread", name, pid, pid * 1000 + 4 * k, k === 0 ? `Main of ${name.slice(0, 20)}` : null, k % 5 === 4 ? 0 : Math.round(5e9 / (k + 1)), k % 5 === 4 ? 0 : 300));
    }
    made.push(track("samples", name, pid, null, null, null, 4000 - 500 * i), track("files", name, pid, null, null, 2e8, 40, 1e6));
  });
  made.push(track("gc", names[0], 100, null, null, 3e8, 12), track("activity", names[0], 100, null, "Boil", 9e9, 40));
  made.push(track("disk", null, null, 0, null, 7e9, 500, 8e7));
  made.push(...["Contoso-Kettle", ...names.slice(0, 4)].map((name, i) => track("events", null, null, null, name, null, 90_000 >> i, 9e6)));
  return made;
}

/** A numbered text that stays what it was. */
function numbering() {
  const texts = [];
  const owners = [];
  const numbers = new Map();
  const of = (text, owner = null) => {
    if (!numbers.has(text)) {
      numbers.set(text, texts.push(text) - 1);
      owners.push(owner);
    }
    return numbers.get(text);
  };
  return { texts, owners, of };
}

/** Adds the records of a track in a bin: add(state, share, count, bytes). */
function recordsOf(trace, track, number, bin, seed, states, add) {
  const random = (i) => chance(seed, number, bin, i);
  if (track.kind === "processor") {
    const i = Math.floor(random(1) ** 2 * trace.names.length);
    const name = trace.names[i];
    const pid = 100 * (i + 1);
    add(states.of(`${name} (${pid}) ${1000 * pid}`, { kind: "thread", process: name, pid, id: 1000 * pid, name: null }), random(2), 3, 0);
    if (random(4) < 0.3) {
      add(states.of("other processes"), (1 - random(2)) / 2, 3, 0);
    }
  } else if (track.kind === "thread") {
    const running = random(1) < 0.3 ? random(2) : 0;
    if (running > 0) {
      add(states.of("running"), running, 2, 0);
    }
    const other = random(3) < 0.2 ? "ready" : reasons[Math.floor(chance(number, Math.floor(bin / 7)) * reasons.length)];
    add(states.of(other), 1 - running, 1, 0);
  } else if (["samples", "events"].includes(track.kind)) {
    if (random(1) < 0.7) {
      add(states.of(track.kind === "events" ? `level ${random(2) < 0.02 ? 2 : 4}` : "sampled"), 0, Math.ceil(random(3) ** 4 * 50), 0);
    }
  } else if (random(1) < 0.35) {
    const name = { disk: random(2) < 0.5 ? "read" : "write", interrupts: random(2) < 0.5 ? "dpc" : "isr", gc: "suspended", activity: "exact", files: "Read" }[track.kind];
    add(states.of(name), track.kind === "interrupts" ? random(3) / 8 : random(3), 1, track.kind === "disk" ? 65_536 : 0);
  }
}

function lodOf(trace, { selection, columns, tracks }) {
  const { from, to } = trace.range(selection);
  const power = Math.max(0, Math.floor(Math.log2(Number(to - from) / columns)));
  const size = 2n ** BigInt(power); // ticks
  const first = (from - trace.begin) / size;
  const bins = Number((to - trace.begin + size - 1n) / size - first);
  const states = numbering();
  const records = [];
  const wanted = tracks ?? trace.tracks;
  wanted.forEach((track, i) => {
    const number = trace.tracks.findIndex((one) => ["kind", "process", "pid", "id", "name"].every((key) => one[key] === track[key]));
    if (number < 0 || (trace.tracks[number].busy_ns === 0 && trace.tracks[number].count === 0)) {
      return;
    }
    for (let bin = 0; bin < bins; ++bin) {
      recordsOf(trace, track, number, Number(first) + bin, power, states, (...record) => records.push([i, bin, 1, ...record]));
    }
  });
  const plain = ({ kind, process, pid, id, name }) => ({ kind, process, pid, id, name });
  const header = { base_ns: String(first * size * 100n), bin_ns: Number(size) * 100, bins, tracks: wanted.map(plain), states: states.texts, state_of: states.owners, is_exact: true, remarks: [] };
  return lodBytes(header, records);
}

/** Returns an answer of `lod`. Records: [track, bin, bins, state, share, count, bytes]. */
export function lodBytes(header, records) {
  const text = Buffer.from(JSON.stringify(header));
  const padded = Buffer.concat([text, Buffer.alloc((8 - (text.length % 8)) % 8, " ")]);
  const head = Buffer.alloc(16);
  [0x4c544c45, 1, text.length, records.length].forEach((value, i) => head.writeUInt32LE(value, 4 * i));
  const column = (i, Type) => {
    const bytes = Buffer.from(Type.from(records, (record) => record[i]).buffer);
    return Buffer.concat([bytes, Buffer.alloc((8 - (bytes.length % 8)) % 8)]);
  };
  const columns = [Uint32Array, Uint32Array, Uint32Array, Uint32Array, Float32Array, Float32Array, Float64Array].map((Type, i) => column(i, Type));
  return Buffer.concat([head, padded, ...columns]);
}

const tableForms = [["cpu", "process", "CPU by process"], ["cpu", "thread", "CPU by thread"], ["waits", "thread", "Waits by thread"], ["disk", "process", "Disk by process"], ["stats", "event", "Events by kind"], ["slowest", "", "What took longest"]];
const columnsOf = {
  cpu: [["running_ns", "nanoseconds"], ["switches", "count"], ["cpu_percent", "number"]],
  waits: [["wait_ns", "nanoseconds"], ["waits", "count"], ["max_wait_ns", "nanoseconds"]],
  disk: [["elapsed_ns", "nanoseconds"], ["reads", "count"], ["read_bytes", "bytes"]],
  stats: [["events", "count"], ["bytes", "bytes"]],
  slowest: [["duration_ns", "nanoseconds"]],
};

function keysOf(trace, { name, by }) {
  const threads = trace.tracks.filter(({ kind }) => kind === "thread");
  if (by === "process") {
    return { columns: ["process", "pid"], rows: trace.names.map((process, i) => [process, 100 * (i + 1)]) };
  }
  if (by === "thread") {
    return { columns: ["process", "pid", "tid"], rows: threads.map(({ process, pid, id }) => [process, pid, id]) };
  }
  if (name === "slowest") {
    return { columns: ["kind", "begin", "process", "pid", "tid", "what", "buffer", "offset"], rows: threads.slice(0, 50).map(({ process, pid, id }, i) => ["disk", timeText(begin + BigInt(i) * 10_000_000n), process, pid, id, `C:\\${process}`, i, 72]) };
  }
  return { columns: ["provider", "event", "version"], rows: trace.names.flatMap((provider) => ["Boil", "Pour"].map((event) => [provider, event, 0])) };
}

const unitOf = (name) => (name === "begin" ? "time" : ["pid", "tid", "version", "buffer", "offset"].includes(name) ? "id" : "text");

function tableOf(trace, question) {
  const { name, by = "", selection = {}, sort = "", is_reversed: isReversed = false, first = 0, count = 100 } = question;
  const keys = keysOf(trace, question);
  const values = columnsOf[name];
  const { from, to } = trace.range(selection);
  const columns = [...keys.columns.map((key) => ({ name: key, unit: unitOf(key), key: true })), ...values.map(([value, unit]) => ({ name: value, unit, key: false }))];
  const scale = Number(to - from) / 6e8;
  let rows = keys.rows.map((key, i) => [...key, ...values.map(([, unit], k) => (unit === "number" ? Math.round(1000 / (i + 1)) / 10 : Math.round((chance(i, k) * 1e9 * scale) / (i + 1))))]);
  const pids = selection.processes ?? [];
  rows = rows.filter((row) => pids.length === 0 || pids.includes(String(row[keys.columns.indexOf("pid")])));
  const shown = sort || values[0][0];
  const at = columns.findIndex((column) => column.name === shown);
  const isText = columns[at].unit === "text" || columns[at].unit === "time";
  rows.sort((a, b) => (a[at] < b[at] ? -1 : a[at] > b[at] ? 1 : 0) * (isText ? 1 : -1) * (isReversed ? -1 : 1));
  const total = columns.map((column, i) => (column.key ? null : rows.reduce((sum, row) => sum + row[i], 0)));
  const command = `etl ${name}${by && ` --by ${by}`}${selection.from ? ` --from ${selection.from} --to ${selection.to}` : ""}${selection.where ? ` --where '${selection.where}'` : ""}${question.before_from ? ` --before-from ${question.before_from} --before-to ${question.before_to}` : ""} made.etl`;
  const title = tableForms.find(([one, form]) => one === name && form === by)?.[2] ?? name;
  return { name, by, title, columns, rows: rows.slice(first, first + count), total, sort: shown, first_row: first, row_count: rows.length, coverage: {}, remarks: [], command, events: by === "process" ? "process == {process}" : name === "stats" ? "provider == {provider} && event == {event}" : "", events_options: "" };
}

const eventColumns = ["row", "time", "cpu", "pid", "tid", "process", "provider", "event", "level", "text", "input", "buffer", "offset"];

/** Events of a provider by GUID: one each 5 s, those with a higher ID later; none of other GUIDs, and none with an ID above 100. */
function eventsOfGuid(trace, { selection, count = 100 }) {
  const id = Number(/ && id == (\d+)/.exec(selection.where)?.[1] ?? 0);
  const isKnown = selection.where.includes(`provider_guid == ${providerGuid}`) && id <= 100;
  const rows = Array.from({ length: isKnown ? 12 : 0 }, (_, i) => {
    const row = eventRow(trace, i, (i * trace.events) / 12, 600_000_000n / BigInt(trace.events));
    row[1] = String(begin + BigInt(i) * 50_000_000n + BigInt(id) * 1_000_000n);
    return row;
  });
  return { columns: eventColumns, rows: rows.slice(0, count), row_count: rows.length, next_row: null, remarks: [], command: "" };
}

function eventsOf(trace, question) {
  const { selection = {}, first = 0, count = 100 } = question;
  if (selection.where?.includes("never")) {
    return { columns: eventColumns, rows: [], row_count: 0, next_row: null, remarks: [], command: "" };
  }
  if (selection.where?.includes("provider_guid")) {
    return eventsOfGuid(trace, question);
  }
  const { from, to } = trace.range(selection);
  const period = 600_000_000n / BigInt(trace.events || 1) || 1n; // ticks
  const start = (from - trace.begin + period - 1n) / period;
  const isFiltered = Boolean(selection.where);
  const all = Math.max(0, Math.min(trace.events, Number((to - trace.begin + period - 1n) / period - start)));
  const rows = [];
  for (let row = first; row < Math.min(all, first + count); ++row) {
    rows.push(eventRow(trace, row, Number(start) + row * (isFiltered ? 7 : 1), period));
  }
  const isEnd = first + count >= all;
  return { columns: eventColumns, rows, row_count: isFiltered && !isEnd ? null : all, next_row: isEnd ? null : first + count, remarks: [], command: `etl dump${isFiltered ? ` --where '${selection.where}'` : ""} made.etl` };
}

function eventRow(trace, row, number, period) {
  const i = number % trace.names.length;
  const pid = 100 * (i + 1);
  return [row, String(trace.begin + trace.lead + BigInt(number) * period), number % 4, pid, pid * 1000, trace.names[i], number % 3 ? "Contoso-Kettle" : trace.names[i], number % 2 ? "Boil" : "Pour", number % 97 ? 4 : 2, `Cups=${number % 12} Tea="${trace.names[i]}"`, 1, Math.floor(number / 500), 72 + 80 * (number % 500)];
}

function eventOf(trace, { buffer, offset }) {
  const number = buffer * 500 + (offset - 72) / 80;
  const period = 600_000_000n / BigInt(trace.events) || 1n;
  const [, time, cpu, pid, tid, process, provider, event, level] = eventRow(trace, 0, number, period);
  return {
    event: { time: timeText(time), cpu, pid, tid, process, provider, event, id: 7, level, message: `The tea of ${process} is ready`, data: { Cups: number % 12, Tea: process } },
    fields: [["Cups", number % 12, 0, 4], ["Tea", process, 4, 12]],
    stack: [["0xfffff80000000120", "ntoskrnl.exe!KiSwapThread+0x20"], ["0x7ff600001234", `${process}!Boil`], ["0x7ff600005678", null]],
    header: "00".repeat(80),
    payload: Array.from({ length: 40 }, (_, i) => ((i * 7 + number) & 255).toString(16).padStart(2, "0")).join(""),
    file_offset: buffer * 65_536 + offset,
    command: `etl dump --raw --where 'buffer == ${buffer} && offset == ${offset}' made.etl`,
  };
}

function flameOf(trace) {
  const names = ["kettle.exe (100)", "ntdll.dll!RtlUserThreadStart", "Boil", "Heat", "Stir", "ntoskrnl.exe!KiIdle", trace.names[0]];
  const nodes = { depth: [0, 1, 2, 3, 3, 1, 2], frame: [0, 1, 2, 3, 4, 5, 6], weight: [0, 0, 1e6, 5e7, 2e7, 1e7, 3e6], count: [0, 0, 1, 50, 20, 10, 3], merged: [] };
  return { title: "made.etl", summary: "84 samples", unit: "nanoseconds", events: "samples", modules: ["", "kettle.exe", "ntoskrnl.exe"], frames: { name: names, module: [0, 1, 1, 1, 1, 2, 1], kind: [3, 0, 0, 0, 0, 1, 0] }, nodes };
}

function followOf(trace, { tid, at, selection }) {
  const start = at ?? selection.from;
  const time = (offset) => timeText(BigInt(start) + BigInt(offset));
  const [one, other] = trace.tracks.filter(({ kind }) => kind === "thread").filter(({ id }, i) => id === tid || i === 3 || i === 4);
  const columns = [["process", "text"], ["pid", "id"], ["tid", "id"], ["state", "text"], ["begin", "time"], ["end", "time"], ["duration_ns", "nanoseconds"], ["reason", "text"], ["waker", "text"], ["waker_pid", "id"], ["waker_tid", "id"]].map(([name, unit]) => ({ name, unit, key: unit !== "nanoseconds" }));
  const rows = [
    [one.process, one.pid, one.id, "waiting", time(-200_000), time(100_000), 30_000_000, "UserRequest", "thread", other.pid, other.id],
    [other.process, other.pid, other.id, "running", time(-50_000), time(100_000), 15_000_000, null, null, null, null],
    [other.process, other.pid, other.id, "waiting", time(-150_000), time(-50_000), 10_000_000, "WrQueue", "DPC", null, null],
  ];
  return { name: "follow", by: "", title: "Who ended the wait", columns, rows, total: columns.map(() => null), sort: null, first_row: 0, row_count: rows.length, coverage: {}, remarks: [], command: "", events: "", events_options: "" };
}

class Refusal extends Error {
  constructor(status, message, about = null, at = null) {
    super(message);
    Object.assign(this, { status, about, at });
  }
}

function checkWhere(selection) {
  const at = (selection?.where ?? "").indexOf("= =");
  if (at >= 0) {
    throw new Refusal(400, "expected a value", "where", at + 2);
  }
}

/** What the server answers, by name of the question. */
function answersOf(trace) {
  const opened = () => ({
    version: 1,
    revision: trace.revision,
    inputs: [trace.input],
    against: trace.before ? [trace.before.input] : [],
    against_begin: trace.before ? String(trace.before.begin) : null,
    against_end: trace.before ? String(trace.before.end) : null,
    begin: String(trace.begin),
    end: String(trace.end),
    processors: 4,
    bytes: trace.lengthNs / 1000,
    events: trace.events,
    is_indexed: trace.progress === null,
    progress: trace.progress,
    growth: trace.growth,
    problems: trace.problems,
    tables: trace.tracks.length === 0 ? [] : tableForms.map(([name, by, title]) => ({ name, by, title, summary: title, has_processes: true, is_compared: name === "cpu", has_slices: false, has_sources: false })),
    flames: trace.tracks.length === 0 ? [] : [{ name: "cpu", title: "CPU time by samples" }, { name: "wait", title: "Waits" }],
    track_kinds: ["processor", "thread"],
    limits: { rows: 100_000, columns: 10_000 },
  });
  return {
    open: opened,
    wait: async ({ revision }) => {
      await trace.changed(revision);
      return opened();
    },
    overview: ({ columns }) => ({ from: String(trace.begin), to: String(trace.end), columns, is_sampled: trace.progress !== null, series: [0, 1, 2, 3].map((cpu) => ({ name: `CPU ${cpu}`, values: Array.from({ length: columns }, (_, i) => (trace.tracks.length === 0 ? 0 : Math.round(1000 * (chance(cpu, i) + 2 * chance(Math.floor(i / 20)))))) })) }),
    tracks: () => ({ tracks: trace.tracks, remarks: [] }),
    table: (question) => tableOf(trace, question),
    flame: () => ({ graph: flameOf(trace), remarks: [], command: "etl flame made.etl" }),
    events: (question) => eventsOf(trace, question),
    search: ({ text, from_row: from = 0, count = 20 }) => ({ ...eventsOf(trace, { first: text === "never" ? trace.events : Math.ceil((from + 1) / 1000) * 1000, count }), row_count: null }),
    event: (question) => eventOf(trace, question),
    follow: (question) => followOf(trace, question),
    cancel: () => ({}),
  };
}

function makeTrace({ threads = 24, events = 24_000_000, isHostile = false, isEmpty = false, progress = null, problems = [], growth = null }) {
  const names = isHostile ? [...hostileNames, ...plainNames] : plainNames;
  const trace = {
    names,
    begin,
    get end() {
      return trace.begin + BigInt(trace.lengthNs) / 100n;
    },
    lead: 0n, // ticks until the first event
    before: null, // to compare with
    input: isHostile ? "/tmp/<b>\u202eelt.etl" : "/traces/made.etl",
    tracks: isEmpty ? [] : tracksOf({ threads, names }),
    events: isEmpty ? 0 : events,
    problems: isHostile ? [...problems, hostileNames[0]] : problems,
    progress,
    growth,
    lengthNs,
    revision: 1,
    waiting: [],
    range({ from = "", to = "" } = {}) {
      return { from: from === "" ? trace.begin : BigInt(from), to: to === "" || BigInt(to) > trace.end ? trace.end : BigInt(to) };
    },
    changed(revision) {
      return revision < trace.revision ? null : new Promise((done) => {
        trace.waiting.push(done);
        setTimeout(done, 5000).unref();
      });
    },
    /** More is written; `why`: nothing is any more. */
    grow(seconds, why = "") {
      trace.lengthNs += seconds * 1e9;
      trace.growth = { has_ended: why !== "", why };
      trace.advance(null);
    },
    advance(next) {
      ++trace.revision;
      trace.progress = next;
      trace.waiting.splice(0).forEach((done) => done());
    },
  };
  return trace;
}

/** The trace to compare with: 40 s, a day earlier, whose first event is after 5 s. Its processes have other IDs, and one another name. */
function traceBefore(options) {
  const trace = makeTrace({ ...options, threads: 12 });
  const names = [...plainNames.slice(0, 2), "spoon.exe"];
  const day = 864_000_000_000n;
  const other = ({ pid, id, ...track }) => ({ ...track, pid: pid && pid + 7, id: track.kind === "thread" ? id + 7000 : id });
  return Object.assign(trace, { names, input: "/traces/before.etl", begin: begin - day, lengthNs: 40_000_000_000, lead: 50_000_000n, tracks: tracksOf({ threads: 12, names }).map(other) });
}

const bodyOf = async (request) => JSON.parse(Buffer.concat(await request.toArray()).toString() || "{}");

/**
 * Starts a server: {address, asked: [[name, question]], trace, close()}. Options: `threads`, `events`, `isHostile`, `isEmpty`,
 * `progress`, `problems`, `growth`, `port`, `hasBefore`: there is a trace to compare with.
 */
export async function startServer(options = {}) {
  const trace = makeTrace(options);
  trace.before = options.hasBefore ? traceBefore(options) : null;
  const answersOfBefore = trace.before && answersOf(trace.before);
  const answersOfTrace = answersOf(trace);
  const asked = [];
  const token = "t0ken";
  const key = "k3y";
  const answer = async (request, response) => {
    const name = request.url.replace(/^\/api\//, "");
    const question = await bodyOf(request);
    asked.push([name, question]);
    if (name === "enter" ? question.token !== token : request.headers["x-etl-key"] !== key) {
      throw new Refusal(401, "the key is not valid");
    }
    checkWhere(question.selection);
    if (name === "enter") {
      return { key };
    }
    const answers = question.is_about_before ? answersOfBefore : answersOfTrace;
    if (name === "lod") {
      return lodOf(question.is_about_before ? trace.before : trace, question);
    }
    if (name === "export") {
      const { columns, rows } = tableOf(trace, { ...question, first: 0, count: 1e6 });
      return question.format === "csv" ? [columns.map((column) => column.name), ...rows].map((row) => row.join(",")).join("\n") : JSON.stringify(rows);
    }
    if (!answers[name]) {
      throw new Refusal(404, "no such question");
    }
    return answers[name](question, response);
  };
  const server = createServer(async (request, response) => {
    const send = (status, type, body, headers = {}) => response.writeHead(status, { "Content-Type": type, "Cache-Control": "no-store", ...headers }).end(body);
    if (request.method === "GET") {
      const { html, policy } = pageOfFiles("view/view_page.mjs", viewStyles);
      send(200, "text/html; charset=utf-8", html, { "Content-Security-Policy": policy });
      return;
    }
    try {
      const body = await answer(request, response);
      const isBytes = Buffer.isBuffer(body);
      send(200, isBytes ? "application/octet-stream" : "application/json", isBytes || typeof body === "string" ? body : JSON.stringify(body));
    } catch (error) {
      send(error.status ?? 500, "application/json", JSON.stringify({ error: error.message, about: error.about ?? null, at: error.at ?? null }));
    }
  });
  await new Promise((done) => server.listen(options.port ?? 0, "127.0.0.1", done));
  const address = `http://127.0.0.1:${server.address().port}/`;
  return { address, url: `${address}#token=${token}`, asked, trace, close: () => (server.closeAllConnections(), server.close()) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [port, ...words] = process.argv.slice(2);
  const options = Object.fromEntries(words.map((word) => word.replace(/^--/, "").split("=")).map(([name, value]) => [name === "before" ? "hasBefore" : name === "hostile" ? "isHostile" : name === "empty" ? "isEmpty" : name, value === undefined ? true : Number(value)]));
  console.log((await startServer({ port: Number(port ?? 0), ...options })).url);
}
