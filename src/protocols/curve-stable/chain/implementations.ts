import { curveVariants } from "../../../core/encoding/kinds.ts";
import type { Pool } from "../../../core/types.ts";
import type { RoundingName } from "../state.ts";

/** Properties of a contract other than its rounding. */
export type Implementation = {
  readonly rounding: RoundingName;
  /** Precision of the amplification as the contract stores it. */
  readonly aPrecision: bigint;
  /** Type of the argument of `balances`. */
  readonly balanceIndex: "int128" | "uint256";
  /** Source of a coin's rate: decimals only, stored by the pool, cTokens, or vaults with a price per share. */
  readonly rates: "decimals" | "stored" | "compound" | "share";
  /** Whether a trade of underlying coins deposits into the lender before the pool asks for its rates. */
  readonly depositsFirst: boolean;
  /** Whether balances change without a log of the pool, as with rebasing coins. Such a state is valid for one block. */
  readonly rebases: boolean;
  /** Price of a metapool's second coin: cached or live virtual price; "none" for all other pools. */
  readonly base: "none" | "cached" | "live";
  /** Functions that are read: Curve's or Saddle's. */
  readonly reads: "curve" | "saddle";
  /** Bits of `curveVariants` set for every call of such a pool. */
  readonly variant: number;
};

const of = (rounding: RoundingName, more: Partial<Implementation> = {}): Implementation => ({
  rounding,
  aPrecision: 100n,
  balanceIndex: "uint256",
  rates: "decimals",
  depositsFirst: false,
  rebases: false,
  base: "none",
  reads: "curve",
  variant: 0,
  ...more,
});

/**
 * Contracts by their name in lists of pools.
 *
 * @source curvefi/curve-contract contracts/pools, curvefi/curve-factory contracts/implementations,
 *   curvefi/stableswap-ng contracts/main, saddle-finance/saddle-contract contracts/Swap.sol,
 *   pancakeswap/pancake-smart-contracts projects/stable-swap
 */
export const implementations = {
  /** eurs, seth, link, factory plain-3 and plain-4, and other pools compiled from SwapTemplateBase. */
  base: of("base"),
  /** Factory plain-2, except rebasing coins and rates from an oracle. */
  "plain-2": of("together"),
  /** Factory plain-2 with rebasing coins. */
  "plain-2-balances": of("together", { rebases: true }),
  /** 3pool, hbtc. */
  early: of("early", { aPrecision: 1n }),
  /** ren, sbtc: their coins are worth one for one. */
  "early-int128": of("early", { aPrecision: 1n, balanceIndex: "int128" }),
  /** susd, whose four coins are not wrapped. */
  susd: of("first", { aPrecision: 1n, balanceIndex: "int128" }),
  compound: of("first", { aPrecision: 1n, balanceIndex: "int128", rates: "compound" }),
  /** y, busd. */
  y: of("first", { aPrecision: 1n, balanceIndex: "int128", rates: "share" }),
  /** ib: coins of the Iron Bank. */
  ib: of("base", { rates: "compound", depositsFirst: true }),
  steth: of("steth", { rebases: true }),
  /** aave, saave. */
  aave: of("aave", { rebases: true }),
  "template-a": of("templateA", { rebases: true }),
  /** Metapools of the first registry. */
  meta: of("base", { base: "cached" }),
  /** Factory plain-3 and plain-4 with rebasing coins. */
  "base-balances": of("base", { rebases: true }),
  /** Metapools of the factory, without and with rebasing coins. */
  "meta-factory": of("base", { base: "live" }),
  "meta-factory-balances": of("base", { base: "live", rebases: true }),
  ng: of("together", { rates: "stored" }),
  "ng-rebasing": of("together", { rates: "stored", rebases: true }),
  /** Plain pools of the first contracts of that factory, until December 2023. */
  "ng-2023": of("ng2023", { rates: "stored" }),
  "ng-2023-rebasing": of("ng2023", { rates: "stored", rebases: true }),
  "meta-ng": of("together", { rates: "stored", base: "live" }),
  saddle: of("base", { reads: "saddle", variant: curveVariants.saddle }),
  pancake: of("early", { aPrecision: 1n, variant: curveVariants.uint256Indexes }),
} as const satisfies Record<string, Implementation>;

export type ImplementationName = keyof typeof implementations;

export function implementationOf(pool: Pool): Implementation {
  return implementations[pool.facts.implementation as ImplementationName];
}

/** Number of tokens that are the pool's own coins; those after them are underlying coins. */
export function ownCoins(pool: Pool): number {
  return (pool.facts.own as number | undefined) ?? pool.tokens.length;
}
