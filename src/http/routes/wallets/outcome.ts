import Type from "typebox";
import type { WireRoute } from "../../../core/encoding/index.ts";
import { stepKinds } from "../../../core/encoding/kinds.ts";
import { type Outcome, outcome } from "../../../service/accounts/outcome.ts";
import type { SwapOutcome } from "../../../service/accounts/swap-outcome.ts";
import { type App, type Context, checked } from "../../app-types.ts";
import { OrNull } from "../../schemas/or-null.ts";
import { AddressOut, ChainParams, failureResponses, Integer, Text } from "../../schemas/schemas.ts";

const SwapOut = Type.Object({
  token_in: AddressOut("Token sold"),
  token_out: AddressOut("Token bought"),
  amount_in: Integer("What was sold, the sell fee included"),
  amount_out: OrNull(
    Integer("What the recipient got; null until it is mined, where it reverted, and where it cannot be told"),
  ),
  measured_by: OrNull(
    Type.String({
      description:
        "transfers: the token's logs. trace: what the router answered. balance: what the recipient's balance grew by in the block",
      examples: ["transfers", "trace", "balance"],
    }),
  ),
  min_amount_out: Integer("The least that it agreed to"),
  recipient: AddressOut("Who was paid"),
  valid_until: Type.Integer({ description: "Unix time after which it reverts" }),
  sell_fee_amount: Integer("Fee in the token sold"),
  fee_recipient_amount: OrNull(Integer("Fee in the token bought; null where it cannot be told")),
  fee_recipient: OrNull(Type.String()),
  steps: Type.Array(
    Type.Object({
      kind: Type.String({ description: "The router's step", examples: ["v3"] }),
      pool: Type.String({ description: "The contract that the step calls" }),
      token_in: OrNull(Type.String()),
      token_out: OrNull(Type.String()),
      share_q32: Type.Integer({ description: "Share of what is left of token_in, in 2^-32" }),
    }),
  ),
});

const Reverted = Type.Object({
  name: Type.String({ description: "The contract's error", examples: ["Error"] }),
  text: Type.String({ description: "Why, for people", examples: ["min return not reached"] }),
  values: Type.Record(Type.String(), Type.String()),
  would_have_paid: OrNull(
    Integer("What it would have paid without its minimum; null where the minimum was not the reason"),
  ),
});

const schema = {
  tags: ["transaction"],
  operationId: "outcome",
  summary:
    "What became of a transaction: amounts realised, fees, route, or why it reverted; counts as 4 requests",
  params: ChainParams,
  querystring: Type.Object({ hash: Text("hash", { description: "Transaction hash" }) }),
  response: {
    200: Type.Object({
      hash: Type.String(),
      status: Type.String({
        description: "unknown: no node knows it (yet)",
        examples: ["unknown", "pending", "succeeded", "reverted"],
      }),
      block_number: OrNull(Type.Integer()),
      block_hash: OrNull(Type.String()),
      confirmations: Type.Integer({ description: "Blocks since, its own included; 0 while it is not mined" }),
      from: OrNull(Type.String()),
      to: OrNull(Type.String()),
      gas_used: OrNull(Type.String()),
      gas_price: OrNull(Integer("WEI that were paid for a unit of gas")),
      swap: OrNull(SwapOut),
      revert: OrNull(Reverted),
    }),
    ...failureResponses,
  },
};

/** Requests that a call is charged as against the rate limit. */
const WEIGHT = 4;

/** GET /v1/{chainID}/transaction/outcome */
export function outcomeRoute(app: App, { deps, charge }: Context): void {
  app.get("/v1/:chainID/transaction/outcome", checked(schema), async (request, reply) => {
    charge(request, reply, WEIGHT);
    const hash = request.query.hash.toLowerCase() as `0x${string}`;
    const found = await outcome(deps, Number(request.params.chainID), hash);
    return { hash, ...presentOutcome(found) };
  });
}

function presentOutcome({ status, sent, confirmations, swap, revert }: Outcome) {
  const receipt = sent?.receipt;
  return {
    status,
    block_number: receipt?.blockNumber ?? null,
    block_hash: receipt?.blockHash ?? null,
    confirmations,
    from: sent?.from ?? null,
    to: sent?.to ?? null,
    gas_used: receipt?.gasUsed.toString() ?? null,
    gas_price: receipt?.gasPriceWei.toString() ?? null,
    swap: swap === undefined ? null : presentSwap(swap),
    revert:
      revert === undefined
        ? null
        : {
            name: revert.name,
            text: revert.text,
            values: { ...revert.values },
            would_have_paid: revert.wouldHavePaid?.toString() ?? null,
          },
  };
}

function presentSwap({ terms, tokenIn, tokenOut, recipient, sellFee, received, buyFee }: SwapOutcome) {
  return {
    token_in: tokenIn,
    token_out: tokenOut,
    amount_in: terms.amountIn.toString(),
    amount_out: received?.amount.toString() ?? null,
    measured_by: received?.by ?? null,
    min_amount_out: terms.minimumOut.toString(),
    recipient,
    valid_until: terms.deadline,
    sell_fee_amount: sellFee.toString(),
    fee_recipient_amount: buyFee?.toString() ?? null,
    fee_recipient: terms.feeRecipient ?? null,
    steps: presentSteps(terms.route),
  };
}

const kindNames = new Map<number, string>(Object.entries(stepKinds).map(([name, kind]) => [kind, name]));
/** The share in the router's encoding of a step that sells all of the remaining balance. */
const ALL = 0;

function presentSteps({ tokens, steps }: WireRoute) {
  return steps.map(({ kind, src, dst, share, target }) => ({
    kind: kindNames.get(kind) ?? String(kind),
    pool: target,
    token_in: tokens[src] ?? null,
    token_out: tokens[dst] ?? null,
    share_q32: share === ALL ? 2 ** 32 : share,
  }));
}
