// Tracks as pixels: each picture becomes a bitmap once, with a column for each bin and some rows for each track. To draw a frame is to
// stretch it. Pure, but for the canvas.
import { stateColor } from "./view_colors.mjs";
import { recordAfter } from "./view_lod.mjs";

const pack = ([r, g, b], alpha = 255) => ((alpha << 24) | (b << 16) | (g << 8) | r) >>> 0;
const pointKinds = ["samples", "events"];

/** Returns the packed colors of the states of a picture, for a track; 0: not drawn. */
function colorsOf(picture, track, book, dark) {
  return picture.states.map((state, i) => {
    const color = stateColor(track, state, picture.stateOf[i] ?? null, book, dark);
    return color ? pack(color) : 0;
  });
}

function fill(pixels, width, x, size, top, bottom, color) {
  for (let y = top; y < bottom; ++y) {
    pixels.fill(color, y * width + x, y * width + x + size);
  }
}

/** Paints what fills a share of the height, one state on the other. `least`: pixels of what is there at all. */
function paintShares(paper, picture, row, colors, least) {
  const { pixels, width, top, height } = paper;
  let bin = -1;
  let used = 0;
  for (let i = row.first; i < row.end; ++i) {
    const record = picture.order[i];
    const color = colors[picture.state[record]];
    if (color === 0) {
      continue;
    }
    used = picture.bin[record] === bin ? used : 0;
    bin = picture.bin[record];
    const size = Math.min(height - used, Math.max(least, Math.round(picture.share[record] * height)));
    fill(pixels, width, bin, Math.min(picture.size[record], width - bin), top + height - used - size, top + height - used, color);
    used += size;
  }
}

/** Paints states of a thread: running and ready are bars, waiting is a line at the bottom. */
function paintThread(paper, picture, row, colors) {
  const { pixels, width, top, height } = paper;
  const line = Math.max(2, Math.round(height / 5));
  const running = picture.states.indexOf("running");
  const ready = picture.states.indexOf("ready");
  const isBar = (record) => picture.state[record] === running || picture.state[record] === ready;
  for (let i = row.first; i < row.end; ++i) {
    const record = picture.order[i];
    if (!isBar(record)) {
      const bin = picture.bin[record];
      fill(pixels, width, bin, Math.min(picture.size[record], width - bin), top + height - line, top + height, colors[picture.state[record]]);
    }
  }
  const barHeight = (record) => Math.max(line + 1, Math.round(picture.share[record] * height * (picture.state[record] === ready ? 0.7 : 1)));
  let bin = -1;
  let used = 0;
  for (let i = row.first; i < row.end; ++i) {
    const record = picture.order[i];
    if (isBar(record)) {
      used = picture.bin[record] === bin ? used : 0;
      bin = picture.bin[record];
      const size = Math.min(height - used, barHeight(record));
      fill(pixels, width, bin, Math.min(picture.size[record], width - bin), top + height - used - size, top + height - used, colors[picture.state[record]]);
      used += size;
    }
  }
}

/** Paints counts as bars up to the largest one of the track, by their square roots: small ones are seen, too. */
function paintCounts(paper, picture, row, colors) {
  const { pixels, width, top, height } = paper;
  let most = 1;
  for (let i = row.first; i < row.end; ++i) {
    most = Math.max(most, picture.count[picture.order[i]]);
  }
  const scale = (height - 2) / Math.sqrt(most);
  for (let i = row.first; i < row.end; ++i) {
    const record = picture.order[i];
    const bin = picture.bin[record];
    const size = 2 + Math.round(Math.sqrt(picture.count[record]) * scale);
    fill(pixels, width, bin, Math.min(picture.size[record], width - bin), top + height - Math.min(height, size), top + height, colors[picture.state[record]]);
  }
}

/** Paints a track of a picture onto pixels: {pixels: Uint32Array, width, top, height}. */
export function paintTrack(paper, picture, row, book, dark) {
  const colors = colorsOf(picture, row.track, book, dark);
  if (row.track.kind === "thread") {
    paintThread(paper, picture, row, colors);
  } else if (pointKinds.includes(row.track.kind)) {
    paintCounts(paper, picture, row, colors);
  } else {
    paintShares(paper, picture, row, colors, ["gc", "activity"].includes(row.track.kind) ? Math.ceil(paper.height / 2) : 1);
  }
}

/** Returns the bitmap of a picture, made when it is first needed: `height` pixels for each track. */
export function bitmapOf(picture, height, book, dark) {
  if (picture.bitmap?.dark === dark && picture.bitmap.height === height) {
    return picture.bitmap;
  }
  const rows = [...picture.rows.values()].filter(({ end, first }) => end > first);
  const width = Math.max(1, Math.min(16_384, picture.bins));
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = Math.max(1, rows.length * height);
  const image = new ImageData(width, canvas.height);
  const pixels = new Uint32Array(image.data.buffer);
  const tops = new Map();
  rows.forEach((row, i) => {
    tops.set(row, i * height);
    paintTrack({ pixels, width, top: i * height, height }, picture, row, book, dark);
  });
  canvas.getContext("2d").putImageData(image, 0, 0);
  picture.memory += 4 * width * canvas.height;
  picture.bitmap = { canvas, tops, height, dark };
  return picture.bitmap;
}

/** Returns the records of a track that are at least `pixels` wide, with their places: [{record, left, right}]. */
export function wideRecords(picture, row, from, pixelNs, width, pixels) {
  const found = [];
  const offset = Number(picture.base - from) / pixelNs;
  const bin = picture.binNs / pixelNs;
  if (row.end === row.first) {
    return found;
  }
  for (let i = recordAfter(picture, row, Math.floor(-offset / bin)); i < row.end; ++i) {
    const record = picture.order[i];
    const left = offset + picture.bin[record] * bin;
    if (left > width) {
      break;
    }
    const right = left + picture.size[record] * bin;
    if (right - left >= pixels && picture.share[record] > 0.6) {
      found.push({ record, left: Math.max(0, left), right: Math.min(width, right) });
    }
  }
  return found.filter(({ left, right }) => right - left >= pixels);
}
