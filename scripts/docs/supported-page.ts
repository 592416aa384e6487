import { existsSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { chains } from "../../src/chains/index.ts";
import { stepKinds } from "../../src/core/encoding/kinds.ts";
import type { Protocol } from "../../src/core/protocol.ts";
import { RFQ } from "../../src/core/rfq.ts";
import { devnetProtocols } from "../../src/devnet/protocols.ts";
import { protocols } from "../../src/protocols/index.ts";
import type { Subject } from "../../src/protocols/subject.ts";
import { parseVectors } from "../../src/protocols/swapvec.ts";
import { uncovered } from "../../src/protocols/uncovered.ts";
import { runVector } from "../../src/protocols/vectors.ts";

/** How an expected answer was obtained, best first. */
const TRUTH_CLASSES = ["chain", "contract-test", "port", "unstated"] as const;

/** docs/supported.md: what Braid can price, how exactly, and where. Printed from the registries and the recorded swaps. */
export async function supportedPage(): Promise<string> {
  const rows = [...protocols.values()].map(async (protocol) => {
    const { name } = protocol;
    const cells = [
      `[${name}](../src/protocols/${name}/README.md)`,
      forksOf(name),
      vectorsOf(name),
      await stepsOf(protocol),
      devnetOf(name),
      limitsOf(name),
    ];
    return `| ${cells.join(" | ")} |`;
  });
  return [
    "# Supported designs",
    "",
    "Printed from code by `npm run docs`. A fork is a deployment of the design on the chains in brackets; where a record could not be",
    "checked against the chain, its file in `src/chains` says so. A recorded swap is a real pool's state, an amount and the answer; it",
    "passes when Braid's answer is the same to the unit. `chain`: the answer of the contract on its chain; `contract-test`: of the",
    "real contract in a test; `port`: of another port; `unstated`: the source does not say. The step is the row of the router's table",
    "that crosses the pool. On the devnet a design runs the bytecode of the protocol's own npm package, or a model: a contract of our",
    "own after the published equations, held to the recorded swaps by a test. Sources and all that is refused stand in each design's page.",
    "",
    "| design | forks (chains) | recorded swaps passed | on-chain step | on the devnet | known limits |",
    "|---|---|---|---|---|---|",
    ...(await Promise.all(rows)),
    "",
    "Two recorded swaps, both answers of another port, are left out, since the contract would not give them: one of DODO's classical",
    "pools, which has forbidden that trade, and one of Liquidity Book 2.0, of another fee. The pages of the two designs show both.",
    "",
    "## Not covered",
    "",
    "Known, and refused by name: `npm run vectors` says why, and no record can name them.",
    "",
    "| design | why |",
    "|---|---|",
    ...uncovered.map(({ design, why }) => `| ${design} | ${why} |`),
    "",
  ].join("\n");
}

/** Names of the router's step kinds that pools of the design are crossed by. */
async function stepsOf(protocol: Protocol): Promise<string> {
  const { subjects } = (await import(`../../src/protocols/${protocol.name}/arbitrary.ts`)) as {
    subjects: fc.Arbitrary<Subject>;
  };
  const kinds = fc.sample(subjects, { numRuns: 30, seed: 1 }).map(({ pool, states }) => {
    return protocol.encode(pool, states.get(pool.stateIds[0]), 0, 1).kind;
  });
  return Object.entries(stepKinds)
    .flatMap(([name, kind]) => (kinds.includes(kind) ? [`\`${name}\``] : []))
    .join(", ");
}

function vectorsOf(name: string): string {
  const file = new URL(`../../src/protocols/${name}/vectors.json`, import.meta.url);
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

/** What a user should know that the design does not cover: the paragraph of its page that says so. */
function limitsOf(name: string): string {
  const page = readFileSync(new URL(`../../src/protocols/${name}/README.md`, import.meta.url), "utf8");
  const [, text] = /^Limits: ([\s\S]*?)\.?\n(?:\n|$)/m.exec(page) ?? [];
  return text?.replaceAll("\n", " ") ?? "";
}

/** Makers come from the configuration of whoever runs the service, and settle by Permit2 or AirSwap's contract. */
const MAKERS = {
  forks: "makers of the configuration (every chain)",
  devnet: "`npm run maker`: real bytecode (Permit2, AirSwap)",
};

function devnetOf(name: string): string {
  if (name === RFQ) return MAKERS.devnet;
  const listed = devnetProtocols.flatMap(({ deployments, packages }) => {
    const names = deployments
      .filter(({ protocol }) => protocol === name)
      .map((deployment) => deployment.name);
    const code = packages.length === 0 ? "model" : `real bytecode (${packages.join(", ")})`;
    return names.length === 0 ? [] : [`${names.join(", ")}: ${code}`];
  });
  return listed.length === 0 ? "no" : listed.join("; ");
}

function forksOf(name: string): string {
  if (name === RFQ) return MAKERS.forks;
  const places = chains.flatMap((chain) =>
    chain.deployments
      .filter(({ protocol }) => protocol === name)
      .map((deployment) => ({ fork: deployment.name, chain: chain.name })),
  );
  const forks = [...Map.groupBy(places, ({ fork }) => fork)];
  const listed = forks.map(([fork, on]) => `${fork} (${on.map(({ chain }) => chain).join(", ")})`);
  return listed.length === 0 ? "none" : listed.join("; ");
}
