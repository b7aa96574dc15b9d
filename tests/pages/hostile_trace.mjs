// Lines for `etl write`: events whose providers, names, and texts are chosen to break a page. hostile_trace.mjs [NAMES] adds as
// many further names.
const names = [
  "<img src=x onerror=alert(1)>",
  "</script><script>alert(1)</script>",
  "<!--<script>",
  "a\u202eexe.gpj\u202c",
  "\u001b[31mred\u0007",
  "]]>&lt;&quot;'\"`${1}",
  "javascript:alert(1)",
  "__proto__",
  "x".repeat(6_000),
];
const further = Number(process.argv[2] ?? 0);
let clock = 0;
const line = (record) => {
  const time = `2024-05-17T04:00:${String(Math.floor(clock / 1e7) % 60).padStart(2, "0")}.${String(clock % 1e7).padStart(7, "0")}Z`;
  clock += 100;
  process.stdout.write(`${JSON.stringify({ time, pid: 100, tid: 104, ...record })}\n`);
};
for (const name of names) {
  line({ provider: name, event: name, opcode: 1, data: { [name.slice(0, 200)]: name } });
  line({ provider: name, event: name, opcode: 2, data: { [name.slice(0, 200)]: name } });
}
for (let i = 0; i < further; ++i) {
  line({ provider: `Provider${i % 5000}`, event: `Name${i}`, data: { id: i } });
}
