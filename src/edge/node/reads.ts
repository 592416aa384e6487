import type { Logger } from "pino";
import type { Address, Call, Hex } from "../../core/types.ts";
import type { Answer } from "./endpoint.ts";
import { decodeAggregate, encodeAggregate } from "./multicall.ts";
import { chunks, mapLimit } from "./pace/pace.ts";
import { hex } from "./parse.ts";
import { createPinned, IDENTITY } from "./pinned.ts";
import { NodeFailure } from "./transport/failure.ts";
import type { Rpc } from "./transport/rpc.ts";
import type { BlockRef } from "./types.ts";

export type ReadSettings = {
  /** Calls in one `aggregate3`. */
  readonly multicallSize: number;
  /** Most `aggregate3` requests in flight at once. */
  readonly lanes: number;
  readonly deadlineMs: number;
};

type Read = (calls: readonly Call[], block: BlockRef) => Promise<Hex[]>;

/** decimals() of a token */
export const DECIMALS: Hex = "0x313ce567";

/**
 * Calls of one group may be made together. Multicall3 makes calls that may change the state, so that a contract can change
 * what the calls after it in the same `aggregate3` answer. Contracts that a pool's creator chose are therefore called
 * together with nothing but themselves. Tokens are such contracts too, but there are many: they are asked for their
 * decimals together, which no other token changes.
 */
function groupOf({ to, data, isUntrusted }: Call): string {
  if (isUntrusted) return to;
  return data === DECIMALS ? "decimals" : "others";
}

/**
 * Reads contracts at one block: packed into Multicall3 where it is deployed, else one `eth_call` each in a JSON-RPC
 * batch.
 */
export function createReads(rpc: Rpc, multicall: Address, settings: ReadSettings, log: Logger): Read {
  const pinned = createPinned({ rpc, options: { deadlineMs: settings.deadlineMs }, log });
  /** The last block at which Multicall3 was not deployed; blocks are read in order, so that one number is enough. */
  let bareBlock = -1;

  /**
   * Makes each call by itself. `others` says that calls of the same `aggregate3` were answered: an odd failure is then
   * the call's fault and not the node's.
   */
  const alone = async (calls: readonly Call[], block: BlockRef, others = false): Promise<Hex[]> => {
    const answers = await pinned(
      calls.map(({ to, data }) => ({ to, data })),
      block,
    );
    const odd = answers.some((answer) => !answer.ok && isOdd(answer.failure.kind));
    const lenient = others || answers.some((answer) => answer.ok) || (odd && (await works(block)));
    return answers.map((answer) => resultOf(answer, lenient));
  };
  const works = async (block: BlockRef): Promise<boolean> => {
    const [answer] = await pinned([IDENTITY], block);
    return answer?.ok === true;
  };
  const packed = async (calls: readonly Call[], block: BlockRef): Promise<Hex[]> => {
    if (calls.length < 2 || block.number === bareBlock) return alone(calls, block);
    const [answer] = await pinned([{ to: multicall, data: encodeAggregate(calls) }], block);
    if (answer?.ok !== true) return smaller(calls, block, answer?.failure as NodeFailure);
    const bytes = hex(answer.result);
    if (bytes === "0x") {
      bareBlock = block.number;
      return alone(calls, block);
    }
    const results = decodeAggregate(bytes, calls.length);
    if (results === undefined) throw new NodeFailure("refused", "not an answer of aggregate3");
    // A call that uses up the gas makes the calls after it fail too, so each failed call is repeated by itself.
    const failed = results.flatMap(({ success }, k) => (success ? [] : [k]));
    const again = await alone(
      failed.map((k) => calls[k] as Call),
      block,
      true,
    );
    const answers = results.map(({ data }) => data);
    for (const [n, k] of failed.entries()) answers[k] = again[n] as Hex;
    return answers;
  };
  const smaller = async (calls: readonly Call[], block: BlockRef, failure: NodeFailure): Promise<Hex[]> => {
    if (!TOO_MUCH.has(failure.kind)) throw failure;
    const half = Math.ceil(calls.length / 2);
    return [...(await packed(calls.slice(0, half), block)), ...(await packed(calls.slice(half), block))];
  };
  return apart(packed, settings);
}

/** Makes calls of different groups by requests of their own. */
function apart(packed: Read, { multicallSize, lanes }: ReadSettings): Read {
  return async (calls, block) => {
    const groups = Map.groupBy(calls.keys(), (k) => groupOf(calls[k] as Call));
    const parts = [...groups.values()].flatMap((indices) => chunks(indices, multicallSize));
    const answers = new Array<Hex>(calls.length);
    await mapLimit(parts, lanes, async (part) => {
      const read = await packed(
        part.map((k) => calls[k] as Call),
        block,
      );
      for (const [n, k] of part.entries()) answers[k] = read[n] as Hex;
    });
    return answers;
  };
}

/** Failures of an `aggregate3` that may not occur with fewer calls in it. */
const TOO_MUCH: ReadonlySet<string> = new Set(["reverted", "range", "rpc"]);

/** Failures that may be caused by the call, or by an endpoint that answers nothing usefully. */
function isOdd(kind: NodeFailure["kind"]): boolean {
  return kind === "rpc" || kind === "range";
}

function resultOf(answer: Answer, lenient: boolean): Hex {
  if (answer.ok) return hex(answer.result);
  const { kind } = answer.failure;
  if (kind === "reverted" || (lenient && isOdd(kind))) return "0x";
  throw answer.failure;
}
