// Rows of a Parquet file, read by hyparquet; values as `canonical` of events.mjs returns them.
import { join } from "node:path";
import { pathToFileURL } from "node:url";

function textOf(type, value) {
  if (value === null || value === undefined) return null;
  if (value instanceof Uint8Array) return Buffer.from(value).toString("hex");
  return String(value);
}

export async function open(modules) {
  const load = (file) => import(pathToFileURL(join(modules, file)));
  const { asyncBufferFromFile, parquetReadObjects } = await load("hyparquet/src/node.js");
  const { compressors } = await load("hyparquet-compressors/src/index.js");
  return {
    async rowsOf(path, columns) {
      const rows = await parquetReadObjects({
        file: await asyncBufferFromFile(path),
        compressors,
        utf8: false, // of binary values; texts are marked as such
        parsers: { timestampFromNanoseconds: (value) => value },
      });
      for (const row of rows) {
        for (const { name, type, list } of columns) {
          row[name] = list && row[name] ? row[name].map((one) => textOf(type, one)) : textOf(type, row[name]);
        }
      }
      return rows;
    },
    close() {},
  };
}
