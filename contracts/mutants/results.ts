import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  artifactPath,
  collectSources,
  type RouterArtifact,
  readContract,
  root,
} from "../../scripts/contracts/build-contracts.ts";
import type { Mutant } from "./mutant.ts";

/** What became of a mutant. */
export type Verdict =
  | { readonly kind: "killed"; readonly by: string; readonly suite: string; readonly reason: string }
  | { readonly kind: "survived" }
  /** It does not compile, or compiles to the router's own code. */
  | { readonly kind: "none" };

/** A verdict as it is kept, with the hash of all that it rests on. */
type Kept = { readonly key: string; readonly basis: string; readonly verdict: Verdict };

const path = join(root, "contracts", "cache", "mutants.jsonl");

function hash(...parts: readonly string[]): string {
  const sum = createHash("sha256");
  for (const part of parts) sum.update(`${part.length} `).update(part);
  return sum.digest("hex").slice(0, 32);
}

/** Of the mutant and of the router that it is a mutant of; comments are no part of either. */
function keyOf(mutant: Mutant): string {
  const { runtimeCodeHash } = JSON.parse(readFileSync(artifactPath, "utf8")) as RouterArtifact;
  return hash(runtimeCodeHash, mutant.name, mutant.change);
}

const bases = new Map<string, string>();

/** How mutants' tests are run: the profiles that other commands use are no part of a verdict. */
function settingsOf(toml: string): string {
  const sections = toml.split(/^(?=\[)/m);
  return sections.filter((section) => /^\[profile\.(default|mutants)[.\]]/.test(section)).join("");
}

/** Of a suite with all that it imports, and of how it is run. */
function basisOf(suite: string): string {
  const known = bases.get(suite);
  if (known !== undefined) return known;
  const sources = Object.entries(collectSources(suite, readContract)).flat();
  const basis = hash(settingsOf(readContract("foundry.toml")), ...sources);
  bases.set(suite, basis);
  return basis;
}

/** Of all suites: what a survivor has survived. */
function basisOfAll(): string {
  const files = readdirSync(join(root, "contracts", "test"), { encoding: "utf8", recursive: true });
  const suites = files.filter((name) => name.endsWith(".t.sol"));
  return hash(...suites.sort().map((name) => basisOf(`test/${name}`)));
}

function basisFor(verdict: Verdict): string {
  if (verdict.kind === "none") return "";
  return verdict.kind === "killed" ? basisOf(verdict.suite) : basisOfAll();
}

/** Whether the suite that decided is still there and still says the same. */
function stands({ verdict, basis }: Kept): boolean {
  if (verdict.kind === "killed" && !existsSync(join(root, "contracts", verdict.suite))) return false;
  return basis === basisFor(verdict);
}

/** Verdicts of earlier runs that still stand: neither the mutant nor what decided it has changed since. */
export function readVerdicts(mutants: readonly Mutant[]): Map<Mutant, Verdict> {
  if (!existsSync(path)) return new Map();
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  const kept = new Map(lines.map((line) => JSON.parse(line) as Kept).map((one) => [one.key, one]));
  return new Map(
    mutants.flatMap((mutant) => {
      const found = kept.get(keyOf(mutant));
      return found !== undefined && stands(found) ? [[mutant, found.verdict] as const] : [];
    }),
  );
}

/** Appends, so that shards which run side by side keep what each has found. */
export function keepVerdict(mutant: Mutant, verdict: Verdict): void {
  const kept: Kept = { key: keyOf(mutant), basis: basisFor(verdict), verdict };
  mkdirSync(dirname(path), { recursive: true });
  appendFileSync(path, `${JSON.stringify(kept)}\n`);
}
