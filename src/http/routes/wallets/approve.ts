import Type from "typebox";
import { MAX_UINT256 } from "../../../core/tokens.ts";
import { approve } from "../../../service/approve.ts";
import { type App, type Context, checked } from "../../app-types.ts";
import { AddressOut, ChainParams, failureResponses, Integer, Text } from "../../schemas/schemas.ts";
import { lower, optional, wei } from "../../schemas/texts.ts";

const schema = {
  tags: ["transaction"],
  operationId: "approve",
  summary: "The transaction that lets the exchange contract spend a token",
  params: ChainParams,
  querystring: Type.Object({
    tokenAddress: Text("address", { description: "Token; the native coin needs no approval" }),
    takerAddress: Type.Optional(
      Text("address", { description: "Wallet that approves; with it the gas is measured" }),
    ),
    amount: Type.Optional(
      Text("allowance", {
        description:
          "Smallest units; 0 revokes; default: 2^256 - 1. The approve_amount of a quote is enough for it",
      }),
    ),
    gasPrice: Type.Optional(
      Text("wei", { description: "Gas price in WEI; default: the medium level of gasprices" }),
    ),
    contractAddress: Type.Optional(
      Text("account", { description: "Contract that may spend; default: the exchange contract" }),
    ),
  }),
  response: {
    200: Type.Object({
      calldata: Type.String({ description: "Input data of the transaction" }),
      gas_price: Integer("WEI"),
      to: AddressOut("The token"),
      estimate_gas: Integer("Gas units; a limit that the transaction keeps"),
      reset_first: Type.Boolean({
        description:
          "takerAddress has an allowance that this token only changes to 0: send reset_calldata first",
      }),
      reset_calldata: Type.Optional(Type.String({ description: "Input data that approves 0" })),
      warnings: Type.Array(Type.String()),
    }),
    ...failureResponses,
  },
};

/** GET /v1/{chainID}/transaction/approve */
export function approveRoute(app: App, { deps }: Context): void {
  app.get("/v1/:chainID/transaction/approve", checked(schema), async ({ params, query }) => {
    const approval = await approve(deps, {
      chainId: Number(params.chainID),
      token: lower(query.tokenAddress),
      amount: wei(query.amount) ?? MAX_UINT256,
      gasPriceWei: wei(query.gasPrice),
      taker: optional(query.takerAddress, lower),
      spender: optional(query.contractAddress, lower),
    });
    return {
      calldata: approval.data,
      gas_price: approval.gasPriceWei.toString(),
      to: approval.to,
      estimate_gas: approval.gas.toString(),
      reset_first: approval.reset !== undefined,
      ...(approval.reset === undefined ? {} : { reset_calldata: approval.reset.data }),
      warnings: [...approval.warnings],
    };
  });
}
