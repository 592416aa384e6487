import type { Hex, LocalAccount } from "viem";
import type { Level } from "../../src/core/rfq.ts";
import { sell } from "../../src/protocols/rfq/levels.ts";
import type { Terms } from "./airswap.ts";
import type { Book, Pair } from "./book.ts";
import type { Lie } from "./sign.ts";

/** How the maker misbehaves, for tests; may be changed while it runs. */
export type Manners = {
  /** Share of orders that it refuses, 0 … 1. */
  fade: number;
  /** Milliseconds that it takes for an order. */
  slowMs: number;
  lie: Lie | undefined;
};

export type MakerOptions = {
  /** Signs the orders. */
  readonly account: LocalAccount;
  /** A contract that holds the tokens, has approved Permit2 for them, and calls the account's signatures its own; absent = the account. */
  readonly wallet?: Hex | undefined;
  readonly pairs: readonly Pair[];
  readonly port: number;
  /** Speaks AirSwap's protocol in the place of Braid's; absent = Braid's. */
  readonly airSwap?: boolean | undefined;
  /** Requests must be signed with it; undefined = they need not. */
  readonly secret: string | undefined;
  readonly manners: Manners;
  readonly random: () => number;
};

/** A price that was told is kept for as long as others may hold it for fresh. */
export const KEPT_MS = 2_500;

type Told = { readonly book: Book; untilMs: number };
export type Desk = MakerOptions & { chainId: number; readonly told: Told[]; terms: Terms | undefined };

/** The newest prices, which are kept from now on; undefined where there are none yet. */
export function bookOf(desk: Desk): Book | undefined {
  const newest = desk.told.at(-1);
  if (newest === undefined) return undefined;
  newest.untilMs = performance.now() + KEPT_MS;
  return newest.book;
}

/** The best of all prices that may still be held for fresh: a maker keeps what it has told. */
export function bestOf(
  desk: Desk,
  asked: { readonly sold: Hex; readonly bought: Hex },
  amount: bigint,
): bigint | undefined {
  const paid = desk.told.flatMap(({ book }) =>
    book.directions
      .filter(({ sold, bought }) => sold === asked.sold && bought === asked.bought)
      .flatMap(({ levels }: { levels: readonly Level[] }) => sell(levels, amount)?.amountOut ?? []),
  );
  return paid.reduce<bigint | undefined>(
    (best, one) => (best === undefined || one > best ? one : best),
    undefined,
  );
}
