import Type from "typebox";
import { callerOf } from "../../../core/callers/caller.ts";
import { keepPrice } from "../../../service/explain/record.ts";
import { awaitMarket } from "../../../service/pricing/await-market.ts";
import { price } from "../../../service/pricing/price.ts";
import { askerOf } from "../../access/asker.ts";
import { type App, type Context, checked } from "../../app-types.ts";
import { presentOffer } from "../../present/present.ts";
import { ChainParams, failureResponses, PriceAnswer } from "../../schemas/schemas.ts";
import { slippageOrOne, swapQuery, swapRequest, swapRules } from "../../schemas/swap-query.ts";

const schema = {
  tags: ["swap"],
  operationId: "price",
  summary: "The best offer for a pair, without transaction data",
  params: ChainParams,
  querystring: Type.Object({ ...swapQuery, slippage: slippageOrOne }),
  response: { 200: PriceAnswer, ...failureResponses },
};

/** GET /v1/{chainID}/price */
export function priceRoute(app: App, { deps, gate }: Context): void {
  // TypeScript checks the answer against the schema's type, so JSON.stringify is safe. It takes a third less time than
  // the serializer that Fastify generates from the schema.
  const options = { ...checked(schema, swapRules), serializerCompiler: () => JSON.stringify };
  app.get("/v1/:chainID/price", options, async ({ params, query, ip, accessKey }) => {
    const caller = callerOf(ip);
    const request = { ...swapRequest(params.chainID, query), caller, askedMs: deps.monotonicMs() };
    await gate.wait(caller, () => awaitMarket(deps, request));
    const priced = await gate.run(caller, () => price(deps, request));
    return presentOffer(deps, priced.offer, keepPrice(deps, priced, askerOf(ip, accessKey)));
  });
}
