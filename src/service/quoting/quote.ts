import { keccak256 } from "viem/utils";
import { BraidError, unlessRefused } from "../../core/errors.ts";
import { calldataGas } from "../../core/gas/gas.ts";
import { routerWork } from "../../core/gas/router-work.ts";
import { isNative } from "../../core/tokens.ts";
import type { Address, Hex } from "../../core/types.ts";
import { awaitBlock, freshHead, servedChain } from "../chain.ts";
import type { Deps } from "../deps.ts";
import { withOrders } from "../makers/orders.ts";
import { noteUnfillable } from "../makers/refusal.ts";
import type { Refused } from "../ports/ports-quotes.ts";
import { modelGas, type Offer } from "../pricing/offer.ts";
import { type Priced, type PriceRequest, price, refuseRouter } from "../pricing/price.ts";
import { requireRouter } from "../router.ts";
import { blame } from "./blame.ts";
import { DIFFERED, refusals, withoutItsMakers } from "./exclusions.ts";
import { type PermitFacts, permitFacts } from "./permit-tokens.ts";
import { type GivenPermit, type PermitOffer, permitGas, permitOffers, withPermit } from "./permits.ts";
import {
  type Issues,
  issueNotices,
  issuesOf,
  noticed,
  notValidated,
  paysOther,
  reverts,
  warned,
} from "./quote-notices.ts";
import {
  type Call,
  gasLimit,
  type Outcome,
  type Ran,
  type Reverted,
  revertText,
  simulationFailed,
  type Trial,
  trialOf,
  tryOnNewest,
  tryOut,
} from "./simulation.ts";
import { swapCall } from "./swap-call.ts";

export type QuoteRequest = PriceRequest & {
  /** The wallet that will send the transaction; where it is named, the calldata is simulated. */
  readonly taker: Address | undefined;
  /** Who is paid; undefined = the sender. */
  readonly recipient: Address | undefined;
  /** Whether a transaction that reverts is answered with a warning; false: the request is refused. */
  readonly skipValidation: boolean;
  /** Unix time in seconds; undefined = head time + the settings' validity. */
  readonly deadline: number | undefined;
  /** A signature that replaces an approval. */
  readonly permit: GivenPermit | undefined;
};

/** An offer with the transaction that executes it. */
export type Quote = {
  /** The price that the offer comes from. */
  readonly priced: Priced;
  readonly offer: Offer;
  readonly call: Call;
  /** Unix time in seconds after which the transaction reverts. */
  readonly validUntil: number;
  /** Whether the calldata was simulated for this wallet and paid the offered amount exactly. */
  readonly simulated: boolean;
  /** The simulation, where it paid an amount; undefined where the transaction was not simulated, or reverted. */
  readonly ran: Ran | undefined;
  /** Whether the simulation contradicted the first route and this quote comes from another search. */
  readonly rerouted: boolean;
  /** Unix time at which the first of its makers' orders expires; undefined without orders. */
  readonly expiry: number | undefined;
  /** What the taker lacks to pay; undefined where it is not known: without a taker, or where no node answers. */
  readonly issues: Issues | undefined;
  /** Permits that the taker may sign instead of an approval; empty without a taker or with a signature. */
  readonly permits: readonly PermitOffer[];
  /** Time that encoding the calldata took, milliseconds. */
  readonly encodeMs: number;
  /** keccak256 of the calldata, and of the calldata before the signature step was prepended. */
  readonly hashes: { readonly calldataHash: Hex; readonly unsignedHash: Hex };
};

/** Longest wait for the market to reach the block of a node that is ahead of it. */
const CATCH_UP_MS = 250;

type Draft = { readonly priced: Priced; readonly quote: Quote };

/**
 * The best offer and its transaction. With a taker, the transaction is simulated on the offer's block. If it pays
 * another amount than the offer, one more route is tried without the pools that differed. Offers to other callers do
 * not change: the caller chose the wallet and the tokens of the simulation, so it is evidence for this caller only.
 *
 * @param refused pools that may not be used, and why
 * @throws BraidError as `price`; ROUTER_UNAVAILABLE; SIMULATION_FAILED with `skipValidation` false where the transaction reverts
 */
