// Regions of a file: opened, looked for in the trace, and listed.
import { element } from "../elements.mjs";
import { actionButton, swatchOf } from "./view_controls.mjs";
import { Grid } from "./view_grid.mjs";
import { regionsOfTree, treeOfXml } from "./view_regions.mjs";
import { openFile, textOfFile } from "./view_save.mjs";
import { spansOf } from "./view_spans.mjs";
import { nsOfTime, offsetText, secondsText } from "./view_time.mjs";
import { countedText, valueText, visibleText } from "../values.mjs";

const columns = [["name", "region", 300], ["instance", "instance", 180], ["from", "seconds", 124, true], ["length", "duration", 110, true]];

export class RegionList {
  /** @param {import("./view_viewer.mjs").Viewer} viewer */
  constructor(viewer) {
    this.upTo = ""; // how much of a trace that grows was looked at
    this.viewer = viewer;
    this.problems = []; // of the file
    this.looked = null; // the regions that are looked for
    this.message = element("span", { class: "muted", role: "status" });
    this.remarks = element("details", { class: "region-remarks", hidden: true });
    this.grid = new Grid({
      id: "regions",
      label: "Regions",
      ask: async (first, count) => ({ rows: viewer.spans.slice(first, first + count), row_count: viewer.spans.length }),
      failed: () => null,
      cell: (span, { name }) => this.cell(span, name),
      chosen: (span) => viewer.select(span),
      opened: (span) => span.to > span.from && viewer.show(span),
    });
    this.grid.setColumns(columns.map(([name, title, width, isNumber = false]) => ({ name, title, width, isNumber, isWide: name === "name" })));
    this.remove = actionButton("Remove regions", "Forget the regions", () => viewer.model.change({ regions: [] }));
    const buttons = [actionButton("Open regions", "Show the regions of interest that a .regions.xml file defines (Shift-R)", () => this.open()), this.remove];
    this.element = element("section", { class: "regions", "aria-label": "Regions" }, element("div", { class: "panel-bar" }, ...buttons, this.message, this.remarks), this.grid.element);
    viewer.on("opened", () => this.find());
    viewer.model.follow(() => this.find());
    this.show([]);
  }

  cell(span, name) {
    switch (name) {
      case "name":
        return ["\u00a0".repeat(4 * span.level), swatchOf(this.viewer.colorOf(span.name)), visibleText(span.name, 160)];
      case "instance":
        return visibleText(span.instance, 160);
      case "from":
        return secondsText(span.from);
      default:
        return span.from === span.to ? "" : valueText(Number(span.to - span.from), "nanoseconds");
    }
  }

  open() {
    openFile(".xml,text/xml,application/xml", (file) => this.read(file));
  }

  /** Reads the regions of a file, in place of those before. */
  async read(file) {
    try {
      const text = await textOfFile(file);
      const { regions, problems } = regionsOfTree(treeOfXml(text ?? ""));
      this.problems = problems;
      this.looked = null;
      this.viewer.model.change({ regions, panel: "marks" });
      this.find();
    } catch (error) {
      this.viewer.model.change({ panel: "marks" });
      this.message.textContent = error instanceof SyntaxError ? `${visibleText(file.name, 80)}: ${error.message}` : error.message;
    }
  }

  /** Looks for regions that are not looked for yet. Until the trace is indexed, each question would read all of it. */
  find() {
    const { viewer } = this;
    const { regions } = viewer.state;
    if (!viewer.isReady || regions === this.looked) {
      return;
    }
    this.looked = regions;
    if (regions.length === 0) {
      this.problems = [];
      this.show([]);
      return;
    }
    this.message.textContent = "Looking for the regions\u2026";
    this.upTo = viewer.growth ? ` up to ${offsetText(viewer.length)}; open the file again to look at what was added` : "";
    this.lookFor(regions).catch((error) => regions === this.looked && viewer.fail(error));
  }

  async lookFor(regions) {
    const check = () => {
      if (regions !== this.looked) {
        throw new Error("other regions are looked for");
      }
    };
    const ask = async (filter, most, fields) => {
      check();
      const answer = await this.viewer.client.ask("events", { selection: { ...this.viewer.all, where: filter }, first: 0, count: most, fields });
      return { moments: answer.rows.map((row) => this.momentOf(row, answer.columns, fields)), isCut: answer.next_row !== null };
    };
    const detail = async ({ about }) => {
      check();
      return (await this.viewer.client.ask("event", about)).event;
    };
    const { spans, problems } = await spansOf(regions, { ask, detail });
    if (regions === this.looked) {
      this.problems = [...this.problems, ...problems];
      this.show(spans);
    }
  }

  momentOf(row, names, fields) {
    const of = (name) => row[names.indexOf(name)];
    const about = { input: of("input"), buffer: of("buffer"), offset: of("offset") };
    const values = new Map(fields.map((field) => [field, of(`data.${field}`)]));
    return { ns: nsOfTime(this.viewer.begin, of("time")), pid: of("pid"), tid: of("tid"), place: JSON.stringify(about), about, values };
  }

  show(spans) {
    const { viewer, problems } = this;
    viewer.spans = spans;
    const kinds = new Set(spans.map(({ name }) => name)).size;
    this.message.textContent = spans.length > 0 ? `${countedText(spans.length, "span")} of ${countedText(kinds, "region")}${this.upTo}` : viewer.state.regions.length > 0 ? `None of the regions is in the trace${this.upTo}.` : "";
    this.remarks.hidden = problems.length === 0;
    this.remarks.replaceChildren(element("summary", {}, countedText(problems.length, "remark")), element("ul", {}, ...problems.map((text) => element("li", {}, visibleText(text, 300)))));
    this.remove.hidden = viewer.state.regions.length === 0;
    this.grid.element.hidden = spans.length === 0;
    this.grid.reload(0, "");
    viewer.tell("regions", spans);
  }

  update() {
    this.grid.draw();
  }
}
