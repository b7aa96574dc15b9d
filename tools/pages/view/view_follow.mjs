// Why a thread waited: who ended the wait, and what that thread did meanwhile, as a table and over the tracks.
import { element } from "../elements.mjs";
import { cellOf, ticksBetween } from "../report/report_model.mjs";
import { cellText, headingText, isNumeric } from "../report/report_values.mjs";
import { actionButton, PanelFoot } from "./view_controls.mjs";
import { Grid } from "./view_grid.mjs";
import { columnWidths } from "./view_subjects.mjs";
import { clockText } from "./view_time.mjs";
import { visibleText } from "../values.mjs";

const hint = "Choose a thread and a time in the timeline, and press [: the wait at that time is followed to the thread that ended it.";

/** Returns the steps of a chain, for the timeline. `keyOf(about)`: of a track. Pure. */
export function stepsOf(table, rows, begin, keyOf) {
  const ns = (text) => BigInt(Math.round(ticksBetween(begin, text))) * 100n;
  return rows
    .map((row) => {
      const of = (name) => cellOf(table, row, name);
      const [from, to] = [of("begin"), of("end")];
      return from === null || to === null ? null : { key: keyOf({ pid: of("pid"), tid: of("tid") }), from: ns(from), to: ns(to), isWait: of("state") === "waiting", row };
    })
    .filter((step) => step && step.key);
}

/** Returns the events among which the first switched to the thread of a row after its wait, and from when on; null: no wait ended. Pure. */
export function switchAfter(table, row) {
  const of = (name) => cellOf(table, row, name);
  if (of("reason") === null || !["waiting", "ready", "running"].includes(of("state"))) {
    return null;
  }
  return { where: `event == "Thread/CSwitch" && data.NewThreadId == ${of("tid")}`, from: of(of("state") === "running" ? "begin" : "end") };
}

export class FollowPanel {
  /** @param {import("./view_viewer.mjs").Viewer} viewer */
  constructor(viewer) {
    this.viewer = viewer;
    this.rows = [];
    this.row = null; // the current one
    this.grid = new Grid({
      id: "follow",
      label: "Who ended the wait",
      ask: async (first, count) => ({ rows: this.rows.slice(first, first + count), row_count: this.rows.length }),
      failed: () => null,
      cell: (row, { index, column }) => cellText(row[index], column, this.begin),
      chosen: (row) => this.chosen(row),
      opened: (row) => this.followOn(row),
    });
    this.summary = element("span", { class: "muted", role: "status" }, hint);
    this.foot = new PanelFoot();
    const actions = [
      actionButton("Follow the wait", "Who ended the wait of the current thread at the cursor ([)", () => viewer.follow()),
      actionButton("Critical path", "What the current thread, and those that it waited for, did in the selection, or in the window (])", () => viewer.followPath()),
      actionButton("Where it waited", "Show the context switch after the wait of the current row: its stack is where the thread waited", () => this.showSwitch()),
      actionButton("Show", "Show the chain in the timeline", () => this.showAll()),
      actionButton("Clear", "Forget the chain", () => viewer.model.change({ follow: null })),
    ];
    const bar = element("div", { class: "panel-bar" }, ...actions, this.summary);
    this.element = element("div", { class: "panel-content" }, bar, this.grid.element, this.foot.element);
    viewer.model.follow((state, before) => {
      if (state.follow !== before.follow) {
        this.load();
      }
    });
    viewer.on("tracks", () => {
      this.load();
      this.link();
    });
  }

  /** A path depends on the window. */
  update() {
    this.load();
    this.grid.draw();
  }

  /** The question of the state, or null. */
  question() {
    const { viewer } = this;
    if (!viewer.state.follow || !viewer.isReady) {
      return null;
    }
    const [tid, at, input] = viewer.state.follow;
    const { window } = viewer.scope();
    return at === "" ? { tid, input, selection: viewer.timesOf(window ?? { from: 0n, to: viewer.length }) } : { tid, at: String(at), input };
  }

  async load() {
    const { viewer } = this;
    const question = this.question();
    if (JSON.stringify(question) === this.asked) {
      return;
    }
    this.asked = JSON.stringify(question);
    if (!question) {
      viewer.client.stop("follow");
      this.take({ columns: [], rows: [], command: "" });
      this.summary.textContent = hint;
      return;
    }
    try {
      const answer = await viewer.client.latest("follow", "follow", question);
      if (answer) {
        const isPath = question.at === undefined;
        this.take(answer);
        const text = isPath ? `Critical path of thread ${question.tid}` : `Thread ${question.tid}`;
        this.summary.textContent = answer.rows.length === 0 ? "Nothing is known of this thread at this time." : [text, ...(answer.remarks ?? [])].map((one) => visibleText(one)).join("; ");
        if (viewer.state.follow === viewer.followed) {
          this.showAll();
        }
      }
    } catch (error) {
      this.asked = null;
      this.summary.textContent = visibleText(error.message);
    }
  }

  take(answer) {
    const { viewer } = this;
    this.table = answer;
    this.rows = answer.rows;
    this.row = null;
    this.begin = `${clockText(viewer.begin, 0n, true).replace(" ", "T")}Z`;
    this.foot.show(answer.command);
    const headings = answer.columns.map(headingText);
    const widths = columnWidths(headings, answer.rows.map((row) => answer.columns.map((column, i) => cellText(row[i], column, this.begin))));
    this.grid.setColumns(answer.columns.map((column, i) => ({ name: column.name, title: headings[i], width: widths[i], isNumber: isNumeric(column), index: i, column })));
    this.grid.reload(0, "");
    this.link();
  }

  /** Gives the steps to the timeline; their tracks may come later. */
  link() {
    const { viewer, table } = this;
    viewer.chain = table ? stepsOf(table, table.rows, this.begin, (about) => viewer.keyOf(about)) : [];
    viewer.tell("chain", viewer.chain);
  }

  chosen(row) {
    this.row = row;
    const step = this.viewer.chain.find((one) => one.row === row);
    if (step) {
      this.viewer.showMoment(step.to);
      this.viewer.model.change({ moment: step.to, current: step.key });
    }
  }

  /** Follows the wait of a row. */
  followOn(row) {
    const step = this.viewer.chain.find((one) => one.row === row);
    if (step?.isWait) {
      this.viewer.followAt(cellOf(this.table, row, "tid"), step.from);
    }
  }

  /** Shows the event that ended the wait of the current row. */
  async showSwitch() {
    const { viewer } = this;
    const wanted = this.row && switchAfter(this.table, this.row);
    if (!wanted) {
      this.summary.textContent = "Choose a row of a wait that ended first.";
      return;
    }
    try {
      const answer = await viewer.client.latest("switch", "events", { selection: { from: wanted.from, where: wanted.where }, first: 0, count: 1 });
      if (answer && answer.rows.length === 0) {
        this.summary.textContent = "The trace ends before the thread runs again.";
      } else if (answer) {
        const names = answer.columns;
        viewer.model.change({ panel: "events", event: ["input", "buffer", "offset"].map((name) => answer.rows[0][names.indexOf(name)]) });
      }
    } catch (error) {
      this.summary.textContent = visibleText(error.message);
    }
  }

  showAll() {
    const { chain } = this.viewer;
    if (chain.length > 0) {
      const from = chain.reduce((least, step) => (step.from < least ? step.from : least), chain[0].from);
      const to = chain.reduce((most, step) => (step.to > most ? step.to : most), chain[0].to);
      const side = (to - from) / 8n + 100n;
      this.viewer.show({ from: from - side, to: to + side });
    }
  }
}
