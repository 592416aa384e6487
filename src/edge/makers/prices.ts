import {
  type Inventory,
  inventoryId,
  isCrossed,
  type Level,
  levelsFault,
  makerPool,
  type RfqState,
} from "../../core/rfq.ts";
import { type Address, NATIVE, type Pool, type StateId } from "../../core/types.ts";
import type { Prices } from "./door.ts";
import type { MakerSettings } from "./makers-file.ts";

/** A maker's price levels for selling it one token for another. */
export type Direction = {
  readonly sold: Address;
  readonly bought: Address;
  /** The best price first. */
  readonly levels: readonly Level[];
  /** The minimum that may be sold, smallest units; absent = any amount. */
  readonly least?: bigint;
};

type Book = { readonly pool: Pool; levels: [readonly Level[], readonly Level[]]; least: [bigint, bigint] };

/**
 * Turns a maker's directions into one pool for each pair, with the states of the pools and of the maker's inventory.
 *
 * @returns where any direction is invalid, the reason in words; then none is used
 */
export function pricesFrom(
  maker: MakerSettings,
  directions: readonly Direction[],
  inventory: Inventory,
): Prices | string {
  const books = new Map<string, Book>();
  for (const [k, direction] of directions.entries()) {
    const why = enter(maker, books, direction);
    if (why !== undefined) return `levels/pairs/${k}/${why}`;
  }
  const priced = [...books.values()];
  const crossed = priced.find(({ levels }) => isCrossed(levels));
  if (crossed !== undefined) return `levels: ${crossed.pool.tokens.join(", ")} pays more than it takes`;
  const states = new Map<StateId, unknown>([[inventoryId(maker.id), inventory]]);
  for (const { pool, levels, least } of priced) {
    const isBounded = least.some((amount) => amount > 0n);
    const state: RfqState = { levels, ...(isBounded ? { least } : {}), firm: null };
    states.set(pool.stateIds[0], state);
  }
  return { pools: priced.map(({ pool }) => pool), states };
}

/** Adds a direction to the book of its pair. @returns the reason where the direction is invalid */
function enter(maker: MakerSettings, books: Map<string, Book>, direction: Direction): string | undefined {
  const { sold, bought, levels, least = 0n } = direction;
  if (sold === bought) return `maker_token: ${bought}: both tokens are the same`;
  if (sold === NATIVE || bought === NATIVE)
    return `taker_token, maker_token: ${sold}, ${bought}: the native coin is priced as its wrapped token`;
  const fault = levelsFault(levels);
  if (fault !== undefined) return fault;
  const account = { ...maker, settler: maker.airSwap?.settler };
  const pool = makerPool(maker.id, account, sold < bought ? [sold, bought] : [bought, sold]);
  const book = books.get(pool.id) ?? { pool, levels: [[], []], least: [0n, 0n] };
  const side = sold < bought ? 0 : 1;
  if (book.levels[side].length > 0)
    return `taker_token, maker_token: ${sold}, ${bought}: this direction is there twice`;
  book.levels[side] = levels;
  book.least[side] = least;
  books.set(pool.id, book);
  return undefined;
}
