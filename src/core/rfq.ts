import type { AirSwapOrder } from "./encoding/airswap.ts";
import type { RfqOrder } from "./encoding/permits.ts";
import type { Address, Hex, Pool } from "./types.ts";

/** Makers as pools: what the edge commits of their price levels, and what `protocols/rfq` prices. */

/** The design's name in pools and deployments. */
export const RFQ = "rfq";

/**
 * One step of a maker's price: the next `amountIn` of the token sold are paid `amountOut` of the token bought, and parts of
 * it pro rata, rounded down. Smallest units.
 */
export type Level = { readonly amountIn: bigint; readonly amountOut: bigint };

/** An order of Permit2 or of AirSwap, with its maker's signature: r, s, v, 65 bytes. */
export type SignedOrder = { readonly order: RfqOrder | AirSwapOrder; readonly signature: Hex };

export function isAirSwapOrder(order: SignedOrder["order"]): order is AirSwapOrder {
  return "settler" in order;
}

/** What an order takes and pays, whichever kind it is. Smallest units. */
export function levelOf(order: SignedOrder["order"]): Level {
  return isAirSwapOrder(order)
    ? { amountIn: order.senderAmount, amountOut: order.signerAmount }
    : { amountIn: order.takerAmount, amountOut: order.makerAmount };
}

/** What a maker pays over one pair. */
export type RfqState = {
  /** Where token 0 is sold, and where token 1 is; the best price first. */
  readonly levels: readonly [readonly Level[], readonly Level[]];
  /** The least that may be sold of token 0, and of token 1; absent = any amount. */
  readonly least?: readonly [bigint, bigint];
  /** The order that makes this price binding; null while it is indicative, and then it cannot be executed. */
  readonly firm: SignedOrder | null;
};

/** What a maker can pay of each token over all of its pairs, smallest units; a token that is not named is not paid. */
export type Inventory = Readonly<Record<Address, bigint>>;

/** Steps of one direction that are taken from a maker. */
export const MOST_LEVELS = 64;

/** Orders count both amounts in 128 bits. */
const AMOUNT_LIMIT = 2n ** 128n;

export function isMakerPool({ protocol }: { readonly protocol: string }): boolean {
  return protocol === RFQ;
}

/**
 * Whether a pool fills the very amount that its order names and no other. Such a pool can only sell what a route is given:
 * behind another pool the amount is not known before execution.
 */
export function fillsWhole({ facts }: { readonly facts: Pool["facts"] }): boolean {
  return facts.whole === 1;
}

/** Who signs a maker's orders, and how they are checked and settled. */
export type MakerAccount = {
  readonly address: Address;
  /** A contract, which is asked whether a signature is its own. */
  readonly isContract: boolean;
  /** AirSwap's SwapERC20 contract, which settles the maker's orders whole; undefined = Permit2 does, in part too. */
  readonly settler?: Address | undefined;
};

/** The pool of a maker's pair; `tokens` ascend. */
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

/** The state that all pairs of one maker share. */
export function inventoryId(deployment: string): string {
  return `${deployment}:inventory`;
}

/** Why levels cannot be taken over, with the place and the value; undefined where they can. Prices must not rise, so that the curve is concave. */
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

/** Whether both directions together would pay more than they take: a mistake of the maker, free for anyone to use. */
export function isCrossed([onward, back]: RfqState["levels"]): boolean {
  const [a, b] = [onward[0], back[0]];
  return a !== undefined && b !== undefined && a.amountOut * b.amountOut > a.amountIn * b.amountIn;
}

function isBetter(a: Level, b: Level): boolean {
  return a.amountOut * b.amountIn > b.amountOut * a.amountIn;
}
