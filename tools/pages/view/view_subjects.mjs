// The panels, and which tables are in which of them. Pure functions.

const subjects = [
  ["cpu", "CPU"],
  ["waits", "Waits"],
  ["disk", "Disk"],
  ["files", "Files"],
  ["network", "Network"],
  ["packets", "Packets"],
  ["flows", "Flows"],
  ["interrupts", "Interrupts"],
  ["gc", ".NET"],
  ["processes", "Processes"],
  ["images", "Images"],
  ["stacks", "Stacks"],
  ["stats", "Kinds"],
  ["slowest", "Slowest"],
  ["timeline", "Over time"],
];
const hints = { stats: "Events by provider, kind, process, or processor", slowest: "The longest disk requests, file operations, pauses, and other intervals", stacks: "Functions that raised events" };
const skipped = ["tracks"];

const captures = ["Microsoft-Windows-NDIS-PacketCapture", "Microsoft-Windows-PktMon", "Microsoft-Windows-Ras-NdisWanPacketCapture"];

/** Returns whether a panel has something to show of a trace with these tracks: packets are in captures only. */
export function isOfTracks(id, tracks) {
  return !["table-packets", "table-flows"].includes(id) || tracks.some(({ kind, name }) => kind === "events" && captures.includes(name));
}

/** Returns the panels of the tables: [{id, title, hint, forms: [table]}]. */
export function panelsOfTables(tables) {
  const names = [...new Set(tables.map(({ name }) => name))].filter((name) => !skipped.includes(name));
  const place = (name) => (subjects.findIndex(([one]) => one === name) + subjects.length + 1) % (subjects.length + 1);
  return names
    .sort((a, b) => place(a) - place(b))
    .map((name) => {
      const forms = tables.filter((table) => table.name === name);
      const title = subjects.find(([one]) => one === name)?.[1] ?? forms[0].title ?? name;
      return { id: `table-${name}`, title, hint: hints[name] ?? (forms[0].question || forms[0].summary || title), forms };
    });
}

/** Returns the panel that is shown at first: what the trace is about. */
export function firstPanel(panels, tracks) {
  const hasThreads = tracks.some(({ kind }) => ["thread", "processor", "samples"].includes(kind));
  const wanted = hasThreads ? "table-cpu" : "events";
  return panels.some(({ id }) => id === wanted) ? wanted : panels[0].id;
}

const letter = 8; // pixels, a little more than most

/** Returns the widths of columns in pixels, from headings and the texts of some rows. */
export function columnWidths(headings, rows) {
  return headings.map((heading, i) => {
    const lengths = rows.map((row) => row[i].length).sort((a, b) => a - b);
    const most = Math.max(heading.length + 3, lengths[Math.floor(lengths.length * 0.95)] ?? 0);
    return Math.round(Math.min(420, Math.max(48, most * letter + 18)));
  });
}
