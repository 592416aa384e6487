import { BraidError } from "../core/errors.ts";
import type { Chain, Head } from "../core/types.ts";
import type { Deps } from "./deps.ts";
import type { GasLevels, ServedChain } from "./ports/ports.ts";

/**
 * The chain with this id; `field` is the parameter that names it.
 *
 * @throws BraidError UNSUPPORTED_CHAIN, which names the served chains
 */
export function servedChain(deps: Deps, chainId: number, field = "chainID"): ServedChain {
  const served = deps.chains.get(chainId);
  if (served !== undefined) return served;
  const list = [...deps.chains.keys()].join(", ");
  const reason = list === "" ? "no chain is served" : `served are ${list}`;
  throw new BraidError("UNSUPPORTED_CHAIN", `Chain ${chainId} is not served: ${reason}.`, {
    details: [{ field, reason, value: chainId }],
  });
}

/** One block time in seconds, rounded up, at least 1. */
function retryAfterSeconds(served: ServedChain): number {
  return Math.max(1, Math.ceil(served.chain.blockTimeMs / 1000));
}

/** A head may always be this many block times old, because no newer one can be confirmed before the next block. */
const BLOCKS_OF_GRACE = 3;

/** Highest age of a head whose state is still used, in milliseconds since it was last confirmed. */
export function stateAgeLimitMs(chain: Chain, maxStateAgeMs: number): number {
  return Math.max(maxStateAgeMs, BLOCKS_OF_GRACE * chain.blockTimeMs);
}

/** Why a chain's state may not be priced; undefined where it may. */
export function unfitness(served: ServedChain, maxStateAgeMs: number): string | undefined {
  const { chain, market } = served;
  const status = market.status();
  if (status.phase === "starting") return `its first state is being built (${status.reason})`;
  const limitMs = stateAgeLimitMs(chain, maxStateAgeMs);
  if (status.ageMs <= limitMs) return status.searchTrouble;
  const age = Math.round(status.ageMs / 1000);
  const old = `block ${status.head.number} was last confirmed ${age} s ago, the limit is ${limitMs / 1000} s`;
  return [old, ...endpointTroubles(served)].join("; ");
}

/** Why endpoints of a chain cannot be used, each named by its place in the list from 1 on. */
function endpointTroubles({ endpoints }: ServedChain): string[] {
  const reports = endpoints?.() ?? [];
  return reports.flatMap(({ trouble }, k) => (trouble === undefined ? [] : [`endpoint ${k + 1} ${trouble}`]));
}

/**
 * The head whose state is priced.
 *
 * @throws BraidError STALE_STATE while the first state is built, or when the head is older than the settings allow
 */
export function freshHead(deps: Deps, served: ServedChain): Head {
  const status = served.market.status();
  const reason = unfitness(served, deps.settings.maxStateAgeMs);
  if (status.phase === "live" && reason === undefined) return status.head;
  throw stale(served, `Chain ${served.chain.id} cannot be priced now: ${reason}.`, {
    field: "chainID",
    reason: reason ?? status.phase,
  });
}

/** Waits until the market has reached a block that the caller has seen. @throws BraidError STALE_STATE on a timeout */
export async function reachBlock(deps: Deps, served: ServedChain, block: number | undefined): Promise<void> {
  if (block === undefined) return;
  const waitMs = deps.settings.minBlockWaitMs;
  if (await awaitBlock(deps, served, block, waitMs)) return;
  throw stale(served, `Block ${block} was not reached within ${waitMs} ms.`, {
    field: "min_block",
    reason: "not reached yet",
    value: block,
  });
}

/** Waits for a block on behalf of a request. @returns whether the market reached it in time */
export async function awaitBlock(
  { monotonicMs, onStage }: Deps,
  { chain, market }: ServedChain,
  block: number,
  timeoutMs: number,
): Promise<boolean> {
  const startMs = monotonicMs();
  const isReached = await market.waitFor(block, timeoutMs);
  onStage?.(chain.id, "wait", monotonicMs() - startMs);
  return isReached;
}

/** The gas prices of the newest block. @throws BraidError STALE_STATE before the first block */
export function gasLevels(served: ServedChain): GasLevels {
  const levels = served.gas.levels();
  if (levels !== undefined) return levels;
  throw stale(served, `The gas prices of chain ${served.chain.id} are not known yet.`, {
    field: "gasPrice",
    reason: "not known yet",
  });
}

type Fact = { field: string; reason: string; value?: number };

function stale(served: ServedChain, message: string, { value, ...detail }: Fact): BraidError {
  return new BraidError("STALE_STATE", message, {
    details: [value === undefined ? detail : { ...detail, value }],
    retryAfterSeconds: retryAfterSeconds(served),
  });
}
