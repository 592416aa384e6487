import type { Logger } from "pino";
import type { Address, Hex } from "../../core/types.ts";
import type { Answer } from "./endpoint.ts";
import { fields } from "./parse.ts";
import { NodeFailure } from "./transport/failure.ts";
import type { RequestOptions, Rpc } from "./transport/rpc.ts";
import type { BlockRef, Request } from "./types.ts";

/** Parameters of an `eth_call`. */
export type PinnedCall = {
  /** Absent where `data` is init code. */
  readonly to?: Address;
  readonly data: Hex;
  /** Code by address, for this call only. */
  readonly overrides?: Readonly<Record<Address, { readonly code: Hex }>>;
};

/** Makes calls on the state of one block. */
export type Pinned = (calls: readonly PinnedCall[], block: BlockRef) => Promise<Answer[]>;

type PinnedRequest = {
  readonly rpc: Rpc;
  readonly options: Options;
  readonly log: Logger;
};

type Options = Pick<RequestOptions, "attemptMs" | "urgency"> & { readonly deadlineMs: number };

/**
 * Pins calls by block hash where the node takes one. Otherwise it pins them by number and checks the hash of that block
 * in the same batch; once a node has refused a hash, all later calls go by number.
 */
export function createPinned({ rpc, options: common, log }: PinnedRequest): Pinned {
  let byHash = true;
  return async (calls, block) => {
    if (calls.length === 0) return [];
    const options = { ...common, block: block.number };
    if (byHash) {
      const answers = await rpc.batch(callsAt(calls, { blockHash: block.hash }), options);
      if (!answers.some(isUnsupported) || !(await refusesHash(rpc, block, options))) return answers;
      byHash = false;
      log.warn("node takes no block hash in calls: reading by number, checking the hash");
    }
    return byNumber(rpc, calls, block, options);
  };
}

async function byNumber(
  rpc: Rpc,
  calls: readonly PinnedCall[],
  { number, hash }: BlockRef,
  options: RequestOptions,
): Promise<Answer[]> {
  const name = `0x${number.toString(16)}`;
  const check: Request = { method: "eth_getBlockByNumber", params: [name, false] };
  const answers = await rpc.batch([...callsAt(calls, name), check], options);
  const last = answers.pop();
  const seen = last?.ok === true && last.result !== null ? fields(last.result).hash : undefined;
  if (seen !== hash) throw new NodeFailure("missing", "another block has this number now");
  return answers;
}

/** A call of the identity precompile, which returns its input: a working node never fails it. */
export const IDENTITY: PinnedCall = { to: "0x0000000000000000000000000000000000000004", data: "0x01" };

/**
 * Whether the block hash is what the node does not support. State overrides and calls without a recipient are refused
 * with the same errors, so a call that has only the hash decides.
 */
async function refusesHash(rpc: Rpc, block: BlockRef, options: RequestOptions): Promise<boolean> {
  const [answer] = await rpc.batch(callsAt([IDENTITY], { blockHash: block.hash }), options);
  return answer !== undefined && isUnsupported(answer);
}

function isUnsupported(answer: Answer): boolean {
  return !answer.ok && answer.failure.kind === "unsupported";
}

function callsAt(calls: readonly PinnedCall[], block: unknown): Request[] {
  return calls.map(({ overrides, ...call }) => ({
    method: "eth_call",
    params: overrides === undefined ? [call, block] : [call, block, overrides],
  }));
}
