import { setTimeout as sleep } from "node:timers/promises";
import type { Hex } from "../../core/types.ts";
import { quantity, type Rpc } from "../rpc.ts";

type PulseOptions = {
  readonly rpc: Rpc;
  readonly blockTimeMs: number;
  /** Called once for every new head; transactions that it sends are for the next block. */
  readonly onHead: (blockNumber: number) => Promise<void>;
  readonly onError: (error: unknown) => void;
  readonly signal: AbortSignal;
};

/**
 * Thresholds in wei. On an idle chain the base fee falls by an eighth per block towards 0, which wallets do not expect.
 * Below the first value it is raised to the second, which keeps it above 1 gwei when several blocks are mined at once.
 */
const LIFT_BELOW = 1_500_000_000n;
const LIFT_TO = 2_000_000_000n;

/** Polls the chain four times per block until aborted, keeps the base fee up and reports new heads. */
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

/** Raises the base fee of the next block where it would be too low. @returns the number of the head */
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
