import type { Address, At, Call, Deployment, Fill, Hex, Log, Pool, Refusal, Side, View } from "./types.ts";

/** A number for each segment. A list takes a tenth of the time that a typed array takes to be made. */
type BySegment = readonly number[] | Float64Array;

/**
 * A pool direction as concave hyperbolic segments, the form that the search solves in closed form.
 *
 *   f(x) = y[k] + m[k]·h / (1 + c[k]·h),   h = x - x[k],   x[k] ≤ x < x[k+1]
 *
 * The marginal price m/(1+c·h)² falls within a segment and never rises from one to the next.
 * Amounts are doubles in smallest units.
 */
export type Curve = {
  /** Start of each segment; x[0] = 0. */
  readonly x: BySegment;
  /** Output at the start of each segment; y[0] = 0. */
  readonly y: BySegment;
  /** Marginal price at the start of each segment, output units per input unit. */
  readonly m: BySegment;
  /** Curvature of each segment, ≥ 0, per input unit. */
  readonly c: BySegment;
  /** End of the last segment: more than this cannot be sold. May be Infinity. */
  readonly end: number;
};

/**
 * A pool of three coins or more as a good of its own, in a unit of the design's choice: coins are sold for it, and bought
 * with it. That gives all that trades over several pairs at once can pay, which curves of single pairs cannot say.
 */
export type Joint = {
  /** By coin: the good that selling it brings, and the coin that the good pays. */
  readonly into: readonly Curve[];
  readonly outOf: readonly Curve[];
  /** Units of the good that come with it, ≥ 0. */
  readonly free: number;
};

/** How a pool takes what is sold to it. */
export type Intake =
  /** Sent to the pool before it is called; anyone may be the sender. */
  | "transfer"
  /** Asked for in a callback of the swap; payer may be the user or the router. */
  | "callback"
  /** Pulled by the pool from the router by an allowance. */
  | "approval"
  /** Held by the router and given with the call, such as native value or a burn of its own balance. */
  | "held";

/** One on-chain step, to be laid out by `core/encoding`. Byte formats are in contracts/README.md. */
export type StepCode = {
  /** Row of the router's step table. */
  readonly kind: number;
  readonly target: Address;
  /** True where the pool's first token is sold (or the kind's own direction bit is set). */
  readonly zeroForOne: boolean;
  /** Bytes after the fixed part, as the kind wants them; "0x" for none. */
  readonly extra: Hex;
  readonly intake: Intake;
  /** Whether the pool can pay a receiver other than the router. */
  readonly paysAnyone: boolean;
};

/**
 * How a deployment is asked for the pools of two tokens, without a log.
 *
 * `named` is what the contract answers: an address, or the hash of the pool's key.
 */
export type PairSource = {
  /** The contract that is asked: the factory, or what answers for a singleton. */
  readonly target: Address;
  /** Of a function of (token, token) or (token, token, key), in either order of the tokens; hashed: of (bytes32). */
  readonly selector: Hex;
  /**
   * Whether a pool is named by keccak256(token0, token1, fee, spacing, 0), and is there where the answer is not 0. The
   * native coin is then the zero address, and a key is fee · 2^24 + spacing.
   */
  readonly hashed: boolean;
  /** Whether the factory numbers its pairs as Uniswap v2's does: allPairs, allPairsLength, token0, token1, getReserves. */
  readonly numbered: boolean;
  /** The third argument: one pool each. None: one pool a pair. */
  readonly keys: readonly number[];
  /** Which word of the answer, counted from 0, names the pool. */
  readonly word: number;
  /** What must be read of a pool that was named before it can be told; none where tokens and key say all. */
  readonly details: (named: Hex) => readonly Call[];
  /**
   * The pool that was named, or undefined where it is none of the design's. `tokens` ascend; `key` is the one asked with.
   *
   * @param answers of `details`, in their order; "0x" is a call that failed
   */
  readonly poolOf: (
    tokens: readonly [Address, Address],
    named: Hex,
    key: number | undefined,
    answers: readonly Hex[],
  ) => Pool | undefined;
};

/** A pool that a deployment's record names, for designs that cannot be asked by pair. It is what the chain says of it. */
export type HintedPool = {
  readonly details: readonly Call[];
  /** @param answers of `details`, in their order; @returns undefined where the chain does not have such a pool */
  readonly poolOf: (answers: readonly Hex[]) => Pool | undefined;
};

/** How a pool's price, bitmap of initialised ticks and ticks are read in one go; `load` gets the same answers as ever. */
export type BitmapReads = {
  /** Calls before the bitmap; the first answers (price, tick, …), where a price of 0 ends the reading. */
  readonly heads: readonly Call[];
  /** The contract that answers words and ticks. */
  readonly target: Address;
  /** Calldata of a word and of a tick, the number as a last argument of zero. */
  readonly word: Hex;
  readonly tick: Hex;
  /** Ticks a bit. */
  readonly spacing: number;
  /** Words of a tick's answer that `load` reads. */
  readonly kept: number;
};

/** One of several pools that share states, and what a smallest unit of each of its tokens is worth, in any one unit. */
export type PricedMember<M = unknown> = {
  readonly pool: Pool;
  readonly mirror: M;
  readonly prices: readonly number[];
};

