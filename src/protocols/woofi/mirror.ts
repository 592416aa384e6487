import { unboundedJoint } from "../../core/math/sampling/joint-curves.ts";
import type { Joint } from "../../core/protocol.ts";
import { type Listing, ONE, type State } from "./state.ts";

/** One token in doubles; prices are per smallest unit. */
type Row = {
  readonly reserve: number;
  readonly fee: number;
  /** Quote units per base unit; 0 if the token is not traded. */
  readonly price: number;
  readonly spread: number;
  /** Fraction of the price lost to slippage per quote unit traded. */
  readonly bend: number;
  readonly maxGamma: number;
  readonly maxNotional: number;
  /** Largest amount that may be sold to the pool. */
  readonly room: number;
};

export type Mirror = readonly Row[];

/**
 * A single swap is limited by `maxNotional` and `maxGamma`, and the price after it is set by the contract: several
 * swaps have no bound.
 */
export function joint(rows: Mirror, _traded: Float64Array, limited: boolean): Joint | undefined {
  return limited ? undefined : unboundedJoint(rows.length);
}

const UNIT = Number(ONE);

export function mirror(state: State, timestamp: number): Mirror {
  const quoteUnit = Number(state.listings[0]!.unit);
  const isGood = timestamp <= state.expires;
  return state.listings.map((token) => rowOf(token, quoteUnit, isGood));
}

function rowOf(token: Listing, quoteUnit: number, isGood: boolean): Row {
  const price = (Number(token.price) * quoteUnit) / (Number(token.priceUnit) * Number(token.unit));
  return {
    reserve: Number(token.reserve),
    fee: Number(token.feeRate) / 1e5,
    price: isGood ? price : 0,
    spread: Number(token.spread) / UNIT,
    bend: Number(token.coeff) / UNIT / quoteUnit,
    maxGamma: Number(token.maxGamma) / UNIT,
    maxNotional: Number(token.maxNotional),
    room: Number(token.cap) - Number(token.reserve),
  };
}

/** `notional` quote units net of spread and slippage; NaN if the pool would revert. */
function kept(row: Row, notional: number, spread: number): number {
  const gamma = row.bend * notional;
  if (!(row.price > 0) || !(notional <= row.maxNotional) || !(gamma <= row.maxGamma)) return Number.NaN;
  return 2 * gamma + spread <= 1 ? notional * (1 - gamma - spread) : Number.NaN;
}

/** Output of token j for `x` of token i, in doubles; 0 if the pool would revert. */
export function quoteFloat(rows: Mirror, i: number, j: number, x: number): number {
  if (!(x > 0)) return 0;
  const sold = rows[i]!;
  const bought = rows[j]!;
  if (x > sold.room) return 0;
  if (i === 0) return capped(kept(bought, x * (1 - bought.fee), bought.spread) / bought.price, bought);
  const paid = (spread: number) => kept(sold, x * sold.price, spread);
  if (j === 0) {
    const whole = paid(sold.spread);
    return whole <= bought.reserve ? whole * (1 - sold.fee) : 0;
  }
  const spread = Math.max(sold.spread, bought.spread) / 2;
  const between = paid(spread);
  const fee = Math.max(sold.fee, bought.fee);
  if (!(between * fee <= rows[0]!.reserve)) return 0;
  return capped(kept(bought, between * (1 - fee), spread) / bought.price, bought);
}

function capped(out: number, { reserve }: Row): number {
  return out <= reserve ? out : 0;
}
