// The flame graph of what panels are about.
import { copyButton } from "../commands.mjs";
import { element } from "../elements.mjs";
import { renderFlame } from "../flame_graph.mjs";
import { visibleText } from "../values.mjs";

const shares = [[0, "all"], [0.0001, "0.01%"], [0.001, "0.1%"], [0.005, "0.5%"], [0.02, "2%"]];

export class FlamePanel {
  constructor(viewer) {
    this.viewer = viewer;
    this.shown = null;
    const { model } = viewer;
    this.kind = element("select", { "aria-label": "Stacks of", change: () => model.change({ kind: this.kind.value }) });
    this.share = element("select", { "aria-label": "Smallest share", title: "Smaller branches are merged", change: () => model.change({ share: Number(this.share.value) }) });
    this.share.append(...shares.map(([value, text]) => element("option", { value }, `branches from ${text}`)));
    this.summary = element("span", { class: "muted", role: "status" });
    this.place = element("div", { class: "flame-place" });
    this.command = element("code", { class: "command" });
    const foot = element("div", { class: "panel-foot" }, element("span", { class: "command-line" }, this.command, " ", copyButton(() => this.commandText ?? "")));
    this.element = element("div", { class: "panel-content" }, element("div", { class: "panel-bar" }, this.kind, this.share, this.summary), this.place, foot);
    viewer.on("opened", ({ flames }) => this.kind.replaceChildren(...flames.map(({ name, title }) => element("option", { value: name }, title))));
  }

  get kindName() {
    const flames = this.viewer.opened?.flames ?? [];
    return flames.some(({ name }) => name === this.viewer.state.kind) ? this.viewer.state.kind : (flames[0]?.name ?? "cpu");
  }

  question() {
    return { kind: this.kindName, selection: this.viewer.selection(), smallest_share: this.viewer.state.share, nodes: 20_000 };
  }

  update() {
    this.kind.value = this.kindName;
    this.share.value = String(this.viewer.state.share);
    const question = JSON.stringify(this.question());
    if (question !== this.asked) {
      this.asked = question;
      this.ask();
    }
  }

  async ask() {
    const { asked } = this;
    this.element.setAttribute("aria-busy", "true");
    this.summary.textContent = "Reading stacks\u2026";
    try {
      const answer = await this.viewer.client.latest("panel", "flame", this.question());
      if (!answer) {
        this.asked = this.asked === asked ? null : this.asked;
        return;
      }
      this.take(answer);
    } catch (error) {
      this.place.replaceChildren();
      this.summary.textContent = visibleText(error.message);
      this.viewer.tell("refused", error);
    }
    this.element.setAttribute("aria-busy", "false");
  }

  take({ graph, remarks, command }) {
    this.commandText = command;
    this.command.textContent = visibleText(command ?? "", 2000);
    const isEmpty = graph.nodes.depth.length === 0;
    this.summary.textContent = isEmpty ? "No event of this kind has a stack here." : visibleText([graph.summary, ...(remarks ?? [])].filter(Boolean).join("; "), 600);
    const to = element("div");
    this.place.replaceChildren(to);
    this.shown = isEmpty ? null : renderFlame(to, graph, { isPage: false });
  }

  recolor() {
    this.shown?.recolor();
  }
}
