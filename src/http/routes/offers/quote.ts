import Type, { type Static } from "typebox";
import { callerOf } from "../../../core/callers/caller.ts";
import { type CallableQuote, callableQuote } from "../../../service/accounts/calls.ts";
import type { Proof, Unproved } from "../../../service/accounts/proof.ts";
import { gravestFirst } from "../../../service/advice/notices.ts";
import type { Notice } from "../../../service/advice/types.ts";
import { keepQuote } from "../../../service/explain/record.ts";
import { awaitMarket } from "../../../service/pricing/await-market.ts";
import type { Quote, QuoteRequest } from "../../../service/quoting/quote.ts";
import type { Call } from "../../../service/quoting/simulation.ts";
import { askerOf } from "../../access/asker.ts";
import { type App, type Context, checked } from "../../app-types.ts";
import { presentOffer } from "../../present/present.ts";
import { OrNull } from "../../schemas/or-null.ts";
import { givenPermit, Permit, permitQuery, permitRule, presentPermits } from "../../schemas/permit-query.ts";
import {
  AddressOut,
  ChainParams,
  failureResponses,
  Integer,
  offerFields,
  Text,
} from "../../schemas/schemas.ts";
import { slippage, swapQuery, swapRequest, swapRules } from "../../schemas/swap-query.ts";
import { flag, lower, optional } from "../../schemas/texts.ts";

const Query = Type.Object({
  ...swapQuery,
  slippage,
  takerAddress: Type.Optional(
    Text("address", { description: "Wallet that will send the transaction; with it the gas is measured" }),
  ),
  recipientAddress: Type.Optional(
    Text("account", { description: "Wallet that gets the tokens bought; default: the sender" }),
  ),
  skipValidation: Type.Optional(
    Text("flag", {
      description: "false = refuse a transaction that reverts for takerAddress",
      default: "true",
    }),
  ),
  deadline: Type.Optional(
    Text("deadline", { description: "Unix time after which it reverts; default: head time + 1200 s" }),
  ),
  ...permitQuery,
});

const QuoteAnswer = Type.Object({
  ...offerFields,
  calldata: Type.String({ description: "Input data of the transaction" }),
  to: AddressOut("Contract that the input data is sent to, and that spends the token sold"),
  value: Integer("WEI of the native coin to send along"),
  simulated: Type.Boolean({ description: "The transaction was run for takerAddress and paid exactly this" }),
  expiry: Type.Optional(Type.Integer({ description: "Unix time at which a maker's order lapses" })),
  approve_amount: Integer("The allowance for `to` that this transaction needs, and no more; 0 where none"),
  permit: Type.Optional(Permit),
  simulation: OrNull(
    Type.Object(
      {
        status: Type.String({ examples: ["exact", "differs", "reverted"] }),
        amount_out: OrNull(Integer("What the recipient got; null where it reverted")),
        gas_used: OrNull(
          Integer("Gas units that the simulated swap used; null where the simulation does not tell"),
        ),
        block: Type.Integer({ description: "The block whose state it ran on" }),
        method: Type.String({ examples: ["eth_simulateV1", "eth_call with overrides", "eth_call"] }),
        funds: Type.String({
          description:
            "wallet: takerAddress's own. overridden: it, or a stand-in, was given what it lacks for the run",
          examples: ["wallet", "overridden"],
        }),
        reason: OrNull(Type.String({ description: "Why it reverted, for people" })),
      },
      { description: "This very calldata, run on the block of the offer; null where no node could in time" },
    ),
  ),
  simulation_reason: OrNull(Type.String({ description: "Why simulation is null; null where it is not" })),
  calls: OrNull(
    Type.Array(Type.Object({ to: AddressOut("Contract"), data: Type.String(), value: Integer("WEI") }), {
      description:
        "What takerAddress has to call, in order: reset, approve, swap, as far as needed, for wallets that send several " +
        "calls as one (EIP-5792). Without takerAddress as if nothing were approved; null where no node answers",
    }),
  ),
});

const schema = {
  tags: ["swap"],
  operationId: "quote",
  summary: "The best offer for a pair, with the transaction that takes it",
  params: ChainParams,
  querystring: Query,
  response: { 200: QuoteAnswer, ...failureResponses },
};

function quoteRequest(chainID: string, query: Static<typeof Query>): QuoteRequest {
  return {
    ...swapRequest(chainID, query),
    taker: optional(query.takerAddress, lower),
    recipient: optional(query.recipientAddress, lower),
    skipValidation: flag(query.skipValidation, true),
    deadline: optional(query.deadline, Number),
    permit: givenPermit(query),
  };
}

