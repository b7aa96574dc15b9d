// Processes of `etl view`.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const started = [];

/** Starts `etl view` with some words, and returns the address that it prints. */
export async function serveView(etl, ...words) {
  return (await startView(etl, "--no-index", ...words)).address;
}

/** The same, with indexes: {address, pid}. */
export async function startView(etl, ...words) {
  const child = spawn(etl, ["view", "--no-open", ...words], { stdio: ["ignore", "pipe", "pipe"] });
  started.push(child);
  return new Promise((done, fail) => {
    for (const output of [child.stdout, child.stderr]) {
      createInterface({ input: output }).on("line", (line) => {
        const [address] = /http:\/\/\S+#token=\S+/.exec(line) ?? [];
        if (address) {
          done({ address, pid: child.pid });
        }
      });
    }
    child.on("exit", (code) => fail(new Error(`etl view ended: ${code}`)));
  });
}

/** Ends all processes that were started. */
export function stopViews() {
  started.forEach((child) => child.kill());
}
