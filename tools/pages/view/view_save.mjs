// Files that a person saves and opens.
import { element } from "../elements.mjs";

/** Saves a text as a download. */
export function saveText(name, text, type = "text/plain;charset=utf-8") {
  const address = URL.createObjectURL(new Blob([text], { type }));
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

const largest = 1 << 20;

/** Returns the text of a file, in UTF-8 or with the mark of UTF-16; null if the file is too large. */
export const textOfFile = async (file) => {
  if (file.size > largest) {
    return null;
  }
  const bytes = new Uint8Array(await file.arrayBuffer());
  const mark = (bytes[0] << 8) | bytes[1];
  return new TextDecoder(mark === 0xfffe ? "utf-16le" : mark === 0xfeff ? "utf-16be" : "utf-8").decode(bytes);
};

/** Lets a person open a file; calls `opened(file)`. */
export function openFile(accept, opened) {
  const input = element("input", { type: "file", accept, hidden: true });
  input.addEventListener("change", () => {
    const [file] = input.files;
    if (file) {
      opened(file);
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