/** GET /v1/{chainID}/quote */
export function quoteRoute(app: App, { deps, gate, log, metrics }: Context): void {
  app.get(
    "/v1/:chainID/quote",
    checked(schema, [...swapRules, permitRule]),
    async ({ params, query, id, ip, accessKey }) => {
      const startMs = deps.monotonicMs();
      const caller = callerOf(ip);
      const request: QuoteRequest = { ...quoteRequest(params.chainID, query), caller, askedMs: startMs };
      await gate.wait(caller, () => awaitMarket(deps, request));
      const made = await gate.run(caller, () => callableQuote(deps, request));
      const { quote: answer, proof } = made;
      if (answer.rerouted) metrics.rerouted(request.chainId);
      const totalMs = deps.monotonicMs() - startMs;
      const quoteId = keepQuote(deps, answer, askerOf(ip, accessKey), { request, proof, totalMs });
      const offer = presentOffer(deps, answer.offer, quoteId);
      const ms = Math.round(deps.monotonicMs() - startMs);
      log.info({ request: id, quote: offer.quote_id, ...lineOf(answer), ms }, "quote");
      return { ...offer, ...presentQuote(made, request) };
    },
  );
}

/** The fields of a quote that extend or replace those of its offer. */
function presentQuote({ quote, calls, resetsFirst, proof, cautions }: CallableQuote, request: QuoteRequest) {
  const { offer, call, expiry } = quote;
  const permit = presentPermits(quote.permits);
  const notices = [...offer.advice.notices, ...cautions, ...(resetsFirst ? [RESET_FIRST] : [])];
  return {
    calldata: call.data,
    to: call.to,
    value: call.value.toString(),
    valid_until: quote.validUntil,
    simulated: quote.simulated,
    issues: presentIssues(quote.issues),
    ...(expiry === undefined ? {} : { expiry }),
    approve_amount: approveAmount(quote, request).toString(),
    ...(permit === undefined ? {} : { permit }),
    ...presentProof(proof),
    calls: calls?.map(presentCall) ?? null,
    notices: gravestFirst(notices).map((notice) => ({ ...notice, details: { ...notice.details } })),
  };
}

function presentProof(proof: Proof | Unproved) {
  if (proof.status === "none") return { simulation: null, simulation_reason: proof.reason };
  const { status, amountOut, gasUsed, block, method, funds, reason } = proof;
  const simulation = {
    status,
    amount_out: amountOut?.toString() ?? null,
    gas_used: gasUsed?.toString() ?? null,
    block: block.number,
    method,
    funds,
    reason: reason ?? null,
  };
  return { simulation, simulation_reason: null };
}

function presentCall({ to, data, value }: Call) {
  return { to, data, value: value.toString() };
}

const RESET_FIRST: Notice = {
  code: "RESET_FIRST",
  severity: "info",
  message:
    "This token only changes an allowance from or to 0, and there is one: approve 0 first, as calls do.",
  details: {},
};

function presentIssues(issues: Quote["issues"]) {
  if (issues === undefined) return null;
  const { balance, allowance } = issues;
  const texts = ({ needed, actual }: { needed: bigint; actual: bigint }) => ({
    needed: needed.toString(),
    actual: actual.toString(),
  });
  return {
    ...(balance === undefined ? {} : { balance: { ...texts(balance), token: balance.token } }),
    ...(allowance === undefined ? {} : { allowance: { ...texts(allowance), spender: allowance.spender } }),
  };
}

/**
 * The allowance that the transaction needs for `to`, in smallest units: the amount sold. It is 0 for the native coin,
 * and with a permit, which gives the allowance by signature.
 */
function approveAmount({ offer, call }: Quote, { permit }: QuoteRequest): bigint {
  return permit === undefined && call.value === 0n ? offer.amountIn : 0n;
}

/** The fields of a quote in the log. */
function lineOf({ offer, simulated, rerouted }: Quote) {
  return {
    chain: offer.chain.id,
    block: offer.head.number,
    sold: offer.tokenIn.address,
    bought: offer.tokenOut.address,
    amountIn: offer.amountIn.toString(),
    amountOut: offer.amountOut.toString(),
    legs: offer.route.steps.length,
    gas: offer.gas.toString(),
    simulated,
    rerouted,
  };
}
