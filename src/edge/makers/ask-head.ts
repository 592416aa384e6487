import type { Address, Head, Hex } from "../../core/types.ts";
import type { Answer } from "../node/endpoint.ts";
import type { Rpc } from "../node/transport/rpc.ts";

/** Parameters of an `eth_call`; `gas` is a hex quantity. */
export type CallFrom = {
  readonly from?: Address;
  readonly to: Address;
  readonly data: Hex;
  readonly gas?: Hex;
};

/**
 * Calls contracts at the newest block, all in one batch request to a node.
 *
 * @returns the answers in the order of the calls; undefined where there is no block yet, or no node answers in time
 */
export type AskHead = (
  calls: readonly CallFrom[],
  timeoutMs: number,
) => Promise<readonly Answer[] | undefined>;

export function createAskHead(rpc: Pick<Rpc, "batch">, head: () => Head | undefined): AskHead {
  return async (calls, timeoutMs) => {
    const on = head();
    if (on === undefined) return undefined;
    const requests = calls.map((call) => ({
      method: "eth_call",
      params: [call, { blockHash: on.hash }],
    }));
    const options = { block: on.number, deadlineMs: timeoutMs, urgency: "head" } as const;
    return rpc.batch(requests, options).catch(() => undefined);
  };
}
