import Type from "typebox";
import { type Source, sources } from "../../../service/pricing/sources.ts";
import type { App, Context } from "../../app-types.ts";
import { monogram } from "../../present/monogram.ts";
import { failureResponses } from "../../schemas/schemas.ts";

const schema = {
  tags: ["chains"],
  operationId: "sources",
  summary: "Sources of liquidity: the names that includeAggregator and excludeAggregator accept",
  response: {
    200: Type.Object({
      sources: Type.Array(
        Type.Object({
          id: Type.String({ examples: ["uniswap-v2"] }),
          name: Type.String({ examples: ["Uniswap_V2"] }),
          logo: Type.String({ description: "An image as a data URL" }),
          type: Type.String({ examples: ["dex", "rfq"] }),
          protocol: Type.String({ description: "The design behind it" }),
          chain_ids: Type.Array(Type.Integer()),
        }),
      ),
    }),
    ...failureResponses,
  },
};

function presentSource({ id, name, type, protocol, chainIds }: Source) {
  return { id, name, logo: monogram(name), type, protocol, chain_ids: [...chainIds] };
}

/** GET /v1/sources */
export function sourcesRoute(app: App, { deps }: Context): void {
  app.get("/v1/sources", { schema }, async () => ({ sources: sources(deps).map(presentSource) }));
}
