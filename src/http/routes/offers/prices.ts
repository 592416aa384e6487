import Type from "typebox";
import { callerOf } from "../../../core/callers/caller.ts";
import { keepPrice } from "../../../service/explain/record.ts";
import { awaitBatch } from "../../../service/pricing/await-market.ts";
import { type PriceResult, prices } from "../../../service/pricing/prices.ts";
import { askerOf } from "../../access/asker.ts";
import { type App, type Context, checked } from "../../app-types.ts";
import { PricesBody, readBatch } from "../../present/batch.ts";
import { presentFailure, presentOffer } from "../../present/present.ts";
import { ChainParams, EntryFailure, failureResponses, PriceAnswer } from "../../schemas/schemas.ts";

const PricesAnswer = Type.Object({
  block_number: Type.Integer({ description: "The block whose state all of them were priced in" }),
  block_hash: Type.String(),
  prices: Type.Array(
    Type.Object({
      offer: Type.Optional(PriceAnswer),
      error: Type.Optional(EntryFailure),
    }),
    { description: "One for each request, in the same order: what price answers, or why there is no offer" },
  ),
});

const schema = {
  tags: ["swap"],
  operationId: "prices",
  summary: "The best offers for up to 64 amounts or pairs, all at one block; counts as as many requests",
  params: ChainParams,
  body: PricesBody,
  response: { 200: PricesAnswer, ...failureResponses },
};

/** POST /v1/{chainID}/prices */
export function pricesRoute(app: App, { deps, gate, charge }: Context): void {
  const { preValidation } = checked({ params: ChainParams });
  app.post("/v1/:chainID/prices", { schema, preValidation }, async (request, reply) => {
    const { chainID } = request.params;
    const batch = readBatch(chainID, request.body);
    charge(request, reply, batch.requests.length);
    const caller = callerOf(request.ip);
    const requests = batch.requests.map((one) => ({ ...one, caller }));
    const asked = { chainId: Number(chainID), ...batch, requests };
    await gate.wait(caller, () => awaitBatch(deps, asked));
    const { head, results } = await gate.run(caller, () => prices(deps, asked));
    const asker = askerOf(request.ip, request.accessKey);
    return {
      block_number: head.number,
      block_hash: head.hash,
      prices: results.map((result: PriceResult) =>
        result.kind === "offer"
          ? { offer: presentOffer(deps, result.priced.offer, keepPrice(deps, result.priced, asker)) }
          : { error: presentFailure(result.failure) },
      ),
    };
  });
}
