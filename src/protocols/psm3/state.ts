import { grownRay, RAY, type Savings } from "../../core/math/ray.ts";
import { MAX_UINT256 } from "../../core/tokens.ts";

/** One number for each of USDC, USDS and sUSDS, in this order. */
export type Coins<T> = readonly [T, T, T];

/** Position of sUSDS, whose worth in USDS grows. */
export const SAVINGS = 2;

export type State = Savings & {
  /** Smallest units of a whole coin. */
  readonly units: Coins<bigint>;
  /** What is held of each coin, smallest units: USDC by the pocket, the others by the module. */
  readonly balances: Coins<bigint>;
  /** Units of USDC that the pocket lets the module pay; what is sold to it does not add to them. 2^256 - 1 are not spent. */
  readonly allowed: bigint;
  /** Unix second of the read. */
  readonly readAt: number;
};

/** Positions of the coin sold and of the coin bought. */
export type Way = { readonly i: number; readonly j: number };

/** USDS for a whole sUSDS at a second, 27 decimals. */
export const savingsRate = (state: State, timestamp: number): bigint => grownRay(state, timestamp);

/**
 * Output for an input, each division rounded down.
 *
 * @source sparkdotfi/spark-psm `2b1a72a` src/PSM3.sol _convertOneToOne, _convertToSUsds, _convertFromSUsds
 */
export function outputFor({ units }: State, { i, j }: Way, amount: bigint, rate: bigint): bigint {
  const [from, to] = [units[i]!, units[j]!];
  if (j === SAVINGS) return (((amount * RAY) / rate) * to) / from;
  if (i === SAVINGS) return (((amount * rate) / RAY) * to) / from;
  return (amount * to) / from;
}

/** An input that the module converts without overflow. */
export const MAX_AMOUNT = MAX_UINT256 / 2n ** 128n;

/** What the module can pay of a coin, smallest units. @param k the coin's position */
export function payable({ balances, allowed }: State, k: number): bigint {
  const held = balances[k]!;
  return k === 0 && allowed < held ? allowed : held;
}

/** The state after a trade. */
export function traded(state: State, { i, j }: Way, sold: bigint, paid: bigint): State {
  const change = (k: number) => (k === i ? sold : k === j ? -paid : 0n);
  const [usdc, usds, savings] = state.balances;
  const allowed = j === 0 && state.allowed !== MAX_UINT256 ? state.allowed - paid : state.allowed;
  return { ...state, balances: [usdc + change(0), usds + change(1), savings + change(2)], allowed };
}
