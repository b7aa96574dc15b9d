// Tracks as a tree, and the rows that are shown of it. Pure functions.
import { trackKey } from "./view_lod.mjs";
import { countText, valueText, visibleText } from "../values.mjs";

const kindTitles = { samples: "Samples", files: "Files", faults: "Hard faults", gc: "Garbage collections", heap: "Heap (.NET)", interrupts: "Interrupts" };
const mostOpen = 24; // threads of a process that is open at first; tracks of a trace of which all groups are

/** Returns the name of a process as it is shown. */
export function processText({ process, pid }) {
  const hasId = pid !== null && pid !== undefined;
  if (process === null || process === undefined) {
    return hasId ? `process ${pid}` : "(no process)";
  }
  return `${visibleText(process, 80)}${hasId ? ` (${pid})` : ""}`;
}

/** Returns what a track is called beside its picture. */
export function trackLabel(track) {
  const name = track.name ? visibleText(track.name, 120) : "";
  switch (track.kind) {
    case "processor":
      return `CPU ${track.id}`;
    case "thread":
      return name ? `${track.id} ${name}` : `${track.id}`;
    case "disk":
      return name || `Disk ${track.id}`;
    case "events":
      return name || "(unknown)";
    case "activity":
      return name || "Activity";
    default:
      return kindTitles[track.kind] ?? visibleText(track.kind, 40);
  }
}

/** Returns the full name of a track, with its process. */
export function trackTitle(track) {
  const label = track.kind === "thread" ? `thread ${trackLabel(track)}` : trackLabel(track);
  return track.pid === null && track.process === null ? label : `${label} of ${processText(track)}`;
}

/** Returns what a track did, in a few letters. */
export function trackDetail({ kind, busy_ns: busy, count, bytes }) {
  if (["samples", "events"].includes(kind)) {
    return count === null ? "" : countText(count);
  }
  if (["disk", "heap"].includes(kind) && bytes) {
    return valueText(bytes, "bytes");
  }
  return busy ? valueText(busy, "nanoseconds") : count ? countText(count) : "";
}

const byBusy = (a, b) => (b.track.busy_ns ?? 0) - (a.track.busy_ns ?? 0) || (b.track.count ?? 0) - (a.track.count ?? 0) || (a.track.id ?? 0) - (b.track.id ?? 0);
const byId = (a, b) => (a.track.id ?? 0) - (b.track.id ?? 0);

function leaf(track, level) {
  const key = trackKey(track);
  const weight = (track.busy_ns ?? 0) + (track.count ?? 0);
  return { key, trackKey: key, level, label: trackLabel(track), detail: trackDetail(track), track, children: [], isOpen: false, weight };
}

function groupOf(key, label, level, children, isOpen, detail = "") {
  return { key, trackKey: null, level, label, detail, track: null, children, isOpen, weight: children.reduce((sum, { weight }) => sum + weight, 0) };
}

function processNode(tracks) {
  const [first] = tracks;
  const threads = tracks.filter(({ kind }) => kind === "thread").map((track) => leaf(track, 2)).sort(byBusy);
  const others = tracks.filter(({ kind }) => !["thread", "samples"].includes(kind)).map((track) => leaf(track, 2));
  const samples = tracks.find(({ kind }) => kind === "samples");
  const busy = threads.reduce((sum, { track }) => sum + (track.busy_ns ?? 0), 0);
  const detail = busy > 0 ? valueText(busy, "nanoseconds") : samples ? trackDetail(samples) : "";
  const node = groupOf(`process/${first.pid ?? ""}/${first.process ?? ""}`, processText(first), 1, [...threads, ...others], false, detail);
  // What the row of the process itself shows: its samples.
  return { ...node, track: samples ?? null, trackKey: samples ? trackKey(samples) : null, process: first, busy, weight: node.weight + (samples?.count ?? 0) };
}

