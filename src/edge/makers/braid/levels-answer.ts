import Type, { type Static } from "typebox";
import { type Level, MOST_LEVELS } from "../../../core/rfq.ts";
import type { Address } from "../../../core/types.ts";
import type { Prices } from "../door.ts";
import { faultFinder } from "../fault-of.ts";
import type { MakerSettings } from "../makers-file.ts";
import { type Direction, pricesFrom } from "../prices.ts";

const Amount = Type.String({ pattern: "^[0-9]{1,39}$" });
const TokenAddress = Type.String({ pattern: "^0x[0-9a-fA-F]{40}$" });

/** Response body of `GET /levels`. Amounts are smallest units; each level is [taker amount, maker amount]. */
export const LevelsAnswer = Type.Object({
  pairs: Type.Array(
    Type.Object({
      taker_token: TokenAddress,
      maker_token: TokenAddress,
      levels: Type.Array(Type.Tuple([Amount, Amount]), { maxItems: MOST_LEVELS }),
    }),
    { maxItems: 256 },
  ),
  inventory: Type.Record(TokenAddress, Amount, { propertyNames: TokenAddress }),
});

const faultIn = faultFinder(LevelsAnswer);

/** Reads a response of `GET /levels`. @returns where any part is invalid, the reason in words; then none is used */
export function pricesOf(maker: MakerSettings, answer: unknown): Prices | string {
  const fault = faultIn(answer);
  if (fault !== undefined) return fault;
  const { pairs, inventory } = answer as Static<typeof LevelsAnswer>;
  const stock = Object.entries(inventory).map(([token, amount]) => [token.toLowerCase(), BigInt(amount)]);
  return pricesFrom(maker, pairs.map(directionOf), Object.fromEntries(stock));
}

type Told = Static<typeof LevelsAnswer>["pairs"][number];

function directionOf({ taker_token, maker_token, levels }: Told): Direction {
  return {
    sold: taker_token.toLowerCase() as Address,
    bought: maker_token.toLowerCase() as Address,
    levels: levels.map(
      ([amountIn, amountOut]): Level => ({ amountIn: BigInt(amountIn), amountOut: BigInt(amountOut) }),
    ),
  };
}
