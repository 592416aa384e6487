import Type, { type Static } from "typebox";
import * as Value from "typebox/value";
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
import type { MakerSettings } from "./makers-file.ts";

const Amount = Type.String({ pattern: "^[0-9]{1,39}$" });
const TokenAddress = Type.String({ pattern: "^0x[0-9a-fA-F]{40}$" });

/** What `GET /levels` answers. */
export const LevelsAnswer = Type.Object({
  pairs: Type.Array(
    Type.Object({
      taker_token: TokenAddress,
      maker_token: TokenAddress,
      levels: Type.Array(Type.Tuple([Amount, Amount])),
    }),
    { maxItems: 256 },
  ),
  inventory: Type.Record(Type.String({ pattern: "^0x[0-9a-fA-F]{40}$" }), Amount),
});

type Direction = Static<typeof LevelsAnswer>["pairs"][number];

/** A maker's levels as the market takes them over. */
export type Prices = { readonly pools: readonly Pool[]; readonly states: ReadonlyMap<StateId, unknown> };

/** @returns the reason in words where the answer cannot be used: none of it is */
export function pricesOf(maker: MakerSettings, answer: unknown): Prices | string {
  const [error] = Value.Errors(LevelsAnswer, answer);
  if (error !== undefined) return `levels${error.instancePath}: ${error.message}`;
  const { pairs, inventory } = answer as Static<typeof LevelsAnswer>;
  const books = new Map<string, { pool: Pool; levels: [Level[], Level[]] }>();
  for (const [k, pair] of pairs.entries()) {
    const why = enter(maker, books, pair);
    if (why !== undefined) return `levels/pairs/${k}: ${why}`;
  }
  const priced = [...books.values()];
  const crossed = priced.find(({ levels }) => isCrossed(levels));
  if (crossed !== undefined) return `levels: ${crossed.pool.tokens.join(", ")} pays more than it takes`;
  const states = new Map<StateId, unknown>([[inventoryId(maker.id), inventoryOf(inventory)]]);
  for (const { pool, levels } of priced)
    states.set(pool.stateIds[0], { levels, firm: null } satisfies RfqState);
  return { pools: priced.map(({ pool }) => pool), states };
}

type Books = Map<string, { pool: Pool; levels: [Level[], Level[]] }>;

/** @returns why the direction cannot be used */
function enter(maker: MakerSettings, books: Books, direction: Direction): string | undefined {
  const sold = direction.taker_token.toLowerCase() as Address;
  const bought = direction.maker_token.toLowerCase() as Address;
  if (sold === bought) return "both tokens are the same";
  if (sold === NATIVE || bought === NATIVE) return "the native coin is priced as its wrapped token";
  const levels = direction.levels.map(
    ([amountIn, amountOut]): Level => ({ amountIn: BigInt(amountIn), amountOut: BigInt(amountOut) }),
  );
  const fault = levelsFault(levels);
  if (fault !== undefined) return fault;
  const pool = makerPool(maker.id, maker, sold < bought ? [sold, bought] : [bought, sold]);
  const book = books.get(pool.id) ?? { pool, levels: [[], []] };
  const side = sold < bought ? 0 : 1;
  if (book.levels[side].length > 0) return "this direction is there twice";
  book.levels[side] = levels;
  books.set(pool.id, book);
  return undefined;
}

function inventoryOf(given: Readonly<Record<string, string>>): Inventory {
  return Object.fromEntries(
    Object.entries(given).map(([token, amount]) => [token.toLowerCase(), BigInt(amount)]),
  );
}