/**
 * What an AMM design owes the rest. Pure: plain data in, plain data out; no member is optional.
 * "Cannot fill" is `undefined`; only a bug throws. `S` is the state as plain data, `M` its mirror in doubles.
 */
export interface Protocol<S = unknown, M = unknown> {
  /** The folder's name. */
  readonly name: string;
  /** topic0 of every log wanted, creation and state alike. */
  readonly topics: readonly Hex[];

  /** Those of `topics` that announce pools. */
  readonly creations: readonly Hex[];

  /** How the deployment is asked for the pools of a pair; `undefined` where only its logs tell. */
  byPair(deployment: Deployment): PairSource | undefined;

  /** Pools that the deployment's record names, to be asked of the chain before any log is read; none for most designs. */
  hinted(deployment: Deployment): readonly HintedPool[];

  /** How the pool's ticks are read in one go; `undefined` where it has none, or more must be known before them. */
  bitmap(pool: Pool): BitmapReads | undefined;

  /** Pools that need no creation log: singletons of the deployment, such as wrapped native. */
  seeds(deployment: Deployment): readonly Pool[];

  /** The pool that a creation log of `deployment.factory` announces; `undefined` for every other log. */
  discover(log: Log, deployment: Deployment): Pool | undefined;

  /** The pool ids whose state `log` may change. Most designs: the emitter. */
  touches(log: Log): readonly string[];

  /** Reads still wanted to build the state, given the answers so far in the order asked; `[]` = done. */
  reads(pool: Pool, answers: readonly Hex[]): readonly Call[];

  /**
   * The state from all answers, or why the pool is refused. An answer "0x" is a call that reverted.
   *
   * @param at the block whose state the answers are, not the one that will execute
   */
  load(pool: Pool, answers: readonly Hex[], at: At): S | Refusal;

  /**
   * The state after `log`; "reload" where the log does not carry enough.
   *
   * @param at the block that the log is of: the one whose state it is then
   */
  apply(state: S, log: Log, at: At): S | "reload";

  /**
   * True where time alone has made the state unfit to price, and it must be read again. A state that is never unfit by time
   * answers false for a block years ahead as well: it is not asked again until it changes.
   *
   * @param at the block expected to execute, as in `quote` and `mirror`
   */
  stale(state: S, at: At): boolean;

  /**
   * The exact fill, to the wei, rounding as the contract does.
   *
   * @param side   "in": `amount` of token `i` is sold; "out": `amount` of token `j` is bought
   * @returns undefined when the contract would revert, would pay nothing, or would not consume or deliver all
   */
  quote(view: View, pool: Pool, i: number, j: number, amount: bigint, side: Side, at: At): Fill | undefined;

  /**
   * What the search reads instead of the state: the same pool in doubles, rebuilt once per event.
   *
   * @param view for pools that share states, such as a metapool over its base pool; `state` is the first of them
   */
  mirror(state: S, pool: Pool, at: At, view: View): M;

  /** Output in doubles for `x` of token `i`; 0 where it cannot fill. Within 1e-9 relative or 2 units of `quote`. */
  quoteFloat(mirror: M, i: number, j: number, x: number): number;

  /**
   * The direction as segments: exact where the design has closed ones, else within 1e-4 of the quote from a million units
   * on (`core/math/sampling/sampled-curve.ts`).
   *
   * @returns undefined where nothing is paid, or too little for a curve
   */
  curve(mirror: M, i: number, j: number): Curve | undefined;

  /**
   * The pool as one good, never below what trades over several of its pairs can pay together, and as much where they are
   * `traded`: by coin, what the pool is given, smallest units, below zero for what it pays.
   *
   * @param limited whether what a contract lets one swap bring and take at most holds for all trades together; where it does
   *   not, the good covers any number of swaps
   * @returns undefined where pairs are all there is to say, and one swap may bring and take what all may
   */
  joint(mirror: M, traded: Float64Array, limited: boolean): Joint | undefined;

  /**
   * The most that trades over several pairs gain together at given coin prices, never below it: for pools that `joint` says nothing of.
   *
   * @param prices worth of a smallest unit of each token, in any one unit, > 0
   * @returns in that unit; undefined where it is not known
   */
  gain?(mirror: M, prices: readonly number[]): number | undefined;

  /**
   * As `gain`, for all pools of the design that are connected by states that they share: the most that trades over any of their pairs gain.
   *
   * @param isInner whether a token is brought and taken by nobody but these pools: its price says nothing then, and what they pay of it is
   *   worth nothing
   */
  gainTogether?(
    members: readonly PricedMember<M>[],
    isInner: (token: Address) => boolean,
  ): number | undefined;

  /** Whether pools of the design that share a state only limit one another: no trade with one makes another pay more. */
  readonly sharesLimits?: true;

  /**
   * The least gas units of one crossing, before any trade of the route with the pool: ranks pools, and is what bounds net of gas count. What
   * ticks, bins and bands cost on top is in a fill's own `gas`.
   */
  gas(mirror: M, i: number, j: number): number;

  /** The on-chain step of one crossing. */
  encode(pool: Pool, state: S, i: number, j: number): StepCode;
}

/** Protocols by name. */
export type Registry = ReadonlyMap<string, Protocol>;
