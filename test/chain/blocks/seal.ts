import type { Hex, Log } from "../../../src/core/types.ts";
import { bloomOf } from "../../../src/edge/node/logs/bloom.ts";
import { keccakOf, quantity } from "../model/hash.ts";
import { type Rlp, toRlp } from "./rlp.ts";
import { EMPTY_ROOT, listRoot } from "./trie.ts";

/** A transaction and what it left behind. */
export type Transaction = { readonly hash: Hex; readonly logs: readonly Log[]; readonly gasUsed: number };

export type Header = {
  readonly number: number;
  readonly hash: Hex;
  readonly parentHash: Hex;
  readonly timestamp: number;
  readonly logsBloom: Hex;
  readonly receiptsRoot: Hex;
  readonly transactionsRoot: Hex;
  readonly stateRoot: Hex;
  readonly gasUsed: number;
  readonly baseFeePerGas: bigint;
  /** What tells forks of the same content apart. */
  readonly extraData: Hex;
};

export const BASE_FEE_WEI = 1_000_000_000n;
const GAS_LIMIT = 45_000_000;
/** Twice what a block uses, by which the base fee of the next block is the same. @source EIP-1559 */
const limitOf = (gasUsed: number) => (gasUsed === 0 ? GAS_LIMIT : 2 * gasUsed);
const NO_UNCLES: Hex = "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347";
const ZERO_HASH: Hex = `0x${"00".repeat(32)}`;
const MINER: Hex = `0x${"be".repeat(20)}`;
const NONCE: Hex = "0x0000000000000000";

/** The RLP of a number: no leading zeros. */
function rlpNumber(value: number | bigint): Hex {
  if (value === 0 || value === 0n) return "0x";
  const digits = value.toString(16);
  return `0x${digits.length % 2 === 0 ? digits : `0${digits}`}`;
}

/** A receipt of type 2. @source EIP-2718, EIP-1559 */
export function encodeReceipt({ logs }: Transaction, cumulativeGasUsed: number): Hex {
  const rows = logs.map(({ address, topics, data }): Rlp => [address, topics, data]);
  const body: Rlp = ["0x01", rlpNumber(cumulativeGasUsed), bloomOf(logs), rows];
  return `0x02${toRlp(body).slice(2)}`;
}

type Sealing = {
  readonly number: number;
  readonly parentHash: Hex;
  readonly timestamp: number;
  readonly transactions: readonly Transaction[];
  readonly extraData: Hex;
};

/** The header whose hash, bloom and roots are what a client computes from the block's contents. */
export function seal({ number, parentHash, timestamp, transactions, extraData }: Sealing): Header {
  let gasUsed = 0;
  const receipts = transactions.map((transaction) => {
    gasUsed += transaction.gasUsed;
    return encodeReceipt(transaction, gasUsed);
  });
  const header = {
    number,
    parentHash,
    timestamp,
    logsBloom: bloomOf(transactions.flatMap(({ logs }) => logs)),
    receiptsRoot: listRoot(receipts),
    transactionsRoot: listRoot(transactions.map(({ hash }) => hash)),
    stateRoot: keccakOf(`0x${parentHash.slice(2)}${extraData.slice(2)}`),
    gasUsed,
    baseFeePerGas: BASE_FEE_WEI,
    extraData,
  };
  return { ...header, hash: hashOf(header) };
}

/** @source EIP-4895, EIP-4844, EIP-4788, EIP-7685 for the fields after the base fee */
export function hashOf(header: Omit<Header, "hash">): Hex {
  return keccakOf(
    toRlp([
      header.parentHash,
      NO_UNCLES,
      MINER,
      header.stateRoot,
      header.transactionsRoot,
      header.receiptsRoot,
      header.logsBloom,
      "0x",
      rlpNumber(header.number),
      rlpNumber(limitOf(header.gasUsed)),
      rlpNumber(header.gasUsed),
      rlpNumber(header.timestamp),
      header.extraData,
      ZERO_HASH,
      NONCE,
      rlpNumber(header.baseFeePerGas),
      EMPTY_ROOT,
      "0x",
      "0x",
      ZERO_HASH,
      ZERO_HASH,
    ]),
  );
}

/** The header as a node shows it. */
export function presentHeader(header: Header, transactions: readonly Hex[]): object {
  return {
    number: quantity(header.number),
    hash: header.hash,
    parentHash: header.parentHash,
    sha3Uncles: NO_UNCLES,
    miner: MINER,
    stateRoot: header.stateRoot,
    transactionsRoot: header.transactionsRoot,
    receiptsRoot: header.receiptsRoot,
    logsBloom: header.logsBloom,
    difficulty: "0x0",
    gasLimit: quantity(limitOf(header.gasUsed)),
    gasUsed: quantity(header.gasUsed),
    timestamp: quantity(header.timestamp),
    extraData: header.extraData,
    mixHash: ZERO_HASH,
    nonce: NONCE,
    baseFeePerGas: quantity(header.baseFeePerGas),
    withdrawalsRoot: EMPTY_ROOT,
    blobGasUsed: "0x0",
    excessBlobGas: "0x0",
    parentBeaconBlockRoot: ZERO_HASH,
    requestsHash: ZERO_HASH,
    size: "0x400",
    uncles: [],
    withdrawals: [],
    transactions,
  };
}
