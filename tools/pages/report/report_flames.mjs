// The flame graphs of a report, one at a time.
import { commandLine } from "../commands.mjs";
import { element } from "../elements.mjs";
import { renderFlame } from "../flame_graph.mjs";

/** Returns the section with a graph for each kind of stacks, or null. Call `start` when it is part of the page. `model`: its state. */
export function flamesSection(report, model) {
  const { flames } = report;
  if (flames.length === 0) {
    return null;
  }
  const place = element("div");
  let shown = null;
  const show = () => {
    const chosen = Math.max(0, flames.findIndex(({ kind }) => kind === model.state.flame));
    const flame = flames[chosen];
    select.selectedIndex = chosen;
    const graph = element("div");
    place.replaceChildren(element("p", { class: "note muted" }, flame.graph.summary), graph, commandLine("All of it, on a page of its own", flame.command));
    shown = renderFlame(graph, flame.graph, { isPage: false });
  };
  const select = element("select", { "aria-label": "Stacks of", change: () => model.change({ flame: flames[select.selectedIndex].kind }) });
  select.append(...flames.map(({ title }) => element("option", {}, title)));
  model.follow((state, before) => state.flame !== before.flame && show());
  const heading = element("div", { class: "chart-heading" }, element("h2", { id: "flame-heading" }, "Flame graph"), select);
  return {
    element: element("section", { id: "flame", "aria-labelledby": "flame-heading" }, heading, place),
    start: show,
    recolor: () => shown?.recolor(),
  };
}
