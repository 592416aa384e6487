import { keccak256, numberToHex, toRlp } from "viem";
import type { Hex } from "../core/types.ts";

/** A block header as anvil saves it. */
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
 * The blocks that belong to the chain, newest first. A node makes a genesis of its own before it loads a chain, and
 * saves both; which of the two it would take for block 0 at the next start is a matter of chance.
 *
 * @throws Error when a block among several of its number cannot be told by its child
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

/** RLP knows no leading zeros: zero is the empty string. */
function scalar(value: Hex): Hex {
  const digits = numberToHex(BigInt(value)).slice(2);
  return digits === "0" ? "0x" : `0x${digits.length % 2 === 0 ? "" : "0"}${digits}`;
}
