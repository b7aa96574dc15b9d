// The page of `etl flame`.
import { renderFlame } from "./flame_graph.mjs";

renderFlame(document.getElementById("page"), JSON.parse(document.getElementById("data").textContent));
