import Type, { type Static } from "typebox";
import { adviceFields } from "./advice-schemas.ts";
import { type FormatName, formats } from "./formats.ts";
import { OrNull, TextOrNumber } from "./or-null.ts";

/** Schema of a path or query parameter in one of the known formats. */
export function Text<N extends FormatName>(
  format: N,
  options: { description: string; default?: string; examples?: string[] },
) {
  return Type.String({ format, pattern: formats[format].pattern, ...options });
}

/**
 * Schema of a list: the parameter repeated, its values joined by commas, or with `[]` after its name.
 *
 * @param limits most values, and the longest of them in UTF-16 code units
 */
export const Names = (description: string, limits: { maxItems: number; maxLength?: number }) => {
  const { maxItems, ...ofEach } = limits;
  return Type.Array(Type.String(ofEach), { maxItems, description });
};

/** Schema of an amount in smallest units, gas units or wei, as decimal text. */
export const Integer = (description: string) =>
  Type.String({ description, examples: ["1000000000000000000"] });
/** Schema of a gas price in gwei, as decimal text with at most nine fraction digits. */
export const Gwei = (description: string) => Type.String({ description, examples: ["14.257"] });
export const AddressOut = (description: string) =>
  Type.String({ description, examples: ["0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"] });

export const ChainParams = Type.Object({
  chainID: Text("chain-id", { description: "Chain id, from /v1/platforms", examples: ["1"] }),
});

const Detail = Type.Object(
  { field: Type.String(), reason: Type.String() },
  { additionalProperties: TextOrNumber },
);

const failureFields = {
  error: Type.String({ description: "What happened, for people" }),
  message: Type.String({ description: "The same text" }),
  code: Type.Integer({ description: "Public number of the reason: never reused, never renamed" }),
  reason: Type.String({ examples: ["VALIDATION"] }),
  details: Type.Array(Detail, { description: "Each bad field, or facts by name" }),
  type: Type.String({ examples: ["/errors/validation"] }),
  title: Type.String(),
  status: Type.Integer(),
};

/** The failure of one entry of a batch. */
export const EntryFailure = Type.Object(failureFields);

export const Failure = Type.Object(
  {
    ...failureFields,
    request_id: Type.String(),
    detail: Type.String({ description: "The same text as error" }),
    instance: Type.String({ description: "The path asked" }),
  },
  {
    $id: "Failure",
    description: "Every answer that is not 2xx; application/problem+json where Accept names it",
  },
);

const failure = Type.Unsafe<Static<typeof Failure>>({ $ref: "Failure#" });
/** Error responses of a route. They refer to `Failure`, which is registered with the application once. */
export const failureResponses = { "4xx": failure, "5xx": failure };

export const Platform = Type.Object({
  chainId: Type.Integer(),
  name: Type.String({ examples: ["Ethereum"] }),
  shortname: Type.String({ examples: ["eth"] }),
  native_symbol: Type.String({ examples: ["ETH"] }),
  gas_unit: Type.String({
    description: "The unit of gasprices, as people of this chain call it",
    examples: ["GWEI"],
  }),
  block_time_ms: Type.Integer({ description: "Typical time between two blocks", examples: [12_000] }),
  explorer_url: Type.Optional(
    Type.String({ description: "Block explorer; a transaction is at /tx/<hash> below it" }),
  ),
  devnet_rpc_url: Type.Optional(
    Type.String({
      description: "Only on the embedded devnet: where a wallet on this machine reaches its node",
    }),
  ),
});

export const Token = Type.Object({
  chainId: Type.Integer(),
  address: AddressOut("Contract address in lower case; the native coin is 0xeee…"),
  name: Type.String(),
  symbol: Type.String(),
  decimals: Type.Integer(),
  logoURI: Type.String(),
  is_active: Type.Boolean({ description: "false = rarely used in exchanges" }),
  priority: Type.Integer({ description: "1 = show first" }),
  is_rfq_mode: Type.Boolean({ description: "true = supported by makers" }),
  is_listed: Type.Boolean({ description: "A public list names it" }),
  has_logo: Type.Boolean({
    description: "true = GET /v1/{chainID}/tokens/{tokenAddress}/logo may have its picture",
  }),
});

const RouteEntry = Type.Object({
  type: Type.String({ examples: ["dex", "rfq"] }),
  protocol_name: Type.String({ examples: ["Uniswap_V2"] }),
  percent: Type.Integer({ minimum: 1, maximum: 100 }),
  pools: Type.Array(Type.String(), { description: "Ids of the pools crossed" }),
});

