/**
 * `npm run test:contracts:mutants`: puts defects into the router, one at a time, and runs the contract tests against each.
 *
 * The defects are those of contracts/mutants/list.ts and those that contracts/mutants/rules.ts makes of every statement.
 * What was found is kept in contracts/cache and stands as long as the router and the test that decided do, so a run that was
 * stopped goes on. Ends with 1 where a defect survives that contracts/mutants/survivors.ts does not argue for.
 *
 *   -- NAME …         those alone whose name has one of these words
 *   -- --shard 1/2    the first of two parts, for processes side by side
 *   -- --sample 10    ten by chance and those of changed lines, anew; --seed N draws the same ones
 */

import { execFileSync } from "node:child_process";
import { generate } from "../../contracts/mutants/generate.ts";
import { judge } from "../../contracts/mutants/judge.ts";
import { defects } from "../../contracts/mutants/list.ts";
import { type Mutant, plant } from "../../contracts/mutants/mutant.ts";
import { keepVerdict, readVerdicts, type Verdict } from "../../contracts/mutants/results.ts";
import { survivors } from "../../contracts/mutants/survivors.ts";
import { seeded } from "../../test/support/random.ts";
import { readFlags, seedOf, wholeNumber } from "../command-line.ts";
import { collectSources, readContract, root } from "./build-contracts.ts";

const { values: options, positionals: words } = readFlags({
  options: { shard: { type: "string" }, sample: { type: "string" }, seed: { type: "string" } },
  allowPositionals: true,
});

/** More changed lines than this would take a landing too long; the whole run has them all. */
const MOST_TOUCHED = 10;

const byHand: readonly Mutant[] = defects.map((defect) => plant(defect, readContract));
const generated = generate(collectSources("Router.sol", readContract));

function draw<T>(random: () => number, list: readonly T[], count: number): readonly T[] {
  const rest = [...list];
  return Array.from({ length: Math.min(count, rest.length) }, () => {
    const [one] = rest.splice(Math.floor(random() * rest.length), 1);
    return one!;
  });
}

function git(...args: readonly string[]): string {
  return execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
}

/** The commit that a change is measured from: where this branch left main, or the one before on main itself. */
function baseCommit(): string {
  const [here, base] = [git("rev-parse", "HEAD"), git("merge-base", "HEAD", "main")];
  return here === base ? "HEAD~1" : base.trim();
}

/** Lines of contracts/ that have changed, as "path:line"; none where there is no history to ask. */
function touchedLines(): ReadonlySet<string> {
  const touched = new Set<string>();
  let diff: string;
  try {
    diff = git("diff", "-U0", baseCommit(), "--", "contracts/*.sol", "contracts/steps/*.sol");
  } catch {
    console.log("no history: lines that were changed are not known");
    return touched;
  }
  let file = "";
  for (const line of diff.split("\n")) {
    file = /^\+\+\+ b\/contracts\/(.*)$/.exec(line)?.[1] ?? file;
    const hunk = /^@@ \S+ \+(\d+)(?:,(\d+))? @@/.exec(line);
    const [first, count] = [Number(hunk?.[1]), Number(hunk?.[2] ?? 1)];
    for (let at = first; hunk && at < first + count; at += 1) touched.add(`${file}:${at}`);
  }
  return touched;
}

/** Those that are argued for are left out: there is nothing to see. */
function sample(count: number): readonly Mutant[] {
  const seed = seedOf(options.seed ?? "random");
  const random = seeded(seed);
  const open = generated.filter(({ name }) => survivors[name] === undefined);
  const touched = touchedLines();
  const changed = open.filter(({ file, line }) => touched.has(`${file}:${line}`));
  const chosen = draw(random, changed, MOST_TOUCHED);
  const others = draw(
    random,
    open.filter((mutant) => !chosen.includes(mutant)),
    count,
  );
  console.log(
    `seed ${seed}: ${chosen.length} of ${changed.length} in changed lines, ${others.length} others`,
  );
  return [...chosen, ...others];
}

/** In an order that nobody chose and that stays the same, so that a run which is stopped has seen a fair part of all. */
function shuffled(mutants: readonly Mutant[]): readonly Mutant[] {
  return draw(seeded(1), mutants, mutants.length);
}

function chosen(): readonly Mutant[] {
  if (options.sample !== undefined) return sample(wholeNumber("sample", options.sample, 1));
  const all = [...byHand, ...shuffled(generated)];
  const [part, parts] = (options.shard ?? "1/1").split("/").map(Number) as [number, number];
  return all
    .filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)))
    .filter((_, index) => index % parts === part - 1);
}

function tell({ name, file, line }: Mutant, verdict: Verdict): void {
  const where = name.startsWith(file) ? `line ${line} ` : "";
  if (verdict.kind === "killed") console.log(`killed    ${where}${name} by ${verdict.by}: ${verdict.reason}`);
  else console.log(`${verdict.kind === "none" ? "none    " : "SURVIVED"}  ${where}${name}`);
}

function judgeAll(mutants: readonly Mutant[]): ReadonlyMap<Mutant, Verdict> {
  const verdicts = options.sample === undefined ? readVerdicts(mutants) : new Map<Mutant, Verdict>();
  if (verdicts.size > 0) console.log(`${verdicts.size} verdicts of earlier runs stand`);
  for (const mutant of mutants) {
    if (verdicts.has(mutant)) continue;
    const verdict = judge(mutant);
    verdicts.set(mutant, verdict);
    tell(mutant, verdict);
    if (options.sample === undefined) keepVerdict(mutant, verdict);
  }
  return verdicts;
}

/** One line of figures, and what has to be done about the rest. */
function report(title: string, mutants: readonly Mutant[], verdicts: ReadonlyMap<Mutant, Verdict>): number {
  const of = (kind: Verdict["kind"]) => mutants.filter((mutant) => verdicts.get(mutant)?.kind === kind);
  const [killed, survived, none] = [of("killed"), of("survived"), of("none")];
  const argued = survived.filter(({ name }) => survivors[name] !== undefined);
  const unexplained = survived.filter(({ name }) => survivors[name] === undefined);
  const stale = killed.filter(({ name }) => survivors[name] !== undefined);
  const percent = ((100 * survived.length) / Math.max(1, killed.length + survived.length)).toFixed(1);
  console.log(
    `${title}: ${killed.length} killed, ${survived.length} survived (${percent} %), of these ${argued.length} argued for; ` +
      `${none.length} are none (the same code, or no code)`,
  );
  for (const mutant of unexplained) tell(mutant, { kind: "survived" });
  for (const { name } of stale) console.log(`argued for and killed: ${name}`);
  return unexplained.length + stale.length;
}

const known = new Set(generated.map(({ name }) => name));
const gone = Object.keys(survivors).filter((name) => !known.has(name));
for (const name of gone) console.log(`argued for and not there: ${name}`);
const mutants = chosen();
const verdicts = judgeAll(mutants);
const isByHand = new Set(byHand);
const failures =
  report(
    "by hand",
    mutants.filter((mutant) => isByHand.has(mutant)),
    verdicts,
  ) +
  report(
    "by rule",
    mutants.filter((mutant) => !isByHand.has(mutant)),
    verdicts,
  );
if (failures + gone.length > 0) process.exitCode = 1;
