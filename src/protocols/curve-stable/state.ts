import type { ProductForm, Ramp } from "../../core/math/curve/stable-math.ts";

/** Where a contract takes its fee, and what it holds back for its own rounding. */
type Payment = {
  /** Units, in 18 digits, that are kept from the output. */
  readonly kept: 0n | 1n;
  /** "beforeRate": from the 18-digit output; "afterRate": from the output in the token's own units. */
  readonly fee: "beforeRate" | "afterRate";
};

/** How one implementation rounds. `get_dy` (the view) and `exchange` differ in many of them. */
type Rounding = {
  readonly product: ProductForm;
  readonly view: Payment;
  readonly exchange: Payment;
  /** "moved": balances change by what is paid; "recomputed": they are written back from 18-digit values. */
  readonly balances: "moved" | "recomputed";
};

const before = (kept: 0n | 1n): Payment => ({ kept, fee: "beforeRate" });
const after = (kept: 0n | 1n): Payment => ({ kept, fee: "afterRate" });
const moved = (product: ProductForm, view: Payment, exchange: Payment): Rounding => ({
  product,
  view,
  exchange,
  balances: "moved",
});

/**
 * Every rounding met in deployed pools, by the contract that it was read in.
 *
 * @source curvefi/curve-contract contracts/pools and pool-templates, curvefi/curve-factory
 *         contracts/implementations, curvefi/stableswap-ng contracts/main
 */
export const roundings = {
  /** SwapTemplateBase and most pools after 2020, factory pools of three and four coins, metapools. */
  base: moved("perCoin", before(1n), before(1n)),
  /** 3pool, hbtc, ren, sbtc: the view takes the fee after the rate. */
  early: moved("perCoin", after(1n), before(1n)),
  /** Factory pools of two coins, and stableswap-ng. */
  together: moved("together", before(1n), before(1n)),
  /** steth. */
  steth: moved("perCoinPlusOne", before(1n), before(1n)),
  /** aave, saave: the coins rebase, the fee is dynamic, nothing is kept. */
  aave: moved("perCoinPlusOne", after(0n), before(0n)),
  /** SwapTemplateA: as aave with the plain product. */
  templateA: moved("perCoin", after(0n), before(0n)),
  /** compound, y, busd, susd: nothing is kept, and balances are written back from 18 digits. */
  first: { product: "perCoinPlusOne", view: after(0n), exchange: before(0n), balances: "recomputed" },
  /** A pool whose exchange takes the fee after the rate. */
  feeAfterRate: moved("perCoin", after(1n), after(1n)),
} as const satisfies Record<string, Rounding>;

export type RoundingName = keyof typeof roundings;

/** A stableswap pool as its contract stores it. */
export type State = {
  readonly rounding: RoundingName;
  /** Smallest units of each coin that belong to liquidity providers: admin fees are not among them. */
  readonly balances: readonly bigint[];
  /** 10^(36 - decimals), times the coin's own rate of 10^18 where it has one. */
  readonly rates: readonly bigint[];
  /** Amplification in the contract's precision; constant where the times lie in the past. */
  readonly ramp: Ramp;
  /** 100, or 1 in the first pools. */
  readonly aPrecision: bigint;
  /** Fee on the output, of 10^10. */
  readonly fee: bigint;
  /** Share of the fee that leaves the pool, of 10^10. */
  readonly adminFee: bigint;
  /** Of 10^10; the fee is constant where it is at most that. */
  readonly offpegFeeMultiplier: bigint;
  /** LP tokens; what a metapool over this pool needs of it. 0 where nothing needs it. */
  readonly lpSupply: bigint;
  /** What a metapool knows of its base pool, whose LP token is its second coin; null for every other pool. */
  readonly base: BaseView | null;
  /** What a wrapped coin is worth of the coin under it, 18 digits; null where one for one, or where nothing lies under. */
  readonly worth: readonly bigint[] | null;
  /** The block read, where coins rebase or have rates: it serves the next block only. 0 where only logs change it. */
  readonly readAt: number;
};

/**
 * The virtual price of the base pool as a metapool takes it: "live" at every swap, or one that the contract keeps and
 * renews by the first swap more than 600 s later. Such a pool's `rates[1]` is 10^18 and waits for that price.
 */
export type BaseView = "live" | { readonly virtualPrice: bigint; readonly updatedAt: number };

/** A crossing in the terms of the contract. */
export type Swap = {
  readonly i: number;
  readonly j: number;
  /** Smallest units of coin `i`, > 0. */
  readonly dx: bigint;
  /** Unix seconds of the block that executes. */
  readonly timestamp: number;
};
