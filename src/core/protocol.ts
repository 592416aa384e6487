import type { Address, At, Call, Deployment, Fill, Hex, Log, Pool, Refusal, Side, View } from "./types.ts";

/** One number per segment. Allocating an array takes a tenth of the time of a typed array. */
type BySegment = readonly number[] | Float64Array;

/**
 * One direction of a pool as concave hyperbolic segments, a form that the search solves in closed form.
 *
 *   f(x) = y[k] + m[k]·h / (1 + c[k]·h),   h = x - x[k],   x[k] ≤ x < x[k+1]
 *
 * The marginal price m/(1+c·h)² falls within a segment and never rises from one to the next. Amounts are doubles in
 * smallest units.
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
 * A pool of three or more coins as a joint node of the graph: coins are sold for units of the node, such as units of
 * the pool's invariant, and bought with them. It expresses trades over several pairs at once, which the curves of
 * single pairs cannot.
 */
export type Joint = {
  /** Per coin: units received for selling it, and the coin received for units. */
  readonly into: readonly Curve[];
  readonly outOf: readonly Curve[];
  /** Units that the node gives for free, ≥ 0. */
  readonly free: number;
};

/** How a pool receives its input. */
export type Intake =
  /** Sent to the pool before it is called; anyone may be the sender. */
  | "transfer"
  /** Requested in a callback of the swap; the payer may be the user or the router. */
  | "callback"
  /** Pulled from the router by the pool, with an allowance. */
  | "approval"
  /** Held by the router and spent by the call, e.g. native value or a burn of the router's balance. */
  | "held";

/** One on-chain step, which `core/encoding` turns into bytes. Formats are in contracts/README.md. */
export type StepCode = {
  /** Step kind of the router; see `core/encoding/kinds.ts`. */
  readonly kind: number;
  readonly target: Address;
  /** Whether the pool's first token is sold (or the kind's own direction bit is set). */
  readonly zeroForOne: boolean;
  /** Bytes after the fixed part, in the kind's format; "0x" for none. */
  readonly extra: Hex;
  readonly intake: Intake;
  /** Whether the pool can pay a receiver other than the router. */
  readonly paysAnyone: boolean;
  /**
   * Whether the exchange calls code that the pool's creator may have chosen, such as an account that a hook pays. No
   * pool of such a route pays the recipient directly.
   */
  readonly runsForeignCode?: boolean;
};

/**
 * How to find a deployment's pools of two tokens by calls instead of logs.
 *
 * `named` is the identifier that the contract returns: an address, or the hash of the pool's key.
 */
export type PairSource = {
  /** The contract to call: the factory, or the state reader of a singleton. */
  readonly target: Address;
  /**
   * Selector of a function of (token, token) or (token, token, key), which accepts the tokens in either order; if
   * `hashed`, of (bytes32).
   */
  readonly selector: Hex;
  /**
   * Whether a pool is identified by keccak256(token0, token1, fee, spacing, 0), and exists if the answer is not 0.
   * The native coin is then the zero address, and a key is fee · 2^24 + spacing. With 2^48 (`KEY_OF_MANAGER`) on top, the
   * hash is that of (token0, token1, 0, target, fee, spacing · 2^16).
   */
  readonly hashed: boolean;
  /**
   * Whether the factory enumerates its pairs as Uniswap v2's does: allPairs, allPairsLength, token0, token1,
   * getReserves.
   */
  readonly numbered: boolean;
  /** Values of the third argument, with one pool each; empty: one pool per pair. */
  readonly keys: readonly number[];
  /** Index of the word of the answer that identifies the pool, from 0. */
  readonly word: number;
  /** Calls needed before `poolOf` can describe the pool; empty if tokens and key suffice. */
  readonly details: (named: Hex) => readonly Call[];
  /**
   * The identified pool, or undefined if it is not one of this protocol. `tokens` are ascending; `key` is the one
   * queried.
   *
   * @param answers of `details`, in their order; "0x" is a call that reverted
   */
  readonly poolOf: (
    tokens: readonly [Address, Address],
    named: Hex,
    key: number | undefined,
    answers: readonly Hex[],
  ) => Pool | undefined;
};

/** Added to a key of `PairSource` where the hash of a pool's key names its manager, the target. */
export const KEY_OF_MANAGER = 2 ** 48;

/**
 * A pool listed in a deployment's record, for protocols that cannot be queried by pair; its description is read from
 * the chain.
 */
export type HintedPool = {
  readonly details: readonly Call[];
  /** @param answers of `details`, in their order; @returns undefined if the chain has no such pool */
  readonly poolOf: (answers: readonly Hex[]) => Pool | undefined;
};

/**
 * How to read a pool's price, tick bitmap and ticks in one call; `load` gets the same answers as from separate reads.
 */
export type BitmapReads = {
  /** Calls before the bitmap. The first one answers (price, tick, …); if the price is 0, reading ends. */
  readonly heads: readonly Call[];
  /** The contract that has the bitmap words and ticks. */
  readonly target: Address;
  /** Calldata templates for a word and for a tick, with a zero as the last argument in place of its number. */
  readonly word: Hex;
  readonly tick: Hex;
  /** Ticks per bit. */
  readonly spacing: number;
  /** Number of words of a tick's answer that `load` reads. */
  readonly kept: number;
};

/** One of several pools that share states, and the price of a smallest unit of each of its tokens, in any one unit. */
export type PricedMember<M = unknown> = {
  readonly pool: Pool;
  readonly mirror: M;
  readonly prices: readonly number[];
};

