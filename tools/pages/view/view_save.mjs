// Files that a person saves and opens.
import { element } from "../elements.mjs";

/** Saves a text as a download. */
export function saveText(name, text, type = "text/plain;charset=utf-8") {
  const address = URL.createObjectURL(new Blob([text], { type }));
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

const largest = 1 << 20;

/** Lets a person open a file; calls `opened(text)`. */
export function openText(accept, opened) {
  const input = element("input", { type: "file", accept, hidden: true });
  input.addEventListener("change", async () => {
    const [file] = input.files;
    if (file && file.size <= largest) {
      opened(await file.text());
    }
    input.remove();
  });
  document.body.append(input);
  input.click();
}

/** Returns a saved view as text. */
export function savedView({ inputs, begin, end }, address) {
  return `${JSON.stringify({ version: 1, inputs, begin, end, state: address }, null, 2)}\n`;
}

/** Returns the address of a saved view, and whether it is of the same trace. Throws a SyntaxError if it is none. */
export function viewOfText(text, { begin, end }) {
  const saved = JSON.parse(text);
  if (saved?.version !== 1 || typeof saved.state !== "string") {
    throw new SyntaxError("not a saved view");
  }
  return { address: saved.state, isSame: saved.begin === begin && saved.end === end };
}
