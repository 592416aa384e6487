import type { Hex, Log } from "../../core/types.ts";
import { keccakHex } from "../node/sealed/keccak.ts";
import { bytes } from "../node/sealed/rlp.ts";
import { parseJson } from "../node/transport/parse-json.ts";

/** The header fields of a block that is being built, from its first partial. */
export type Base = {
  readonly parentHash: Hex;
  readonly number: number;
  /** Unix time in seconds. */
  readonly timestamp: number;
};

/** A flashblock: the next transactions of a block that is being built, in the order of the block. */
export type Partial = {
  /** Identifies the block while it is being built. */
  readonly payloadId: string;
  /** Position of this partial in the block, counted from 0. */
  readonly index: number;
  /** Defined in the partial of index 0. */
  readonly base: Base | undefined;
  /** In the block's order; undefined where the message lacks the logs of any of them. */
  readonly transactions: readonly Transaction[] | undefined;
};

export type Transaction = { readonly hash: Hex; readonly logs: readonly Log[] };

/**
 * Parses one message of a flashblocks stream: of the raw stream, or a notification of
 * `eth_subscribe("newFlashblocks")`.
 *
 * @source base/base crates/alloy/flashblocks/src/payload.rs; flashbots/op-rbuilder flashblocks/wspub.rs, whose tests
 * pin the bytes:
 *         `base` has quantities, `metadata.receipts` is by transaction hash with the receipt's fields beside its `type`
 * or, in
 *         older ones, under the type's name; base's documentation calls `metadata` unstable
 * @returns undefined where the message is not a partial
 */
export function readPartial(text: string): Partial | undefined {
  const message = parsed(text);
  const body = message?.method === "eth_subscription" ? field(message.params, "result") : message;
  const { payload_id: payloadId, index } = (body ?? {}) as Record<string, unknown>;
  if (typeof payloadId !== "string" || !Number.isSafeInteger(index) || (index as number) < 0)
    return undefined;
  const base = field(body, "base");
  const known = base === undefined || base === null ? undefined : readBase(base);
  if (known === "bad") return undefined;
  return { payloadId, index: index as number, base: known, transactions: readTransactions(body) };
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value = parseJson(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function readBase(base: unknown): Base | "bad" {
  const parentHash = field(base, "parent_hash");
  const number = Number(field(base, "block_number"));
  const timestamp = Number(field(base, "timestamp"));
  if (!isHex(parentHash) || !Number.isSafeInteger(number) || !Number.isSafeInteger(timestamp)) return "bad";
  return { parentHash, number, timestamp };
}

function readTransactions(body: unknown): readonly Transaction[] | undefined {
  const raw = field(field(body, "diff"), "transactions");
  const receipts = field(field(body, "metadata"), "receipts");
  if (!Array.isArray(raw)) return undefined;
  const transactions: Transaction[] = [];
  for (const encoded of raw as readonly unknown[]) {
    if (!isHex(encoded)) return undefined;
    const hash = keccakHex(bytes(encoded));
    const logs = readLogs(field(receipts, hash));
    if (logs === undefined) return undefined;
    transactions.push({ hash, logs });
  }
  return transactions;
}

function readLogs(receipt: unknown): readonly Log[] | undefined {
  if (typeof receipt !== "object" || receipt === null) return undefined;
  const [inner] = Object.values(receipt);
  const list = field(receipt, "logs") ?? field(inner, "logs") ?? field(field(inner, "inner"), "logs");
  if (!Array.isArray(list)) return undefined;
  const logs = (list as readonly unknown[]).map(readLog);
  return logs.every((log) => log !== undefined) ? logs : undefined;
}

function readLog(log: unknown): Log | undefined {
  const [address, topics, data] = ["address", "topics", "data"].map((name) => field(log, name));
  if (!isHex(address) || !isHex(data) || !Array.isArray(topics) || !topics.every(isHex)) return undefined;
  // No protocol handles a log without topics, so any topic that matches none will do.
  if (topics.length === 0) return { address: lower(address), topics: ["0x"], data };
  return { address: lower(address), topics: topics.map(lower), data };
}

const HEX = /^0x[0-9a-fA-F]*$/;

function isHex(value: unknown): value is Hex {
  return typeof value === "string" && HEX.test(value);
}

function lower(value: Hex): Hex {
  return value.toLowerCase() as Hex;
}
