// What the parts of the page share: the trace, the state, and what changes it.
import { ColorBook } from "../name_colors.mjs";
import { isDark } from "../elements.mjs";
import { Alignment, extentOf, later } from "./view_alignment.mjs";
import { TraceBefore } from "./view_before.mjs";
import { KnownNames } from "./view_complete.mjs";
import { Pictures, trackKey } from "./view_lod.mjs";
import { keyBefore } from "./view_match.mjs";
import { bothWheres, nodeOf, ownKey, scopeOfTracks, toggledToShow, trackTree } from "./view_rows.mjs";
import { filetimeOf, keptWithin, nsOfFiletime, partWithin, timesOf } from "./view_time.mjs";

/** @typedef {import("./view_time.mjs").Span} Span */

const waitAgain = 1000; // ms after a failure, twice as long after each further one
const mostWait = 16_000;
const mostRemarks = 200;

export class Viewer {
  constructor(client, model) {
    this.client = client;
    this.model = model;
    this.book = new ColorBook();
    this.names = new KnownNames();
    this.pictures = new Pictures();
    this.opened = null; // the last answer of `open`
    this.begin = 0n; // FILETIME
    this.length = 1n; // nanoseconds
    this.tracks = [];
    this.hasTracks = false;
    this.firstLength = null; // what was there when the page was opened
    this.isPaused = false; // what is added is not shown
    this.newest = null; // the last answer of `open` that is not shown, while it is paused
    this.asker = null; // the panel that asked last
    this.followed = null; // the wait that a person asked for last, as in the state
    this.remarks = []; // about tracks
    this.tree = [];
    /** @type {(Span & {key: string, isWait: boolean, row: any[]})[]} */
    this.chain = []; // steps of a wait that is followed: {key, from, to, text, waker}
    /** @type {(Span & {name: string, instance: string, level: number})[]} */
    this.spans = []; // where regions are
    this.about = {}; // of questions about this trace
    this.listeners = { aligned: [], opened: [], tracks: [], chain: [], live: [], regions: [], problem: [], picked: [], refused: [], remarks: [] };
    this.alignment = new Alignment(this);
    this.before = new TraceBefore(this);
    this.before.follow();
    model.follow(() => this.alignment.update());
    this.on("opened", () => this.alignment.update());
  }

  /** Calls `changed(value)` at each event of a kind. */
  on(kind, changed) {
    this.listeners[kind].push(changed);
  }

  tell(kind, value) {
    this.listeners[kind].forEach((changed) => changed(value));
  }

  get state() {
    return this.model.state;
  }

  /**
   * The time that can be shown: that of the trace, and of the one that is compared with it.
   * @returns {Span}
   */
  get extent() {
    return this.isCompared ? extentOf(this.length, this.before.length, this.alignment.offset) : { from: 0n, to: this.length };
  }

  /**
   * The part of the trace that is shown, or null: all of it. An address can name any time.
   * @returns {?Span}
   */
  get part() {
    return this.state.window && partWithin(this.state.window, this.extent);
  }

  /** @returns {Span} */
  get window() {
    return this.part ?? this.extent;
  }

  /** Whether questions can be asked, some of which take long before the page is ready. */
  get isOpen() {
    return this.opened !== null && this.opened.state !== "preparing";
  }

  /** The names of the trace to compare with; empty: there is none. */
  get against() {
    return this.opened?.against ?? [];
  }

  /** Whether panels compare with it. */
  get isCompared() {
    return this.state.compared && this.against.length > 0;
  }

  /** What the server says of a trace that another program writes, or has written; null: of all others. */
  get growth() {
    return this.opened?.growth ?? null;
  }

  /** Whether the page moves on with the end of the trace. */
  get isFollowing() {
    return this.growth !== null && !this.growth.has_ended && !this.isPaused && this.isAtEnd;
  }

  get isAtEnd() {
    return this.window.to >= this.length;
  }

  /** How much there is after what is shown, in nanoseconds. */
  get restNs() {
    const length = this.newest ? nsOfFiletime(this.begin, this.newest.end) : this.length;
    return length > this.window.to ? length - this.window.to : 0n;
  }

  /** A selection of all that the page shows of the trace: not of what is added meanwhile. */
  get all() {
    return this.growth ? { to: filetimeOf(this.begin, this.length + 100n) } : {};
  }

  get isReady() {
    return this.isOpen && this.opened.progress === null;
  }

  /** The time at which the trace is aligned with the other one, or null: its begin. */
  get alignedAt() {
    return this.isCompared ? (this.alignment.points?.after ?? null) : null;
  }

  /** Returns the color of a name for CSS, the same in all parts of the page. */
  colorOf(name) {
    return `rgb(${this.book.rgbOf(name, isDark()).join(",")})`;
  }

