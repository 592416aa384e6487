import type { AirSwapOrder } from "./encoding/airswap.ts";
import type { RfqOrder } from "./encoding/permits.ts";
import type { Address, Hex, Pool } from "./types.ts";

/** Market makers as pools: the types of their price levels, which the edge stores and `protocols/rfq` prices. */

/** Protocol name in pools and deployments. */
export const RFQ = "rfq";

/**
 * One price level: the next `amountIn` of the token sold buy `amountOut` of the token bought; a part of it is filled
 * pro rata, rounded down. Smallest units.
 */
export type Level = { readonly amountIn: bigint; readonly amountOut: bigint };

/** An order of Permit2 or of AirSwap, with its maker's signature: r, s, v, 65 bytes. */
export type SignedOrder = { readonly order: RfqOrder | AirSwapOrder; readonly signature: Hex };

export function isAirSwapOrder(order: SignedOrder["order"]): order is AirSwapOrder {
  return "settler" in order;
}

/** Amounts that an order takes and pays. Smallest units. */
export function levelOf(order: SignedOrder["order"]): Level {
  return isAirSwapOrder(order)
    ? { amountIn: order.senderAmount, amountOut: order.signerAmount }
    : { amountIn: order.takerAmount, amountOut: order.makerAmount };
}

/** A maker's quotes for one pair. */
export type RfqState = {
  /** Levels for sales of token 0 and for sales of token 1, best price first. */
  readonly levels: readonly [readonly Level[], readonly Level[]];
  /** Minimum sale of token 0 and of token 1, smallest units; absent = none. */
  readonly least?: readonly [bigint, bigint];
  /** The signed order behind this price; null while the price is indicative, when it cannot be executed. */
  readonly firm: SignedOrder | null;
};

/** A maker's balance of each token for all of its pairs, smallest units; a missing token is not paid. */
export type Inventory = Readonly<Record<Address, bigint>>;

/** Cap on the levels accepted from a maker per direction. */
export const MOST_LEVELS = 64;

/** Upper limit of both amounts of an order, which have 128 bits. */
const AMOUNT_LIMIT = 2n ** 128n;

export function isMakerPool({ protocol }: { readonly protocol: string }): boolean {
  return protocol === RFQ;
}

/**
 * Whether a pool fills exactly the amount of its order and no other. Such a pool can only be the first of a path:
 * behind another pool, the exact input is not known before execution.
 */
export function fillsWhole({ facts }: { readonly facts: Pool["facts"] }): boolean {
  return facts.whole === 1;
}

/** The signer of a maker's orders, and how signatures are checked and orders settled. */
export type MakerAccount = {
  readonly address: Address;
  /** Whether the signer is a contract, which validates its signatures itself (ERC-1271). */
  readonly isContract: boolean;
  /**
   * AirSwap's SwapERC20 contract, if it settles the maker's orders, in full only; undefined = Permit2 settles, also
   * partially.
   */
  readonly settler?: Address | undefined;
};

/** The pool of a maker's pair. @param tokens in ascending order */
export function makerPool(
  deployment: string,
  { address, isContract, settler }: MakerAccount,
  tokens: readonly [Address, Address],
): Pool {
  return {
    id: `${deployment}:${tokens[0]}:${tokens[1]}`,
    address: settler ?? address,
    protocol: RFQ,
    deployment,
    tokens,
    stateIds: [`${deployment}:${tokens[0]}:${tokens[1]}`, inventoryId(deployment)],
    facts: { ...(isContract ? { contract: 1 } : {}), ...(settler === undefined ? {} : { whole: 1 }) },
  };
}

/** Id of the inventory state that all pairs of one maker share. */
export function inventoryId(deployment: string): string {
  return `${deployment}:inventory`;
}

/**
 * Why levels are not acceptable, with the position and the value; undefined if they are. Prices must not rise with
 * the amount, so that the curve is concave.
 */
export function levelsFault(levels: readonly Level[]): string | undefined {
  if (levels.length > MOST_LEVELS) return `levels: ${levels.length}, more than ${MOST_LEVELS} levels`;
  const named = (place: number) =>
    `levels/${place}: [${levels[place]!.amountIn}, ${levels[place]!.amountOut}]`;
  const empty = levels.findIndex(({ amountIn, amountOut }) => amountIn <= 0n || amountOut <= 0n);
  if (empty >= 0) return `${named(empty)}: a level of nothing`;
  const totals = levels.reduce(
    (sum, { amountIn, amountOut }) => ({ in: sum.in + amountIn, out: sum.out + amountOut }),
    { in: 0n, out: 0n },
  );
  if (totals.in >= AMOUNT_LIMIT || totals.out >= AMOUNT_LIMIT)
    return `levels: ${totals.in} for ${totals.out} in all: amounts above 128 bits`;
  const rising = levels.findIndex((level, k) => k > 0 && isBetter(level, levels[k - 1]!));
  return rising < 0 ? undefined : `${named(rising)}: a price that rises with the amount`;
}

/**
 * Whether a round trip through both directions pays more than it takes: a maker's mistake that anyone could exploit.
 */
export function isCrossed([onward, back]: RfqState["levels"]): boolean {
  const [a, b] = [onward[0], back[0]];
  return a !== undefined && b !== undefined && a.amountOut * b.amountOut > a.amountIn * b.amountIn;
}

function isBetter(a: Level, b: Level): boolean {
  return a.amountOut * b.amountIn > b.amountOut * a.amountIn;
}
