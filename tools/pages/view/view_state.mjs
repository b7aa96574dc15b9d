// The state of the page: what is shown, selected, and written down. All of it is in the address after `#`.
import { AddressForm, AddressModel, addressParts } from "../address.mjs";
import { isAlignment } from "./view_alignment.mjs";
import { areMoves } from "./view_order.mjs";
import { areHeights, trackHeights } from "./view_places.mjs";
import { isRegions } from "./view_regions.mjs";
import { isRules } from "./view_rules.mjs";

const isText = (value) => typeof value === "string";
const { flag, json, number, span, text, texts, time } = addressParts;
const place = json((value) => Array.isArray(value) && value.length === 3 && value.every((one) => Number.isSafeInteger(one) || isText(one)));
const marks = json((value) => Array.isArray(value) && value.every((one) => /^-?\d{1,24}$/.test(one?.at) && isText(one.text)));

const form = new AddressForm({
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
  aligned: { ...json(isAlignment), first: null, isStep: true }, // with the other trace; null: by their begins
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
});

/** Returns the state of a page that was just opened. */
export function firstState() {
  return form.first();
}

/** Returns an address, without `#`: what differs from the first state. `token`: of the server. */
export function addressOf(state, token = "") {
  return form.write(state, token);
}

/** Returns the state of an address; parts that are not valid are those of the first state. */
export function stateOf(address) {
  return form.read(address);
}

/** Returns whether going from a state to another is a step for back and forward. */
export function isStep(from, to) {
  return form.isStep(from, to);
}

/** The state, and who follows it. */
export class Model extends AddressModel {
  /** `place`: {read(): address, push(address), replace(address)}. */
  constructor(place) {
    super(form, place);
  }
}
