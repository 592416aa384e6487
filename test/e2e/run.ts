import { seeded } from "../support/random.ts";
import { api } from "./api.ts";
import { type Case, type ListedToken, makeCase } from "./cases.ts";
import { connect, NATIVE, type TestChain } from "./chain.ts";
import { directedOutcomes } from "./directed.ts";
import { gasTable } from "./gas/gas-table.ts";
import { runMovedCase } from "./moved.ts";
import { permitOutcomes } from "./permits.ts";
import { type Outcome, runCase, type World } from "./swap.ts";
import { countCrossings, crossingsTable, newTally, notCrossed, type Tally } from "./tally.ts";

export type Run = {
  readonly url: string;
  readonly rpc: string;
  readonly count: number;
  readonly seed: number;
  readonly verbose: boolean;
};

/** A random pair without a route is drawn again; this many in a row are a failure, not bad luck. */
const MAX_REDRAWS = 20;

/** Crosses every source alone and beside others, pays by signatures, runs `count` seeded swaps, then the cases in which a block moves the pools in between. */
export async function runAll(run: Run): Promise<{ passed: number; failed: number }> {
  const chain = await connect(run.rpc);
  try {
    return await runCases(run, chain);
  } finally {
    await chain.release();
  }
}

async function runCases(run: Run, chain: TestChain): Promise<Tally> {
  const ask = api(run.url);
  const { tokens } = await ask<{ tokens: ListedToken[] }>(`/v1/${chain.chainId}/tokens`);
  const wrapped = tokens.find((token) => token.symbol === "WETH");
  if (wrapped === undefined) throw new Error("The token list names no WETH.");
  const world: World = { chain, api: ask, wrapped: wrapped.address, serial: { next: run.seed * 1_000_000 } };
  const random = seeded(run.seed);
  const { sources } = await ask<{ sources: { id: string; name: string }[] }>("/v1/sources");
  const tally = newTally(sources);
  const market = { world, tokens, wrapped, random };
  for await (const outcome of directedOutcomes(market, tally)) report(outcome, tally, run.verbose);
  for await (const outcome of permitOutcomes(market)) report(outcome, tally, run.verbose);
  for (let index = 0; index < run.count; index++) {
    report(await drawn(() => runCase(world, makeCase(tokens, wrapped, random))), tally, run.verbose);
  }
  const moved = Math.max(4, Math.floor(run.count / 10));
  for (let index = 0; index < moved; index++) {
    const beyond = index % 2 === 1;
    report(
      await drawn(() => runMovedCase(world, pricedCase(tokens, wrapped, random), beyond)),
      tally,
      run.verbose,
    );
  }
  process.stdout.write(crossingsTable(tally));
  for (const fault of notCrossed(tally))
    report({ text: "sources", faults: [fault], sources: [], isSplit: false }, tally, false);
  process.stdout.write(gasTable(tally.gas));
  return tally;
}

/** A case whose price can move: wrapping and unwrapping stay 1:1 whatever a block does. */
function pricedCase(tokens: readonly ListedToken[], wrapped: ListedToken, random: () => number): Case {
  const fixed = (token: ListedToken) => token.address === NATIVE || token === wrapped;
  let one = makeCase(tokens, wrapped, random);
  while (fixed(one.tokenIn) && fixed(one.tokenOut)) one = makeCase(tokens, wrapped, random);
  return one;
}

async function drawn(attempt: () => Promise<Outcome | undefined>): Promise<Outcome> {
  for (let draw = 0; draw < MAX_REDRAWS; draw++) {
    const outcome = await attempt().catch((error: Error): Outcome => {
      return { text: "the case threw", faults: [error.stack ?? error.message], sources: [], isSplit: false };
    });
    if (outcome !== undefined) return outcome;
  }
  return {
    text: "no pair routes",
    faults: [`${MAX_REDRAWS} pairs in a row found no route`],
    sources: [],
    isSplit: false,
  };
}

function report(outcome: Outcome, tally: Tally, verbose: boolean): void {
  if (outcome.gas !== undefined) tally.gas.push(outcome.gas);
  if (outcome.faults.length === 0) countCrossings(tally, outcome);
  tally[outcome.faults.length === 0 ? "passed" : "failed"]++;
  if (outcome.faults.length > 0)
    process.stdout.write(`FAIL ${outcome.text}\n     ${outcome.faults.join("\n     ")}\n`);
  else if (verbose) process.stdout.write(`ok   ${outcome.text}\n`);
}
