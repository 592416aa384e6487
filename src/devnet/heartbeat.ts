import { setTimeout as sleep } from "node:timers/promises";
import type { Hex } from "../core/types.ts";
import { quantity, type Rpc } from "./rpc.ts";

/** Wei per gas that the devnet never goes below: an idle chain would fall to nothing, which no wallet expects. */
export const BASE_FEE_FLOOR = 1_000_000_000n;

export type Heartbeat = { stop(): Promise<void> };

export type HeartbeatOptions = {
  readonly rpc: Rpc;
  readonly blockTimeMs: number;
  /** Runs before each block, with its number; what it sends is in that block. */
  readonly beforeBlock: (blockNumber: number) => Promise<void>;
  readonly onError: (error: unknown) => void;
};

/**
 * Mines a block at every multiple of the block time of the wall clock, stamped with that time.
 *
 * The node's own interval mining would let the base fee of an idle chain fall by an eighth a block.
 */
export function startHeartbeat(options: HeartbeatOptions): Heartbeat {
  const stopping = new AbortController();
  const finished = run(options, stopping.signal);
  return {
    stop: async () => {
      stopping.abort();
      await finished;
    },
  };
}

async function run(options: HeartbeatOptions, signal: AbortSignal): Promise<void> {
  while (await nextBeat(options.blockTimeMs, signal)) {
    try {
      await beat(options);
    } catch (error) {
      if (!signal.aborted) options.onError(error);
    }
  }
}

/** Waits for the next multiple of the block time; false once stopped. */
async function nextBeat(blockTimeMs: number, signal: AbortSignal): Promise<boolean> {
  const wait = blockTimeMs - (Date.now() % blockTimeMs);
  await sleep(wait, undefined, { signal }).catch(() => undefined);
  return !signal.aborted;
}

async function beat({ rpc, beforeBlock }: HeartbeatOptions): Promise<void> {
  const now = Math.floor(Date.now() / 1000);
  const head = await rpc.call<{ number: Hex; timestamp: Hex }>("eth_getBlockByNumber", ["latest", false]);
  await beforeBlock(Number(head.number) + 1);
  await rpc.call("evm_mine", [{ timestamp: Math.max(now, Number(head.timestamp) + 1) }]);
  await holdBaseFee(rpc);
}

/** Lifts the next block's base fee to the floor where it would be below. */
export async function holdBaseFee(rpc: Rpc): Promise<void> {
  const history = await rpc.call<{ baseFeePerGas: Hex[] }>("eth_feeHistory", ["0x1", "latest", []]);
  if (BigInt(history.baseFeePerGas.at(-1) ?? 0) >= BASE_FEE_FLOOR) return;
  await rpc.call("anvil_setNextBlockBaseFeePerGas", [quantity(BASE_FEE_FLOOR)]);
}
