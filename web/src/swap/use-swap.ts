import { useEffect, useRef, useState } from "preact/hooks";
import { BraidError } from "../../../packages/sdk/src/error.ts";
import { ROUTER } from "../../../packages/sdk/src/generated/router.ts";
import type { Hex } from "../../../packages/sdk/src/hex.ts";
import { allowanceOf } from "../../../packages/sdk/src/wallet/chain.ts";
import { fromProvider } from "../../../packages/sdk/src/wallet/wallet.ts";
import { type PriceRequest, unreadable } from "../api.ts";
import { walletFault } from "../wallet/provider.ts";
import type { Session } from "../wallet/session.ts";
import { type Leftover, leftoverOf, revoke } from "./leftover.ts";
import { type Way, waysOf } from "./pay.ts";
import { fetchAgain, isAsGood, keptPromise } from "./promise.ts";
import { fetchQuote, fetchRevertCause, isQuoteFailure, type Quote, type RevertCause } from "./quote.ts";
import { realisedAmount } from "./realised.ts";
import { type End, POLL_MS, runSwap, type Step } from "./run.ts";

/** State of a swap, from its review to its result. */
export type SwapState =
  | { readonly kind: "idle" }
  | { readonly kind: "quoting"; readonly request: PriceRequest }
  | Review
  | { readonly kind: "running"; readonly request: PriceRequest; readonly quote: Quote; readonly step: Step }
  | {
      readonly kind: "ended";
      readonly request: PriceRequest;
      readonly end: Ended;
      readonly left?: Leftover | undefined;
    };

export type Review = {
  readonly kind: "review";
  readonly request: PriceRequest;
  /** The quote whose promise is kept by every newer one; see `Promised`. */
  readonly accepted: Quote;
  /** The newest quote that keeps it, which the user sees and can confirm. */
  readonly shown: Quote;
  /** A newer quote that breaks the promise, which the user must accept first. */
  readonly worse: Quote | undefined;
  readonly ways: readonly Way[];
  readonly way: Way;
  /** Error message of the last refresh, which is retried. */
  readonly trouble: string | undefined;
};

export type Ended =
  | { readonly kind: "refused"; readonly text: string; readonly rejected: boolean }
  | {
      readonly kind: "mined";
      readonly quote: Quote;
      readonly hash: string;
      readonly realised: bigint | undefined;
    }
  | {
      readonly kind: "reverted";
      readonly quote: Quote;
      readonly hash: string;
      /** A new quote for the same swap; undefined where there is none. */
      readonly now: Quote | undefined;
      readonly cause: RevertCause | undefined;
    }
  | { readonly kind: "replaced" | "dropped"; readonly hash: string };

/** Event for the swap history. */
export type SwapEvent =
  | { readonly kind: "sent"; readonly id: string; readonly request: PriceRequest; readonly quote: Quote }
  | { readonly kind: "ended"; readonly id: string; readonly end: Ended };

export type SwapDesk = {
  readonly state: SwapState;
  readonly review: (request: PriceRequest) => void;
  readonly accept: () => void;
  readonly choose: (way: Way) => void;
  readonly confirm: () => void;
  readonly close: () => void;
  readonly revoke: (left: Leftover, signal: AbortSignal) => Promise<string | undefined>;
};

