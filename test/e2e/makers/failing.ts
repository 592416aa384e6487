import type { MakerStack } from "./stack.ts";
import { drawSale, hasOrder, makerQuote, type Sale } from "./swaps.ts";

/** Milliseconds of quotes of the same sales, each of which an honest maker has an order in. */
export type Timing = { readonly withoutMs: number[]; readonly honestMs: number[]; readonly slowMs: number[] };

const SAMPLES = 12;

async function timed(stack: MakerStack, sale: Sale, more: Readonly<Record<string, string>>) {
  const start = performance.now();
  const offer = await makerQuote(stack, sale, more);
  return { offer, ms: performance.now() - start };
}

/** How long a quote takes without makers, with an honest one, and with one that never answers in time. */
export async function timings(stack: MakerStack): Promise<Timing> {
  const times: Timing = { withoutMs: [], honestMs: [], slowMs: [] };
  for (let draw = 0; draw < 20 * SAMPLES && times.slowMs.length < SAMPLES; draw++) {
    const sale = drawSale(stack);
    const honest = await timed(stack, sale, {});
    if (!hasOrder(honest.offer)) continue;
    times.honestMs.push(honest.ms);
    times.withoutMs.push((await timed(stack, sale, { excludeAggregator: "Reference" })).ms);
    stack.manners.slowMs = 5_000;
    times.slowMs.push((await timed(stack, sale, {})).ms);
    stack.manners.slowMs = 0;
  }
  for (const list of Object.values(times)) list.sort((a, b) => a - b);
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
