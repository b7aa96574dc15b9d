// What is said about a point of the timeline.
import { recordsAt, stretchOf } from "./view_lod.mjs";
import { trackTitle } from "./view_rows.mjs";
import { clockText, offsetText } from "./view_time.mjs";
import { countedText, percentText, valueText, visibleText } from "../values.mjs";

const stateTexts = { running: "running", ready: "ready to run" };

/** Returns a state in words. */
export function stateText(track, state) {
  if (track.kind === "thread") {
    return stateTexts[state] ?? `waiting: ${visibleText(state, 60)}`;
  }
  return visibleText(state, 120);
}

function recordLine(picture, record, track) {
  const text = stateText(track, picture.states[picture.state[record]]);
  const parts = [text];
  const share = picture.share[record];
  if (share > 0.995) {
    const { from, to } = stretchOf(picture, record);
    parts.push(`about ${valueText(Number(to - from), "nanoseconds")}`);
  } else if (share > 0) {
    parts.push(`${percentText(share, 1)} of ${valueText(picture.binNs * picture.size[record], "nanoseconds")}`);
  }
  const count = picture.count[record];
  if (count > 0) {
    parts.push(countedText(count, { samples: "sample", events: "event", heap: "collection" }[track.kind] ?? "interval"));
  }
  if (picture.bytes[record] > 0) {
    parts.push(valueText(picture.bytes[record], "bytes"));
  }
  return parts.join(", ");
}

/** Returns lines about a track at a time; the first one is the time. */
export function describePoint(viewer, node, ns) {
  const lines = [`${offsetText(ns)} (${clockText(viewer.begin, ns)})`];
  if (!node?.track) {
    return lines;
  }
  const picture = viewer.pictures.of(node.trackKey, ns, ns + 1n).at(-1);
  const records = picture ? recordsAt(picture, node.trackKey, ns) : [];
  return [...lines, trackTitle(node.track), ...records.map((record) => recordLine(picture, record, node.track))];
}
