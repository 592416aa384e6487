import { curveVariants } from "../../../core/encoding/kinds.ts";
import type { Pool } from "../../../core/types.ts";
import type { RoundingName } from "../state.ts";

/** What must be known of a contract beside its rounding. */
export type Implementation = {
  readonly rounding: RoundingName;
  /** Precision of the amplification as the contract stores it. */
  readonly aPrecision: bigint;
  /** Type of the argument of `balances`. */
  readonly balanceIndex: "int128" | "uint256";
  /** Where a coin's worth beside its decimals comes from: the pool, cTokens, or vaults that state a price per share. */
  readonly rates: "decimals" | "stored" | "compound" | "share";
  /** Balances change without a log of the pool: coins that rebase. Such a state holds for one block. */
  readonly rebases: boolean;
  /** What the second coin of a metapool is priced by; "none" for every other pool. */
  readonly base: "none" | "cached" | "live";
  /** Which functions are read: Curve's, or Saddle's. */
  readonly reads: "curve" | "saddle";
  /** Bits of `curveVariants` that every call of such a pool has. */
  readonly variant: number;
};

const of = (rounding: RoundingName, more: Partial<Implementation> = {}): Implementation => ({
  rounding,
  aPrecision: 100n,
  balanceIndex: "uint256",
  rates: "decimals",
  rebases: false,
  base: "none",
  reads: "curve",
  variant: 0,
  ...more,
});

/**
 * Contracts by the name that a list of pools gives them.
 *
 * @source curvefi/curve-contract contracts/pools, curvefi/curve-factory contracts/implementations,
 *         curvefi/stableswap-ng contracts/main, saddle-finance/saddle-contract contracts/Swap.sol,
 *         pancakeswap/pancake-smart-contracts projects/stable-swap
 */
export const implementations = {
  /** eurs, seth, link, factory plain-3 and plain-4, and whatever SwapTemplateBase was compiled to. */
  base: of("base"),
  /** Factory plain-2, all but rebasing ones and those with rates of an oracle. */
  "plain-2": of("together"),
  /** Factory plain-2 of rebasing coins. */
  "plain-2-balances": of("together", { rebases: true }),
  /** 3pool, hbtc. */
  early: of("early", { aPrecision: 1n }),
  /** ren, sbtc: their coins turned out to be worth one for one. */
  "early-int128": of("early", { aPrecision: 1n, balanceIndex: "int128" }),
  /** susd, whose four coins lie in it as they are. */
  susd: of("first", { aPrecision: 1n, balanceIndex: "int128" }),
  compound: of("first", { aPrecision: 1n, balanceIndex: "int128", rates: "compound" }),
  /** y, busd. */
  y: of("first", { aPrecision: 1n, balanceIndex: "int128", rates: "share" }),
  /** ib: coins of the Iron Bank. */
  ib: of("base", { rates: "compound" }),
  steth: of("steth", { rebases: true }),
  /** aave, saave. */
  aave: of("aave", { rebases: true }),
  "template-a": of("templateA", { rebases: true }),
  /** Metapools of the first registry. */
  meta: of("base", { base: "cached" }),
  /** Factory plain-3 and plain-4 of rebasing coins. */
  "base-balances": of("base", { rebases: true }),
  /** Metapools of the factory, and those of rebasing coins. */
  "meta-factory": of("base", { base: "live" }),
  "meta-factory-balances": of("base", { base: "live", rebases: true }),
  ng: of("together", { rates: "stored" }),
  "ng-rebasing": of("together", { rates: "stored", rebases: true }),
  "meta-ng": of("together", { rates: "stored", base: "live" }),
  saddle: of("base", { reads: "saddle", variant: curveVariants.saddle }),
  pancake: of("early", { aPrecision: 1n, variant: curveVariants.uint256Indexes }),
} as const satisfies Record<string, Implementation>;

export type ImplementationName = keyof typeof implementations;

export function implementationOf(pool: Pool): Implementation {
  return implementations[pool.facts.implementation as ImplementationName];
}

/** How many of the tokens are the pool's own coins; those after them lie underneath. */
export function ownCoins(pool: Pool): number {
  return (pool.facts.own as number | undefined) ?? pool.tokens.length;
}
