import { randomBytes } from "node:crypto";
import type { Logger } from "pino";
import type { Registry } from "../../core/protocol.ts";
import { type Address, type Head, NATIVE, type Pool, type PoolId } from "../../core/types.ts";
import type { PoolCheckOutcome, PoolCheckPort } from "../../service/ports/ports.ts";
import { differingPools } from "../indexer/audit/compare.ts";
import { loadStates } from "../indexer/load.ts";
import type { Market } from "../market/market.ts";
import { nextAt } from "../next-at.ts";
import { NodeFailure } from "../node/transport/failure.ts";
import type { Rpc } from "../node/transport/rpc.ts";
import type { ChainReader } from "../node/types.ts";
import { type Bench, fixedFills, type Priced, runFill } from "./run-fill.ts";
import { type BalanceSlot, findBalanceSlot } from "./storage-slot.ts";

type PoolCheckRequest = {
  readonly market: Market;
  readonly registry: Registry;
  readonly reader: ChainReader;
  readonly rpc: Rpc;
  readonly router: Address;
  readonly blockTimeMs: number;
  readonly deadlineMs: number;
  readonly isVetted: (token: Address) => boolean;
  /** Asks for pools to be read afresh. */
  readonly reload: (pools: readonly PoolId[]) => void;
  readonly log: Logger;
};

/** Most pools that wait for a check; further reports are dropped and counted. */
export const MOST_WAITING = 64;

/**
 * Checks pools that a request's own simulation disagreed with, on grounds that no request controls. The caller chose
 * the taker, the tokens and the amounts of that simulation, and its tokens may have traded in the pool during it, so
 * the result proves nothing for others. A pool is quarantined for all callers only where its state differs from the
 * chain's at the committed head, or where exchanges of fixed sizes by an account of this process pay another amount
 * there than its design says. All its tokens must be vetted, so that no unknown token contract takes part in the proof.
 *
 * One pool is checked at a time, each at most once per block.
 */
export function createPoolCheck(request: PoolCheckRequest): PoolCheckPort & { idle(): Promise<void> } {
  const { market, log } = request;
  const counts: Record<PoolCheckOutcome, number> = {
    sound: 0,
    wrong: 0,
    inconclusive: 0,
    unvetted: 0,
    dropped: 0,
  };
  const waiting = new Set<PoolId>();
  const judge = createJudge(request);
  let checked = new Set<PoolId>();
  let block = -1;
  let running: Promise<void> | undefined;

  const isDue = (id: PoolId) => {
    const number = market.head()?.number ?? -1;
    if (number !== block) [block, checked] = [number, new Set()];
    return !waiting.has(id) && !checked.has(id);
  };
  const work = async () => {
    for (const id of waiting) {
      waiting.delete(id);
      if (!isDue(id)) continue;
      checked.add(id);
      const { outcome, why } = await judge(id);
      counts[outcome]++;
      log.info({ pool: id, outcome, why }, "pool checked after a simulation disagreed with it");
    }
    running = undefined;
  };
  return {
    report(pools) {
      for (const id of new Set(pools)) {
        if (!isDue(id)) continue;
        if (waiting.size >= MOST_WAITING) counts.dropped++;
        else waiting.add(id);
      }
      if (waiting.size > 0) running ??= work().catch((error: unknown) => log.error({ err: error }, "a bug"));
    },
    counts: () => ({ ...counts }),
    idle: async () => running,
  };
}

type Verdict = { readonly outcome: PoolCheckOutcome; readonly why: string };

const inconclusive = (why: string): Verdict => ({ outcome: "inconclusive", why });
const STATE = "its state is not what the chain says";

function createJudge(request: PoolCheckRequest): (id: PoolId) => Promise<Verdict> {
  const { market, isVetted, reload, log, registry, reader } = request;
  const runPool = createRuns(request);
  const load = (pools: readonly Pool[], block: Head) => loadStates(pools, block, registry, reader.read);
  const examine = async (pool: Pool, head: Head): Promise<Verdict> => {
    const view = market.book.view();
    const [differs] = await differingPools({ ...request, load }, [pool], { head, view });
    if (differs === undefined) return runPool(pool, { head, view });
    reload([pool.id]);
    return { outcome: "wrong", why: STATE };
  };
  return async (id) => {
    const [pool, head] = [market.book.pools.get(id), market.head()];
    if (pool === undefined || head === undefined) return inconclusive("it is gone");
    if (!pool.tokens.every(isVetted)) return { outcome: "unvetted", why: "a token of it is not vetted" };
    const verdict = await examine(pool, head).catch((error: unknown) => {
      if (!(error instanceof NodeFailure))
        log.error({ err: error, pool: id }, "a pool cannot be checked: a bug");
      return inconclusive(error instanceof Error ? error.message : "it cannot be checked");
    });
    if (verdict.outcome === "wrong") market.quarantine(id, verdict.why);
    return verdict;
  };
}

type Block = { readonly head: Head; readonly view: Bench["view"] };

/** Runs the fixed exchanges of a pool until one pays another amount than its design says. */
function createRuns(request: PoolCheckRequest): (pool: Pool, block: Block) => Promise<Verdict> {
  const slots = new Map<Address, BalanceSlot>();
  // The account is random, so nobody can prepare it: fund it, have a token block it, or deploy code at it.
  const account: Address = `0x${randomBytes(20).toString("hex")}`;
  const slotIn = async (token: Address, bench: Bench): Promise<BalanceSlot | undefined> => {
    const found = slots.get(token) ?? (await findBalanceSlot(token, account, bench));
    if (found !== undefined) slots.set(token, found);
    return found;
  };
  const paidFor = async (bench: Bench, priced: Priced): Promise<bigint | undefined> => {
    const token = priced.pool.tokens[priced.i]!;
    if (token === NATIVE) return runFill(bench, priced, undefined);
    const slot = await slotIn(token, bench);
    return slot === undefined ? undefined : runFill(bench, priced, slot);
  };
  return async (pool, { head, view }) => {
    const bench: Bench = { ...request, head, view, account, at: nextAt(head, request.blockTimeMs) };
    let ran = 0;
    for (const priced of fixedFills(pool, bench)) {
      const paid = await paidFor(bench, priced);
      if (paid !== undefined && paid !== priced.fill.amountOut)
        return { outcome: "wrong", why: difference(priced, paid, head) };
      if (paid !== undefined) ran++;
    }
    if (ran === 0) return inconclusive("no exchange could be run");
    return { outcome: "sound", why: `${ran} exchanges pay what they should` };
  };
}

function difference({ pool, i, fill }: Priced, paid: bigint, head: Head): string {
  return `${fill.amountIn} of ${pool.tokens[i]} pay ${paid}, not ${fill.amountOut}, at block ${head.number}`;
}
