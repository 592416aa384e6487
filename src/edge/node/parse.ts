import { nextBaseFeeWei } from "../../core/gas/levels.ts";
import type { Hex } from "../../core/types.ts";
import { NodeFailure } from "./transport/failure.ts";
import type { ChainLog, Header } from "./types.ts";

/** Parsers of nodes' answers. An answer of another shape than the documented one throws NodeFailure `refused`. */

const HEX = /^0x[0-9a-fA-F]*$/;
const QUANTITY = /^0x[0-9a-fA-F]{1,64}$/;

type Fields = Readonly<Record<string, unknown>>;

export function hex(value: unknown, bytes?: number): Hex {
  if (typeof value !== "string" || !HEX.test(value)) throw garbage("hex bytes");
  if (bytes !== undefined && value.length !== 2 + 2 * bytes) throw garbage(`${bytes} bytes`);
  return value.toLowerCase() as Hex;
}

export function quantity(value: unknown): bigint {
  if (typeof value !== "string" || !QUANTITY.test(value)) throw garbage("a quantity");
  return BigInt(value);
}

/** A quantity that fits a safe integer: a block number, a time or an index. */
export function integer(value: unknown): number {
  const number = Number(quantity(value));
  if (!Number.isSafeInteger(number)) throw garbage("a small quantity");
  return number;
}

export function fields(value: unknown): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw garbage("an object");
  return value as Fields;
}

/** @returns undefined where the node answers null, which means that it does not know the block */
export function header(value: unknown): Header | undefined {
  if (value === null) return undefined;
  const block = fields(value);
  return {
    number: integer(block.number),
    hash: hex(block.hash, 32),
    parentHash: hex(block.parentHash, 32),
    timestamp: integer(block.timestamp),
    logsBloom: isAbsent(block.logsBloom) ? "0x" : hex(block.logsBloom),
    baseFeeWei: isAbsent(block.baseFeePerGas) ? undefined : quantity(block.baseFeePerGas),
    nextBaseFeeWei: nextBaseFee(block),
    receiptsRoot: isAbsent(block.receiptsRoot) ? undefined : hex(block.receiptsRoot, 32),
    isSealed: false,
  };
}

function nextBaseFee({ baseFeePerGas, gasUsed, gasLimit }: Fields): bigint | undefined {
  if ([baseFeePerGas, gasUsed, gasLimit].some(isAbsent)) return undefined;
  return nextBaseFeeWei(quantity(baseFeePerGas), quantity(gasUsed), quantity(gasLimit));
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

/**
 * Logs in chain order, each once, without removed logs and without logs that have no topics. A list that is put together
 * from several machines may hold a log twice, which would count twice where it adds to a state.
 */
export function logs(value: unknown): (ChainLog & { blockHash: Hex })[] {
  if (!Array.isArray(value)) throw garbage("a list of logs");
  const list = value.map(fields).filter((log) => log.removed !== true && isNamed(log.topics));
  return once(list)
    .map(readLog)
    .sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex);
}

/** The logs without repetitions. On some chains an index counts the logs of one transaction only. */
function once(list: readonly Fields[]): Fields[] {
  const places = new Map<string, Fields>();
  // Named only where a place repeats, since most lists hold none twice and may be long.
  const names = new Set<string>();
  return list.filter((log) => {
    const place = `${log.blockNumber} ${log.logIndex}`;
    const first = places.get(place);
    if (first === undefined) return places.set(place, log);
    names.add(`${place} ${nameOf(first)}`);
    const before = names.size;
    return names.add(`${place} ${nameOf(log)}`).size > before;
  });
}

/** Everything that tells two logs of one place apart. */
function nameOf({ blockHash, transactionHash, address, topics, data }: Fields): string {
  return [blockHash, transactionHash, address, topics, data].join(" ");
}

function isNamed(topics: unknown): boolean {
  return Array.isArray(topics) && topics.length > 0;
}

function readLog(log: Fields): ChainLog & { blockHash: Hex } {
  return {
    address: hex(log.address, 20),
    topics: (log.topics as unknown[]).map((topic) => hex(topic, 32)),
    data: hex(log.data),
    blockNumber: integer(log.blockNumber),
    blockHash: hex(log.blockHash, 32),
    logIndex: integer(log.logIndex),
  };
}

function garbage(wanted: string): NodeFailure {
  return new NodeFailure("refused", `the answer is not ${wanted}`);
}
