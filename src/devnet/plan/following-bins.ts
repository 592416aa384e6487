import type { Address } from "../../core/types.ts";
import type { Grant } from "./plan.ts";

/** A pool of Maverick on the devnet, and where its liquidity lies. */
export type LaidOut = {
  readonly address: Address;
  /** A and B, in ascending order. */
  readonly tokens: readonly [Address, Address];
  readonly decimals: readonly [number, number];
  /** Whole A per whole B. */
  readonly price: number;
  /** Total worth of all bins in whole A. */
  readonly depth: number;
  readonly tickSpacing: number;
  /** Number of ticks with bins on each side of the active one. */
  readonly side: number;
  /** Whether bins around the price follow it. */
  readonly follows: boolean;
};

/** A bin with its reserves, in 18 digits. */
type Bin = { readonly tick: number; readonly kind: number; readonly a: bigint; readonly b: bigint };
type Layout = { readonly active: number; readonly bins: readonly Bin[] };

/** Kinds of bins: static, and following the price up, down or both ways. */
const [STATIC, UP, DOWN, BOTH] = [0, 1, 2, 3] as const;

/** A following bin is at most one tick from the price, on its side of it. */
function kindsAt(offset: number, follows: boolean): readonly number[] {
  if (!follows || Math.abs(offset) > 1) return [STATIC];
  return [STATIC, offset < 0 ? UP : offset > 0 ? DOWN : BOTH];
}

/** Equal liquidity in all ticks: A below the price, B above it, both in the tick of the price. */
export function layout({ price, depth, tickSpacing, side, follows }: LaidOut): Layout {
  const root = Math.sqrt(price);
  const active = Math.floor(Math.log(price) / Math.log(1.0001) / tickSpacing);
  const begin = (tick: number) => 1.0001 ** ((tick * tickSpacing) / 2);
  const liquidity = depth / 2 / (root - begin(active - side));
  const bins = Array.from({ length: 2 * side + 1 }, (_, k) => active - side + k).flatMap((tick) => {
    const at = Math.min(Math.max(root, begin(tick)), begin(tick + 1));
    const [a, b] = [at - begin(tick), 1 / at - 1 / begin(tick + 1)].map((width) =>
      BigInt(Math.floor(liquidity * width * 1e18)),
    );
    const kinds = kindsAt(tick - active, follows);
    const part = BigInt(kinds.length);
    return kinds.map((kind) => ({ tick, kind, a: a! / part, b: b! / part }));
  });
  return { active, bins };
}

/** Whole units of an amount in smallest units. */
export const whole = (amount: bigint, decimals: number): number => Number(amount) / 10 ** decimals;

/** What the pools hold of both tokens. */
export function grantsOf(pools: readonly LaidOut[]): Grant[] {
  return pools.flatMap((pool) =>
    ([0, 1] as const).map((side) => ({
      holder: pool.address,
      token: pool.tokens[side],
      amount: stockOf(layout(pool), side, pool.decimals[side]),
    })),
  );
}

/** Total of token A (0) or B (1) in all bins, in its smallest units, rounded up. */
function stockOf({ bins }: Layout, side: 0 | 1, decimals: number): bigint {
  const sum = bins.reduce((total, { a, b }) => total + (side === 0 ? a : b), 0n);
  return sum / 10n ** BigInt(18 - decimals) + 1n;
}
