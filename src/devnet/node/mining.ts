import { setTimeout as sleep } from "node:timers/promises";
import type { Rpc } from "../rpc.ts";

/**
 * Anvil's interval mining in seconds while `keepMining` mines: practically never.
 *
 * Anvil's own interval is not used, because with one of at most two seconds it keeps the states of 1,500 blocks,
 * whatever `--prune-history` says.
 *
 * @source foundry 1.7.1, crates/anvil/src/eth/backend/mem/storage.rs, `update_interval_mine_block_time`
 */
const NEVER_SECONDS = 1_000_000_000;

/** Marks the node as mined by `keepMining`. A user who sets another interval later takes mining over. */
export async function handMiningOver(rpc: Rpc): Promise<void> {
  await rpc.call("evm_setIntervalMining", [NEVER_SECONDS]);
}

type MiningOptions = {
  readonly rpc: Rpc;
  readonly blockTimeMs: number;
  readonly onError: (error: unknown) => void;
  readonly signal: AbortSignal;
};

/**
 * Mines a block every `blockTimeMs` until aborted. It pauses while a user has set an interval by
 * `evm_setIntervalMining`, where 0 disables mining.
 */
export async function keepMining({ rpc, blockTimeMs, onError, signal }: MiningOptions): Promise<void> {
  let due = performance.now() + blockTimeMs;
  while (!signal.aborted) {
    await sleep(Math.max(0, due - performance.now()), undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    // Missed blocks are not made up for.
    due = Math.max(due + blockTimeMs, performance.now());
    try {
      const seconds = await rpc.call<number | null>("anvil_getIntervalMining");
      if (seconds === NEVER_SECONDS) await rpc.call("evm_mine");
    } catch (error) {
      if (!signal.aborted) onError(error);
    }
  }
}
