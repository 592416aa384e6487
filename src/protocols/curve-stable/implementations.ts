import type { RoundingName } from "./state.ts";

/** What the reads of a pool must know of its contract beside the rounding. */
export type Implementation = {
  readonly rounding: RoundingName;
  /** Precision of `initial_A` and `future_A`. */
  readonly aPrecision: bigint;
  /** Type of the argument of `balances`. */
  readonly balanceIndex: "int128" | "uint256";
  /** Balances change without a log of the pool: coins that rebase. Such a state holds for one block. */
  readonly rebases: boolean;
};

const of = (rounding: RoundingName, more: Partial<Implementation> = {}): Implementation => ({
  rounding,
  aPrecision: 100n,
  balanceIndex: "uint256",
  rebases: false,
  ...more,
});

/**
 * Contracts by the name that a pool list gives them.
 *
 * @source curvefi/curve-contract contracts/pools, curvefi/curve-factory contracts/implementations
 */
export const implementations = {
  /** eurs, seth, link, factory plain-3 and plain-4, and whatever SwapTemplateBase was compiled to. */
  base: of("base"),
  /** Factory plain-2, all but rebasing and oracle ones. */
  "plain-2": of("together"),
  /** 3pool, hbtc. */
  early: of("early", { aPrecision: 1n }),
  /** ren, sbtc. */
  "early-int128": of("early", { aPrecision: 1n, balanceIndex: "int128" }),
  steth: of("steth", { rebases: true }),
  aave: of("aave", { rebases: true }),
  "template-a": of("templateA", { rebases: true }),
} as const satisfies Record<string, Implementation>;

export type ImplementationName = keyof typeof implementations;