function processesOf(tracks) {
  const byProcess = new Map();
  for (const track of tracks) {
    const key = `${track.pid ?? ""}/${track.process ?? ""}`;
    if (!byProcess.has(key)) {
      byProcess.set(key, []);
    }
    byProcess.get(key).push(track);
  }
  const nodes = [...byProcess.values()].map(processNode);
  const isIdle = (node) => Number(node.process.pid === 0);
  nodes.sort((a, b) => isIdle(a) - isIdle(b) || b.busy - a.busy || b.weight - a.weight);
  const [top] = nodes;
  if (top && top.children.length <= mostOpen) {
    top.isOpen = true;
  }
  return nodes;
}

/** Few tracks are all shown. */
function opened(node) {
  return { ...node, isOpen: node.children.length > 0, children: node.children.map(opened) };
}

/** Returns the groups of tracks: nodes {key, trackKey, level, label, detail, track, children, isOpen, weight}. */
export function trackTree(tracks) {
  const of = (kind) => tracks.filter((track) => track.kind === kind);
  const interrupts = of("interrupts");
  const processors = of("processor").map((track) => leaf(track, 1)).sort(byId);
  const cpus = processors.flatMap((node) => [node, ...interrupts.filter(({ id }) => id === node.track.id).map((track) => ({ ...leaf(track, 1), label: `CPU ${track.id} interrupts` }))]);
  const lonely = interrupts.filter(({ id }) => !processors.some(({ track }) => track.id === id)).map((track) => ({ ...leaf(track, 1), label: `CPU ${track.id} interrupts` }));
  const ofProcess = tracks.filter(({ kind }) => !["processor", "interrupts", "disk", "events"].includes(kind));
  const groups = [
    groupOf("group/processors", "Processors", 0, [...cpus, ...lonely], cpus.length + lonely.length <= 32),
    groupOf("group/disks", "Disks", 0, of("disk").map((track) => leaf(track, 1)).sort(byId), true),
    groupOf("group/processes", "Processes", 0, processesOf(ofProcess), true),
    groupOf("group/events", "Events by provider", 0, of("events").map((track) => leaf(track, 1)).sort(byBusy), true),
  ];
  const tree = groups.filter(({ children }) => children.length > 0).map((group) => ({ ...group, detail: countText(group.children.length) }));
  return tracks.length <= mostOpen ? tree.map(opened) : tree;
}

function wordsOfFilter(filter) {
  return filter.toLowerCase().split(/\s+/).filter(Boolean);
}

/**
 * Returns the rows that are shown, from top to bottom. `state`: of the page: filter, hidesIdle, toggled, pins. `chain`: keys of tracks
 * that are shown first, of a wait that is followed.
 */
export function rowsOf(tree, { filter, hidesIdle, toggled, pins }, chain = []) {
  const words = wordsOfFilter(filter);
  const changed = new Set(toggled);
  const pinned = new Set(pins);
  const rows = [];
  const onTop = { chain: [], pins: [] };
  const matches = (text) => words.every((word) => text.includes(word));
  const addOnTop = (node) => {
    if (chain.includes(node.key)) {
      onTop.chain.push(rowOnTop(node, "chain"));
    }
    if (pinned.has(node.key)) {
      onTop.pins.push(rowOnTop(node, "pins"));
    }
  };
  const add = (node, path) => {
    const text = `${path} ${node.label.toLowerCase()}`;
    const isLeaf = node.children.length === 0;
    if (isLeaf) {
      addOnTop(node);
    }
    if (hidesIdle && node.weight === 0) {
      return 0;
    }
    if (isLeaf) {
      if (words.length === 0 || matches(text)) {
        rows.push(node);
        return 1;
      }
      return 0;
    }
    const place = rows.push(node) - 1;
    const isOpen = words.length > 0 || node.isOpen !== changed.has(node.key);
    rows[place] = { ...node, isOpen };
    let found = words.length === 0 || (node.level > 0 && matches(text)) ? 1 : 0;
    if (isOpen) {
      found += node.children.reduce((sum, child) => sum + add(child, text), 0);
    } else if (chain.length + pinned.size > 0) {
      node.children.forEach(findOnTop);
    }
    if (found === 0) {
      rows.length = place;
    }
    return found;
  };
  const findOnTop = (node) => {
    addOnTop(node);
    node.children.forEach(findOnTop);
  };
  tree.forEach((group) => add(group, ""));
  onTop.pins.sort((a, b) => pins.indexOf(ownKey(a.key)) - pins.indexOf(ownKey(b.key)));
  onTop.chain.sort((a, b) => chain.indexOf(ownKey(a.key)) - chain.indexOf(ownKey(b.key)));
  return [...topGroup("group/chain", "Who ended the wait", onTop.chain), ...topGroup("group/pins", "Pinned", onTop.pins), ...rows];
}

