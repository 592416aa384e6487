import type { SignedOrder } from "../../core/rfq.ts";
import type { Address, Pool } from "../../core/types.ts";

/** A request to a maker for a signed order, on the terms that its levels promise. Amounts in smallest units. */
export type FirmAsk = {
  readonly pool: Pool;
  /** The token sold to the maker, and the most of it that the order must accept. */
  readonly takerToken: Address;
  readonly takerAmount: bigint;
  readonly makerToken: Address;
  /** What the maker's levels pay for `takerAmount`; an order that pays less is rejected. */
  readonly promised: bigint;
  /** The only account that may fill the order; undefined = anyone. */
  readonly taker: Address | undefined;
  /** Earliest acceptable expiry of the order, Unix time in seconds. */
  readonly leastExpiry: number;
};

/** State of one maker, for operators. */
export type MakerHealth = {
  readonly name: string;
  /** "blocked": it failed too often to honour its levels. "silent": it has sent no recent levels. */
  readonly phase: "live" | "silent" | "blocked";
  /** Pairs that are priced now. */
  readonly pairs: number;
  /** Order requests since the start, by outcome. */
  readonly orders: Readonly<Record<MakerOutcome, number>>;
  /** Smoothed share of order requests that ended in a fade, 0 … 1. */
  readonly fadeRate: number;
  /** Milliseconds until a blocked maker is asked for orders again. */
  readonly blockedForMs: number;
  /** Why its newest levels were rejected, or which of them are unusable; undefined where all were accepted. */
  readonly trouble: string | undefined;
};

/**
 * Outcome of an order request. `given`: as promised or better. `unchecked`: no node confirmed in time that the chain
 * would fill the order, which does not count against the maker. `reverted`: given, and then not honoured on the chain, or
 * not fillable when the quote was run.
 * All others are fades, and so is `reverted`; a refusal of a named taker does not count, since the maker may screen
 * takers.
 */
export type MakerOutcome =
  | "given"
  | "refused"
  | "late"
  | "worse"
  | "invalid"
  | "failed"
  | "unchecked"
  | "reverted";

/** Makers that sign orders. */
export interface MakersPort {
  /** A signed order. @returns undefined where the maker gives none as good as its levels in time; never rejects */
  firm(ask: FirmAsk, timeoutMs: number): Promise<SignedOrder | undefined>;
  /** Records an order that its maker gave and then prevented from being filled on the chain; each order counts once. */
  broke(order: { readonly maker: Address; readonly nonce: bigint }): void;
  /** Whether a maker prices this token now. */
  prices(token: Address): boolean;
  health(): readonly MakerHealth[];
}
