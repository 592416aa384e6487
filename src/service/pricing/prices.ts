import { BraidError, failures } from "../../core/errors.ts";
import type { Head } from "../../core/types.ts";
import { freshHead, servedChain } from "../chain.ts";
import type { Deps } from "../deps.ts";
import type { ServedChain } from "../ports/ports.ts";
import { ranOutOfTime } from "./no-route.ts";
import {
  makePriced,
  type Prepared,
  type Priced,
  type PriceRequest,
  prepare,
  search,
  searchIn,
} from "./price.ts";

/** Result of one entry of a batch. */
export type PriceResult =
  | { readonly kind: "offer"; readonly priced: Priced }
  | { readonly kind: "failed"; readonly failure: BraidError };

export type PriceBatch = {
  readonly chainId: number;
  readonly requests: readonly PriceRequest[];
  /** `awaitBatch` waits for it. */
  readonly minBlock: number | undefined;
};

export type PriceList = { readonly head: Head; readonly results: readonly PriceResult[] };

/** All searches of a batch together get this many times the time limit of one. */
const BUDGETS = 8;

/** After this much searching in a row, a batch yields to other work. */
const TURN_MS = 10;

/** Attempts that a batch gets if a new block arrives during its searches; after that it is searched in one session. */
const RESTARTS = 2;

/**
 * Offers for many requests, all from one block. Equal requests are searched once. A failure of one request is the
 * result of its entry; a failure of the chain fails the whole batch.
 *
 * @throws BraidError UNSUPPORTED_CHAIN, STALE_STATE
 */
export async function prices(deps: Deps, { chainId, requests }: PriceBatch): Promise<PriceList> {
  const served = servedChain(deps, chainId);
  const entries = new Map<string, Prepared | BraidError>();
  for (const request of requests) {
    const key = keyOf(request);
    if (!entries.has(key))
      entries.set(
        key,
        ownFailure(() => prepare(deps, request)),
      );
  }
  const { head, results } = await atOneBlock(deps, served, entries);
  return { head, results: requests.map((request) => results.get(keyOf(request))!) };
}

const keyOf = (request: PriceRequest): string =>
  JSON.stringify(request, (_key, value: unknown) => (typeof value === "bigint" ? `${value}n` : value));

/** The value, or the failure that concerns only this entry. @throws failures that concern the whole batch */
function ownFailure<T>(work: () => T): T | BraidError {
  try {
    return work();
  } catch (error) {
    return own(error);
  }
}

function own(error: unknown): BraidError {
  if (!(error instanceof BraidError)) throw error;
  if (!OWN.has(failures[error.reason].kind) && !ranOutOfTime(error)) throw error;
  return error;
}

const OWN: ReadonlySet<string> = new Set(["request", "market"]);

type Results = ReadonlyMap<string, PriceResult>;
type Entries = ReadonlyMap<string, Prepared | BraidError>;
type AtOneBlock = { readonly head: Head; readonly results: Results };

async function atOneBlock(deps: Deps, served: ServedChain, entries: Entries): Promise<AtOneBlock> {
  for (let restart = 0; restart < RESTARTS; restart++) {
    const head = freshHead(deps, served);
    const moved = () => freshHead(deps, served).hash !== head.hash;
    const results = await searchAll(deps, served, entries, moved);
    if (results !== undefined) return { head, results };
  }
  return inOneSession(deps, served, entries);
}

/** Time limit of the next search: an equal share of the time left for the batch, at most the limit of one search. */
function budgetOf(deps: Deps, entries: Entries, lanes: number): (done: number) => number {
  const { searchTimeoutMs } = deps.settings;
  const end = deps.monotonicMs() + BUDGETS * searchTimeoutMs;
  return (done) => {
    const left = ((end - deps.monotonicMs()) * lanes) / (entries.size - done);
    return Math.max(1, Math.min(searchTimeoutMs, left));
  };
}

/**
 * Searches all entries, with as many searches in parallel as the market can run.
 *
 * @returns undefined where a new block arrived before the last search ended
 */
async function searchAll(
  deps: Deps,
  { market }: ServedChain,
  entries: Entries,
  moved: () => boolean,
): Promise<Results | undefined> {
  const results = new Map<string, PriceResult>();
  const budget = budgetOf(deps, entries, market.parallel);
  const queue = entries.entries();
  let hasMoved = false;
  const lane = async () => {
    let turn = deps.monotonicMs();
    for (const [key, entry] of queue) {
      if (deps.monotonicMs() - turn > TURN_MS) {
        await deps.pause();
        turn = deps.monotonicMs();
      }
      results.set(key, await resultOf(entry, (prepared) => search(deps, prepared, budget(results.size))));
      hasMoved ||= moved();
      if (hasMoved) return;
    }
  };
  await Promise.all(Array.from({ length: market.parallel }, lane));
  return hasMoved ? undefined : results;
}

/** Searches all entries in one session, which keeps its block while new blocks arrive. */
async function inOneSession(deps: Deps, { market }: ServedChain, entries: Entries): Promise<AtOneBlock> {
  const caller = [...entries.values()].flatMap((entry) =>
    "request" in entry ? [entry.request.caller] : [],
  )[0];
  return market.session(caller ?? "", async (session) => {
    const results = new Map<string, PriceResult>();
    const budget = budgetOf(deps, entries, 1);
    for (const [key, entry] of entries) {
      const priced = async (prepared: Prepared) =>
        makePriced(deps, prepared, await searchIn(session, deps, prepared, budget(results.size)));
      results.set(key, await resultOf(entry, priced));
    }
    return { head: session.head, results };
  });
}

async function resultOf(
  entry: Prepared | BraidError,
  priced: (prepared: Prepared) => Promise<Priced>,
): Promise<PriceResult> {
  if (entry instanceof BraidError) return { kind: "failed", failure: entry };
  try {
    return { kind: "offer", priced: await priced(entry) };
  } catch (error) {
    return { kind: "failed", failure: own(error) };
  }
}
