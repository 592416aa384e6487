import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";

// What forge expects of a native compiler, answered by npm's wasm build, so that no binary has to be downloaded.
const solc = createRequire(import.meta.url)("solc") as {
  version(): string;
  compile(input: string, callbacks: { import: (path: string) => { contents: string } }): string;
};

const flags = process.argv.slice(2);
if (flags.includes("--version")) {
  console.log(`solc, the solidity compiler commandline interface\nVersion: ${solc.version()}`);
} else if (flags.includes("--standard-json")) {
  const base = flags[flags.indexOf("--base-path") + 1] ?? ".";
  const input = readFileSync(0, "utf8");
  const read = (path: string) => ({ contents: readFileSync(resolve(base, path), "utf8") });
  process.stdout.write(solc.compile(input, { import: read }));
} else {
  console.error(`Unknown arguments: ${flags.join(" ")}`);
  process.exitCode = 1;
}
