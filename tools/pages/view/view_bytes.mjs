// Bytes as text: an offset, sixteen bytes, and their characters in each line. Pure functions.

/** Returns the bytes of hexadecimal digits. */
export function bytesOfHex(hex) {
  return (hex.match(/[0-9a-fA-F]{2}/g) ?? []).map((pair) => parseInt(pair, 16));
}

/** Returns the lines of a dump: [{offset, bytes: [{at, hex, character}]}]. */
export function dumpLines(bytes, most = 4096) {
  const lines = [];
  for (let at = 0; at < Math.min(bytes.length, most); at += 16) {
    const part = bytes.slice(at, at + 16);
    lines.push({
      offset: at.toString(16).padStart(4, "0"),
      bytes: part.map((byte, i) => ({ at: at + i, hex: byte.toString(16).padStart(2, "0"), character: byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : "." })),
    });
  }
  return lines;
}

/** Returns the field that contains a byte, the shortest one; null: none. `fields`: [path, value, offset, size]. */
export function fieldAt(fields, at) {
  const found = fields.filter(([, , offset, size]) => offset !== null && size !== null && at >= offset && at < offset + size);
  return found.sort((a, b) => a[3] - b[3])[0] ?? null;
}
