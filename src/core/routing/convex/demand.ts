/** One order as the convex search wants it. */
export type Demand = {
  readonly from: number;
  readonly to: number;
  /** Smallest units sold. */
  readonly amount: number;
  readonly allowed: (edge: number) => boolean;
  /** Whether the time is up. */
  readonly late: () => boolean;
};
