import { encodeApprove } from "../../core/encoding/index.ts";
import { unlessRefused } from "../../core/errors.ts";
import { isNative } from "../../core/tokens.ts";
import type { Notice } from "../advice/types.ts";
import { approve } from "../approve.ts";
import { servedChain } from "../chain.ts";
import type { Deps } from "../deps.ts";
import { noteUnfillable } from "../makers/refusal.ts";
import { withoutItsMakers } from "../quoting/exclusions.ts";
import { type Quote, type QuoteRequest, quote } from "../quoting/quote.ts";
import { reverts, warned } from "../quoting/quote-notices.ts";
import { type Call, trialOf } from "../quoting/simulation.ts";
import { readAllowance } from "../wallet.ts";
import { cautionsOf } from "./cautions.ts";
import { type Proof, proofOf, STAND_IN, type Unproved } from "./proof.ts";

/** A quote with all calls that its sender has to make, in order. */
export type CallableQuote = {
  readonly quote: Quote;
  /** Reset and approval where they are needed, then the swap; undefined where no node reports the present allowance. */
  readonly calls: readonly Call[] | undefined;
  /** Whether `calls` resets the allowance first: the token only changes an allowance from or to 0, and one is set. */
  readonly resetsFirst: boolean;
  readonly proof: Proof | Unproved;
  /** Notices about its recipient, tokens and pools. */
  readonly cautions: readonly Notice[];
};

/**
 * A quote, and the calls that execute it. The allowance is read while the quote is made; without a wallet it counts as
 * 0. Where the calldata reverts with overridden funds and fills makers' orders, the quote is made again without the
 * makers that cause it.
 *
 * @throws BraidError as `quote`
 */
export async function callableQuote(deps: Deps, request: QuoteRequest): Promise<CallableQuote> {
  const [proved, allowed] = await Promise.all([
    proveOrReplace(deps, request),
    unlessRefused(() => allowanceOf(deps, request)),
  ]);
  const { made, proof, cautions } = proved;
  const told = tellRevert(made, proof, request);
  return { quote: told, proof, cautions, ...(await callsOf(deps, made, request, allowed)) };
}

type Proved = {
  readonly made: Quote;
  readonly proof: Proof | Unproved;
  readonly cautions: readonly Notice[];
};

/** Most times that one quote is made again: a revert names one maker, and the next route may have another such maker. */
const MOST_REPLACED = 3;

async function proveOrReplace(deps: Deps, request: QuoteRequest): Promise<Proved> {
  let proved = await prove(deps, request, await quote(deps, request));
  for (let left = MOST_REPLACED; left > 0; left--) {
    const { proof, made } = proved;
    if (!hasReverted(proof)) return proved;
    // The last attempt leaves out all makers of the route.
    const refused = withoutItsMakers(made.priced, left > 1 ? proof.reverted : undefined);
    if (refused === undefined) return proved;
    const [next] = await Promise.all([
      unlessRefused(() => quote(deps, request, refused)),
      noteUnfillable(made.priced.served, trialOf(made, request.taker ?? STAND_IN), proof.reverted),
    ]);
    if (next === undefined) return proved;
    proved = await prove(deps, request, { ...next, rerouted: true });
  }
  return proved;
}

async function prove(deps: Deps, request: QuoteRequest, made: Quote): Promise<Proved> {
  const [proof, cautions] = await Promise.all([
    proofOf(deps, made, request),
    cautionsOf(deps, made, request),
  ]);
  return { made, proof, cautions };
}

/** Whether the calldata reverts although its sender was given the funds that it needs. */
function hasReverted(proof: Proof | Unproved): proof is Proof {
  return proof.status === "reverted" && proof.funds === "overridden";
}

/** The quote with the notice REVERTS where it reverts even with overridden funds, unless it has that notice already. */
function tellRevert(made: Quote, proof: Proof | Unproved, { permit }: QuoteRequest): Quote {
  if (!hasReverted(proof)) return made;
  if (made.offer.advice.notices.some(({ code }) => code === "REVERTS")) return made;
  const reason = (proof.reason ?? "").replace(/\.$/, "");
  return { ...made, offer: warned(made.offer, reverts(reason, permit !== undefined)) };
}

async function callsOf(
  deps: Deps,
  made: Quote,
  request: QuoteRequest,
  allowed: bigint | "any" | undefined,
): Promise<Pick<CallableQuote, "calls" | "resetsFirst">> {
  const { offer, call } = made;
  if (allowed === undefined) return { calls: undefined, resetsFirst: false };
  if (allowed === "any" || allowed >= offer.amountIn) return { calls: [call], resetsFirst: false };
  const approval: Call = {
    to: offer.tokenIn.address,
    data: encodeApprove(call.to, offer.amountIn),
    value: 0n,
  };
  const reset = allowed === 0n ? undefined : await unlessRefused(() => resetOf(deps, made, request));
  const calls = [...(reset === undefined ? [] : [reset]), approval, call];
  return { calls, resetsFirst: reset !== undefined };
}

/** The allowance of the taker; "any" where no approval is needed: the native coin, or a signature replaces it. */
async function allowanceOf(
  deps: Deps,
  { chainId, tokenIn, taker, permit }: QuoteRequest,
): Promise<bigint | "any" | undefined> {
  if (isNative(tokenIn) || permit !== undefined) return "any";
  if (taker === undefined) return 0n;
  return readAllowance(servedChain(deps, chainId), tokenIn, taker);
}

async function resetOf(
  deps: Deps,
  { offer, call }: Quote,
  { chainId, taker }: QuoteRequest,
): Promise<Call | undefined> {
  const terms = { chainId, token: offer.tokenIn.address, amount: offer.amountIn, gasPriceWei: 1n };
  return (await approve(deps, { ...terms, taker, spender: call.to })).reset;
}
