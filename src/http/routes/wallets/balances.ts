import Type from "typebox";
import { parseAddress } from "../../../core/tokens.ts";
import { type Holding, holdings, MOST_TOKENS } from "../../../service/accounts/holdings.ts";
import { type App, type Context, checked } from "../../app-types.ts";
import { dollarText } from "../../present/present-advice.ts";
import { OrNull } from "../../schemas/or-null.ts";
import { AddressOut, ChainParams, failureResponses, Integer, Names, Text } from "../../schemas/schemas.ts";
import { lower, optional } from "../../schemas/texts.ts";
import type { Rule } from "../../schemas/validation.ts";

const Balance = Type.Object({
  address: AddressOut("Token"),
  symbol: OrNull(Type.String()),
  decimals: OrNull(Type.Integer()),
  balance: OrNull(Integer("Smallest units; null where the contract does not say")),
  allowance: OrNull(Integer("What spender may take; 2^256 - 1 for the native coin")),
  balance_usd: OrNull(Type.String({ description: "US dollars; null where too little depth prices it" })),
});

const schema = {
  tags: ["transaction"],
  operationId: "balances",
  summary: "Balances and allowances of a wallet, all in one block; counts as a request for each 25 tokens",
  params: ChainParams,
  querystring: Type.Object({
    walletAddress: Text("account", { description: "Wallet" }),
    tokenAddress: Type.Optional(
      Names(
        `Tokens, at most ${MOST_TOKENS}; absent: what the wallet has of the first ${MOST_TOKENS} of the list`,
        { maxItems: MOST_TOKENS },
      ),
    ),
    contractAddress: Type.Optional(
      Text("account", { description: "Spender whose allowances are read; default: the exchange contract" }),
    ),
    min_block: Type.Optional(Text("block", { description: "Answer from no older block; waits up to 1 s" })),
  }),
  response: {
    200: Type.Object({
      wallet: AddressOut("Wallet"),
      spender: AddressOut("Spender of the allowances"),
      block_number: Type.Integer({ description: "The block whose state was read" }),
      block_hash: Type.String(),
      balances: Type.Array(Balance, { description: "In the order asked, else in that of the list" }),
    }),
    ...failureResponses,
  },
};

/** Tokens of one call that are charged as one request against the rate limit. */
const TOKENS_PER_REQUEST = 25;

/** GET /v1/{chainID}/balances */
export function balancesRoute(app: App, { deps, charge }: Context): void {
  app.get("/v1/:chainID/balances", checked(schema, [tokensRule]), async (request, reply) => {
    const { params, query } = request;
    const tokens = query.tokenAddress?.map(lower);
    charge(request, reply, Math.ceil((tokens?.length ?? MOST_TOKENS) / TOKENS_PER_REQUEST));
    const wallet = lower(query.walletAddress);
    const {
      head,
      spender,
      holdings: found,
    } = await holdings(deps, {
      chainId: Number(params.chainID),
      wallet,
      tokens,
      spender: optional(query.contractAddress, lower),
      minBlock: optional(query.min_block, Number),
    });
    return {
      wallet,
      spender,
      block_number: head.number,
      block_hash: head.hash,
      balances: found.map(presentHolding),
    };
  });
}

/** Each entry of the list must be an address. */
const tokensRule: Rule = ({ tokenAddress }) => {
  const names = (tokenAddress ?? []) as readonly string[];
  const bad = names.find((name) => parseAddress(name) === undefined);
  if (bad === undefined) return [];
  return [
    { field: "tokenAddress", reason: "must be an address: 0x and 40 hex digits", value: bad.slice(0, 100) },
  ];
};

function presentHolding({ token, listed, balance, allowance, price }: Holding) {
  const usd = balance === undefined || price === undefined ? undefined : Number(balance) * price.usdPerUnit;
  return {
    address: token,
    symbol: listed?.symbol ?? null,
    decimals: listed?.decimals ?? null,
    balance: balance?.toString() ?? null,
    allowance: allowance?.toString() ?? null,
    balance_usd: dollarText(usd),
  };
}
