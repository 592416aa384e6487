import type { Logger } from "pino";
import type { Address, Hex } from "../../../core/types.ts";
import type { ArchivePort, Receipt, SentTransaction, Transaction } from "../../../service/ports/ports.ts";
import { metadataCalls, readMetadata } from "../../token-lists/metadata.ts";
import type { Answer } from "../endpoint.ts";
import { fields, header, hex, integer, logs, quantity } from "../parse.ts";
import { createReads } from "../reads.ts";
import { NodeFailure } from "../transport/failure.ts";
import type { Rpc } from "../transport/rpc.ts";
import type { Request } from "../types.ts";
import { asStale } from "./node-port.ts";

type ArchiveSettings = {
  readonly multicall: Address;
  /** A request that no endpoint answers within it is rejected with STALE_STATE. */
  readonly readDeadlineMs: number;
  readonly log: Logger;
};

const CALLS_AT_ONCE = 300;
const LANES = 2;

/** Batched reads and reads of past blocks, for the services. */
export function createArchivePort(
  rpc: Rpc,
  { multicall, readDeadlineMs: deadlineMs, log }: ArchiveSettings,
): ArchivePort {
  const reads = createReads(rpc, multicall, { multicallSize: CALLS_AT_ONCE, lanes: LANES, deadlineMs }, log);
  const read: ArchivePort["read"] = (calls, on) => reads(calls, on).catch(rethrow);
  const ask: Ask = (requests, block = "newest") => rpc.batch(requests, { deadlineMs, block }).catch(rethrow);
  return {
    read,
    tokenMetadata: async (token, on) => readMetadata(token, await read(metadataCalls(token), on)),
    async transaction(hash) {
      const [sent, receipt] = await ask([
        { method: "eth_getTransactionByHash", params: [hash] },
        { method: "eth_getTransactionReceipt", params: [hash] },
      ]);
      return understood(() => transactionOf(resultOf(sent!), resultOf(receipt!)));
    },
    async account(address, blockNumber) {
      const where = [address, numberOf(blockNumber)];
      const [balance, nonce] = await ask(
        [
          { method: "eth_getBalance", params: where },
          { method: "eth_getTransactionCount", params: where },
        ],
        blockNumber,
      );
      if (!balance?.ok || !nonce?.ok) return undefined;
      return understood(() => ({ balance: quantity(balance.result), nonce: integer(nonce.result) }));
    },
    async timeOf(blockHash) {
      const [answer] = await ask([{ method: "eth_getBlockByHash", params: [blockHash, false] }]);
      return understood(() => header(resultOf(answer!))?.timestamp);
    },
    answer: tracing(ask),
    async run(transaction, block) {
      const params = [callOf(transaction), block === "newest" ? "latest" : numberOf(block)];
      const [answer] = await ask([{ method: "eth_call", params }], block);
      if (answer?.ok === true) return understood(() => ({ ok: true, data: hex(answer.result) }));
      if (answer?.failure.kind !== "reverted") return undefined;
      return { ok: false, data: answer.failure.data ?? "0x" };
    },
  };
}

/** `block`: the block that the answers need; the newest one by default, which may be the first with a transaction. */
type Ask = (requests: readonly Request[], block?: number | "newest") => Promise<Answer[]>;

/** Reads what a transaction returned from its trace; stops asking once no endpoint is found to have the method. */
function tracing(ask: Ask): ArchivePort["answer"] {
  const params = { tracer: "callTracer", tracerConfig: { onlyTopCall: true } };
  let isKnown = true;
  return async (hash) => {
    if (!isKnown) return undefined;
    const [answer] = await ask([{ method: "debug_traceTransaction", params: [hash, params] }]);
    if (answer?.ok !== true) {
      if (answer?.failure.kind === "unsupported") isKnown = false;
      return undefined;
    }
    return understood(() => {
      const { error, output } = fields(answer.result);
      return error === undefined && output !== undefined ? hex(output) : undefined;
    });
  };
}

const numberOf = (block: number): Hex => `0x${block.toString(16)}`;

function callOf({ from, to, data, value }: Transaction) {
  return { from, to, data, value: `0x${value.toString(16)}` };
}

function rethrow(cause: unknown): never {
  throw asStale(cause);
}

function resultOf(answer: Answer): unknown {
  if (!answer.ok) throw answer.failure;
  return answer.result;
}

function understood<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw asStale(error);
  }
}

/** Recipient of a transaction that creates a contract, which has none of its own. */
const NOBODY: Address = "0x0000000000000000000000000000000000000000";

function transactionOf(sent: unknown, receipt: unknown): SentTransaction | undefined {
  if (sent === null) return undefined;
  const { hash, from, to, input, value, gas } = fields(sent);
  return {
    hash: hex(hash, 32),
    from: hex(from, 20),
    to: to === null ? NOBODY : hex(to, 20),
    data: hex(input),
    value: quantity(value),
    gasLimit: quantity(gas),
    receipt: receipt === null ? undefined : receiptOf(receipt),
  };
}

function receiptOf(value: unknown): Receipt {
  const receipt = fields(value);
  if (receipt.status === undefined) throw new NodeFailure("refused", "a receipt without a status");
  return {
    succeeded: integer(receipt.status) === 1,
    blockNumber: integer(receipt.blockNumber),
    blockHash: hex(receipt.blockHash, 32),
    gasUsed: quantity(receipt.gasUsed),
    gasPriceWei: receipt.effectiveGasPrice === undefined ? 0n : quantity(receipt.effectiveGasPrice),
    logs: logs(receipt.logs),
  };
}
