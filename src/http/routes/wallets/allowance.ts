import Type from "typebox";
import { allowance } from "../../../service/allowance.ts";
import { type App, type Context, checked } from "../../app-types.ts";
import { ChainParams, failureResponses, Integer, Text } from "../../schemas/schemas.ts";
import { lower } from "../../schemas/texts.ts";

const schema = {
  tags: ["transaction"],
  operationId: "allowance",
  summary: "How much of a token the exchange contract may spend",
  params: ChainParams,
  querystring: Type.Object({
    tokenAddress: Text("address", { description: "Token" }),
    walletAddress: Text("address", { description: "Wallet" }),
  }),
  response: {
    200: Type.Object({
      remaining: Integer("Smallest units; 2^256 - 1 for the native coin"),
      warnings: Type.Array(Type.String()),
    }),
    ...failureResponses,
  },
};

/** GET /v1/{chainID}/transaction/allowance */
export function allowanceRoute(app: App, { deps }: Context): void {
  app.get("/v1/:chainID/transaction/allowance", checked(schema), async ({ params, query }) => {
    const { remaining, warnings } = await allowance(deps, {
      chainId: Number(params.chainID),
      token: lower(query.tokenAddress),
      wallet: lower(query.walletAddress),
    });
    return { remaining: remaining.toString(), warnings: [...warnings] };
  });
}
