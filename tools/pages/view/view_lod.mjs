// Pictures of tracks: what `lod` answers, found by track and time. Pure functions, and a store that is bounded.

const magic = 0x4c544c45;
const align = (bytes) => (bytes + 7) & ~7;
const decoder = new TextDecoder();

/** A text that identifies a track. */
export function trackKey({ kind, process, pid, id, name }) {
  return [kind, pid ?? "", id ?? "", process ?? "", name ?? ""].join("/");
}

/** Returns the order of records by track and bin, and where each track begins. */
function indexOf(track, bin, tracks) {
  const order = Uint32Array.from(track.keys());
  const compare = (a, b) => track[a] - track[b] || bin[a] - bin[b];
  if (order.some((record) => record > 0 && compare(record - 1, record) > 0)) {
    order.sort(compare);
  }
  const starts = new Uint32Array(tracks + 1);
  track.forEach((one) => ++starts[one + 1]);
  for (let i = 0; i < tracks; ++i) {
    starts[i + 1] += starts[i];
  }
  return { order, starts };
}

/**
 * Reads the answer of `lod`: {base, binNs, bins, tracks, states, stateOf, remarks, rows: by key of the track, from,
 * to}, and columns by record. Throws a RangeError or SyntaxError if it is not one.
 */
export function pictureOf(buffer) {
  const view = new DataView(buffer);
  const [found, version, headerBytes, records] = [0, 4, 8, 12].map((at) => view.getUint32(at, true));
  if (found !== magic || version !== 1) {
    throw new RangeError("not a picture");
  }
  let at = 16 + headerBytes;
  const header = JSON.parse(decoder.decode(new Uint8Array(buffer, 16, headerBytes)));
  at = align(at);
  const column = (Type) => {
    const values = new Type(buffer, at, records);
    at = align(at + values.byteLength);
    return values;
  };
  const columns = {
    track: column(Uint32Array),
    bin: column(Uint32Array),
    size: column(Uint32Array),
    state: column(Uint32Array),
    share: column(Float32Array),
    count: column(Float32Array),
    bytes: column(Float64Array),
  };
  if (columns.track.some((track) => track >= header.tracks.length)) {
    throw new RangeError("a record without a track");
  }
  const { order, starts } = indexOf(columns.track, columns.bin, header.tracks.length);
  const base = BigInt(header.base_ns);
  return {
    ...columns,
    order,
    base,
    binNs: header.bin_ns,
    bins: header.bins,
    from: base,
    to: base + BigInt(Math.ceil(header.bins * header.bin_ns)),
    tracks: header.tracks,
    states: header.states,
    stateOf: header.state_of ?? [],
    remarks: header.remarks ?? [],
    rows: new Map(header.tracks.map((track, i) => [trackKey(track), { track, number: i, first: starts[i], end: starts[i + 1] }])),
    memory: buffer.byteLength + 4 * records,
  };
}

/** Returns the first place in `order` between first and end whose record ends after a bin. */
export function recordAfter(picture, row, bin) {
  let low = row.first;
  let high = row.end;
  while (low < high) {
    const middle = (low + high) >> 1;
    const record = picture.order[middle];
    if (picture.bin[record] + picture.size[record] <= bin) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return Math.max(row.first, low - 1); // of two in a bin, one can end later
}

/** Returns the records of a track at a time: at most two states. */
export function recordsAt(picture, key, ns) {
  const row = picture.rows.get(key);
  const bin = Math.floor(Number(ns - picture.base) / picture.binNs);
  const found = [];
  for (let i = row ? recordAfter(picture, row, bin) : 0; row && i < row.end; ++i) {
    const record = picture.order[i];
    if (picture.bin[record] > bin) {
      break;
    }
    if (bin < picture.bin[record] + picture.size[record]) {
      found.push(record);
    }
  }
  return found.sort((a, b) => picture.share[b] - picture.share[a] || picture.count[b] - picture.count[a]);
}

/**
 * Returns how long a state lasts around a record: neighbors that are of the same state are one.
 * @returns {import("./view_time.mjs").Span}
 */
export function stretchOf(picture, record) {
  const row = picture.rows.get(trackKey(picture.tracks[picture.track[record]]));
  const own = [];
  for (let i = row.first; i < row.end; ++i) {
    if (picture.state[picture.order[i]] === picture.state[record]) {
      own.push(picture.order[i]);
    }
  }
  let low = own.indexOf(record);
  let high = low;
  const meets = (a, b) => picture.bin[a] + picture.size[a] >= picture.bin[b];
  while (low > 0 && meets(own[low - 1], own[low])) {
    --low;
  }
  while (high + 1 < own.length && meets(own[high], own[high + 1])) {
    ++high;
  }
  const at = (bin) => picture.base + BigInt(Math.round(bin * picture.binNs));
  return { from: at(picture.bin[own[low]]), to: at(picture.bin[own[high]] + picture.size[own[high]]) };
}

const contains = (picture, from, to) => picture.from <= from && picture.to >= to;

const mostMemory = 48 * 2 ** 20;
const mostPictures = 200;

/** The last pictures. The oldest ones are dropped; that of the whole trace stays as long as the others. */
export class Pictures {
  constructor(most = mostMemory) {
    this.most = most;
    this.all = []; // newest first
  }

  /** `tracks`: those asked for, of which some may have no records. `asked`: the window, and the length of a pixel in it. */
  add(picture, tracks, { from, to, pixelNs }) {
    for (const key of tracks.map(trackKey)) {
      picture.rows.has(key) || picture.rows.set(key, { track: null, number: -1, first: 0, end: 0 });
    }
    Object.assign(picture, { from, to, pixelNs, isOld: false });
    this.all.unshift(picture);
    let memory = 0;
    this.all = this.all.filter((one, i) => (memory += one.memory) <= this.most && i < mostPictures);
    this.all[0] ??= picture; // whatever its size
  }

  /** The trace has grown: what there is is drawn until there is better. */
  age() {
    this.all.forEach((picture) => (picture.isOld = true));
  }

  /**
   * Returns the pictures with which a track is drawn in a window, the finest last: those before it are seen only where it ends. It
   * is the only one if it is fine enough for pixels of `pixelNs`. A bin is never shorter than a tick, however short a pixel is.
   */
  of(key, from, to, pixelNs = Infinity) {
    const found = this.all.filter((one) => one.rows.has(key) && one.from < to && one.to > from);
    const [finest] = found.filter((one) => contains(one, from, to)).sort((a, b) => a.isOld - b.isOld || a.binNs - b.binNs);
    if (finest && found.some((one) => !one.isOld && contains(one, from, to) && one.pixelNs <= pixelNs * 1.01)) {
      return [finest];
    }
    const finer = found.filter((one) => !finest || one.binNs < finest.binNs).reverse();
    finer.sort((a, b) => b.binNs - a.binNs || b.pixelNs - a.pixelNs);
    return finest ? [finest, ...finer.slice(-2)] : finer.slice(-3);
  }

  /** Returns whether a track has a picture that is fine enough for a window. */
  has(key, from, to, pixelNs) {
    return this.all.some((one) => !one.isOld && one.rows.has(key) && contains(one, from, to) && one.pixelNs <= pixelNs * 1.01);
  }
}