/** Returns the key of the track of a row; a row on top, which shows a track once more, has a key of its own. */
export function ownKey(key) {
  return key.replace(/^top\/(?:chain|pins)\//, "");
}

function rowOnTop(node, place) {
  const label = node.track && node.track.kind !== "processor" ? trackTitle(node.track) : node.label;
  return { ...node, key: `top/${place}/${node.key}`, level: 1, label, isTop: true, isOpen: false, children: [] };
}

function topGroup(key, label, nodes) {
  return nodes.length > 0 ? [{ ...groupOf(key, label, 0, nodes, true, countText(nodes.length)), isTop: true }, ...nodes] : [];
}

/** Returns the keys of the groups that contain a track, outermost first. */
export function pathOf(tree, key) {
  const find = (node) => {
    if (node.key === key) {
      return [];
    }
    for (const child of node.children) {
      const path = find(child);
      if (path) {
        return [node, ...path];
      }
    }
    return null;
  };
  for (const group of tree) {
    const path = find(group);
    if (path) {
      return path;
    }
  }
  return null;
}

/** Returns the groups that must be toggled so that a track is seen, added to those that are. */
export function toggledToShow(tree, key, toggled) {
  const hidden = (pathOf(tree, key) ?? []).filter((node) => node.isOpen === toggled.includes(node.key)).map((node) => node.key);
  const changed = new Set(toggled);
  hidden.forEach((one) => (changed.has(one) ? changed.delete(one) : changed.add(one)));
  return [...changed];
}

/** Returns the node of a key, or null. */
export function nodeOf(tree, key) {
  const open = [...tree];
  while (open.length > 0) {
    const node = open.pop();
    if (node.key === key) {
      return node;
    }
    open.push(...node.children);
  }
  return null;
}

/** Returns an expression that is true where two are, one of which may be empty, and where in it the second begins. */
export function bothWheres(first, second) {
  const before = first && second ? `(${first}) && (` : "";
  return { text: before ? `${before}${second})` : first || second, at: before.length };
}

const quoted = (text) => `"${text.replaceAll('"', '""')}"`;

/**
 * Returns what selected tracks mean for questions: {processes, where, text}. A question is about the processes of threads, not about
 * single threads: what threads do to each other is not to be cut. `byName`: processes as both of two traces know them.
 */
export function scopeOfTracks(nodes, byName = false) {
  const processes = new Set();
  const wheres = [];
  const names = [];
  for (const { track, process, label } of nodes) {
    const about = process ?? track;
    if (about?.pid !== null && about?.pid !== undefined && about.kind !== "processor") {
      processes.add(byName && about.process ? about.process : String(about.pid));
      names.push(processText(about));
    } else if (track?.kind === "processor" || track?.kind === "interrupts") {
      wheres.push(`cpu == ${track.id}`);
      names.push(`CPU ${track.id}`);
    } else if (track?.kind === "events") {
      wheres.push(`provider == ${quoted(track.name ?? "")}`);
      names.push(label);
    }
  }
  return { processes: [...processes], where: wheres.join(" || "), text: [...new Set(names)].join(", ") };
}
