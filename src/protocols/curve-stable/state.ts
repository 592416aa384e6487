import type { ProductForm, Ramp } from "../../core/math/curve/stable-math.ts";

/** Where a contract takes its fee, and how much it withholds for rounding. */
type Payment = {
  /** 18-digit units withheld from the output. */
  readonly kept: 0n | 1n;
  /** "beforeRate": taken from the 18-digit output; "afterRate": taken from the output in the token's smallest units. */
  readonly fee: "beforeRate" | "afterRate";
};

/** Roundings of an implementation. In many of them `get_dy` (the view) and `exchange` differ. */
type Rounding = {
  readonly product: ProductForm;
  readonly view: Payment;
  readonly exchange: Payment;
  /** "moved": balances change by the amounts; "recomputed": they are converted back from 18-digit values. */
  readonly balances: "moved" | "recomputed";
  /**
   * Whether an exchange ends with the update of a price oracle, which divides by every balance.
   *
   * @source curvefi/stableswap-ng contracts/main/CurveStableSwapNG.vy upkeep_oracles, _get_p
   */
  readonly oracle: boolean;
};

const before = (kept: 0n | 1n): Payment => ({ kept, fee: "beforeRate" });
const after = (kept: 0n | 1n): Payment => ({ kept, fee: "afterRate" });
const moved = (product: ProductForm, view: Payment, exchange: Payment): Rounding => ({
  product,
  view,
  exchange,
  balances: "moved",
  oracle: false,
});

/**
 * Roundings found in deployed pools, named after a contract with each.
 *
 * @source curvefi/curve-contract contracts/pools and pool-templates, curvefi/curve-factory contracts/implementations,
 *   curvefi/stableswap-ng contracts/main
 */
export const roundings = {
  /** SwapTemplateBase and most pools after 2020, factory pools of three and four coins, metapools. */
  base: moved("perCoin", before(1n), before(1n)),
  /** 3pool, hbtc, ren, sbtc: the view takes the fee after the rate. */
  early: moved("perCoin", after(1n), before(1n)),
  /** Factory pools of two coins, and stableswap-ng. The oldest have no oracle, but are not told apart here. */
  together: { ...moved("together", before(1n), before(1n)), oracle: true },
  /** The first pools of stableswap-ng. */
  ng2023: { ...moved("perCoin", before(1n), before(1n)), oracle: true },
  /** steth. */
  steth: moved("perCoinPlusOne", before(1n), before(1n)),
  /** aave, saave: coins rebase, the fee is dynamic, nothing is withheld. */
  aave: moved("perCoinPlusOne", after(0n), before(0n)),
  /** SwapTemplateA: as aave with the plain product. */
  templateA: moved("perCoin", after(0n), before(0n)),
  /** compound, y, busd, susd: nothing is withheld, and balances are converted back from 18 digits. */
  first: {
    product: "perCoinPlusOne",
    view: after(0n),
    exchange: before(0n),
    balances: "recomputed",
    oracle: false,
  },
  /** A pool whose exchange takes the fee after the rate. */
  feeAfterRate: moved("perCoin", after(1n), after(1n)),
} as const satisfies Record<string, Rounding>;

export type RoundingName = keyof typeof roundings;

/** State of a stableswap pool, as its contract stores it. */
export type State = {
  readonly rounding: RoundingName;
  /** Smallest units of each coin that belong to liquidity providers, without admin fees. */
  readonly balances: readonly bigint[];
  /** 10^(36 - decimals) per coin, times the coin's own rate (18 digits) if it has one. */
  readonly rates: readonly bigint[];
  /** Amplification in the contract's precision; constant if both times are in the past. */
  readonly ramp: Ramp;
  /** Precision of the amplification: 100, or 1 in the first pools. */
  readonly aPrecision: bigint;
  /** Fee on the output, of 10^10. */
  readonly fee: bigint;
  /** Part of the fee that leaves the pool, of 10^10. */
  readonly adminFee: bigint;
  /** Multiplier of the dynamic fee, of 10^10; up to 10^10 the fee is constant. */
  readonly offpegFeeMultiplier: bigint;
  /** Supply of LP tokens, which metapools over this pool need; 0 if nothing needs it. */
  readonly lpSupply: bigint;
  /** A metapool's view of its base pool, whose LP token is its second coin; null for all other pools. */
  readonly base: BaseView | null;
  /** Worth of a wrapped coin in its underlying coin, 18 digits; null if it is one for one, or nothing is wrapped. */
  readonly worth: readonly bigint[] | null;
  /** What the worth of cTokens follows from; absent of other coins. */
  readonly lent?: Lent;
  /**
   * Block of the read if coins rebase or have rates: the state is then valid for the next block only. 0 if only logs
   * change it.
   */
  readonly readAt: number;
};

/** Underlying coins that all units of a cToken stand for, and those units, each in smallest units. */
export type Holdings = { readonly assets: bigint; readonly shares: bigint };

/**
 * The holdings of each cToken. A deposit mints a whole number of units, and what it rounds off is shared by all: the
 * worth of a unit rises in its last digits.
 */
export type Lent = {
  readonly holdings: readonly Holdings[];
  /** Whether the pool deposits the underlying coin before it asks for the rates, or after. */
  readonly depositsFirst: boolean;
};

/**
 * The base pool's virtual price as a metapool uses it: "live" at every swap, or cached, and updated by the first swap
 * more than 600 s later. Such a pool's `rates[1]` is 10^18 until that price is filled in.
 */
export type BaseView = "live" | { readonly virtualPrice: bigint; readonly updatedAt: number };

/** Arguments of an exchange in the contract's terms. */
export type Swap = {
  readonly i: number;
  readonly j: number;
  /** Smallest units of coin `i`, > 0. */
  readonly dx: bigint;
  /** Unix seconds of the block that executes. */
  readonly timestamp: number;
};
