import type { MakerStack } from "./stack.ts";
import { drawSale, hasOrder, makerQuote, type Sale } from "./swaps.ts";

/** Sorted milliseconds of quotes of the same sales but for a unit, each of which an honest maker has an order in. */
export type Timing = {
  /** Other clients, which ask for prices again and again. */
  readonly clients: number;
  readonly withoutMs: number[];
  readonly honestMs: number[];
  readonly slowMs: number[];
  /** What a maker that never answers adds, sale by sale. */
  readonly addedMs: number[];
};

const SAMPLES = 12;
/** Orders of an honest maker for each that is late, so that the maker is not blocked for its fades. */
const HONEST = 9;

async function timed(stack: MakerStack, { amount, ...sale }: Sale, more: Readonly<Record<string, string>>) {
  // Another amount each time: an answer that is known already takes no search.
  const other = amount + BigInt(Math.floor(stack.random() * 1_000));
  const start = performance.now();
  const offer = await makerQuote(stack, { ...sale, amount: other }, more);
  return { offer, ms: performance.now() - start };
}

/** How long a quote takes without makers, with an honest one, and with one that never answers in time, beside so many clients. */
export async function timings(stack: MakerStack, clients: number): Promise<Timing> {
  const times: Timing = { clients, withoutMs: [], honestMs: [], slowMs: [], addedMs: [] };
  let isOver = false;
  const others = Array.from({ length: clients }, async () => {
    while (!isOver) await timed(stack, drawSale(stack), { excludeAggregator: "Reference" });
  });
  for (let draw = 0; draw < 20 * SAMPLES && times.slowMs.length < SAMPLES; draw++) {
    const sale = drawSale(stack);
    const honest = await timed(stack, sale, {});
    if (!hasOrder(honest.offer)) continue;
    for (let k = 1; k < HONEST; k++) times.honestMs.push((await timed(stack, sale, {})).ms);
    const { ms: withoutMs } = await timed(stack, sale, { excludeAggregator: "Reference" });
    stack.manners.slowMs = 5_000;
    const { ms: slowMs } = await timed(stack, sale, {});
    stack.manners.slowMs = 0;
    times.withoutMs.push(withoutMs);
    times.slowMs.push(slowMs);
    times.addedMs.push(slowMs - withoutMs);
  }
  isOver = true;
  await Promise.all(others);
  for (const list of [times.withoutMs, times.honestMs, times.slowMs, times.addedMs])
    list.sort((a, b) => a - b);
  return times;
}

export type Failures = { quotes: number; withMakers: number; failed: number; first: string | undefined };

/** Quotes while the maker refuses, is late and lies at random: none may fail. */
export async function quotesWithFailures(stack: MakerStack, count: number): Promise<Failures> {
  const tally: Failures = { quotes: 0, withMakers: 0, failed: 0, first: undefined };
  const { manners, random } = stack;
  while (tally.quotes < count) {
    const draw = random();
    manners.fade = draw < 0.03 ? 1 : 0;
    manners.lie =
      draw >= 0.03 && draw < 0.06 ? "signature" : draw >= 0.06 && draw < 0.08 ? "worse" : undefined;
    manners.slowMs = draw >= 0.08 && draw < 0.09 ? 400 : 0;
    tally.quotes++;
    try {
      if (hasOrder(await makerQuote(stack, drawSale(stack)))) tally.withMakers++;
    } catch (error) {
      tally.failed++;
      tally.first ??= (error as Error).message;
    }
  }
  Object.assign(manners, { fade: 0, lie: undefined, slowMs: 0 });
  return tally;
}
