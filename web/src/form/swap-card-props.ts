import type { Platform, PriceRequest } from "../api.ts";
import type { FeedState } from "../offer/offer-feed.ts";
import type { ParsedPercent } from "../offer/percent.ts";
import type { TokenShelf } from "../use-market.ts";
import type { Session } from "../wallet/session.ts";
import type { Balances } from "../wallet/use-balances.ts";
import type { Form, Pair } from "./form.ts";

export type SwapCardProps = {
  readonly form: Form;
  readonly pair: Pair;
  readonly shelf: TokenShelf;
  readonly chainId: number | undefined;
  /** Error message about the served chains. */
  readonly trouble: string | undefined;
  readonly slippage: ParsedPercent;
  readonly feed: FeedState;
  readonly desk: CardDesk;
  readonly onChange: (part: Partial<Form>) => void;
};

/** State of the wallet for the card, and the action of its button. */
export type CardDesk = {
  readonly session: Session | undefined;
  readonly platform: Platform | undefined;
  readonly balances: Balances;
  /** The maxFeePerGas that pays for the next block, in wei; undefined = not known. */
  readonly highFeeWei: bigint | undefined;
  /** Last error message of the wallet. */
  readonly trouble: string | undefined;
  readonly request: PriceRequest | undefined;
  readonly act: (kind: "connect" | "switch" | "swap") => void;
};
