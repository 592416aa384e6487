import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const START = JSON.parse(readFileSync(`${root}package.json`, "utf8")).scripts.start as string;
/** What `npm start` loads before the program. */
const [first] = /\.\/src\/\S+\.mjs/.exec(START)!;
const SHOWN = `console.log(JSON.stringify({ pid: process.pid, arenas: process.env.MALLOC_ARENA_MAX, argv: process.argv.slice(1), flags: process.execArgv }))`;

async function shown(arenas: string | undefined) {
  const flags = ["--max-semi-space-size=8", `--import=${first}`, "--input-type=module", "--eval", SHOWN];
  const { MALLOC_ARENA_MAX: _own, ...others } = process.env;
  const env = arenas === undefined ? others : { ...others, MALLOC_ARENA_MAX: arenas };
  const child = spawn(process.execPath, [...flags, "--", "one", "two words"], { cwd: root, env });
  let out = "";
  child.stdout.on("data", (part) => {
    out += part;
  });
  const [code] = await once(child, "close");
  expect(code).toBe(0);
  return { started: child.pid, ...JSON.parse(out) };
}

test.runIf(process.platform === "linux")(
  "the program begins with two arenas, as the same process with the same arguments",
  async () => {
    const { started, pid, arenas, argv, flags } = await shown(undefined);
    expect([pid, arenas]).toEqual([started, "2"]);
    expect(argv).toEqual(["one", "two words"]);
    expect(flags).toContain("--max-semi-space-size=8");
  },
);

test("an operator's own number of arenas is kept", async () => {
  expect((await shown("5")).arenas).toBe("5");
});
