// The drawing of a flame graph: a canvas that mouse and keyboard move in.
import { element, isDark, paintSoon } from "./elements.mjs";
import { changeColor, cssColor, moduleColor, rgbOf, textColor } from "./flame_colors.mjs";
import { cutText, describeNode, shortText } from "./flame_texts.mjs";
import { changeOf, kinds, layoutOf } from "./flame_tree.mjs";

const rowHeight = 19;
const fontSize = 12;
const font = `${fontSize}px ui-monospace, "Cascadia Mono", "DejaVu Sans Mono", monospace`;
const padding = 4; // of text in a bar
const help =
  "Flame graph. Arrow keys move between functions, Enter zooms in, Escape zooms out, slash searches. The table below has the same functions.";

export class FlameView {
  /** `listener.shown(node)`: what the status describes; `listener.focused(node)`: zoomed to. */
  constructor(graph, listener) {
    this.graph = graph;
    this.listener = listener;
    this.focus = this.top = graph.root;
    this.selected = null;
    this.hovered = null;
    this.rows = []; // rectangles by level, from left to right
    this.canvas = element("canvas", { tabindex: "0", role: "img", "aria-label": help });
    this.outline = element("div", { class: "flame-outline" });
    this.tip = element("div", { class: "flame-tip", "aria-hidden": "true", hidden: true });
    this.element = element("div", { class: "flame-view" }, this.canvas, this.outline, this.tip);
  }

  /** Starts to follow the size of the page and the input. */
  attach() {
    new ResizeObserver(() => this.draw()).observe(this.element);
    this.canvas.addEventListener("pointermove", (event) => this.hover(event));
    this.canvas.addEventListener("pointerleave", () => this.leave());
    this.canvas.addEventListener("click", (event) => this.click(event));
    this.canvas.addEventListener("keydown", (event) => this.press(event));
  }

  /** Shows a node over all of the width, with its callers. */
  zoom(node) {
    this.focus = this.selected = node;
    this.top = this.graph.isReversed ? this.graph.reversed : this.graph.root;
    this.listener.focused(node);
    this.listener.shown(node);
    this.draw();
  }

  /** Whether the whole graph is higher than a screen: then callers are at the top. */
  isHigh() {
    const levels = layoutOf(this.focus, this.element.clientWidth).map(({ level }) => level);
    return Math.max(...levels) * rowHeight > innerHeight * 0.7;
  }

  draw() {
    paintSoon(this, () => this.paint());
  }

  paint() {
    const width = this.element.clientWidth;
    const rectangles = layoutOf(this.focus, width);
    const levels = 1 + rectangles.reduce((most, { level }) => Math.max(most, level), 0);
    this.rows = Array.from({ length: levels }, () => []);
    const height = levels * rowHeight;
    const ratio = Math.min(devicePixelRatio || 1, 32000 / height);
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.canvas.style.height = `${height}px`;
    const pen = this.canvas.getContext("2d", { alpha: false });
    pen.scale(ratio, ratio);
    pen.fillStyle = getComputedStyle(document.body).backgroundColor;
    pen.fillRect(0, 0, width, height);
    pen.font = font;
    pen.textBaseline = "middle";
    this.letter = pen.measureText("m").width;
    const dark = isDark();
    for (const rectangle of rectangles) {
      this.rows[rectangle.level].push(rectangle);
      this.paintBar(pen, rectangle, dark);
    }
    this.rows.forEach((row) => row.sort((a, b) => a.x - b.x));
    this.mark();
  }

  paintBar(pen, { node, x, width, level, isAncestor = false }, dark) {
    const y = this.topOf(level);
    const gap = width > 3 ? 1 : 0;
    pen.globalAlpha = isAncestor ? 0.6 : 1;
    pen.fillStyle = cssColor(this.colorOf(node, dark));
    pen.fillRect(x, y, Math.max(width - gap, 0.5), rowHeight - 1);
    pen.globalAlpha = 1;
    if (node && width > 2 * padding + 2 * this.letter) {
      pen.fillStyle = cssColor(isAncestor && !dark ? [0, 0, 0] : textColor(dark));
      const most = width - gap - 2 * padding;
      pen.fillText(this.labelOf(node, most), x + padding, y + rowHeight / 2, most);
    }
  }

  colorOf(node, dark) {
    const { data, matching, byChange, scale } = this.graph;
    if (!node) {
      return rgbOf(220, 0.06, dark ? 0.22 : 0.92);
    }
    if (matching?.[node.frame]) {
      return dark ? rgbOf(306, 0.65, 0.33) : rgbOf(306, 0.85, 0.8);
    }
    if (node.frame < 0) {
      return rgbOf(220, 0.1, dark ? 0.26 : 0.88);
    }
    if (matching) {
      return rgbOf(220, 0.06, dark ? 0.24 : 0.9);
    }
    const frame = node.frame;
    const kind = data.frames.kind[frame];
    if (byChange && kind !== kinds.mark) {
      return changeColor(changeOf(node, scale), dark);
    }
    return moduleColor(data.modules[data.frames.module[frame]] ?? "", kind, dark);
  }

