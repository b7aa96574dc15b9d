// Rows of an Arrow IPC file, read by apache-arrow; values as `canonical` of events.mjs returns them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import zlib from "node:zlib";

const NANOSECOND = 3;

function guid(bytes) {
  return Buffer.from(bytes).toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** Whether the type of a field is that of the list of tables. */
function checkType(arrow, field, { name, type, list }) {
  const { DataType } = arrow;
  assert.equal(field.name, name);
  assert.ok(field.nullable, name);
  assert.equal(DataType.isList(field.type), list === true, name);
  const of = list ? field.type.children[0].type : field.type;
  if (type === "label") assert.ok(DataType.isDictionary(of) && DataType.isUtf8(of.dictionary) && of.indices.bitWidth === 32, name);
  if (type === "time") assert.deepEqual([DataType.isTimestamp(of), of.unit, of.timezone], [true, NANOSECOND, "UTC"], name);
  if (type === "guid") assert.deepEqual([DataType.isFixedSizeBinary(of), of.byteWidth], [true, 16], name);
  const [, unsigned, bits] = /^(u?)int(\d+)$/.exec(type) ?? [];
  if (bits) assert.deepEqual([DataType.isInt(of), of.bitWidth, of.isSigned], [true, Number(bits), unsigned === ""], name);
}

/** The values of a vector as texts. */
function texts(vector, type) {
  return Array.from({ length: vector.length }, (_, i) => {
    const value = vector.get(i);
    if (value === null) return null;
    if (type === "time") return String(vector.data[0].values[i]); // get() returns milliseconds
    if (type === "guid") return guid(value);
    return value instanceof Uint8Array ? Buffer.from(value).toString("hex") : String(value);
  });
}

export async function open(modules) {
  const require = createRequire(join(modules, "x.js"));
  const arrow = require("apache-arrow");
  const decode = zlib.zstdDecompressSync ?? require("fzstd").decompress;
  arrow.compressionRegistry.set(arrow.CompressionType.ZSTD, { decode: (bytes) => new Uint8Array(decode(bytes)) });
  return {
    async rowsOf(path, columns) {
      const table = arrow.tableFromIPC(readFileSync(path));
      assert.equal(table.schema.fields.length, columns.length);
      columns.forEach((column, i) => checkType(arrow, table.schema.fields[i], column));
      return table.batches.flatMap((batch) => {
        const values = columns.map(({ type, list }, i) => {
          const vector = batch.getChildAt(i);
          if (!list) return texts(vector, type);
          return Array.from({ length: vector.length }, (_, row) => vector.get(row) && texts(vector.get(row), type));
        });
        return Array.from({ length: batch.numRows }, (_, row) =>
          Object.fromEntries(columns.map(({ name }, i) => [name, values[i][row]])));
      });
    },
    close() {},
  };
}
