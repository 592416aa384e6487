import type { Bounds, Unproved } from "./certificate/certify.ts";
import type { Judged } from "./settlement/evaluate.ts";

/** A settled route and the convex bound: no route pays more than `bound`, or the reason why there is none. */
export type Sale = Judged & {
  readonly bound: bigint | string;
  /** Whether the search for the optimum was ended early to leave time for choosing few legs. */
  readonly isCut: boolean;
  /** What arbitrage can gain in addition to the optimum, as a share of what the optimum delivers. */
  readonly reachable: number;
  /**
   * The bounds for the sale of `amount` at the prices in `workspace.dual`, if the search computed them, and whether
   * tokens without a price there kept their base price (`CertifiedOrder.staysPut`).
   */
  readonly proved?: {
    readonly amount: bigint;
    readonly bounds: Bounds | Unproved;
    readonly staysPut: boolean;
  };
};
