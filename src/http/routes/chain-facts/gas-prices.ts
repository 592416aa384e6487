import Type from "typebox";
import { gasPrices } from "../../../service/gas-prices.ts";
import { type App, type Context, checked } from "../../app-types.ts";
import { presentGasPrices } from "../../present/present.ts";
import { ChainParams, failureResponses, Gwei } from "../../schemas/schemas.ts";

const Level = Type.Object({
  price: Gwei("For transactions without EIP-1559 fields"),
  maxPriorityFeePerGas: Gwei("Tip"),
  maxFeePerGas: Gwei("Base fee and tip at most"),
});

const GasPrices = Type.Object({
  baseFee: Gwei("Base fee of the next block"),
  low: Gwei("Likely accepted no earlier than after block 5"),
  medium: Gwei("Likely accepted within the next 2 to 3 blocks"),
  high: Gwei("Likely accepted in the next block"),
  lowInfo: Level,
  mediumInfo: Level,
  highInfo: Level,
});

const schema = {
  tags: ["chains"],
  operationId: "gasPrices",
  summary: "Gas prices in GWEI",
  params: ChainParams,
  response: { 200: GasPrices, ...failureResponses },
};

/** GET /v1/{chainID}/gasprices */
export function gasPricesRoute(app: App, { deps }: Context): void {
  app.get("/v1/:chainID/gasprices", checked(schema), async ({ params }) =>
    presentGasPrices(gasPrices(deps, Number(params.chainID))),
  );
}
