import Type, { type Static } from "typebox";
import type { Detail } from "../../core/errors.ts";
import { impactPpm, slippagePpm } from "../../core/shares/slippage.ts";
import type { PriceRequest } from "../../service/pricing/price.ts";
import { Names, Text } from "./schemas.ts";
import { flag, lower, optional, wei } from "./texts.ts";
import type { Rule } from "./validation.ts";

/** Several times as many sources as a chain has, with names several times as long. */
const sourceLimits = { maxItems: 256, maxLength: 100 };

/** Query parameters that price and quote share, except slippage, which only quote requires. */
export const swapQuery = {
  fromTokenAddress: Text("address", { description: "Token sold; the native coin is 0xeee…" }),
  toTokenAddress: Text("address", { description: "Token bought; the native coin is 0xeee…" }),
  amount: Text("amount", {
    description: "Amount sold, in smallest units; with side=BUY the amount that the recipient gets",
    examples: ["1000000000000000000"],
  }),
  side: Type.Optional(
    Text("side", { description: "SELL: amount is sold. BUY: amount is bought for as little as possible" }),
  ),
  gasPrice: Type.Optional(
    Text("wei", { description: "Gas price in WEI; default: the high level of gasprices" }),
  ),
  feeRecipient: Type.Optional(Text("account", { description: "Wallet that the fees go to" })),
  buyTokenPercentageFee: Type.Optional(
    Text("permille", { description: "Fee on the token bought; 10 = 1 %" }),
  ),
  sellTokenPercentageFee: Type.Optional(Text("permille", { description: "Fee on the token sold; 10 = 1 %" })),
  rfqOnly: Type.Optional(Text("flag", { description: "Only makers' orders" })),
  excludeAggregator: Type.Optional(
    Names("Sources not to use, by id or name, from /v1/sources", sourceLimits),
  ),
  includeAggregator: Type.Optional(
    Names("The only sources to use; not together with excludeAggregator", sourceLimits),
  ),
  withGas: Type.Optional(Text("flag", { description: "Choose the route net of gas" })),
  max_price_impact: Type.Optional(
    Text("impact", { description: "Refuse an offer with a higher price impact; 10 = 1 %" }),
  ),
  min_block: Type.Optional(Text("block", { description: "Answer from no older block; waits up to 1 s" })),
};

const SLIPPAGE = "Slippage allowed; 10 = 1 %, fractions allowed; beyond it the transaction reverts";
export const slippage = Text("slippage", { description: SLIPPAGE, examples: ["10"] });
export const slippageOrOne = Type.Optional(
  Text("slippage", { description: SLIPPAGE, default: "1", examples: ["10"] }),
);

const SwapQuery = Type.Object({ ...swapQuery, slippage: slippageOrOne });

/** A validated query of price or quote. */
type SwapTexts = Static<typeof SwapQuery>;

/** Converts a validated query to a price request. */
export function swapRequest(chainID: string, query: SwapTexts): PriceRequest {
  const including = query.includeAggregator !== undefined;
  return {
    chainId: Number(chainID),
    tokenIn: lower(query.fromTokenAddress),
    tokenOut: lower(query.toTokenAddress),
    amount: BigInt(query.amount),
    side: query.side?.toUpperCase() === "BUY" ? "out" : "in",
    slippagePpm: slippagePpm(query.slippage ?? "1")!,
    gasPriceWei: wei(query.gasPrice),
    fees: {
      recipient: optional(query.feeRecipient, lower),
      buyPermille: Number(query.buyTokenPercentageFee ?? "0"),
      sellPermille: Number(query.sellTokenPercentageFee ?? "0"),
    },
    sources: {
      list: including ? "include" : "exclude",
      names: query.includeAggregator ?? query.excludeAggregator ?? [],
      rfqOnly: flag(query.rfqOnly, false),
    },
    withGas: flag(query.withGas, false),
    minBlock: optional(query.min_block, Number),
    maxImpactPpm: optional(query.max_price_impact, (text) => impactPpm(text)!),
  };
}

const FEES = ["buyTokenPercentageFee", "sellTokenPercentageFee"];

function feeNeedsRecipient(texts: Readonly<Record<string, unknown>>): Detail[] {
  if (texts.feeRecipient !== undefined || !FEES.some((fee) => Number(texts[fee] ?? 0) > 0)) return [];
  return [{ field: "feeRecipient", reason: "is missing: a fee needs a wallet to go to" }];
}

function oneList(texts: Readonly<Record<string, unknown>>): Detail[] {
  if (texts.includeAggregator === undefined || texts.excludeAggregator === undefined) return [];
  const reason = "cannot be combined with excludeAggregator";
  return [{ field: "includeAggregator", reason }];
}

export const swapRules: readonly Rule[] = [feeNeedsRecipient, oneList];