  /** Shows what went wrong; an answer that is no longer wanted is nothing wrong. */
  fail(error) {
    this.tell("problem", error);
  }

  /** Opens the trace and follows the state of the server, for as long as the page lives. What fails is asked again. */
  async open() {
    for (let pause = waitAgain; ; ) {
      try {
        await this.askNext();
        this.tell("problem", null);
        pause = waitAgain;
      } catch (error) {
        this.fail(error);
        await new Promise((done) => setTimeout(done, pause));
        pause = Math.min(mostWait, 2 * pause);
      }
    }
  }

  /** Asks for what is lacking; then a question is kept open that answers when the state of the server changes. */
  async askNext() {
    if (!this.opened) {
      this.take(await this.client.ask("open"));
    } else if (this.isReady && !this.hasTracks) {
      await this.askTracks();
    } else {
      const answer = await this.client.ask("wait", { revision: this.opened.revision });
      if (answer.revision !== this.opened.revision) {
        this.take(answer);
      }
    }
  }

  take(answer) {
    const hasGrown = this.isOpen && (answer.end !== this.opened.end || answer.bytes !== this.opened.bytes);
    this.newest = hasGrown && this.isPaused ? answer : null;
    const opened = this.newest ? { ...this.opened, revision: answer.revision, growth: answer.growth } : answer;
    this.opened = opened;
    this.hasTracks &&= this.isReady && (!hasGrown || this.isPaused);
    if (opened.begin !== null) {
      this.begin = BigInt(opened.begin);
      const length = nsOfFiletime(this.begin, opened.end);
      this.extend(length > 0n ? length : 100n);
    }
    this.tell("opened", opened);
    this.tell("live");
  }

  /** The trace ends later. What is shown follows its end if it has reached it. */
  extend(length) {
    const added = length - this.length;
    const { window } = this.state;
    const follows = this.firstLength !== null && window && this.isAtEnd;
    this.firstLength ??= length;
    this.length = length;
    if (added !== 0n) {
      this.pictures.age();
    }
    if (follows && added > 0n) {
      this.model.drift({ window: { from: window.from + added, to: window.to + added } });
    }
  }

  /** Follows the end of a trace that grows, or shows nothing of what is added. */
  toggleLive() {
    if (this.isFollowing) {
      this.isPaused = true;
    } else if (this.growth) {
      this.isPaused = false;
      this.goToEnd();
    }
    this.tell("live");
  }

  goToEnd() {
    if (this.newest) {
      this.take(this.newest);
    }
    if (!this.isAtEnd) {
      const { from, to } = this.window;
      this.show({ from: this.length - (to - from), to: this.length });
    }
    if (this.isReady && !this.hasTracks) {
      this.askTracks().catch((error) => this.fail(error)); // open() waits for the server
    }
  }

  /**
   * Asks for what a panel shows; there is one such question at a time. Returns null if another one came first. If it was that of
   * another panel, `panel.asked` is forgotten, so that the panel asks again when it is shown.
   */
  async askFor(panel, name, question) {
    this.asker = panel;
    const answer = await this.client.latest("panel", name, question);
    if (!answer && this.asker !== panel) {
      panel.asked = null;
    }
    return answer;
  }

  async askTracks() {
    const { tracks, remarks = [] } = await this.client.ask("tracks", { selection: this.all });
    this.remarks = remarks;
    const byWeight = [...tracks].sort((a, b) => (b.busy_ns ?? 0) - (a.busy_ns ?? 0) || (b.count ?? 0) - (a.count ?? 0));
    const processes = byWeight.filter(({ process, pid }) => process && pid !== 0).map(({ process }) => process);
    this.book.start([[...processes, ...byWeight.filter(({ kind, name }) => kind === "events" && name).map(({ name }) => name)]]);
    tracks.forEach(({ kind, process, name }) => {
      this.names.add("process", process);
      this.names.add("provider", kind === "events" ? name : null);
    });
    this.hasTracks = true;
    this.tracks = tracks;
    this.tree = trackTree(tracks);
    this.tell("tracks", tracks);
  }

  /** Asks for a picture of tracks; there is one such question at a time. */
  askPicture(question) {
    return this.client.latest("lod", "lod", question, "arrayBuffer");
  }

  /** Keeps what pictures tell besides what is known. */
  addRemarks(remarks) {
    const more = remarks.filter((remark) => !this.remarks.includes(remark));
    if (more.length > 0 && this.remarks.length < mostRemarks) {
      this.remarks = [...this.remarks, ...more];
      this.tell("remarks", this.remarks);
    }
  }

  /**
   * Shows a part of the time.
   * @param {Span} window
   */
  show(window) {
    const { extent } = this;
    const kept = keptWithin(window, extent);
    this.model.change({ window: kept.from <= extent.from && kept.to >= extent.to ? null : kept });
  }

