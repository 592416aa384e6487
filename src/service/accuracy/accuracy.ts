import { BraidError } from "../../core/errors.ts";
import { NATIVE } from "../../core/types.ts";
import { proofOf } from "../accounts/proof.ts";
import { servedChain } from "../chain.ts";
import type { Deps } from "../deps.ts";
import type { MarketPort, ServedChain } from "../ports/ports.ts";
import type { AccuracyPort, Source } from "../ports/ports-accuracy.ts";
import { unvettedBetween } from "../pricing/intermediates.ts";
import { type PriceRequest, plainRequest, price } from "../pricing/price.ts";
import { quote } from "../quoting/quote.ts";
import { createLedger, type Ledger } from "./ledger.ts";
import { createPairs, type Pairs, type Watched } from "./pairs.ts";
import { readBlocks } from "./read-blocks.ts";
import { lossBps, paidOn, type Sample, sampleOf } from "./sample.ts";

type Followed = {
  readonly sample: Sample;
  readonly source: Source;
  readonly pair: Watched | undefined;
  /** The amount that it paid when it was last settled, and the time of that settlement. */
  paid: bigint;
  atMs: number;
  isNextBlockDone: boolean;
  marks: number;
};

type OneChain = {
  readonly served: ServedChain;
  readonly ledger: Ledger;
  readonly pairs: Pairs;
  followed: Followed[];
};

/** Time after which an offer is settled again, and how many times in a row a reference offer is. */
const HORIZON_MS = 10_000;
const MARKS = 6;
/** Most callers' offers that are followed at the same time. */
const MOST_FOLLOWED = 64;
/** Least time between two reference offers, and between two that are also run on a node. */
const REFERENCE_MS = 2_000;
const PROOF_MS = 30_000;
/**
 * Value of a reference offer: a share of the smaller depth of its two tokens, or the second figure, in wei, where no
 * depth is known.
 */
const SHARE_OF_DEPTH = 1 / 2_000;
const WORTH_WEI = 10 ** 18;

export type AccuracyOptions = {
  /** Whether a caller is waiting for an answer; the service's own searches wait until none is. */
  readonly isBusy: () => boolean;
  /** Called with unexpected errors. */
  readonly onBug: (error: unknown) => void;
};

/**
 * Creates the accuracy measurement of all served chains.
 *
 * @param deps of the use cases; a function because these dependencies contain the accuracy measurement itself
 */
export function createAccuracy(
  deps: () => Deps,
  options: AccuracyOptions,
): AccuracyPort & { start(): void; stop(): void } {
  const chains = new Map<number, OneChain>();
  let isStopped = false;
  const of = (chainId: number): OneChain => {
    const one = chains.get(chainId) ?? openChain(deps(), chainId);
    chains.set(chainId, one);
    return one;
  };
  return {
    ...notes(deps, of),
    report(chainId) {
      const { ledger, pairs } = of(chainId);
      return { ...ledger.report(), pairs: pairs.list() };
    },
    driftPpm(chainId, tokenIn, tokenOut) {
      const { pairs } = of(chainId);
      const pair = pairs.find(tokenIn, tokenOut);
      const bps = pair && pairs.driftBps(pair);
      return bps === undefined ? undefined : 100 * bps;
    },
    start() {
      const running = { ...options, isStopped: () => isStopped };
      for (const chainId of deps().chains.keys()) {
        const one = of(chainId);
        void run(deps, one, running);
        void readBlocks(deps(), one, running);
      }
    },
    stop() {
      isStopped = true;
    },
  };
}

function openChain(deps: Deps, chainId: number): OneChain {
  const served = servedChain(deps, chainId);
  return { served, ledger: createLedger(), pairs: createPairs(deps, served), followed: [] };
}

type Notes = Pick<AccuracyPort, "offered" | "proved" | "quoted" | "quotedAs" | "executed">;

function notes(deps: () => Deps, of: (chainId: number) => OneChain): Notes {
  return {
    offered(offer, buyPermille, caller) {
      const one = of(offer.chain.id);
      one.pairs.want(offer.tokenIn.address, offer.tokenOut.address, caller);
      const ofCallers = one.followed.filter(({ source }) => source === "callers").length;
      const sample = ofCallers < MOST_FOLLOWED ? sampleOf(offer, buyPermille) : undefined;
      follow(deps(), one, sample, { source: "callers", pair: undefined });
    },
    proved(offer, { status, amountOut }) {
      // A node's result on the sealed block proves nothing about an offer on the block that is being built.
      if (offer.isPreconfirmed) return;
      const { ledger, served } = of(offer.chain.id);
      const ends = [offer.tokenIn.address, offer.tokenOut.address];
      const isVetted = ends.every((token) => token === NATIVE || served.isVetted(token));
      const paid = status === "reverted" ? undefined : amountOut;
      ledger.ran(isVetted ? "callers" : "unvetted", offer.amountOut, paid);
    },
    quoted: (quoted) => of(quoted.chainId).ledger.quoted(quoted),
    quotedAs: (chainId, calldataHash) => of(chainId).ledger.quotedAs(calldataHash),
    executed: (chainId, swap) => of(chainId).ledger.executed(swap),
  };
}

type Terms = Pick<Followed, "source" | "pair">;

