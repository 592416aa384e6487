import { word } from "../../core/abi.ts";
import type { Address, Hex } from "../../core/types.ts";

/** One value for each of the pool's two tokens, in the pool's order. */
export type Pair<T> = readonly [T, T];

/**
 * One of the pool's two books of reserves, in units of 1e-12 of a whole token. Its curve is imaginary0 · imaginary1 = k,
 * and it pays out no more than the real reserves. All are 0 if the pool does not have this half.
 */
export type Half = {
  readonly real: Pair<bigint>;
  readonly imaginary: Pair<bigint>;
};

/** An amount of one token that may leave one half, in smallest units; it grows linearly with time. */
export type Limit = {
  /** At the second of the read. */
  readonly available: bigint;
  /** Once `seconds` have passed. */
  readonly expandsTo: bigint;
  readonly seconds: bigint;
};

/** 10^decimals of a token is `denominator` / `numerator` · 10^12; one of the two is 1. */
export type Scale = {
  readonly numerator: bigint;
  readonly denominator: bigint;
};

/** What the pool stored at its last swap. Prices are token1 per token0, 27 decimals. */
export type Oracle = {
  /** Unix second of that swap. */
  readonly time: number;
  /** The price after it. */
  readonly price: bigint;
  /** The price at the end of the last block before it that had a swap. */
  readonly before: bigint;
  /** The centre price at the first swap of its block. */
  readonly center: bigint;
};

/** A pool at one block: what its own contract and the layer that holds its tokens would compute at that second. */
export type State = {
  readonly collateral: Half;
  readonly debt: Half;
  /** What is owed of each token, in units of 1e-12 of a token: the debt half takes no more. */
  readonly debts: Pair<bigint>;
  /** Limits of what the collateral half pays out, per token. */
  readonly withdrawable: Pair<Limit>;
  /** Limits of what the debt half pays out, per token. */
  readonly borrowable: Pair<Limit>;
  readonly scales: Pair<Scale>;
  /** Token1 per token0, 27 decimals. */
  readonly centerPrice: bigint;
  /** Fee on the input, parts per million. */
  readonly fee: bigint;
  /** Percentage of the fee that is kept by the protocol instead of the pool. */
  readonly revenueCut: bigint;
  readonly oracle: Oracle;
  /** Unix second of the read. */
  readonly readAt: number;
  /** Block of the read. */
  readonly readFor: number;
  /** False while swaps are paused, and after a swap: its reserves are then not known before they are read. */
  readonly isOpen: boolean;
};

/**
 * A pool's id: its address as a word. It differs from the address as a singleton's pools do, since one contract holds the
 * tokens of all pools, so that the balances of the pool's own contract are not taken for its depth.
 */
export function idOf(pool: Address): Hex {
  return `0x${word(BigInt(pool))}`;
}

/** An amount that no token has, smallest units or units of 1e-12 of a token. */
export const UNLIMITED = 2n ** 200n;

export const NO_HALF: Half = { real: [0n, 0n], imaginary: [0n, 0n] };

/** Whether the pool has this half. */
export function isOn({ imaginary }: Half): boolean {
  return imaginary[0] > 0n && imaginary[1] > 0n;
}

/**
 * Conversion between smallest units and units of 1e-12 of a whole token.
 *
 * @source Instadapp/fluid-contracts-public contracts/protocols/dex/poolT1/coreModule/immutableVariables.sol
 *   _calcNumeratorAndDenominator
 */
export function scaleOf(decimals: bigint): Scale {
  return decimals > 12n
    ? { numerator: 1n, denominator: 10n ** (decimals - 12n) }
    : { numerator: 10n ** (12n - decimals), denominator: 1n };
}

/** A limit `elapsed` seconds after the read, rounded down. */
export function limitAfter({ available, expandsTo, seconds }: Limit, elapsed: bigint): bigint {
  const start = available < expandsTo ? available : expandsTo;
  if (elapsed <= 0n) return start;
  return elapsed >= seconds ? expandsTo : start + ((expandsTo - start) * elapsed) / seconds;
}

/**
 * What the halves may pay of a token together, smallest units. Where the resolver answers one limit for withdrawals and for
 * debts, it is what the layer still holds of the token, or may still lend if all may be lent: both are paid out of it.
 */
export function sharedLimit(withdrawable: Limit, borrowable: Limit): bigint {
  const isShared =
    withdrawable.available === borrowable.available && withdrawable.expandsTo === borrowable.expandsTo;
  return isShared ? limitAfter(borrowable, borrowable.seconds) : UNLIMITED;
}
