import { mean, quantile } from "../report/statistics.ts";
import { figure, table } from "../report/table.ts";
import { refereeCase } from "./cases.ts";
import { makePrograms } from "./program.ts";
import { referee, type Verdict } from "./verdict.ts";

/** The first `count` cases of each seed, refereed. */
export async function refereeAll(seeds: readonly number[], count: number): Promise<Verdict[]> {
  const newProgram = await makePrograms();
  return seeds.flatMap((seed) =>
    Array.from({ length: count }, (_, n) => referee({ newProgram }, refereeCase(seed, n))),
  );
}

/** By price of gas: how wide the brackets are, how far below them the engine nets, and how far above them it proves. */
export function refereeTable(verdicts: readonly Verdict[]): string {
  const gweis = [...new Set(verdicts.map(({ refereed }) => refereed.gasGwei))].sort((a, b) => a - b);
  const rows = gweis.map((gwei) => {
    return [`${gwei} gwei`, ...cells(verdicts.filter(({ refereed }) => refereed.gasGwei === gwei))];
  });
  return table(
    [
      ...["referee", "cases", "edges", "undecided", "widest bp", "engine below: mean bp", "worst"],
      ...["clean markets: proved above, p50 bp", "p90", "faults"],
    ],
    [...rows, ["all", ...cells(verdicts)]],
  );
}

function cells(verdicts: readonly Verdict[]): string[] {
  const decided = verdicts.filter(
    ({ undecided, result }) => undecided === undefined && result.error === undefined,
  );
  const gaps = decided.map(({ gapBp }) => Math.max(0, gapBp));
  const clean = decided.filter(({ refereed }) => !refereed.hasArbitrage);
  const loose = clean.map(({ looseBp }) => looseBp).sort((a, b) => a - b);
  return [
    String(verdicts.length),
    String(Math.max(...verdicts.map(({ bracket }) => bracket.edges))),
    String(verdicts.length - decided.length),
    figure(Math.max(...decided.map(({ bracket }) => bracket.widthBp)), 4),
    figure(mean(gaps), 4),
    figure(Math.max(...gaps), 3),
    figure(quantile(loose, 0.5), 3),
    figure(quantile(loose, 0.9), 3),
    String(verdicts.filter(({ faults }) => faults.length > 0).length),
  ];
}

/** A line for each fault. */
export function refereeFaults(verdicts: readonly Verdict[]): string[] {
  return verdicts.flatMap(({ refereed: { seed, number }, faults }) =>
    faults.map((fault) => `FAILED seed ${seed}, case ${number}: ${fault}`),
  );
}
