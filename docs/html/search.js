"use strict";

// Sections that contain all words of the query, best first. `sections` is [address, page, heading, text] each.
const mostResults = 20;
const words = (text) => text.toLowerCase().split(/[^\p{L}\p{N}_-]+/u).filter((word) => word.length > 0);

function scoreOf(section, query) {
  const [, page, heading, text] = section;
  let score = 0;
  for (const word of query) {
    const inTitle = page.toLowerCase().includes(word);
    const inHeading = heading.toLowerCase().includes(word);
    const found = text.toLowerCase().split(word).length - 1;
    if (!inTitle && !inHeading && found === 0) return 0;
    score += (inHeading ? 20 : 0) + (inTitle ? 10 : 0) + Math.min(found, 5);
  }
  return section[0].startsWith("docs/guide/") ? score * 1.5 : score;
}

function excerptOf(text, word) {
  const at = Math.max(0, text.toLowerCase().indexOf(word) - 60);
  return (at > 0 ? "…" : "") + text.slice(at, at + 160) + (at + 160 < text.length ? "…" : "");
}

function show(query) {
  const results = document.getElementById("results");
  results.replaceChildren();
  results.hidden = query.length === 0;
  if (results.hidden) return;
  const found = sections.map((section) => [scoreOf(section, query), section]).filter(([score]) => score > 0);
  found.sort(([a], [b]) => b - a);
  for (const [, [address, page, heading, text]] of found.slice(0, mostResults)) {
    const line = document.createElement("p");
    const link = document.createElement("a");
    link.href = `${document.body.dataset.base}/${address}`;
    link.textContent = heading === page ? page : `${page}: ${heading}`;
    const excerpt = document.createElement("small");
    excerpt.textContent = excerptOf(text, query[0]);
    line.append(link, excerpt);
    results.append(line);
  }
  if (found.length === 0) results.textContent = "No section contains all of these words.";
  if (found.length > mostResults) results.append(`${found.length - mostResults} more; add a word`);
}

const box = document.getElementById("query");
box.addEventListener("input", () => show(words(box.value)));
box.form.addEventListener("submit", (event) => event.preventDefault());
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && document.activeElement !== box) {
    event.preventDefault();
    box.focus();
  }
});
