import { grownRay, RAY, type Savings } from "../../core/math/ray.ts";
import type { SharePrice } from "../shared/share-price.ts";

/** A vault whose shares are fractions of its assets; both amounts change with deposits, withdrawals and gains. */
export type SharesState = {
  readonly kind: "shares";
  /** totalAssets() plus the virtual assets of its formula. */
  readonly assets: bigint;
  /** totalSupply() plus the virtual shares of its formula. */
  readonly shares: bigint;
  /** Deposit limit, smallest units of the asset. */
  readonly room: bigint;
  readonly readFor: number;
};

/** A savings vault: a share is worth `chi` assets, which grows every second at a known rate. */
export type SavingsState = Savings & { readonly kind: "savings"; readonly readFor: number };

export type State = SharesState | SavingsState;

/** The exchange rate at a block's time; undefined if the vault is empty. */
export function priceAt(state: State, timestamp: number): SharePrice | undefined {
  if (state.kind === "shares") return state.assets > 0n && state.shares > 0n ? state : undefined;
  return { assets: grownRay(state, timestamp), shares: RAY };
}
