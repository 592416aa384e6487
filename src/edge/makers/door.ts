import type { SignedOrder } from "../../core/rfq.ts";
import type { Pool, StateId } from "../../core/types.ts";
import type { FirmAsk, MakerOutcome } from "../../service/ports/ports-makers.ts";

/** A maker's levels as the market takes them over. */
export type Prices = {
  readonly pools: readonly Pool[];
  readonly states: ReadonlyMap<StateId, unknown>;
  /** Why some of what was asked for is not priced, in words for the operator. */
  readonly gap?: string;
};

/** What came of asking for an order; there is one where the outcome is "given". */
export type Judged = { readonly outcome: MakerOutcome; readonly order: SignedOrder | undefined };

/** How one maker is asked: by Braid's interface or by AirSwap's. */
export type Door = {
  /** Asks for levels once. @returns the reason in words where there are none that can be used */
  levels(timeoutMs: number): Promise<Prices | string>;
  /** Asks for an order, and holds it to what was asked. Never rejects. */
  firm(wanted: FirmAsk, timeoutMs: number): Promise<Judged>;
  close(): void;
};
