import type { MakerStack } from "./stack.ts";
import { drawSale, hasOrder, makerQuote } from "./swaps.ts";

export type Timing = { readonly honestMs: number; readonly slowMs: number; readonly withoutMs: number };

const SAMPLES = 10;

async function median(stack: MakerStack, more: Readonly<Record<string, string>>): Promise<number> {
  const times: number[] = [];
  for (let k = 0; k < SAMPLES; k++) {
    const sale = drawSale(stack);
    const start = performance.now();
    await makerQuote(stack, sale, more);
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[SAMPLES / 2]!;
}

/** How long a quote takes without makers, with an honest one, and with one that never answers in time. */
export async function timings(stack: MakerStack): Promise<Timing> {
  const withoutMs = await median(stack, { excludeAggregator: "Reference" });
  const honestMs = await median(stack, {});
  stack.manners.slowMs = 5_000;
  const slowMs = await median(stack, {});
  stack.manners.slowMs = 0;
  return { honestMs, slowMs, withoutMs };
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
