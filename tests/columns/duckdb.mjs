// Rows of a Parquet file, read by DuckDB; values as `canonical` of events.mjs returns them.
import { createRequire } from "node:module";
import { join } from "node:path";

const quoted = (name) => `"${name.replaceAll('"', '""')}"`;

/** An expression of SQL: the value as a text. */
function expression(type, value) {
  if (type === "time") return `epoch_ns(${value})::VARCHAR`;
  if (type === "binary") return `lower(hex(${value}))`;
  if (type.startsWith("float")) return `${value}::DOUBLE`;
  return `${value}::VARCHAR`;
}

export async function open(modules) {
  const { DuckDBInstance } = createRequire(join(modules, "x.js"))("@duckdb/node-api");
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  return {
    async rowsOf(path, columns) {
      const list = columns.map(({ name, type, list: isList }) =>
        isList ? `list_transform(${quoted(name)}, x -> ${expression(type, "x")})` : expression(type, quoted(name)));
      const result = await connection.runAndReadAll(`SELECT ${list.join(", ")} FROM read_parquet('${path.replaceAll("'", "''")}')`);
      const textOf = (value) => (typeof value === "number" ? String(value) : value);
      return result.getRowsJS().map((row) =>
        Object.fromEntries(columns.map(({ name }, i) => [name, Array.isArray(row[i]) ? row[i].map(textOf) : textOf(row[i])])));
    },
    close() {
      connection.closeSync();
    },
  };
}
