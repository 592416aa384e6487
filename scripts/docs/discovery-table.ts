import { chains } from "../../src/chains/index.ts";
import type { PairSource } from "../../src/core/protocol.ts";
import { protocols } from "../../src/protocols/index.ts";

const [BEGIN, END] = ["<!-- discovery: printed by npm run docs -->", "<!-- end of discovery -->"];

/** docs/chains.md with the table of how pools are found, by design, as the registries have it. */
export function withDiscoveryTable(page: string): string {
  const [head, rest, ...more] = page.split(BEGIN);
  const [, tail, ...others] = (rest ?? "").split(END);
  if (tail === undefined || more.length + others.length > 0)
    throw new Error(`docs/chains.md must have ${BEGIN} and ${END} once each`);
  return [head, BEGIN, "\n", tableOf().join("\n"), "\n", END, tail].join("");
}

function tableOf(): string[] {
  const rows = [...protocols.values()].map((protocol) => {
    const records = chains.flatMap(({ deployments }) =>
      deployments.filter((deployment) => deployment.protocol === protocol.name),
    );
    const sources = records.flatMap((record) => protocol.byPair(record) ?? []);
    const named = records.reduce((sum, record) => sum + protocol.hinted(record).length, 0);
    const listed = records.reduce((sum, record) => sum + protocol.seeds(record).length, 0);
    const cells = [
      protocol.name,
      `${records.length}`,
      byPair(sources),
      `${named || "-"}`,
      `${listed || "-"}`,
      protocol.creations.length > 0 ? "yes" : "-",
    ];
    return `| ${cells.join(" | ")} |`;
  });
  return [
    "| design | records | asked by pair, before any log | named by records, told by the chain | listed by records | by creation logs |",
    "|---|---|---|---|---|---|",
    ...rows,
  ];
}

/** How many records can be asked, how many questions that is for a pair, and how many calls tell a pool that was named. */
function byPair(sources: readonly PairSource[]): string {
  if (sources.length === 0) return "-";
  const questions = [...new Set(sources.map(({ keys }) => Math.max(1, keys.length)))].sort((a, b) => a - b);
  const calls = Math.max(...sources.map(({ details }) => details(`0x${"11".repeat(32)}`).length));
  const told = calls === 0 ? "" : `, then ${calls} call${calls === 1 ? "" : "s"} a pool`;
  const most = questions.at(-1) as number;
  const count = questions.length === 1 ? `${most}` : `${questions[0]} to ${most}`;
  return `${sources.length} record${sources.length === 1 ? "" : "s"}, ${count} question${most === 1 ? "" : "s"} a pair${told}`;
}