function follow({ monotonicMs }: Deps, one: OneChain, sample: Sample | undefined, terms: Terms): void {
  if (sample === undefined || sample.quoted <= 0n) return;
  const begun = { paid: sample.quoted, atMs: monotonicMs(), isNextBlockDone: false, marks: 0 };
  one.followed.push({ sample, ...terms, ...begun });
}

type Running = AccuracyOptions & { readonly isStopped: () => boolean };

/** Settles the followed offers when they are due, and makes reference offers, until it is stopped. */
async function run(deps: () => Deps, one: OneChain, { isBusy, isStopped, onBug }: Running): Promise<void> {
  const { monotonicMs, pause } = deps();
  const { market } = one.served;
  let [quotedMs, provedMs] = [monotonicMs(), monotonicMs()];
  for (let block = -1; !isStopped(); ) {
    await market.waitFor(block + 1, HORIZON_MS / 20);
    await pause();
    const status = market.status();
    if (status.phase !== "live") continue;
    block = status.head.number;
    settleDue(deps(), one, block);
    if (isBusy() || monotonicMs() - quotedMs < REFERENCE_MS) continue;
    quotedMs = monotonicMs();
    const isProved = quotedMs - provedMs >= PROOF_MS;
    if (isProved) provedMs = quotedMs;
    await reference(deps(), one, isProved).catch((error: unknown) => {
      if (!(error instanceof BraidError)) onBug(error);
    });
  }
}

/** Settles the followed offers that are due on the newest states, and drops those that are finished. */
function settleDue(deps: Deps, one: OneChain, block: number): void {
  const { market } = one.served;
  const now = deps.monotonicMs();
  one.followed = one.followed.filter((followed) => {
    const isNext = !followed.isNextBlockDone && block > followed.sample.block;
    const isMark = now - followed.atMs >= HORIZON_MS;
    if (isNext || isMark) settleOne(deps, one, followed, { market, isNext, isMark, now });
    return followed.marks < (followed.source === "reference" ? MARKS : 1);
  });
}

type Due = {
  readonly market: MarketPort;
  readonly isNext: boolean;
  readonly isMark: boolean;
  readonly now: number;
};

function settleOne(
  deps: Deps,
  { ledger, served }: OneChain,
  followed: Followed,
  { market, isNext, isMark, now }: Due,
): void {
  const { sample, source, pair } = followed;
  const paid = paidOn(sample, deps.registry, market.view(), market.at());
  const isUnfilled = paid === undefined;
  const sinceQuote = { bps: lossBps(sample.quoted, paid), isUnfilled };
  if (isNext) {
    followed.isNextBlockDone = true;
    ledger.replayed(source, sample.pairClass, "block", sinceQuote);
  }
  if (!isMark) return;
  if (followed.marks === 0) ledger.replayed(source, sample.pairClass, "10s", sinceQuote);
  // A late settlement measures the loss over a longer time, so it is not a sample for ten seconds.
  const isInTime = now - followed.atMs < 1.5 * HORIZON_MS;
  // A route that cannot be filled any more shows that a pool was emptied, and not what the pair loses.
  if (paid !== undefined && isInTime && measuresDrift(sample, served))
    pair?.drifts.add(lossBps(followed.paid, paid));
  followed.marks = isUnfilled ? MARKS : followed.marks + 1;
  followed.paid = paid ?? followed.paid;
  followed.atMs = now;
}

/**
 * Whether the loss of a sample measures how the pair's price moves: not where its route crosses an unvetted token, whose
 * pools anyone can create and drain.
 */
function measuresDrift({ route }: Sample, { isVetted }: ServedChain): boolean {
  return unvettedBetween(route, isVetted).length === 0;
}

/** Makes a reference offer for the next pair; a pair without a request of a usable amount is skipped. */
async function reference(deps: Deps, one: OneChain, isProved: boolean): Promise<void> {
  const pair = one.pairs.next();
  const request = pair && requestOf(one.served, pair);
  if (request === undefined) return;
  if (!isProved || one.served.routerTrouble() !== undefined) {
    const { offer } = await price(deps, request);
    return follow(deps, one, sampleOf(offer, 0), { source: "reference", pair });
  }
  const asked = { ...request, ...NOBODY };
  const made = await quote(deps, asked);
  follow(deps, one, sampleOf(made.priced.offer, 0), { source: "reference", pair });
  const proof = await proofOf(deps, made, asked);
  if (proof.status === "none" || made.offer.isPreconfirmed) return;
  const paid = proof.status === "reverted" ? undefined : proof.amountOut;
  one.ledger.ran("reference", made.offer.amountOut, paid);
}

const NOBODY = {
  taker: undefined,
  recipient: undefined,
  skipValidation: true,
  deadline: undefined,
  permit: undefined,
} as const;

function requestOf({ chain, market }: ServedChain, { tokenIn, tokenOut }: Watched): PriceRequest | undefined {
  const weiPerUnit = tokenIn === NATIVE ? 1 : market.nativePer(tokenIn);
  const depth = Math.min(
    ...[tokenIn, tokenOut].map((token) => (token === NATIVE ? Infinity : market.priceDepth(token))),
  );
  const worth = depth > 0 && depth < Infinity ? depth * SHARE_OF_DEPTH : WORTH_WEI;
  const amount = Math.ceil(worth / (weiPerUnit ?? Number.NaN));
  if (!(amount >= 1 && amount < 2 ** 200)) return undefined;
  return plainRequest({ chainId: chain.id, tokenIn, tokenOut, amount: BigInt(amount) });
}
