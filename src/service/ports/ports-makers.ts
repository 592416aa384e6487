import type { SignedOrder } from "../../core/rfq.ts";
import type { Address, Pool } from "../../core/types.ts";

/** An amount that is asked of a maker, as its levels promised it. Smallest units. */
export type FirmAsk = {
  readonly pool: Pool;
  /** What may be sold to the order at most. */
  readonly takerToken: Address;
  readonly takerAmount: bigint;
  readonly makerToken: Address;
  /** What the maker's levels pay for `takerAmount`; a worse order is not taken. */
  readonly promised: bigint;
  /** Who alone may fill the order; undefined = whoever has it. */
  readonly taker: Address | undefined;
  /** Unix time in seconds until which the order must hold at least. */
  readonly leastExpiry: number;
};

/** One maker as an operator wants to see it. */
export type MakerHealth = {
  readonly name: string;
  /** "blocked": it did not keep to its levels too often. "silent": no fresh levels. */
  readonly phase: "live" | "silent" | "blocked";
  /** Pairs that are priced now. */
  readonly pairs: number;
  /** Orders asked for since the start, by outcome. */
  readonly orders: Readonly<Record<MakerOutcome, number>>;
  /** Smoothed share of orders that were not given, 0 … 1. */
  readonly fadeRate: number;
  /** Until a blocked maker is asked again, milliseconds. */
  readonly blockedForMs: number;
  /** Why its newest levels were not taken, or which of them cannot be used; undefined where all were taken. */
  readonly trouble: string | undefined;
};

/**
 * `given`: as promised or better. `unchecked`: no node said in time whether the chain would fill the order. `reverted`: given, and then not
 * honoured on the chain. All others are fades, as is this.
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
  /** @returns undefined where the maker gives no order that is as good as its levels, in time; never rejects */
  firm(ask: FirmAsk, timeoutMs: number): Promise<SignedOrder | undefined>;
  /** Takes note of an order that was given, and that its maker alone kept from being filled on the chain; once for each order. */
  broke(order: { readonly maker: Address; readonly nonce: bigint }): void;
  /** Whether a maker prices this token now. */
  prices(token: Address): boolean;
  health(): readonly MakerHealth[];
}
