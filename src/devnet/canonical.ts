import { keccak256, numberToHex, toRlp } from "viem/utils";
import type { Hex } from "../core/types.ts";

/** A block header in anvil's state file. */
export type SavedHeader = Readonly<
  Record<
    | "parentHash"
    | "sha3Uncles"
    | "miner"
    | "stateRoot"
    | "transactionsRoot"
    | "receiptsRoot"
    | "logsBloom"
    | "difficulty"
    | "number"
    | "gasLimit"
    | "gasUsed"
    | "timestamp"
    | "extraData"
    | "mixHash"
    | "nonce"
    | "baseFeePerGas"
    | "withdrawalsRoot"
    | "blobGasUsed"
    | "excessBlobGas"
    | "parentBeaconBlockRoot"
    | "requestsHash",
    Hex
  >
>;

type Block = { readonly header: SavedHeader };

/**
 * The blocks of the canonical chain, newest first, found by parent hashes. Anvil creates a genesis block of its own
 * before it loads a state, and saves both; which one it takes as block 0 at the next start is undefined.
 *
 * @throws Error when several blocks have a number and none of them has the hash that its child names
 */
export function canonical<B extends Block>(blocks: readonly B[]): B[] {
  const byNumber = Map.groupBy(blocks, ({ header }) => Number(header.number));
  const numbers = [...byNumber.keys()].sort((a, b) => b - a);
  const chain: B[] = [];
  for (const number of numbers) {
    const candidates = byNumber.get(number)!;
    const parentHash = chain.at(-1)?.header.parentHash;
    const found =
      candidates.length === 1
        ? candidates[0]
        : candidates.find(({ header }) => headerHash(header) === parentHash);
    if (found === undefined)
      throw new Error(`Block ${number} of the chain is not among ${candidates.length}.`);
    chain.push(found);
  }
  return chain;
}

/**
 * The hash of a header of the Prague fork or later.
 *
 * @source EIP-4399, EIP-1559, EIP-4895, EIP-4844, EIP-4788, EIP-7685 for the order of the fields
 */
export function headerHash(header: SavedHeader): Hex {
  return keccak256(
    toRlp([
      ...[header.parentHash, header.sha3Uncles, header.miner, header.stateRoot],
      ...[header.transactionsRoot, header.receiptsRoot, header.logsBloom],
      ...[header.difficulty, header.number, header.gasLimit, header.gasUsed, header.timestamp].map(scalar),
      ...[header.extraData, header.mixHash, header.nonce, scalar(header.baseFeePerGas)],
      ...[header.withdrawalsRoot, scalar(header.blobGasUsed), scalar(header.excessBlobGas)],
      ...[header.parentBeaconBlockRoot, header.requestsHash],
    ]),
  );
}

/** An integer as RLP encodes it: without leading zeros, and 0 as the empty string. */
function scalar(value: Hex): Hex {
  const digits = numberToHex(BigInt(value)).slice(2);
  return digits === "0" ? "0x" : `0x${digits.length % 2 === 0 ? "" : "0"}${digits}`;
}
