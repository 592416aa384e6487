import { setTimeout as sleep } from "node:timers/promises";
import type { Hex } from "../../core/types.ts";
import { quantity, type Rpc } from "../rpc.ts";

type PulseOptions = {
  readonly rpc: Rpc;
  readonly blockTimeMs: number;
  /** Called once for every head that was seen; what it sends is for the next block. */
  readonly onHead: (blockNumber: number) => Promise<void>;
  readonly onError: (error: unknown) => void;
  readonly signal: AbortSignal;
};

/**
 * An idle chain's base fee falls by an eighth a block to nothing, which no wallet expects. Below the first price it is
 * lifted to the second: several blocks can be mined in one go and still be above 1 gwei.
 */
const LIFT_BELOW = 1_500_000_000n;
const LIFT_TO = 2_000_000_000n;

/** Until aborted, looks at the chain several times a block: holds the base fee up and reports heads. */
export async function keepPulse({ rpc, blockTimeMs, onHead, onError, signal }: PulseOptions): Promise<void> {
  let seen = -1;
  while (!signal.aborted) {
    try {
      const head = await holdBaseFee(rpc);
      if (head !== seen) await onHead(head);
      seen = head;
    } catch (error) {
      if (!signal.aborted) onError(error);
    }
    await sleep(blockTimeMs / 4, undefined, { signal }).catch(() => undefined);
  }
}

/** Lifts the next block's base fee where it would be too low. Returns the head's number. */
export async function holdBaseFee(rpc: Rpc): Promise<number> {
  const history = await rpc.call<{ oldestBlock: Hex; baseFeePerGas: Hex[] }>("eth_feeHistory", [
    "0x1",
    "latest",
    [],
  ]);
  const next = BigInt(history.baseFeePerGas.at(-1) ?? 0);
  if (next < LIFT_BELOW) await rpc.call("anvil_setNextBlockBaseFeePerGas", [quantity(LIFT_TO)]);
  return Number(history.oldestBlock);
}
