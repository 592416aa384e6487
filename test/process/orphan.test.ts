import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const orphan = fileURLToPath(new URL("../../src/orphan.ts", import.meta.url));

test("a signal that arrived while the event loop was busy is handled before the parent's end", async () => {
  // Process id 0 is no process's parent here, so that the first check finds the parent gone.
  const program = `
    import { onOrphaned } from ${JSON.stringify(orphan)};
    process.once("SIGTERM", () => console.log("signal"));
    const alive = setInterval(() => undefined, 1000);
    onOrphaned(() => { console.log("orphaned"); clearInterval(alive); }, 0);
    process.kill(process.pid, "SIGTERM");
    const until = performance.now() + 600;
    while (performance.now() < until);
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program]);
  expect(stdout).toBe("signal\norphaned\n");
});