/** Runs one swap at a time, from a request to its result. */
export function useSwap(
  session: Session | undefined,
  refreshMs: number,
  tell: (event: SwapEvent) => void,
): SwapDesk {
  const [state, setState] = useState<SwapState>({ kind: "idle" });
  const flight = useRef<AbortController>(undefined);
  useEffect(() => () => flight.current?.abort(), []);
  useRefresh({ state, session, refreshMs, setState });
  /** Runs a part of the swap. An error is shown as its end, with the message of the service where it has one. */
  const during = async (
    { request, show }: { readonly request: PriceRequest; readonly show: (end: SwapState) => void },
    work: (signal: AbortSignal) => Promise<void>,
  ) => {
    const controller = new AbortController();
    flight.current = controller;
    try {
      await work(controller.signal);
    } catch (error) {
      if (!controller.signal.aborted) show({ kind: "ended", request, end: refusal(error) });
    }
  };
  const review = (request: PriceRequest) => {
    if (session === undefined) return;
    setState({ kind: "quoting", request });
    const work = async (signal: AbortSignal) => setState(await reviewOf(request, session, signal));
    void during({ request, show: setState }, work);
  };
  const confirm = () => {
    if (session === undefined || state.kind !== "review" || state.worse !== undefined) return;
    const { request, shown: quote } = state;
    // At once, so that a second click finds nothing to confirm.
    setState({ kind: "running", request, quote, step: { kind: "prepare" } });
    const show = (next: SwapState, isOpening = false) =>
      setState((before) => (isOf(quote, before) || (isOpening && before.kind === "idle") ? next : before));
    const work = (signal: AbortSignal) => take({ review: state, session, signal, tell, show });
    void during({ request, show: (end) => show(end, true) }, work);
  };
  const close = () => {
    // A running swap is not aborted: it continues in the wallet or on the chain, and the history follows it.
    if (state.kind !== "running") flight.current?.abort();
    setState({ kind: "idle" });
  };
  useEffect(() => {
    // A quote is for one account, whose allowance and permits were read, on one chain.
    if (state.kind === "quoting" || state.kind === "review") close();
  }, [session?.account, session?.chainId]);
  return {
    state,
    review,
    confirm,
    close,
    accept: () => setState(accepted),
    revoke: (left, signal) => revoke(session, left, signal),
    choose: (way) => setState((before) => (before.kind === "review" ? { ...before, way } : before)),
  };
}

/** Whether this is the confirmed quote that is being swapped. Another one may be, or under review. */
function isOf(quote: Quote, state: SwapState): boolean {
  return state.kind === "running" && state.quote === quote;
}

function refusal(error: unknown): Ended {
  const isWallets = error instanceof BraidError;
  const other = isWallets ? walletFault(error).text : unreadable().message;
  return { kind: "refused", text: isQuoteFailure(error) ? error.message : other, rejected: false };
}

type Taking = {
  readonly review: Review;
  readonly session: Session;
  readonly signal: AbortSignal;
  readonly tell: (event: SwapEvent) => void;
  /** Shows a state unless the user has closed the dialog. @param isOpening opens it again */
  readonly show: (next: SwapState, isOpening?: boolean) => void;
};

/** Executes a reviewed swap and follows it. A closed dialog opens again for a step in which the wallet is asked. */
async function take({ review, session, signal, tell, show }: Taking): Promise<void> {
  const { request, accepted, shown: quote, way } = review;
  let sent: string | undefined;
  let isApproved = false;
  const report = (step: Step) => {
    isApproved ||= step.kind === "approving";
    show({ kind: "running", request, quote, step }, !("hash" in step));
    if (step.kind !== "pending" || step.hash === undefined) return;
    sent = step.hash;
    tell({ kind: "sent", id: sent, request, quote });
  };
  const end = await runSwap({ session, request, quote, accepted, way, pollMs: POLL_MS, signal }, report);
  if (end.kind === "worse") {
    const again = await reviewOf(request, session, signal);
    return show(refreshed({ ...again, accepted, shown: quote }, again.accepted));
  }
  const done = await endedOf(end, session, { request, quote });
  // A batch of calls has no transaction hash until it is mined.
  const id = sent ?? ("quote" in done ? done.hash : undefined);
  if (id !== undefined && sent === undefined) tell({ kind: "sent", id, request, quote });
  if (id !== undefined) tell({ kind: "ended", id, end: done });
  const left = await leftoverOf(session, {
    ...{ chainId: request.chainId, token: request.tokenIn },
    ...{ way, end, isApproved },
  });
  show({ kind: "ended", request, end: done, left });
}