  /**
   * Shows a time, in the middle if it is not seen yet.
   * @param {bigint} ns
   */
  showMoment(ns) {
    const { from, to } = this.window;
    if (ns < from || ns > to) {
      this.show({ from: ns - (to - from) / 2n, to: ns + (to - from + 1n) / 2n });
    }
  }

  /**
   * Selects a span, and shows where it is if it is not seen; one without length has the cursor.
   * @param {Span} span
   */
  select({ from, to }) {
    const { window } = this;
    this.model.change(from === to ? { moment: from } : { selection: { from, to }, scope: "", moment: from });
    if (to < window.from || from > window.to) {
      const side = (to - from) / 4n;
      const size = window.to - window.from;
      this.show(to - from < size ? { from: (from + to - size) / 2n, to: (from + to + size) / 2n } : { from: from - side, to: to + side });
    }
  }

  /** Marks a track and opens the groups that contain it. */
  reveal(key, patch = {}) {
    if (!nodeOf(this.tree, key)) {
      this.model.change(patch);
      return false;
    }
    this.model.change({ ...patch, current: key, toggled: toggledToShow(this.tree, key, this.state.toggled), filter: "" });
    return true;
  }

  /** The current track or group, or null. */
  get current() {
    const { current } = this.state;
    if (this.known?.key !== current || this.known.tree !== this.tree) {
      this.known = { key: current, tree: this.tree, node: nodeOf(this.tree, ownKey(current)) };
    }
    return this.known.node;
  }

  trackKey(track) {
    return trackKey(track);
  }

  /** Returns the key of the row of the other trace that is like a row, or null. */
  keyBeside(key) {
    return keyBefore(key, this.before.match);
  }

  /** Returns the key of the track of a thread or a process, or null. */
  keyOf({ pid = null, tid = null }) {
    const isThread = (track) => track.kind === "thread" && track.id === tid && (pid === null || track.pid === pid);
    const thread = tid === null ? null : this.tracks.find(isThread) ?? this.tracks.find((track) => track.kind === "thread" && track.id === tid);
    if (thread) {
      return trackKey(thread);
    }
    const processes = this.tree.find(({ key }) => key === "group/processes")?.children ?? [];
    return (pid === null ? null : processes.find(({ process }) => process.pid === pid)?.key) ?? null;
  }

  /** Follows the wait of the current thread at the cursor. */
  follow() {
    const track = this.current?.track;
    if (track?.kind === "thread" && this.state.moment !== null) {
      this.followAt(track.id, this.state.moment);
    } else {
      this.model.change({ panel: "follow" });
    }
  }

  /** Shows what the current thread did in the window, and instead of its waits what those did that ended them. */
  followPath() {
    const track = this.current?.track;
    const tid = track?.kind === "thread" ? track.id : this.state.follow?.[0];
    this.model.change(tid ? { panel: "follow", follow: [tid, "", 1] } : { panel: "follow" });
  }

  /** Follows a wait, and shows all of its chain. */
  followAt(tid, ns) {
    this.followed = [tid, filetimeOf(this.begin, ns), 1];
    this.model.change({ panel: "follow", follow: this.followed });
  }

  /** What panels are about: {window: null or a part of the time, isSelection, processes, where, text}. */
  scope(byName = false) {
    const { selection, tracks, scope } = this.state;
    const isSelection = scope === "" && selection !== null;
    const part = scope === "all" ? null : isSelection ? selection : this.part;
    const nodes = tracks.map((key) => nodeOf(this.tree, key)).filter(Boolean);
    return { window: part, isSelection, ...scopeOfTracks(nodes, byName) };
  }

  /** The selection of the server's questions for what panels are about. */
  selection(byName = false) {
    const { window, processes, where } = this.scope(byName);
    const selection = window ? this.timesOf(window) : this.all;
    if (where || this.state.where) {
      selection.where = bothWheres(where, this.state.where).text;
    }
    return processes.length > 0 ? { ...selection, processes } : selection;
  }

  /** The members of questions for what panels are about that compare both traces, in what is beside each other. */
  comparison() {
    const { window } = this.scope();
    const { offset } = this.alignment;
    const compared = { is_compared: true, selection: this.selection(true) };
    if (window === null || offset === 0n) {
      return compared;
    }
    const { from, to } = this.before.timesOf(later(window, offset));
    return { ...compared, before_from: from, before_to: to };
  }

  /** Where the filter that was typed begins in that of the questions. */
  get filterAt() {
    return bothWheres(this.scope().where, this.state.where).at;
  }

  /**
   * A window for the server, at whole ticks; its end is exclusive.
   * @param {Span} span
   */
  timesOf(span) {
    return timesOf(this.begin, span);
  }
}
