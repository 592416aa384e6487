import { setTimeout as sleep } from "node:timers/promises";
import type { Rpc } from "../rpc.ts";

/**
 * Seconds between two blocks that the node mines on its own while this process has them mined: never.
 *
 * The node's own interval is not used, because one of two seconds and less makes anvil keep the states of 1,500 blocks whatever
 * `--prune-history` says. @source foundry 1.7.1, crates/anvil/src/eth/backend/mem/storage.rs, `update_interval_mine_block_time`
 */
const NEVER_SECONDS = 1_000_000_000;

/** Says that blocks are mined by `keepMining`; who sets another interval later takes that over. */
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
 * Until aborted, has a block mined every `blockTimeMs`. While somebody has set an interval of their own by
 * `evm_setIntervalMining`, 0 for none, the node mines as they said.
 */
export async function keepMining({ rpc, blockTimeMs, onError, signal }: MiningOptions): Promise<void> {
  let due = performance.now() + blockTimeMs;
  while (!signal.aborted) {
    await sleep(Math.max(0, due - performance.now()), undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    // A block that could not be mined in time is left out, not made up for.
    due = Math.max(due + blockTimeMs, performance.now());
    try {
      const seconds = await rpc.call<number | null>("anvil_getIntervalMining");
      if (seconds === NEVER_SECONDS) await rpc.call("evm_mine");
    } catch (error) {
      if (!signal.aborted) onError(error);
    }
  }
}
