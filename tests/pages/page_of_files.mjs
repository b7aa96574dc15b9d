// A page of tools/pages as `etl` makes it (cmake/embed_pages.cmake, tools/pages/page.cpp), for tests that need no `etl`.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const pages = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "tools", "pages");

/** Returns the modules that a module needs, each after those that it imports, as paths. */
export function modulesOf(path, found = []) {
  const text = readFileSync(path, "utf8");
  for (const [, from] of text.matchAll(/^import [^\n]* from "([^"]+)";$/gm)) {
    const needed = resolve(dirname(path), from);
    if (!found.includes(needed)) {
      modulesOf(needed, found);
    }
  }
  if (!found.includes(path)) {
    found.push(path);
  }
  return found;
}

function scriptOf(path) {
  const text = readFileSync(path, "utf8").replace(/(^|\n)import [^\n]* from [^\n]*/g, "$1");
  const exports = [...text.matchAll(/\nexport (?:function|class|const) ([A-Za-z0-9_]+)/g)].map(([, name]) => name).join(", ");
  return `"use strict";\nconst { ${exports} } = (() => {\n${text.replace(/\nexport /g, "\n")}return { ${exports} };\n})();\n`;
}

const hashOf = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** Returns a page: {html, policy}. `entry`: its module; `styles`: its style sheets; both below tools/pages. */
export function pageOfFiles(entry, styles) {
  const scripts = modulesOf(join(pages, entry)).map(scriptOf);
  const sheets = styles.map((path) => readFileSync(join(pages, path), "utf8"));
  const policy = `default-src 'none'; script-src ${scripts.map(hashOf).join(" ")}; style-src ${sheets.map(hashOf).join(" ")}; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'`;
  const head = `<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n<link rel="icon" href="data:,">\n<title>etl view</title>\n${sheets.map((text) => `<style>${text}</style>`).join("\n")}`;
  const html = `<!doctype html>\n<html lang="en">\n<head>\n${head}\n</head>\n<body>\n<main id="page"></main>\n${scripts.map((text) => `<script>${text}</script>`).join("\n")}\n</body>\n</html>\n`;
  return { html, policy };
}
