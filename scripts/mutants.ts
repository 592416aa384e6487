/**
 * `npm run test:contracts:mutants [-- name …]`: puts each defect of contracts/mutants/list.ts into the router and runs
 * the contract tests against it. Ends with one line, N killed, N survived, and with 1 where one survived.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { mutants } from "../contracts/mutants/list.ts";
import type { Mutant } from "../contracts/mutants/mutant.ts";
import { compileRouter, formatArtifact, readContract, root } from "./build-contracts.ts";
import { forge } from "./forge.ts";

const folder = join(root, "contracts", "cache");

/** @throws Error when the defect's place is not found exactly once */
function put(mutant: Mutant, path: string): string {
  const text = readContract(path);
  if (path !== mutant.file) return text;
  const places = text.split(mutant.from).length - 1;
  if (places !== 1) throw new Error(`${mutant.name}: its place occurs ${places} times in ${mutant.file}`);
  return text.replace(mutant.from, () => mutant.to);
}

/** The fuzz over whole routes takes most of the time, and few defects need it to be noticed. */
const SLOW = "Malformed|Victim";

/**
 * The test that noticed, or undefined where none did.
 *
 * @throws Error when the tests could not run: that is no kill
 */
function kill(mutant: Mutant): string | undefined {
  const artifact = join(folder, `mutant-${process.pid}.json`);
  writeFileSync(artifact, formatArtifact(compileRouter((path) => put(mutant, path), { warnings: "pass" })));
  return failing(mutant, artifact, "--no-match-contract") ?? failing(mutant, artifact, "--match-contract");
}

function failing(mutant: Mutant, routerArtifact: string, which: string): string | undefined {
  const { code, output } = forge(["test", "--fail-fast", which, SLOW], {
    capture: true,
    profile: "mutants",
    routerArtifact,
  });
  if (code === 0) return undefined;
  const killer = /\[FAIL[^\n]*?\] (\w+)/.exec(output)?.[1];
  if (killer === undefined) throw new Error(`${mutant.name}: the tests did not run:\n${output.slice(-2000)}`);
  return killer;
}

const wanted = process.argv.slice(2);
const chosen = mutants.filter(
  ({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)),
);
mkdirSync(folder, { recursive: true });
const survivors: string[] = [];
for (const mutant of chosen) {
  const killer = kill(mutant);
  if (killer === undefined) survivors.push(mutant.name);
  console.log(
    `${killer === undefined ? "SURVIVED" : "killed  "} ${mutant.name}${killer ? ` by ${killer}` : ""}`,
  );
}
console.log(`${chosen.length - survivors.length} killed, ${survivors.length} survived`);
if (survivors.length > 0) process.exitCode = 1;