export async function quote(
  deps: Deps,
  request: QuoteRequest,
  refused: readonly Refused[] = [],
): Promise<Quote> {
  const served = servedChain(deps, request.chainId);
  freshHead(deps, served);
  requireRouter(served);
  const first = await draft(deps, request, refused);
  // Both are awaited from the start: a rejection of one that nobody awaits yet would end the process.
  const [quoted, facts] = await Promise.all([tried(deps, request, first), readPermits(first, request)]);
  if (facts === undefined) return quoted;
  const { offer, call, validUntil } = quoted;
  const signing = { offer, owner: request.taker!, spender: call.to, deadline: validUntil };
  return { ...quoted, permits: permitOffers(facts, signing) };
}

/** Reads, in parallel with the simulation, what can be signed; undefined where nothing can or no node answers. */
function readPermits(
  { priced, quote: { offer } }: Draft,
  request: QuoteRequest,
): Promise<PermitFacts | undefined> {
  const { address } = offer.tokenIn;
  if (request.taker === undefined || request.permit !== undefined || isNative(address))
    return Promise.resolve(undefined);
  const { taker } = request;
  return unlessRefused(() => permitFacts(priced.served, address, taker));
}

async function tried(deps: Deps, request: QuoteRequest, first: Draft): Promise<Quote> {
  const trial = request.taker === undefined ? undefined : trialOf(first.quote, request.taker);
  if (trial === undefined) return request.skipValidation ? first.quote : unvalidated(first.quote);
  const outcome = await attempt(first, trial, request);
  if (outcome === undefined) return first.quote;
  if (!disagrees(outcome, first.quote.offer)) return conclude(first, outcome, trial, request);
  const second = await reroute(deps, request, first, { trial, outcome });
  if (second === undefined) return conclude(first, outcome, trial, request);
  const nextTrial = { ...trial, call: second.quote.call, head: second.quote.offer.head };
  const nextOutcome = await attempt(second, nextTrial, request);
  const rerouted = { ...second, quote: { ...second.quote, rerouted: true } };
  return nextOutcome === undefined ? rerouted.quote : conclude(rerouted, nextOutcome, nextTrial, request);
}

function unvalidated(quoted: Quote): Quote {
  return { ...quoted, offer: warned(quoted.offer, notValidated) };
}

const NOT_RUN = {
  simulated: false,
  ran: undefined,
  rerouted: false,
  issues: undefined,
  permits: [],
} as const;

async function draft(deps: Deps, request: QuoteRequest, refused: readonly Refused[]): Promise<Draft> {
  const priced = await withOrders(deps, await price(deps, request, refused), request.taker);
  const { offer, served, wire, view, at } = priced;
  refuseRouter("recipientAddress", request.recipient, served.router);
  const latest = offer.head.timestamp + deps.settings.deadlineSeconds;
  const signedUntil = request.permit?.deadline ?? Number.POSITIVE_INFINITY;
  if (signedUntil < at.timestamp) throw expired("permit_deadline", signedUntil, at.timestamp);
  const validUntil = request.deadline ?? Math.min(latest, priced.expiry ?? latest, signedUntil);
  if (validUntil < at.timestamp) throw expired("deadline", validUntil, at.timestamp);
  const startMs = deps.monotonicMs();
  const swap = swapCall(
    offer.route,
    {
      amountIn: offer.amountIn,
      minimumOut: offer.minimumOut,
      recipient: request.recipient,
      deadline: validUntil,
      fees: request.fees,
    },
    { served, registry: deps.registry, view },
  );
  const encodeMs = deps.monotonicMs() - startMs;
  deps.onStage?.(request.chainId, "encode", encodeMs);
  const call = request.permit === undefined ? swap : withPermit(swap, offer, request.permit);
  const swapping = {
    route: offer.route,
    wire,
    fees: request.fees,
    otherRecipient: request.recipient !== undefined,
  };
  const gas = modelGas(swapping, calldataGas(call.data));
  const permit = request.permit === undefined ? 0n : permitGas[request.permit.kind];
  const quoted = { ...offer, gas: gas + permit };
  return {
    priced,
    quote: {
      priced,
      offer: quoted,
      call,
      validUntil,
      ...NOT_RUN,
      expiry: priced.expiry,
      encodeMs,
      hashes: { calldataHash: keccak256(call.data), unsignedHash: keccak256(swap.data) },
    },
  };
}

/**
 * Simulates the transaction; undefined where no node answers and the request skips validation. Where it reverts
 * although the wallet can pay, it runs on the node's newest block too: the wallet may have approved after the offer's.
 */
