import { seeded } from "../../support/random.ts";
import { ApiError } from "../api.ts";
import { airSwapRefused } from "./airswap-refusals.ts";
import { quotesWithFailures, type Timing, timings } from "./failing.ts";
import { refusedOnChain } from "./refusals.ts";
import { type MakerKind, type MakerStack, startMakerStack, until } from "./stack.ts";
import { drawSale, makerQuote, swapWithMakers } from "./swaps.ts";

type Run = {
  readonly count: number;
  readonly quotes: number;
  readonly seed: number;
  readonly kind: MakerKind;
};

/** Swaps with makers' orders, orders that the chain refuses, makers that fail, and none at all; figures are printed. */
export async function runMakers({ count, quotes, seed, kind }: Run): Promise<number> {
  const stack = await startMakerStack(seeded(seed), kind);
  const faults: string[] = [];
  const say = (line: string) => process.stdout.write(`${line}\n`);
  try {
    const swaps = await swapWithMakers(stack, count);
    faults.push(...swaps.faults);
    say(
      `${swaps.withMakers} of ${swaps.swaps} swaps with a maker's order, ${swaps.split} of them split with pools`,
    );
    if (swaps.withMakers < count) faults.push(`only ${swaps.withMakers} swaps had an order`);
    const refusals = await (kind === "airswap" ? airSwapRefused(stack) : refusedOnChain(stack));
    faults.push(...refusals.flatMap(({ fault }) => fault ?? []));
    say(`on chain: ${refusals.map(({ what }) => what).join(", ")}`);
    const failures = await quotesWithFailures(stack, quotes);
    const { failed, withMakers, first } = failures;
    say(
      `${failed} of ${failures.quotes} quotes failed with a maker failing at random; ${withMakers} had an order`,
    );
    if (failed > 0) faults.push(`a quote failed: ${first}`);
    if (withMakers === 0) faults.push("no quote had an order while the maker failed at random");
    for (const clients of LOADS) {
      const times = await timings(stack, clients);
      say(added(times));
      if (times.slowMs.length === 0) faults.push(`no quote waited for a maker beside ${clients} clients`);
    }
    say(`maker: ${JSON.stringify(await stack.health())}`);
    faults.push(...(await withoutMaker(stack)));
  } finally {
    await stack.stop();
  }
  for (const fault of faults) say(`FAIL ${fault}`);
  return faults.length;
}

/** A maker that is gone leaves the market, and `rfqOnly` says so. */
async function withoutMaker(stack: MakerStack): Promise<string[]> {
  await stack.maker.stop();
  await until(async () => (await stack.health()).pairs === 0);
  const answer = await makerQuote(stack, drawSale(stack), { rfqOnly: "true" }).catch((error) => error);
  const isClear = answer instanceof ApiError && answer.status === 400 && answer.reason === "NO_ROUTE";
  return isClear ? [] : [`rfqOnly without a maker: ${String(answer)}`];
}

/** Clients beside whom it is measured how long makers make quotes wait. */
const LOADS = [0, 2, 8];
/** What a maker may add to a quote. */
const MOST_ADDED_MS = 250;

function added({ clients, withoutMs, honestMs, slowMs, addedMs }: Timing): string {
  const [ms, honest, slow, more] = [withoutMs, honestMs, slowMs, addedMs].map((times) => spread(times));
  const ratio = (addedMs[Math.floor(addedMs.length / 2)] ?? 0) / MOST_ADDED_MS;
  return (
    `quote beside ${clients} clients: ${ms} without makers, ${honest} with one, ${slow} with one that never answers; ` +
    `that one adds ${more}, ${ratio.toFixed(2)} of ${MOST_ADDED_MS} ms`
  );
}

/** Median and slowest of sorted milliseconds. */
function spread(times: readonly number[]): string {
  const [median, most] = [times[Math.floor(times.length / 2)] ?? 0, times.at(-1) ?? 0];
  return `${median.toFixed(0)} ms (most ${most.toFixed(0)})`;
}