function accepted(before: SwapState): SwapState {
  if (before.kind !== "review" || before.worse === undefined) return before;
  return { ...before, accepted: before.worse, shown: before.worse, worse: undefined };
}

async function reviewOf(request: PriceRequest, session: Session, signal: AbortSignal): Promise<Review> {
  const { account, wallet } = session;
  const quote = await fetchQuote({ request, taker: account }, signal);
  const signer = await fromProvider(wallet.provider, account as Hex);
  const needs = quote.terms.approve_amount > 0n;
  const ways = waysOf(quote.terms, needs ? await allowanceOf(signer, request.tokenIn, ROUTER) : 0n);
  return {
    kind: "review",
    request,
    accepted: quote,
    shown: quote,
    worse: undefined,
    ways,
    way: ways[0]!,
    trouble: undefined,
  };
}

type Refreshing = {
  readonly state: SwapState;
  readonly session: Session | undefined;
  readonly refreshMs: number;
  readonly setState: (next: (before: SwapState) => SwapState) => void;
};

/**
 * Refreshes the quote under review, one request after the other: on a slow connection they would otherwise pile up, until
 * none is answered in time. A quote that breaks the promise of the accepted one must be accepted by the user.
 */
function useRefresh({ state, session, refreshMs, setState }: Refreshing): void {
  const isOpen = state.kind === "review";
  const request = isOpen ? state.request : undefined;
  const accepted = useRef<Quote>(undefined);
  accepted.current = isOpen ? state.accepted : undefined;
  useEffect(() => {
    if (request === undefined || session === undefined) return;
    const gone = new AbortController();
    const refresh = async () => {
      if (accepted.current === undefined) return;
      const promised = { accepted: accepted.current, request };
      const wish = { request, taker: session.account };
      const next = await fetchAgain(promised, wish, gone.signal).catch((error: unknown) =>
        isQuoteFailure(error) ? error.message : unreadable().message,
      );
      if (gone.signal.aborted) return;
      timer = setTimeout(refresh, refreshMs);
      setState((before) => (before.kind === "review" ? refreshed(before, next) : before));
    };
    let timer = setTimeout(refresh, refreshMs);
    return () => {
      clearTimeout(timer);
      gone.abort();
    };
  }, [request, session, refreshMs, setState]);
}

/** The review with a newer quote, or with the error message of a failed refresh. */
export function refreshed(before: Review, next: Quote | string): Review {
  if (typeof next === "string") return { ...before, trouble: next };
  const shown = keptPromise(before, next);
  if (shown === undefined) return { ...before, worse: next, trouble: undefined };
  const accepted = isAsGood(before, next) ? shown : before.accepted;
  return { ...before, accepted, shown, worse: undefined, trouble: undefined };
}

type Settled = Exclude<End, { readonly kind: "worse" }>;

type Confirmed = { readonly request: PriceRequest; readonly quote: Quote };

/** The result for the user. It is compared with the quote that was confirmed, not with one that was fetched after it. */
async function endedOf(
  end: Settled,
  { wallet, account }: Session,
  { request, quote }: Confirmed,
): Promise<Ended> {
  if (end.kind === "refused")
    return { kind: "refused", text: end.fault.text, rejected: end.fault.kind === "rejected" };
  if (!("receipt" in end)) return end;
  const { receipt } = end;
  const hash = receipt.transactionHash;
  if (end.kind === "reverted") {
    const [now, cause] = await Promise.all([
      fetchQuote({ request, taker: account }).catch(() => undefined),
      fetchRevertCause(request.chainId, hash).catch(() => undefined),
    ]);
    return { kind: "reverted", quote, hash, now, cause };
  }
  const least = quote.terms.min_amount_out;
  const mined = { provider: wallet.provider, account, receipt, token: request.tokenOut, least };
  return { kind: "mined", quote, hash, realised: await realisedAmount(mined) };
}