  /** The text of a bar: with its module if there is space for it. */
  labelOf(node, width) {
    const letters = Math.floor(width / this.letter);
    if (node.frame < 0) {
      return "all";
    }
    const isFunction = this.graph.data.frames.kind[node.frame] < kinds.process;
    return (isFunction ? shortText : cutText)(this.graph.texts[node.frame], letters);
  }

  topOf(level) {
    return (this.graph.isIcicle ? level : this.rows.length - 1 - level) * rowHeight;
  }

  /** Shows the outline around what is hovered or selected. */
  mark() {
    const wanted = this.hovered ?? this.selected;
    const level = this.rows.findIndex((row) => row.some(({ node }) => node === wanted));
    this.outline.hidden = level < 0 || (!this.hovered && document.activeElement !== this.canvas);
    if (level >= 0) {
      const { x, width } = this.rows[level].find(({ node }) => node === wanted);
      const { style } = this.outline;
      style.transform = `translate(${x}px, ${this.topOf(level)}px)`;
      style.width = `${Math.max(width, 2)}px`;
      style.height = `${rowHeight - 1}px`;
    }
  }

  /** Returns the node at a position, or null. */
  nodeAt(x, y) {
    const row = Math.floor(y / rowHeight);
    const level = this.graph.isIcicle ? row : this.rows.length - 1 - row;
    const found = this.rows[level]?.findLast((rectangle) => rectangle.x <= x);
    return found && x < found.x + found.width ? found.node : null;
  }

  hover(event) {
    const node = this.nodeAt(event.offsetX, event.offsetY);
    if (node !== this.hovered) {
      this.hovered = node;
      this.mark();
      this.listener.shown(node ?? this.selected);
    }
    this.tip.hidden = !node || event.pointerType === "touch";
    if (node) {
      this.tip.textContent = describeNode(node, this.graph);
      const room = this.element.clientWidth - this.tip.offsetWidth;
      const x = Math.max(0, Math.min(event.offsetX + 12, room));
      const below = event.offsetY + 22;
      const isOutside = event.clientY + 30 + this.tip.offsetHeight > innerHeight;
      this.tip.style.transform = `translate(${x}px, ${isOutside ? event.offsetY - 10 - this.tip.offsetHeight : below}px)`;
    }
  }

  leave() {
    this.hovered = null;
    this.tip.hidden = true;
    this.mark();
    this.listener.shown(this.selected);
  }

  click(event) {
    const node = this.nodeAt(event.offsetX, event.offsetY);
    if (node) {
      this.zoom(node);
    }
  }

  select(node) {
    if (node) {
      this.selected = node;
      this.hovered = null;
      this.tip.hidden = true;
      this.listener.shown(node);
      this.mark();
      this.outline.scrollIntoView?.({ block: "nearest", inline: "nearest" });
    }
  }


  /** The next node of a row in a direction, or null. */
  beside(node, step) {
    const row = (this.rows[node.depth] ?? []).filter((rectangle) => rectangle.node);
    return row[row.findIndex((rectangle) => rectangle.node === node) + step]?.node ?? null;
  }

  /** The widest child that is drawn. */
  below(node) {
    const isShown = (child) => this.rows[child.depth]?.some((rectangle) => rectangle.node === child);
    return node.children.find(isShown) ?? null;
  }

  press(event) {
    const node = this.selected ?? this.focus;
    const up = this.graph.isIcicle ? node.parent : this.below(node);
    const down = this.graph.isIcicle ? this.below(node) : node.parent;
    const actions = {
      ArrowUp: () => this.select(up),
      ArrowDown: () => this.select(down),
      ArrowLeft: () => this.select(this.beside(node, -1)),
      ArrowRight: () => this.select(this.beside(node, 1)),
      Home: () => this.select(this.top),
      Enter: () => this.zoom(node),
      Escape: () => this.zoom(this.focus === node || !this.focus.parent ? this.focus.parent ?? this.top : this.focus),
      n: () => this.selectMatch(1),
      N: () => this.selectMatch(-1),
    };
    if (actions[event.key] && !event.ctrlKey && !event.altKey && !event.metaKey) {
      actions[event.key]();
      event.preventDefault();
    }
  }

  /** Selects the next node that the search has found, in the order of levels. */
  selectMatch(step) {
    const { matching } = this.graph;
    const found = this.rows.flat().filter(({ node }) => node && matching?.[node.frame]);
    if (found.length > 0) {
      const at = found.findIndex(({ node }) => node === this.selected);
      const next = at < 0 && step < 0 ? found.length - 1 : (at + step + found.length) % found.length;
      this.canvas.focus();
      this.select(found[next].node);
    }
  }
}
