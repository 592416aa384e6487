import type { Order, Trade } from "../own-state.ts";

/** A pair as its contract stores it. */
export type State = {
  /** Smallest units of token 0 and token 1, each a uint112. */
  readonly reserves: readonly [bigint, bigint];
  /** Fee on the input in parts per million: 3000 is 0.3 %; on token 0 alone, where token 1 has a fee of its own. */
  readonly feePpm: number;
  /** Fee on token 1; absent where both are the same (Camelot sets one each). */
  readonly feeOneToZeroPpm?: number;
};

/** The fee on a sale of token `i`. */
export function feeOn(state: State, i: number): number {
  return i === 1 && state.feeOneToZeroPpm !== undefined ? state.feeOneToZeroPpm : state.feePpm;
}

/** Gas units of one crossing through the router; the only figure of this folder. */
export const GAS = 60_000;

/** The pair refuses to store more of a token. */
export const MAX_RESERVE = 2n ** 112n - 1n;
const PPM = 1_000_000n;

/** What fees leave of a million, by fee: a chain knows some dozen, and turning numbers into integers costs a tenth of a quote. */
const keeps = new Map<number, bigint>();

function keepOf(feePpm: number): bigint {
  let keep = keeps.get(feePpm);
  if (keep === undefined) {
    keep = PPM - BigInt(feePpm);
    keeps.set(feePpm, keep);
  }
  return keep;
}

/**
 * What the pair pays for an exact amount in.
 *
 *   out = floor( in·k·Rout / (Rin·10^6 + in·k) ),  k = 10^6 - feePpm
 *
 * The quotient does not change when numerator and denominator of the fee are scaled together,
 * so parts per million give the wei of forks that count in 1000, 10000 or 400.
 *
 * @returns smallest units of the token bought, rounded down; always less than `reserveOut`
 * @source Uniswap/v2-core contracts/UniswapV2Pair.sol swap: the largest output that passes its K check
 */
export function amountOut(amountIn: bigint, reserveIn: bigint, reserveOut: bigint, feePpm: number): bigint {
  const lessFee = amountIn * keepOf(feePpm);
  return (lessFee * reserveOut) / (reserveIn * PPM + lessFee);
}

/**
 * The least amount in for which the pair pays `out`.
 *
 *   in = ceil( out·Rin·10^6 / (k·(Rout - out)) )
 *
 * The periphery asks for floor + 1: the same but where the division leaves nothing, and there this is one unit less.
 *
 * @param out less than `reserveOut`
 * @returns smallest units of the token sold, rounded up
 * @source Uniswap/v2-core contracts/UniswapV2Pair.sol swap: the least input that passes its K check
 */
export function amountIn(out: bigint, reserveIn: bigint, reserveOut: bigint, feePpm: number): bigint {
  const divisor = keepOf(feePpm) * (reserveOut - out);
  return (out * reserveIn * PPM + divisor - 1n) / divisor;
}

/**
 * Sells to or buys from the pair.
 *
 * @returns undefined when the pair would revert: nothing in, nothing out, more out than it has, a reserve over uint112
 */
export function trade(state: State, { i, j, amount, side }: Order): Trade<State> | undefined {
  const reserveIn = state.reserves[i]!;
  const reserveOut = state.reserves[j]!;
  if (amount <= 0n || reserveIn === 0n || reserveOut === 0n) return undefined;
  if (side === "out" && amount >= reserveOut) return undefined;

  const feePpm = feeOn(state, i);
  const sold = side === "in" ? amount : amountIn(amount, reserveIn, reserveOut, feePpm);
  const bought = side === "in" ? amountOut(amount, reserveIn, reserveOut, feePpm) : amount;
  const raised = reserveIn + sold;
  if (bought === 0n || raised > MAX_RESERVE) return undefined;

  const fallen = reserveOut - bought;
  const reserves: readonly [bigint, bigint] = i === 0 ? [raised, fallen] : [fallen, raised];
  return { amountIn: sold, amountOut: bought, gas: GAS, next: withReserves(state, reserves) };
}

/** Written out, because a spread costs as much as a product. */
export function withReserves(state: State, reserves: State["reserves"]): State {
  const { feePpm, feeOneToZeroPpm } = state;
  return feeOneToZeroPpm === undefined ? { reserves, feePpm } : { reserves, feePpm, feeOneToZeroPpm };
}