/**
 * The interface of an AMM design. Pure: plain data in, plain data out. "Cannot fill" is `undefined`; only a bug
 * throws. `S` is the state as plain data, `M` its mirror in doubles.
 */
export interface Protocol<S = unknown, M = unknown> {
  /** The folder's name. */
  readonly name: string;
  /** topic0 of every log that is needed, for creations and states alike. */
  readonly topics: readonly Hex[];

  /** Those of `topics` that announce pools. */
  readonly creations: readonly Hex[];

  /** How to query the deployment for the pools of a pair; `undefined` if only logs reveal them. */
  byPair(deployment: Deployment): PairSource | undefined;

  /** Pools listed in the deployment's record, queried before any log is read; none for most designs. */
  hinted(deployment: Deployment): readonly HintedPool[];

  /** How to read the pool's ticks in one call; `undefined` if it has none, or other values must be known first. */
  bitmap(pool: Pool): BitmapReads | undefined;

  /** Pools that need no creation log: singletons of the deployment, such as wrapped native. */
  seeds(deployment: Deployment): readonly Pool[];

  /** The pool that a creation log of `deployment.factory` announces; `undefined` for every other log. */
  discover(log: Log, deployment: Deployment): Pool | undefined;

  /**
   * The pool ids whose state `log` may change. Most designs: the emitter. Where it is another contract, the log counts only
   * if the pool's record names that contract, as its address or among its facts.
   */
  touches(log: Log): readonly string[];

  /** Topics that count from any contract, as `apply` checks the emitter or has the state read again. */
  readonly fromAnyone?: readonly Hex[];

  /** Topics, among `topics`, after which every pool at the emitting factory's address is read again: it was paused or unpaused. */
  readonly pauses?: readonly Hex[];

  /** Calls still needed to build the state, given the answers so far in the order of the calls; `[]` = done. */
  reads(pool: Pool, answers: readonly Hex[]): readonly Call[];

  /**
   * The state from all answers, or why the pool is refused. An answer "0x" is a call that reverted.
   *
   * @param at the block of the answers, not the one expected to execute
   */
  load(pool: Pool, answers: readonly Hex[], at: At): S | Refusal;

  /**
   * The state after `log`; "reload" if the log does not carry enough.
   *
   * @param at the block of the log, whose state the result is
   */
  apply(state: S, log: Log, at: At): S | "reload";

  /**
   * Whether the state is unfit to price merely because of its age, and must be read again. A state that does not age
   * must return false even for a block years ahead: it is then not checked again until it changes.
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
   * The pool in doubles, which the search reads instead of the state; rebuilt once per event.
   *
   * @param view for pools that share states, such as a metapool over its base pool; `state` is the first of them
   */
  mirror(state: S, pool: Pool, at: At, view: View): M;

  /** Output in doubles for `x` of token `i`; 0 where it cannot fill. Within 1e-9 relative or 2 units of `quote`. */
  quoteFloat(mirror: M, i: number, j: number, x: number): number;

  /**
   * The curve of a direction: exact if the design has closed-form segments, else within 1e-4 of the quote from a
   * million units on (`core/math/sampling/sampled-curve.ts`).
   *
   * @returns undefined if nothing is paid, or too little for a curve
   */
  curve(mirror: M, i: number, j: number): Curve | undefined;

  /**
   * The pool as a joint node. It pays at least as much as any trades over several of its pairs together, and exactly
   * as much at `traded`: per coin the amount given to the pool in smallest units, negative if the pool pays it.
   *
   * @param limited whether the contract's limits on one swap apply to all trades together; if not, the node covers
   *   any number of swaps
   * @returns undefined if curves of pairs describe the pool completely, and one swap may trade as much as all
   *   together
   */
  joint(mirror: M, traded: Float64Array, limited: boolean): Joint | undefined;

  /**
   * An upper bound on the joint gain of trades over several pairs at given coin prices, for pools without `joint`.
   *
   * @param prices of a smallest unit of each token, in any one unit, > 0
   * @returns in that unit; undefined if unknown
   */
  gain?(mirror: M, prices: readonly number[]): number | undefined;

  /**
   * As `gain`, for all pools of the design that are connected by shared states: a bound on the joint gain of trades
   * over any of their pairs.
   *
   * @param isInner whether only these pools trade a token: its price then carries no information, and amounts of it
   *   are worth nothing
   */
  gainTogether?(
    members: readonly PricedMember<M>[],
    isInner: (token: Address) => boolean,
  ): number | undefined;

  /**
   * Whether pools of the design that share a state only limit one another: no trade with one improves the price of
   * another.
   */
  readonly sharesLimits?: true;

  /** Whether no state of the design is read from contracts (`reads` asks for nothing): it has none, or makers send it. */
  readonly isUnread?: true;

  /**
   * Least gas units of one crossing, before any other trade of the route with the pool. Pools are ranked by it, and
   * bounds net of gas use it. The additional gas of ticks, bins and bands is in a fill's `gas`.
   */
  gas(mirror: M, i: number, j: number): number;

  /** Units of the token sold that a fill of two coins may have beyond its curve, as the fee is rounded down in it; absent: 0. */
  readonly uncharged?: number;

  /** Least additional gas units, for bounds, of each segment boundary of `curve` passed, such as an initialised tick; absent: 0. */
  boundaryGas?(mirror: M): number;

  /** The on-chain step of one crossing. */
  encode(pool: Pool, state: S, i: number, j: number): StepCode;
}

/** Protocols by name. */
export type Registry = ReadonlyMap<string, Protocol>;
