// Tracks as colored rectangles. Those of few records are painted as they are; of all others, a picture becomes a bitmap once, with a
// column for each bin and some rows for each track, which a frame stretches.
import { stateColor } from "./view_colors.mjs";
import { recordAfter } from "./view_lod.mjs";

const pointKinds = ["samples", "events"];
const spanKinds = ["gc", "activity"];
const fewRecords = 200; // are painted one by one: a bitmap would lose some if it is shrunk

/** Pixels as paper: a row of `height` pixels from `top` on, a column for each bin. */
export class PixelPaper {
  constructor(pixels, width, top, height) {
    this.pixels = pixels;
    this.width = width;
    this.top = top;
    this.height = height;
  }

  /** Fills some bins from a height to another one, from below. */
  fill(bin, bins, low, high, [r, g, b]) {
    const color = ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
    const { pixels, width } = this;
    const last = Math.min(width, bin + bins) - bin;
    const end = (this.top + this.height - low) * width + bin;
    for (let line = (this.top + this.height - high) * width + bin; line < end; line += width) {
      for (let at = line; at < line + last; ++at) {
        pixels[at] = color;
      }
    }
  }
}

/** A canvas as paper: bins from `left` on, `scale` pixels wide; what is narrower than a pixel is a pixel wide. */
export class CanvasPaper {
  constructor(pen, { left, scale, top, height, width }) {
    this.pen = pen;
    this.left = left;
    this.scale = scale;
    this.top = top;
    this.height = height;
    this.width = width;
  }

  fill(bin, bins, low, high, color) {
    const left = this.left + bin * this.scale;
    const right = left + bins * this.scale;
    if (right >= 0 && left <= this.width) {
      const from = Math.max(0, left);
      if (color !== this.color) {
        this.color = color; // to set it is slow
        this.pen.fillStyle = `rgb(${color})`;
      }
      this.pen.fillRect(from, this.top + this.height - high, Math.max(1, Math.min(this.width, right) - from), high - low);
    }
  }
}

/** Paints what fills a share of the height, one state on the other. `least`: pixels of what is there at all. */
function paintShares(paper, picture, row, colors, least) {
  let bin = -1;
  let used = 0;
  for (let i = row.first; i < row.end; ++i) {
    const record = picture.order[i];
    const color = colors[picture.state[record]];
    if (color === null) {
      continue;
    }
    used = picture.bin[record] === bin ? used : 0;
    bin = picture.bin[record];
    const size = Math.min(paper.height - used, Math.max(least, Math.round(picture.share[record] * paper.height)));
    paper.fill(bin, picture.size[record], used, used + size, color);
    used += size;
  }
}

/** Paints states of a thread: running and ready are bars, waiting is a line at the bottom. */
function paintThread(paper, picture, row, colors) {
  const { height } = paper;
  const line = Math.max(2, Math.round(height / 5));
  const running = picture.states.indexOf("running");
  const ready = picture.states.indexOf("ready");
  const isBar = (record) => picture.state[record] === running || picture.state[record] === ready;
  for (let i = row.first; i < row.end; ++i) {
    const record = picture.order[i];
    if (!isBar(record)) {
      paper.fill(picture.bin[record], picture.size[record], 0, line, colors[picture.state[record]]);
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
      paper.fill(bin, picture.size[record], used, used + size, colors[picture.state[record]]);
      used += size;
    }
  }
}

/** Paints counts as bars up to the largest one of the track, by their square roots: small ones are seen, too. */
function paintCounts(paper, picture, row, colors) {
  let most = 1;
  for (let i = row.first; i < row.end; ++i) {
    most = Math.max(most, picture.count[picture.order[i]]);
  }
  const scale = (paper.height - 2) / Math.sqrt(most);
  for (let i = row.first; i < row.end; ++i) {
    const record = picture.order[i];
    const size = 2 + Math.round(Math.sqrt(picture.count[record]) * scale);
    paper.fill(picture.bin[record], picture.size[record], 0, Math.min(paper.height, size), colors[picture.state[record]]);
  }
}

/** Paints sizes as steps up to the largest one of the track: each is that of the time until the next one is recorded. */
function paintSizes(paper, picture, row, colors) {
  let most = 1;
  for (let i = row.first; i < row.end; ++i) {
    most = Math.max(most, picture.bytes[picture.order[i]]);
  }
  for (let i = row.first; i < row.end; ++i) {
    const record = picture.order[i];
    const next = i + 1 < row.end ? picture.bin[picture.order[i + 1]] : picture.bins;
    const size = Math.max(1, Math.round((picture.bytes[record] / most) * paper.height));
    paper.fill(picture.bin[record], next - picture.bin[record], 0, size, colors[picture.state[record]]);
  }
}

/** Paints a track of a picture. */
export function paintTrack(paper, picture, row, book, dark) {
  const { kind } = row.track;
  const colors = picture.states.map((state, i) => stateColor(row.track, state, picture.stateOf[i] ?? null, book, dark));
  if (kind === "thread") {
    paintThread(paper, picture, row, colors);
  } else if (pointKinds.includes(kind)) {
    paintCounts(paper, picture, row, colors);
  } else if (kind === "heap") {
    paintSizes(paper, picture, row, colors);
  } else {
    paintShares(paper, picture, row, colors, spanKinds.includes(kind) ? Math.ceil(paper.height / 2) : 1);
  }
}

/** Returns whether the records of a row are painted one by one. */
export function isPaintedAsRecords(row) {
  return row.end - row.first <= fewRecords;
}

/** Returns the bitmap of a picture, made when it is first needed: `height` pixels for each track. There is one for each height. */
export function bitmapOf(picture, height, book, dark) {
  picture.bitmaps ??= new Map();
  const known = picture.bitmaps.get(height);
  if (known?.dark === dark) {
    return known;
  }
  const rows = [...picture.rows.values()].filter((row) => !isPaintedAsRecords(row));
  const width = Math.max(1, Math.min(16_384, picture.bins));
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = Math.max(1, rows.length * height);
  const image = new ImageData(width, canvas.height);
  const pixels = new Uint32Array(image.data.buffer);
  const tops = new Map();
  rows.forEach((row, i) => {
    tops.set(row, i * height);
    paintTrack(new PixelPaper(pixels, width, i * height, height), picture, row, book, dark);
  });
  canvas.getContext("2d").putImageData(image, 0, 0);
  picture.memory += known ? 0 : 4 * width * canvas.height;
  const bitmap = { canvas, tops, height, dark };
  picture.bitmaps.set(height, bitmap);
  return bitmap;
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
