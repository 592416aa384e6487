import { BraidError, failures } from "../core/errors.ts";
import type { Head } from "../core/types.ts";
import { freshHead, reachBlock, servedChain } from "./chain.ts";
import { coverTokens } from "./coverage.ts";
import type { Deps } from "./deps.ts";
import type { Offer } from "./offer.ts";
import type { ServedChain } from "./ports.ts";
import { type Prepared, type PriceRequest, prepare, search } from "./price.ts";

/** What became of one entry of a batch. */
export type PriceResult =
  | { readonly kind: "offer"; readonly offer: Offer }
  | { readonly kind: "failed"; readonly failure: BraidError };

type PriceBatch = {
  readonly chainId: number;
  readonly requests: readonly PriceRequest[];
  readonly minBlock: number | undefined;
};

export type PriceList = { readonly head: Head; readonly results: readonly PriceResult[] };

/** All searches of a batch together get this many times the budget of one. */
const BUDGETS = 8;

/** Others get their turn after this much searching in a row. */
const TURN_MS = 10;

/** A batch into which a block falls is begun again this often; then it is finished in one go. */
const RESTARTS = 2;

/**
 * Offers for many requests, all from one block. Equal requests are searched for once. What is wrong with one request
 * is that entry's failure; what is wrong with the chain is the batch's.
 *
 * @throws BraidError UNSUPPORTED_CHAIN, STALE_STATE
 */
export async function prices(deps: Deps, { chainId, requests, minBlock }: PriceBatch): Promise<PriceList> {
  const served = servedChain(deps, chainId);
  await reachBlock(deps, served, minBlock);
  await Promise.all(requests.map(({ tokenIn, tokenOut }) => coverTokens(served, [tokenIn, tokenOut])));
  const entries = new Map<string, Prepared | BraidError>();
  for (const request of requests) {
    const key = keyOf(request);
    if (!entries.has(key))
      entries.set(
        key,
        ownFailure(() => prepare(deps, request, new Set())),
      );
  }
  const { head, results } = await atOneBlock(deps, served, entries);
  return { head, results: requests.map((request) => results.get(keyOf(request))!) };
}

const keyOf = (request: PriceRequest): string =>
  JSON.stringify(request, (_key, value: unknown) => (typeof value === "bigint" ? `${value}n` : value));

/** The value, or the failure that concerns this entry alone. @throws what concerns the whole batch */
function ownFailure<T>(work: () => T): T | BraidError {
  try {
    return work();
  } catch (error) {
    return own(error);
  }
}

function own(error: unknown): BraidError {
  const isOwn = error instanceof BraidError && OWN.has(failures[error.reason].kind);
  if (!isOwn) throw error;
  return error;
}

const OWN: ReadonlySet<string> = new Set(["request", "market"]);

type Results = ReadonlyMap<string, PriceResult>;
type Entries = ReadonlyMap<string, Prepared | BraidError>;

async function atOneBlock(
  deps: Deps,
  served: ServedChain,
  entries: Entries,
): Promise<{ head: Head; results: Results }> {
  for (let restart = 0; restart <= RESTARTS; restart++) {
    const head = freshHead(deps, served);
    const patient = restart < RESTARTS;
    const results = await searchAll(deps, entries, {
      moved: () => freshHead(deps, served).hash !== head.hash,
      pause: patient ? deps.pause : undefined,
    });
    if (results !== undefined) return { head, results };
  }
  throw new BraidError("STALE_STATE", "Blocks come faster than these prices can be found.", {
    retryAfterSeconds: 1,
  });
}

type Pace = { readonly moved: () => boolean; readonly pause: (() => Promise<void>) | undefined };

/** @returns undefined where another block came before the last search */
async function searchAll(deps: Deps, entries: Entries, { moved, pause }: Pace): Promise<Results | undefined> {
  const { searchTimeoutMs } = deps.settings;
  const start = deps.monotonicMs();
  const results = new Map<string, PriceResult>();
  let turn = start;
  for (const [key, entry] of entries) {
    const now = deps.monotonicMs();
    if (pause !== undefined && now - turn > TURN_MS) {
      await pause();
      turn = deps.monotonicMs();
    }
    const left = (start + BUDGETS * searchTimeoutMs - now) / (entries.size - results.size);
    const timeoutMs = Math.max(1, Math.min(searchTimeoutMs, left));
    results.set(key, await resultOf(deps, entry, timeoutMs));
    if (moved()) return undefined;
  }
  return results;
}

async function resultOf(deps: Deps, entry: Prepared | BraidError, timeoutMs: number): Promise<PriceResult> {
  if (entry instanceof BraidError) return { kind: "failed", failure: entry };
  try {
    return { kind: "offer", offer: (await search(deps, entry, timeoutMs)).offer };
  } catch (error) {
    return { kind: "failed", failure: own(error) };
  }
}
