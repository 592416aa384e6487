import type { Logger } from "pino";
import type { Address, Call, Hex } from "../../core/types.ts";
import type { Answer } from "./endpoint.ts";
import { NodeFailure } from "./failure.ts";
import { decodeAggregate, encodeAggregate } from "./multicall.ts";
import { chunks, mapLimit } from "./pace.ts";
import { fields, hex } from "./parse.ts";
import type { Rpc } from "./rpc.ts";
import type { BlockRef, Request } from "./types.ts";

export type ReadSettings = {
  /** Calls in one `aggregate3`. */
  readonly multicallSize: number;
  /** Requests under way at once. */
  readonly lanes: number;
  readonly deadlineMs: number;
};

type Context = {
  readonly rpc: Rpc;
  readonly multicall: Address;
  readonly settings: ReadSettings;
  readonly log: Logger;
};

/** Makes reads at one block: packed into Multicall3 where it is deployed, else one by one in a JSON-RPC batch. */
export function createReads(
  rpc: Rpc,
  multicall: Address,
  settings: ReadSettings,
  log: Logger,
): (calls: readonly Call[], block: BlockRef) => Promise<Hex[]> {
  const context = { rpc, multicall, settings, log };
  const pinned = pinning(context);
  /** Blocks are asked in order, so one number says where it was missing last. */
  let bareBlock = -1;

  /** `others`: whether neighbours of these calls were answered, so that an odd failure is about the call, not the node. */
  const alone = async (calls: readonly Call[], block: BlockRef, others = false): Promise<Hex[]> => {
    const answers = await pinned(calls, block);
    const odd = answers.some((answer) => !answer.ok && answer.failure.kind === "rpc");
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
    // A call that eats the gas makes its neighbours fail too: what failed is asked again by itself.
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
  return async (calls, block) => {
    const parts = chunks(calls, settings.multicallSize);
    return (await mapLimit(parts, settings.lanes, (part) => packed(part, block))).flat();
  };
}

/** The precompile that gives back what it is given: a call that no sound node fails. */
const IDENTITY: Call = { to: "0x0000000000000000000000000000000000000004", data: "0x01" };

/** Failures of an `aggregate3` that fewer calls may not have. */
const TOO_MUCH: ReadonlySet<string> = new Set(["reverted", "range", "rpc"]);

function resultOf(answer: Answer, lenient: boolean): Hex {
  if (answer.ok) return hex(answer.result);
  const { kind } = answer.failure;
  if (kind === "reverted" || kind === "range" || (lenient && kind === "rpc")) return "0x";
  throw answer.failure;
}

/** Calls pinned by block hash where the node takes one; else by number, with the hash checked in the same batch. */
function pinning({
  rpc,
  settings,
  log,
}: Context): (calls: readonly Call[], block: BlockRef) => Promise<Answer[]> {
  let byHash = true;
  return async (calls, block) => {
    if (calls.length === 0) return [];
    const options = { block: block.number, deadlineMs: settings.deadlineMs };
    if (byHash) {
      const answers = await rpc.batch(callsAt(calls, { blockHash: block.hash }), options);
      if (!answers.some((answer) => !answer.ok && answer.failure.kind === "unsupported")) return answers;
      byHash = false;
      log.warn("node takes no block hash in calls: reading by number, checking the hash");
    }
    const number = `0x${block.number.toString(16)}`;
    const check: Request = { method: "eth_getBlockByNumber", params: [number, false] };
    const answers = await rpc.batch([...callsAt(calls, number), check], options);
    const last = answers.pop();
    const seen = last?.ok === true && last.result !== null ? fields(last.result).hash : undefined;
    if (seen !== block.hash) throw new NodeFailure("missing", "another block has this number now");
    return answers;
  };
}

function callsAt(calls: readonly Call[], block: unknown): Request[] {
  return calls.map(({ to, data }) => ({ method: "eth_call", params: [{ to, data }, block] }));
}