const RouteGraph = Type.Object(
  {
    tokens: Type.Array(
      Type.Object({
        address: Type.String(),
        symbol: Type.String(),
        decimals: Type.Integer(),
        is_listed: Type.Boolean({ description: "A public list names it" }),
      }),
    ),
    steps: Type.Array(
      Type.Object({
        pool: Type.String(),
        protocol: Type.String({ examples: ["Uniswap_V2"] }),
        deployment: Type.String(),
        token_in: Type.String(),
        token_out: Type.String(),
        amount_in: Type.String(),
        amount_out: Type.String(),
        share_q32: Type.Integer({ description: "Share of what is left of token_in, in 2^-32" }),
      }),
      { description: "Pool crossings in execution order" },
    ),
  },
  { description: "The whole route; `routes` is its summary" },
);

const textOrNull = (description: string) => OrNull(Type.String({ description }));
const numberOrNull = (description: string) => OrNull(Type.Number({ description }));

const Optimality = Type.Object(
  {
    upper_bound: textOrNull(
      "No route of max_legs for amount_in over the pools that it may use pays the recipient more; null without a proof",
    ),
    gap_bps: numberOrNull(
      "How far amount_out_total lies below upper_bound, in basis points, gas not counted; null where that says nothing (reason)",
    ),
    upper_bound_net: textOrNull(
      "No route pays the recipient more net of the gas of the pools that it crosses, in the token bought; may be below 0",
    ),
    gap_net_bps: numberOrNull("How far the amount net of gas lies below upper_bound_net, in basis points"),
    gap_legs: numberOrNull(
      "The same distance in legs of 60,000 gas; null where gas is not counted, or where that says nothing (reason)",
    ),
    gas_price: textOrNull("The gas price that nets are net of, WEI; null where gas is not counted"),
    max_legs: numberOrNull("Pool crossings of the routes that the bounds are about; 0 = any number"),
    market_arbitrage: textOrNull(
      "What cycles of pools would pay after gas at most, in WEI of the native coin; null where it is not known",
    ),
    lower_bound: Type.Optional(
      textOrNull(
        "side=BUY: no route that buys amount sells less, the sell fee included; null without a proof",
      ),
    ),
    reason: textOrNull("Why there is no bound, or no gap in basis points; null where both are said"),
  },
  { description: "How close the route is to the best that any arrangement of the same pools could pay" },
);

const Issues = Type.Object(
  {
    balance: Type.Optional(
      Type.Object({ needed: Type.String(), actual: Type.String(), token: Type.String() }),
    ),
    allowance: Type.Optional(
      Type.Object({ spender: Type.String(), needed: Type.String(), actual: Type.String() }),
    ),
  },
  {
    description:
      "What takerAddress lacks to pay, in smallest units; {} where it lacks nothing, null where that is not known",
  },
);

const Search = Type.Object(
  {
    complete: Type.Boolean({
      description: "false: the time ran out, and this is the best route found until then",
    }),
    ms: Type.Number({ description: "How long the search took, in milliseconds" }),
    waited_ms: Type.Number({
      description: "From the request until its search began, in milliseconds: in a queue, or for min_block",
    }),
  },
  { description: "How the search for the route ended" },
);

/** Fields of an answer of price, which quote extends. */
export const offerFields = {
  amount_out_total: Integer("What the recipient gets, net of every fee"),
  estimate_gas_total: Integer("Gas units; a limit that the transaction keeps"),
  token_in: AddressOut("Token sold"),
  token_out: AddressOut("Token bought"),
  gas_price: Integer("WEI"),
  fee_recipient_amount: Integer("Fee in the token bought"),
  routes: Type.Array(RouteEntry, { description: "DEXs used, by percent; percents sum to 100" }),
  amount_in: Integer("Amount sold, the sell fee included; with side=BUY the least that buys amount"),
  side: Type.String({ examples: ["SELL"], description: "SELL: amount was sold. BUY: amount was bought" }),
  min_amount_out: Integer("The least that the recipient accepts; below it the transaction reverts"),
  sell_fee_amount: Integer("Fee in the token sold"),
  price_impact_bps: Type.Optional(Type.Integer({ description: "How much worse than for a small amount" })),
  block_number: Type.Integer({ description: "The block whose state was priced" }),
  block_hash: Type.String(),
  route_graph: RouteGraph,
  optimality: Optimality,
  search: Search,
  coverage: Type.Optional(
    Type.Object(
      {
        tokens: Type.Integer(),
        pools: Type.Integer({ description: "Found, in the market or not" }),
        phase: Type.String({ examples: ["discovering"] }),
        complete: Type.Boolean(),
      },
      { description: "How much of the chain is known, while its pools are still being discovered" },
    ),
  ),
  warnings: Type.Array(Type.String()),
  issues: OrNull(Issues),
  ...adviceFields,
};

export const PriceAnswer = Type.Object(offerFields);
