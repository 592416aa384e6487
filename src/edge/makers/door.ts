import type { SignedOrder } from "../../core/rfq.ts";
import type { Pool, StateId } from "../../core/types.ts";
import type { FirmAsk, MakerOutcome } from "../../service/ports/ports-makers.ts";
import { LateError } from "./wire/request.ts";

/** A maker's levels as pools and states that can be committed to the market. */
export type Prices = {
  readonly pools: readonly Pool[];
  readonly states: ReadonlyMap<StateId, unknown>;
  /** Why some of the configured pairs are not priced, in words for the operator. */
  readonly gap?: string;
};

/** Result of an order request; `order` is defined exactly where the outcome is "given". */
export type Judged = {
  readonly outcome: MakerOutcome;
  readonly order: SignedOrder | undefined;
  /** How long the maker had the request, milliseconds; defined where the outcome is "late". */
  readonly hadMs?: number;
};

/** Result of a request that failed without an answer. */
export function unanswered(error: unknown): Judged {
  return error instanceof LateError
    ? { outcome: "late", order: undefined, hadMs: error.hadMs }
    : { outcome: "failed", order: undefined };
}

/** Client of one maker, by Braid's interface or by AirSwap's. */
export type Door = {
  /** Requests levels once. @returns the reason in words where the maker gives no usable levels */
  levels(timeoutMs: number): Promise<Prices | string>;
  /** Requests an order and validates it against the request. Never rejects. */
  firm(wanted: FirmAsk, timeoutMs: number): Promise<Judged>;
  close(): void;
};
