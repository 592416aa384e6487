import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { artifactPath, root } from "./build-contracts.ts";

/** Writes the program that forge takes for its compiler; absolute paths, so it is made anew for every machine. */
function writeShim(): string {
  const cache = join(root, "contracts", "cache");
  mkdirSync(cache, { recursive: true });
  const path = join(cache, "solc");
  writeFileSync(
    path,
    `#!/bin/sh\nexec '${process.execPath}' '${join(root, "scripts", "solc-shim.ts")}' "$@"\n`,
    {
      mode: 0o755,
    },
  );
  return path;
}

/**
 * Runs forge offline on contracts/.
 *
 * @param routerArtifact the artifact whose code the tests deploy
 * @returns the exit code, and what forge printed where it is captured
 */
export function forge(
  args: readonly string[],
  options: { capture?: boolean; routerArtifact?: string; profile?: string } = {},
): { code: number; output: string } {
  const result = spawnSync(join(root, "node_modules", ".bin", "forge"), args, {
    cwd: join(root, "contracts"),
    encoding: "utf8",
    stdio: options.capture ? "pipe" : "inherit",
    env: {
      ...process.env,
      FOUNDRY_SOLC: writeShim(),
      FOUNDRY_PROFILE: options.profile ?? process.env.FOUNDRY_PROFILE ?? "default",
      FOUNDRY_DISABLE_NIGHTLY_WARNING: "1",
      ROUTER_ARTIFACT: options.routerArtifact ?? artifactPath,
    },
  });
  if (result.error) throw result.error;
  return { code: result.status ?? 1, output: `${result.stdout ?? ""}${result.stderr ?? ""}` };
}

/** `--deep`: many times the runs, for hours rather than minutes. */
if (import.meta.main) {
  const args = process.argv.slice(2);
  const deep = args.includes("--deep") ? { profile: "deep" } : {};
  process.exitCode = forge(
    args.filter((arg) => arg !== "--deep"),
    deep,
  ).code;
}
