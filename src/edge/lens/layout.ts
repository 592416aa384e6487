import { encodeAbiParameters, encodeFunctionData, parseAbi } from "viem/utils";
import { wordBounds } from "../../core/math/concentrated/tick-words.ts";
import type { BitmapReads, PairSource } from "../../core/protocol.ts";
import type { Address, Call, Hex } from "../../core/types.ts";
import { NodeFailure } from "../node/transport/failure.ts";

/** Calldata and answers of the lens, in the byte layouts of contracts/lens/README.md. */

const abi = parseAbi([
  "struct Source { address target; bytes4 selector; uint8 word; bool hashed; uint256[] keys; }",
  "struct Ticks { bytes heads; address target; bytes word; bytes tick; int24 spacing; int16 lowest; int16 highest; uint16 reach; uint8 kept; }",
  "function read(bytes calls, uint256 start, uint256 gasEach) view returns (uint256 next, bytes answers)",
  "function find(Source[] sources, address[] tokens, bytes pairs, uint256 start) view returns (uint256 next, bytes found)",
  "function ticks(Ticks[] pools, uint256 start) view returns (uint256 next, bytes answers)",
  "function enumerate(address factory, uint256 start, uint256 last) view returns (uint256 next, bytes pairs)",
]);

/** Indexes of two tokens of a list. */
export type IndexPair = readonly [number, number];

/** Data of a call of the lens without a recipient. Its answer is the data of the revert. */
export function onceData(onceInitCode: Hex, initCode: Hex, data: Hex): Hex {
  const types = [{ type: "bytes" }, { type: "bytes" }] as const;
  return `${onceInitCode}${encodeAbiParameters(types, [initCode, data]).slice(2)}`;
}

export function readData(calls: readonly Call[], gasEach: number): Hex {
  return encodeFunctionData({
    abi,
    functionName: "read",
    args: [packedCalls(calls), 0n, BigInt(gasEach)],
  });
}

export function findData(
  sources: readonly PairSource[],
  tokens: readonly Address[],
  pairs: readonly IndexPair[],
): Hex {
  const packed = pairs.map(([a, b]) => hex(a, 2) + hex(b, 2)).join("");
  const asked = sources.map(({ target, selector, word, hashed, keys }) => {
    return { target, selector, word, hashed, keys: keys.map(BigInt) };
  });
  return encodeFunctionData({ abi, functionName: "find", args: [asked, tokens, `0x${packed}`, 0n] });
}

export function ticksData(pools: readonly BitmapReads[]): Hex {
  const asked = pools.map(({ heads, target, word, tick, spacing, kept }) => {
    return { heads: packedCalls(heads), target, word, tick, spacing, kept, ...wordBounds(spacing) };
  });
  return encodeFunctionData({ abi, functionName: "ticks", args: [asked, 0n] });
}

export function enumerateData(factory: Address, start: number, last: number): Hex {
  return encodeFunctionData({ abi, functionName: "enumerate", args: [factory, BigInt(start), BigInt(last)] });
}

function packedCalls(calls: readonly Call[]): Hex {
  return `0x${calls.map(({ to, data }) => to.slice(2) + hex(data.length / 2 - 1, 2) + data.slice(2)).join("")}`;
}

function hex(value: number, bytes: number): string {
  return value.toString(16).padStart(2 * bytes, "0");
}

/** Reads a packed list from start to end. */
export type Reader = {
  readonly isAtEnd: () => boolean;
  /** @throws NodeFailure where fewer bytes are left */
  bytes(count: number): Hex;
  number(bytes: number): number;
};

/** Decodes an answer (uint256 next, bytes list). @throws NodeFailure where it does not have this layout */
export function decodeNext(answer: Hex): { readonly next: number; readonly list: Reader } {
  const length = Number(`0x${answer.slice(130, 194)}`);
  const next = Number(`0x${answer.slice(2, 66)}`);
  if (!Number.isSafeInteger(length) || !Number.isSafeInteger(next) || answer.length < 194 + 2 * length)
    throw new NodeFailure("refused", "not an answer of the lens");
  return { next, list: readerOf(answer, 194, 194 + 2 * length) };
}

function readerOf(text: Hex, start: number, end: number): Reader {
  let at = start;
  const take = (bytes: number): string => {
    const from = at;
    at += 2 * bytes;
    if (at > end) throw new NodeFailure("refused", "the lens's answer ends early");
    return text.slice(from, at);
  };
  return {
    isAtEnd: () => at >= end,
    bytes: (count) => `0x${take(count)}`,
    number: (bytes) => Number.parseInt(take(bytes), 16),
  };
}
