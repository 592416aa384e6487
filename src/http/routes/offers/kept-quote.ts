import Type from "typebox";
import { keptQuote } from "../../../service/explain/find.ts";
import type { KeptQuote } from "../../../service/ports/ports-quotes.ts";
import { type App, type Context, checked } from "../../app-types.ts";
import { OrNull } from "../../schemas/or-null.ts";
import { AddressOut, ChainParams, failureResponses, Integer, Text } from "../../schemas/schemas.ts";

const millis = (description: string) => OrNull(Type.Number({ description }));

const Request = Type.Object({
  from_token: AddressOut("Token sold"),
  to_token: AddressOut("Token bought"),
  amount: Integer("As asked"),
  side: Type.String({ examples: ["SELL", "BUY"] }),
  slippage: Type.Number({ description: "10 = 1 %" }),
  gas_price: OrNull(Integer("WEI, where one was named")),
  fee_recipient: OrNull(Type.String()),
  buy_token_fee: Type.Integer({ description: "10 = 1 %" }),
  sell_token_fee: Type.Integer({ description: "10 = 1 %" }),
  sources: Type.Object({ list: Type.String(), names: Type.Array(Type.String()), rfq_only: Type.Boolean() }),
  with_gas: Type.Boolean(),
  max_price_impact: OrNull(Type.Number({ description: "10 = 1 %" })),
});

const Step = Type.Object({
  pool: Type.String(),
  protocol: Type.String({ description: "The design" }),
  deployment: Type.String(),
  token_in: Type.String(),
  token_out: Type.String(),
  share_q32: Type.Integer({ description: "Share of what is left of token_in, in 2^-32" }),
  amount_in: Integer("Sold"),
  amount_out: Integer("Bought"),
});

const SearchOut = Type.Object({
  vetted: Type.String({
    examples: ["none", "two", "all"],
    description: "How many tokens of a pool had to be vetted, or be those asked for",
  }),
  avoided: Type.Integer({ description: "Pools that it had to do without" }),
  amount_in: OrNull(Integer("Sold by the route that it found")),
  amount_out: OrNull(Integer("Bought by it")),
  legs: OrNull(Type.Integer()),
  gas: OrNull(Type.Number({ description: "Gas units of the pools crossed" })),
  reason: OrNull(Type.String({ description: "Why it found nothing" })),
  complete: Type.Boolean(),
  ms: Type.Number(),
  chosen: Type.Boolean({ description: "Its route is the answer" }),
});

const CandidateOut = Type.Object({
  legs: Type.Integer(),
  estimate: OrNull(Type.Number({ description: "What it was expected to net, in units of the token bought" })),
  amount_in: OrNull(Integer("As it was settled; null where it was not expected to be the best")),
  amount_out: OrNull(Integer("As it was settled")),
  gas: OrNull(Type.Number()),
  net: OrNull(Integer("amount_out less the gas in the token bought, where gas is counted")),
});

const PoolOut = Type.Object({
  pool: Type.String(),
  deployment: Type.String(),
  token_in: Type.String(),
  token_out: Type.String(),
  rate: Type.Number({ description: "Bought per sold before any trade, in smallest units" }),
  rate_at_prices: Type.Number({ description: "The same at the marginal prices: what the pool has to beat" }),
  earned: Type.Number({
    description: "The most that a trade with it gains at the marginal prices, in units of the token bought",
  }),
  gas_cost: Type.Number({
    description: "What its crossing costs in the token bought; 0 where gas is not counted",
  }),
  verdict: Type.String({
    examples: ["used", "refused", "priced-out", "below-gas", "displaced"],
    description:
      "used. refused: its source was not allowed. priced-out: it gains nothing at the marginal prices. below-gas: less than " +
      "its gas. displaced: it gains, and the route is better without it (few legs, or another pool in its place)",
  }),
});

const Answer = Type.Object({
  quote_id: Type.String(),
  kind: Type.String({ examples: ["price", "quote"] }),
  made_at: Type.Integer({ description: "Unix time" }),
  request: Request,
  redacted: Type.Array(Type.String(), { description: "Parameters that were given and are not kept" }),
  block_number: Type.Integer(),
  block_hash: Type.String(),
  block_time: Type.Integer({ description: "Unix time" }),
  states: Type.Array(Type.Object({ id: Type.String(), digest: Type.String() }), {
    description: "SHA-256 of the state of each pool of the route in that block; npm run replay checks them",
  }),
  limits: Type.Object({ max_hops: Type.Integer(), max_legs: Type.Integer(), timeout_ms: Type.Number() }),
  gas_price: Integer("WEI"),
  amount_in: Integer("Sold, the sell fee included"),
  amount_out_total: Integer("What the recipient gets"),
  min_amount_out: Integer("The least"),
  sell_fee_amount: Integer("Fee in the token sold"),
  fee_recipient_amount: Integer("Fee in the token bought"),
  estimate_gas_total: Integer("Gas units"),
  steps: Type.Array(Step, { description: "The route in execution order" }),
  searches: Type.Array(SearchOut),
  complete: Type.Boolean({ description: "No search ran out of time: replayed, the same route comes out" }),
  candidates: Type.Array(CandidateOut, { description: "Sets of legs that the chosen search weighed" }),
  marginal_prices: Type.Array(Type.Object({ token: Type.String(), price: Type.Number() }), {
    description:
      "What one more smallest unit of a token is worth at the optimum, in smallest units of the token bought: the dual prices that prove the bound",
  }),
  pools: Type.Array(PoolOut, {
    description: "Pools of the route, of the convex optimum, and the best beside them",
  }),
  refused: Type.Array(Type.Object({ kind: Type.String(), id: Type.String(), reason: Type.String() }), {
    description: "What this request did without, and why",
  }),
  stages: Type.Object({
    wait_ms: millis("Until the first search began"),
    search_ms: millis("All searches, in doubles"),
    settle_ms: millis("Settling what they found in integers"),
    encode_ms: millis("Calldata"),
    simulate_ms: millis("Waiting for nodes and makers"),
  }),
  transaction: OrNull(
    Type.Object({
      to: Type.String(),
      value: Integer("WEI"),
      valid_until: Type.Integer(),
      calldata_hash: Type.String({ description: "keccak256 of the calldata" }),
      unsigned_hash: Type.String({ description: "The same without the step that a signature adds" }),
    }),
  ),
  simulation: OrNull(
    Type.Object({
      status: Type.String(),
      amount_out: OrNull(Type.String()),
      gas_used: OrNull(Type.String()),
      method: Type.String(),
    }),
  ),
  cut: Type.Boolean({ description: "Pools, candidates or steps were left out: the record was too large" }),
});

