import fc from "fast-check";
import { expect, test } from "vitest";
import type { Protocol } from "../core/protocol.ts";
import { earningOf } from "../core/routing/certificate/earning/earning.ts";
import { emptyCertificateMemory } from "../core/routing/certificate/memory.ts";
import { emptyGraph } from "../core/routing/market-graph/graph.ts";
import { patchGraph } from "../core/routing/market-graph/update.ts";
import { type Direction, direction, overlay, subjectsOf } from "./conformance.fixture.ts";
import { protocols } from "./index.ts";
import type { Subject } from "./subject.ts";

/**
 * The certificate's bound on a pool's gain is at least the gain of exact swaps: consecutive swaps in one direction,
 * up to the largest amount that the contract takes, and together more than one swap may trade. All published bounds
 * depend on this.
 */

const RUNS = 200;
/** Most consecutive swaps. */
const MOST_SWAPS = 4;
/** Amount of each swap as a fraction of the largest amount that fills. */
const parts = fc.array(fc.double({ min: 1e-6, max: 1, noNaN: true }), {
  minLength: 1,
  maxLength: MOST_SWAPS,
});

/** Least output that is compared: pools that pay less in total have no curve. */
const LEAST_OUTPUT = 1e7;
/** Upper limit of amounts: no token has as many units. */
const MOST_HELD = 2 ** 112;
/** Relative error allowed for doubles (`core/protocol.ts`). */
const DOUBLES = 1e-9;
const WRAPPED = `0x${"99".repeat(20)}` as const;
/** Excluded: the native coin and its wrapper are one node of the market. */
const NO_PAIR = "wrapped-native";

/** The largest amount that fills, by doubling and bisection; 0 if none does. */
function largest(fills: (amount: bigint) => boolean): bigint {
  let [low, high] = [0n, 1n];
  for (; high < 2n ** 130n; high *= 2n) if (fills(high)) low = high;
  if (low === 0n) return 0n;
  high = low * 2n;
  for (let k = 0; k < 60 && high - low > 1n; k++) {
    const middle = (low + high) / 2n;
    if (fills(middle)) low = middle;
    else high = middle;
  }
  return low;
}

type Sold = { readonly sold: number; readonly bought: number };

/** Consecutive swaps, each of a fraction of the largest amount that fills at that point. */
function swapped(protocol: Protocol, subject: Subject, { i, j }: Direction, shares: readonly number[]): Sold {
  const written = new Map<string, unknown>();
  let [sold, bought] = [0, 0];
  for (const share of shares) {
    const view = overlay(subject, [...written]);
    const ask = (amount: bigint) => protocol.quote(view, subject.pool, i, j, amount, "in", subject.at);
    const most = largest((amount) => ask(amount) !== undefined);
    const fill = ask(BigInt(Math.floor(Number(most) * share)));
    if (fill === undefined) break;
    for (const [id, state] of fill.writes) written.set(id, state);
    sold += Number(fill.amountIn);
    bought += Number(fill.amountOut);
  }
  return { sold, bought };
}

/** The certified gain of the pool in units of the token bought, if a unit of the token sold costs `least`. */
function certified(protocol: Protocol, { pool, states, at }: Subject, { i, j }: Direction, least: number) {
  const graph = emptyGraph(new Map([[pool.protocol, protocol]]), WRAPPED);
  patchGraph(graph, { pools: [pool], removed: [] }, { get: (id) => states.get(id) }, at);
  if (graph.entries.length === 0) return undefined;
  const [sold, bought] = [graph.nodeOf.get(pool.tokens[i]!), graph.nodeOf.get(pool.tokens[j]!)];
  const price = (node: number) => (node === bought ? 1 : node === sold ? least : 0);
  const memory = emptyCertificateMemory();
  return {
    earning: earningOf({ graph, memory, at, allowed: () => true, price, perGas: 0, enough: 0, ends: [] }, 0),
    memory,
  };
}

/** The token sold is priced at a fraction of the swaps' mean price. */
test.each([...protocols.keys()].filter((name) => name !== NO_PAIR))(
  "%s: no swaps in a row earn more than is certified",
  async (name) => {
    const protocol = protocols.get(name)!;
    let seen = 0;
    fc.assert(
      fc.property(
        await subjectsOf(protocol),
        fc.nat(),
        parts,
        fc.double({ min: 0.05, max: 0.999, noNaN: true }),
        (subject, seed, shares, cost) => {
          const d = direction(subject, seed);
          const { sold, bought } = swapped(protocol, subject, d, shares);
          if (!(bought > LEAST_OUTPUT && sold < MOST_HELD)) return;
          const least = (bought / sold) * cost;
          const found = certified(protocol, subject, d, least);
          if (found === undefined) return;
          const { earning, memory } = found;
          expect(memory.threw).toBe(0);
          if (earning !== undefined && "reason" in earning) return;
          seen++;
          const drifted = memory.drift * bought;
          const gained = bought - least * sold;
          const units = subject.roundings + 2 + (subject.favour ?? 0);
          // A fee that an earlier swap leaves in the pool is paid out to later ones; bounds exclude that.
          const left = shares.length > 1 ? (subject.outputFee ?? 0) : 0;
          const slack = (DOUBLES + left) * bought + shares.length * units;
          expect(gained).toBeLessThanOrEqual((earning?.earned ?? 0) + drifted + slack);
        },
      ),
      { numRuns: RUNS, endOnFailure: true },
    );
    expect(seen).toBeGreaterThan(0);
  },
);
