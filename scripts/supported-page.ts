import { existsSync, readFileSync } from "node:fs";
import { chains } from "../src/chains/index.ts";
import { devnetProtocols } from "../src/devnet/protocols.ts";
import { protocols } from "../src/protocols/index.ts";
import { parseVectors } from "../src/protocols/swapvec.ts";
import { runVector } from "../src/protocols/vectors.ts";

/** How an expected answer was obtained, best first. */
const TRUTH_CLASSES = ["chain", "contract-test", "port", "unstated"] as const;

/** docs/supported.md: what Braid can price, how exactly, and where. Printed from the registries and the recorded swaps. */
export function supportedPage(): string {
  const rows = [...protocols.keys()].map((name) => {
    const cells = [
      `[${name}](../src/protocols/${name}/README.md)`,
      vectorsOf(name),
      devnetOf(name),
      chainsOf(name),
    ];
    return `| ${cells.join(" | ")} |`;
  });
  return [
    "# Supported designs",
    "",
    "Printed from code by `npm run docs`. A recorded swap is a real pool's state, an amount and the answer; it passes when Braid's",
    "answer is the same to the unit. `chain`: the answer of the contract on its chain; `contract-test`: of the real contract in a test;",
    "`port`: of another port; `unstated`: the source does not say. Sources, limits and what is refused stand in each design's page.",
    "On the devnet a design runs the bytecode of the protocol's own npm package, or a model: a contract of our own after the",
    "published equations, held to the recorded swaps by a test.",
    "",
    "| design | recorded swaps passed | on the devnet | real chains (deployments) |",
    "|---|---|---|---|",
    ...rows,
    "",
    "A design without a deployment here is tested maths that no chain's file lists yet: nothing routes through it.",
    "",
  ].join("\n");
}

function vectorsOf(name: string): string {
  const file = new URL(`../src/protocols/${name}/vectors.json`, import.meta.url);
  if (!existsSync(file)) return "none recorded";
  const tally = new Map<string, { passed: number; all: number }>();
  for (const vector of parseVectors(readFileSync(file, "utf8"))) {
    const outcomes = runVector(vector) ?? [];
    const before = tally.get(vector.truthClass) ?? { passed: 0, all: 0 };
    const passed = outcomes.filter(({ wrong }) => wrong === undefined).length;
    tally.set(vector.truthClass, { passed: before.passed + passed, all: before.all + outcomes.length });
  }
  const counted = TRUTH_CLASSES.flatMap((truth) => {
    const count = tally.get(truth);
    return count === undefined ? [] : [`${truth} ${count.passed}/${count.all}`];
  });
  return counted.join(", ");
}

function devnetOf(name: string): string {
  const listed = devnetProtocols.flatMap(({ deployments, packages }) => {
    const names = deployments
      .filter(({ protocol }) => protocol === name)
      .map((deployment) => deployment.name);
    const code = packages.length === 0 ? "model" : `real bytecode (${packages.join(", ")})`;
    return names.length === 0 ? [] : [`${names.join(", ")}: ${code}`];
  });
  return listed.length === 0 ? "no" : listed.join("; ");
}

function chainsOf(name: string): string {
  const listed = chains.flatMap((chain) => {
    const names = chain.deployments
      .filter(({ protocol }) => protocol === name)
      .map((deployment) => deployment.name);
    return names.length === 0 ? [] : [`${chain.name}: ${names.join(", ")}`];
  });
  return listed.length === 0 ? "none" : listed.join("; ");
}