const schema = {
  tags: ["swap"],
  operationId: "keptQuote",
  summary: "How an answer of price or quote came about, by its quote_id, while it is kept",
  description:
    "What a key asked is for that key; an id of the anonymous tier is for whoever has it. Wallets and signatures are not kept.",
  params: Type.Object({
    ...ChainParams.properties,
    id: Text("quote-id", { description: "quote_id of an answer" }),
  }),
  response: { 200: Answer, ...failureResponses },
};

/** GET /v1/{chainID}/quotes/{id} */
export function keptQuoteRoute(app: App, { deps }: Context): void {
  app.get("/v1/:chainID/quotes/:id", checked(schema), async ({ params, accessKey }) =>
    present(keptQuote(deps, Number(params.chainID), params.id, accessKey?.id)),
  );
}

function present({ id, states, isCut, record }: KeptQuote) {
  const { kind, madeAt, redacted, block, limits, amounts, stages, simulation } = record;
  return {
    quote_id: id,
    kind,
    made_at: madeAt,
    request: presentRequest(record),
    redacted: [...redacted],
    block_number: block.number,
    block_hash: block.hash,
    block_time: block.timestamp,
    states: states.map((state) => ({ ...state })),
    limits: { max_hops: limits.maxHops, max_legs: limits.maxLegs, timeout_ms: limits.timeoutMs },
    gas_price: record.gasPriceWei,
    amount_in: amounts.sold,
    amount_out_total: amounts.bought,
    min_amount_out: amounts.minimum,
    sell_fee_amount: amounts.sellFee,
    fee_recipient_amount: amounts.buyFee,
    estimate_gas_total: amounts.gas,
    ...presentSearches(record),
    marginal_prices: record.prices.map((each) => ({ ...each })),
    refused: record.refused.map((each) => ({ ...each })),
    stages: {
      wait_ms: stages.wait,
      search_ms: stages.search,
      settle_ms: stages.settle,
      encode_ms: stages.encode,
      simulate_ms: stages.simulate,
    },
    transaction: presentTransaction(record),
    simulation: simulation && {
      status: simulation.status,
      amount_out: simulation.amountOut,
      gas_used: simulation.gasUsed,
      method: simulation.method,
    },
    cut: isCut,
  };
}

function presentRequest({ request }: KeptQuote["record"]) {
  const { sources, maxImpactPpm } = request;
  return {
    from_token: request.tokenIn,
    to_token: request.tokenOut,
    amount: request.amount,
    side: request.side === "in" ? "SELL" : "BUY",
    slippage: request.slippagePpm / 1_000,
    gas_price: request.gasPriceWei,
    fee_recipient: request.feeRecipient,
    buy_token_fee: request.buyPermille,
    sell_token_fee: request.sellPermille,
    sources: { list: sources.list, names: [...sources.names], rfq_only: sources.rfqOnly },
    with_gas: request.withGas,
    max_price_impact: maxImpactPpm === null ? null : maxImpactPpm / 1_000,
  };
}

function presentSearches({ steps, searches, candidates, pools }: KeptQuote["record"]) {
  return {
    steps: steps.map(({ tokenIn, tokenOut, shareQ32, amountIn, amountOut, ...step }) => ({
      ...step,
      token_in: tokenIn,
      token_out: tokenOut,
      share_q32: shareQ32,
      amount_in: amountIn,
      amount_out: amountOut,
    })),
    searches: searches.map(({ found, ...search }) => ({
      ...search,
      amount_in: found?.amountIn ?? null,
      amount_out: found?.amountOut ?? null,
      legs: found?.legs ?? null,
      gas: found?.gas ?? null,
    })),
    complete: searches.every(({ complete }) => complete),
    candidates: candidates.map(({ legs, estimate, amountIn, amountOut, gas, net }) => ({
      ...{ legs, estimate, gas },
      amount_in: amountIn,
      amount_out: amountOut,
      net: net,
    })),
    pools: pools.map(({ tokenIn, tokenOut, rateAtPrices, gasCost, ...pool }) => ({
      ...pool,
      token_in: tokenIn,
      token_out: tokenOut,
      rate_at_prices: rateAtPrices,
      gas_cost: gasCost,
    })),
  };
}

function presentTransaction({ transaction }: KeptQuote["record"]) {
  if (transaction === null) return null;
  const { to, value, deadline, calldataHash, unsignedHash } = transaction;
  return {
    to,
    value: value,
    valid_until: deadline,
    calldata_hash: calldataHash,
    unsigned_hash: unsignedHash,
  };
}
