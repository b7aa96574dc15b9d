// The state of the page: what is shown, selected, and written down. All of it is in the address after `#`, so that reloading,
// back and forward, and a copied link work.
import { areMoves } from "./view_order.mjs";
import { areHeights, trackHeights } from "./view_places.mjs";
import { isRegions } from "./view_regions.mjs";
import { isRules } from "./view_rules.mjs";

const isText = (value) => typeof value === "string";
const text = { read: (value) => value, write: (value) => value };
const flag = { read: (value) => value === "1", write: (value) => (value ? "1" : "") };
const number = { read: (value) => (Number.isFinite(Number(value)) ? Number(value) : null), write: String };
const time = { read: (value) => (/^-?\d{1,24}$/.test(value) ? BigInt(value) : null), write: String };
const span = {
  read(value) {
    const parts = /^(-?\d{1,24})_(-?\d{1,24})$/.exec(value);
    return parts && BigInt(parts[1]) < BigInt(parts[2]) ? { from: BigInt(parts[1]), to: BigInt(parts[2]) } : null;
  },
  write: ({ from, to }) => `${from}_${to}`,
};
const json = (isValid) => ({
  read(value) {
    try {
      const made = JSON.parse(value);
      return isValid(made) ? made : null;
    } catch {
      return null;
    }
  },
  write: (value) => JSON.stringify(value),
});
const texts = json((value) => Array.isArray(value) && value.every(isText));
const place = json((value) => Array.isArray(value) && value.length === 3 && value.every((one) => Number.isSafeInteger(one) || isText(one)));
const marks = json((value) => Array.isArray(value) && value.every((one) => /^-?\d{1,24}$/.test(one?.at) && isText(one.text)));

// What the state consists of: how it is written, and what it is if the address does not contain it. `isStep`: a change is a step
// for back and forward. `isKept`: it describes no view, and stays as it is when one goes back.
/** @type {Record<string, {read: (value: string) => any, write: (value: any) => string, first: any, isStep?: boolean, isKept?: boolean}>} */
const members = {
  window: { ...span, first: null, isStep: true }, // shown; null: all
  selection: { ...span, first: null, isStep: true },
  tracks: { ...texts, first: [], isStep: true }, // keys of tracks that panels are about; none: all
  current: { ...text, first: "" }, // key of the current row of tracks
  moment: { ...time, first: null }, // of the cursor
  panel: { ...text, first: "", isStep: true },
  by: { ...text, first: "" },
  sort: { ...text, first: "" },
  reversed: { ...flag, first: false },
  find: { ...text, first: "" },
  where: { ...text, first: "", isStep: true },
  scope: { ...text, first: "" }, // of panels: "" (selection, else window), window, all
  compared: { ...flag, first: false, isStep: true }, // with the other trace
  kind: { ...text, first: "" }, // of flame graphs
  share: { ...number, first: 0.001 },
  grouping: { ...text, first: "" }, // of frames (docs/flame.md#patterns)
  folding: { ...text, first: "" },
  include: { ...text, first: "" },
  exclude: { ...text, first: "" },
  foldPercent: { ...number, first: 0 },
  focus: { ...text, first: "", isStep: true }, // a frame: what it called, or its callers
  inverted: { ...flag, first: false },
  event: { ...place, first: null, isStep: true }, // [input, buffer, offset]
  row: { ...number, first: 0 }, // of events: the first one shown
  fields: { ...texts, first: [], isKept: true }, // with columns of their own
  follow: { ...place, first: null, isStep: true }, // [tid, FILETIME, input]; without a time: all of the window
  filter: { ...text, first: "" }, // of tracks
  hidesIdle: { ...flag, first: false, isKept: true },
  toggled: { ...texts, first: [], isKept: true }, // keys of groups that are not open or closed as they are at first
  pins: { ...texts, first: [], isKept: true },
  moves: { ...json(areMoves), first: [], isKept: true }, // of tracks: [key, before which key]
  height: { read: (value) => (Object.hasOwn(trackHeights, value) ? value : null), write: String, first: "", isKept: true }, // of tracks
  heights: { ...json(areHeights), first: [], isKept: true }, // of single tracks: [key, height]
  marks: { ...marks, first: [], isKept: true },
  regions: { ...json(isRegions), first: [], isKept: true }, // that are looked for in the trace
  rules: { ...json(isRules), first: [], isKept: true }, // that color rows of events
  split: { ...number, first: 0.55, isKept: true }, // part of the height above the panels
  scroll: { ...number, first: 0 }, // rows of tracks above the first one shown
};

/** Returns the state of a page that was just opened. */
export function firstState() {
  return Object.fromEntries(Object.entries(members).map(([name, { first }]) => [name, first]));
}

/** Returns an address, without `#`: what differs from the first state. `token`: of the server. */
export function addressOf(state, token = "") {
  const parameters = new URLSearchParams(token ? { token } : {});
  for (const [name, { write, first }] of Object.entries(members)) {
    const written = state[name] === null ? "" : write(state[name]);
    if (written !== (first === null ? "" : write(first))) {
      parameters.set(name, written);
    }
  }
  return parameters.toString();
}

/** Returns the state of an address; parts that are not valid are those of the first state. */
export function stateOf(address) {
  const parameters = new URLSearchParams(address);
  const state = firstState();
  for (const [name, { read }] of Object.entries(members)) {
    const value = parameters.has(name) ? read(parameters.get(name)) : null;
    state[name] = value ?? state[name];
  }
  return state;
}

/** Returns the token of an address. */
export function tokenOf(address) {
  return new URLSearchParams(address).get("token") ?? "";
}

/** Returns whether going from a state to another is a step for back and forward. */
export function isStep(from, to) {
  const written = (state, { write }, name) => (state[name] === null ? "" : write(state[name]));
  return Object.entries(members).some(([name, member]) => member.isStep && written(from, member, name) !== written(to, member, name));
}

const settleTime = 400; // ms: changes in a row are one step

/** The state, and who follows it. */
export class Model {
  /** `place`: {read(): address, push(address), replace(address)}. */
  constructor(place) {
    this.place = place;
    this.token = tokenOf(place.read());
    this.state = stateOf(place.read());
    this.written = this.state;
    this.listeners = [];
    this.timer = null;
  }

  /** Calls `changed(state, before)` after each change. */
  follow(changed) {
    this.listeners.push(changed);
  }

  change(patch) {
    const before = this.state;
    if (Object.keys(patch).every((name) => before[name] === patch[name])) {
      return;
    }
    this.state = { ...before, ...patch };
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.settle(), settleTime);
    this.tell(before);
  }

  /** Changes the state without a step for back and forward: no person did it. */
  drift(patch) {
    this.written = { ...this.written, ...patch };
    this.change(patch);
  }

  /** Writes the state to the address. */
  settle() {
    clearTimeout(this.timer);
    const address = addressOf(this.state, this.token);
    if (address !== this.place.read()) {
      (isStep(this.written, this.state) ? this.place.push : this.place.replace)(address);
    }
    this.written = this.state;
  }

  /** Takes the state of the address. `isHistory`: after back or forward, not a change by hand. */
  reread(isHistory) {
    clearTimeout(this.timer);
    const before = this.state;
    const kept = isHistory ? Object.keys(members).filter((name) => members[name].isKept) : [];
    this.state = this.written = { ...stateOf(this.place.read()), ...Object.fromEntries(kept.map((name) => [name, before[name]])) };
    this.token = tokenOf(this.place.read()) || this.token;
    this.settle();
    this.tell(before);
  }

  tell(before) {
    this.listeners.forEach((changed) => changed(this.state, before));
  }
}
