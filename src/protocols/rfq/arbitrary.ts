import fc from "fast-check";
import { type Inventory, inventoryId, type Level, makerPool } from "../../core/rfq.ts";
import type { Subject } from "../subject.ts";

const DEPLOYMENT = "maker-arbitrary";
const TOKENS = [
  "0x0000000000000000000000000000000000000001",
  "0x0000000000000000000000000000000000000002",
] as const;

/** A maker with these levels and this inventory of each token. */
export function subjectOf(
  levels: readonly [readonly Level[], readonly Level[]],
  stock: readonly [bigint, bigint],
): Subject {
  const pool = makerPool(
    DEPLOYMENT,
    { address: "0x00000000000000000000000000000000000000aa", isContract: false },
    TOKENS,
  );
  const inventory: Inventory = { [TOKENS[0]]: stock[0], [TOKENS[1]]: stock[1] };
  return {
    pool,
    states: new Map<string, unknown>([
      [pool.stateIds[0], { levels, firm: null }],
      [inventoryId(DEPLOYMENT), inventory],
    ]),
    at: { blockNumber: 1, timestamp: 1_700_000_000 },
    roundings: 2,
  };
}

const bits = (min: number, max: number) =>
  fc.integer({ min, max }).chain((n) => fc.bigInt({ min: 2n ** BigInt(n), max: 2n ** BigInt(n + 1) }));

/**
 * Price of token 0 in token 1 as a fraction, the spread in ppm, and the amount by which each level is worse than the
 * last, in ppm.
 */
const book = fc.record({
  price: fc.tuple(bits(0, 60), bits(0, 60)),
  sizes: fc.array(bits(1, 60), { minLength: 1, maxLength: 6 }),
  spreadPpm: fc.bigInt({ min: 0n, max: 20_000n }),
  stepPpm: fc.bigInt({ min: 0n, max: 5_000n }),
  stockPermille: fc.bigInt({ min: 1n, max: 2_000n }),
});

/** Levels of one direction, each `step` ppm worse than the last. Amounts are scaled such that nothing is rounded. */
function levelsOf(
  sizes: readonly bigint[],
  [give, take]: readonly [bigint, bigint],
  ppm: { spread: bigint; step: bigint },
): Level[] {
  return sizes.map((size, k) => {
    const worth = 1_000_000n - ppm.spread - ppm.step * BigInt(k);
    return { amountIn: size * take * 1_000_000n, amountOut: size * give * worth };
  });
}

export const subjects: fc.Arbitrary<Subject> = book.map(({ price, sizes, ...terms }) => {
  const [give, take] = price;
  const ppm = { spread: terms.spreadPpm, step: terms.stepPpm };
  const small = sizes.map((size) => size % 2n ** 40n || 1n);
  const levels = [levelsOf(small, [give, take], ppm), levelsOf(small, [take, give], ppm)] as const;
  const total = (side: readonly Level[]) => side.reduce((sum, { amountOut }) => sum + amountOut, 0n);
  const stock = (side: readonly Level[]) => (total(side) * terms.stockPermille) / 1_000n;
  return subjectOf(levels, [stock(levels[1]), stock(levels[0])]);
});