async function attempt({ priced }: Draft, trial: Trial, request: QuoteRequest): Promise<Outcome | undefined> {
  try {
    const outcome = await tryOut(priced.served, trial);
    if (outcome.kind === "ran") return outcome;
    if (!outcome.canPay && !permitFails(outcome, trial, request)) return outcome;
    return (await tryOnNewest(priced.served, trial)) ?? outcome;
  } catch (error) {
    if (request.skipValidation && error instanceof BraidError) return undefined;
    throw error;
  }
}

/** Whether a simulation contradicts the offer: it pays another amount, or reverts although the wallet can pay. */
function disagrees(outcome: Outcome, offer: Offer): boolean {
  return outcome.kind === "ran" ? outcome.paid !== offer.amountOut : outcome.canPay;
}

/**
 * Searches for another route after a simulation contradicted the first. If it ran on another block, the market gets a
 * moment to catch up with the node, and no pool is excluded. If the first route has makers' orders, the makers are excluded
 * first, since an order that was used up elsewhere is no pool's fault. Otherwise this request avoids the pools that
 * differed, and they are reported for a check that no caller controls.
 *
 * @returns undefined where there is no other route and no pool was found to differ; the first answer then stands
 * @throws BraidError NO_ROUTE where the only route crosses a pool that differs
 */
async function reroute(
  deps: Deps,
  request: QuoteRequest,
  first: Draft,
  { trial, outcome }: { trial: Trial; outcome: Outcome },
): Promise<Draft | undefined> {
  const { served, refused } = first.priced;
  if (!outcome.sameBlock) {
    await awaitBlock(deps, served, first.priced.offer.head.number + 1, CATCH_UP_MS);
    return draft(deps, request, refused);
  }
  const reverted = outcome.kind === "reverted" ? outcome.data : undefined;
  const makers = withoutItsMakers(first.priced, reverted);
  if (makers !== undefined) {
    const next = draft(deps, request, makers).catch(unlessNoRoute);
    return (await Promise.all([next, noteUnfillable(served, trial, reverted)]))[0];
  }
  const { differing, suspects } = await blame(deps, first.priced, trial).catch(() => NOBODY);
  const avoided = differing.length > 0 ? differing : suspects;
  served.checks.report(avoided.slice(0, MOST_REPORTED));
  try {
    return await draft(deps, request, [...refused, ...refusals(avoided, DIFFERED)]);
  } catch (error) {
    if (differing.length === 0 && error instanceof BraidError && error.reason === "NO_ROUTE")
      return undefined;
    throw error;
  }
}

function unlessNoRoute(error: unknown): undefined {
  if (!(error instanceof BraidError) || error.reason !== "NO_ROUTE") throw error;
}

const NOBODY = { differing: [], suspects: [] };

/** Most pools that one request reports for a check, so that a long route of suspects leaves capacity for others. */
const MOST_REPORTED = 8;

/** The answer after a simulation: measured gas where it paid, else modelled gas, or a refusal without `skipValidation`. */
function conclude({ priced, quote }: Draft, outcome: Outcome, trial: Trial, request: QuoteRequest): Quote {
  const { offer } = quote;
  if (outcome.kind === "ran") {
    const exact = outcome.paid === offer.amountOut;
    const gas = gasLimit(outcome.gasUsed, routerWork(priced.wire).isSteady);
    const told = exact ? offer : warned(offer, paysOther(outcome.paid));
    return { ...quote, offer: { ...told, gas }, simulated: exact, ran: outcome, issues: {} };
  }
  const isSigned = request.permit !== undefined;
  if (!request.skipValidation) throw simulationFailed(outcome, trial, offer.tokenIn, isSigned);
  const issues = issuesOf(outcome.facts, trial, isSigned);
  const told = noticed(offer, issueNotices(issues, offer.tokenIn));
  if (!outcome.canPay && !permitFails(outcome, trial, request)) return { ...quote, offer: told, issues };
  return {
    ...quote,
    offer: warned(told, reverts(revertText(outcome), isSigned)),
    issues,
  };
}

/** Whether the swap reverts although the wallet holds the amount and the request carries a signature. */
function permitFails({ facts }: Reverted, { amountIn }: Trial, { permit }: QuoteRequest): boolean {
  return permit !== undefined && facts.balance !== undefined && facts.balance >= amountIn;
}

function expired(field: string, value: number, timestamp: number): BraidError {
  const reason = `lies before the block that could execute it, ${timestamp}`;
  return new BraidError("VALIDATION", `${field} ${reason}.`, { details: [{ field, reason, value }] });
}
