import type { Call, Hex } from "../../core/types.ts";

/**
 * ABI coding of Multicall3 `aggregate3((address target, bool allowFailure, bytes callData)[])`. It is written by hand
 * because loading pools spends much of its time here.
 */

const AGGREGATE3 = "0x82ad56cb";
const WORD = 64;

type CallResult = { readonly success: boolean; readonly data: Hex };

/**
 * Calldata of `aggregate3` in which every call may fail.
 *
 * @source mds1/multicall3 src/Multicall3.sol
 */
export function encodeAggregate(calls: readonly Call[]): Hex {
  const tails = calls.map(({ to, data }) => {
    const bytes = data.slice(2);
    const padded = bytes.padEnd(Math.ceil(bytes.length / WORD) * WORD, "0");
    return to.slice(2).padStart(WORD, "0") + word(1) + word(0x60) + word(bytes.length / 2) + padded;
  });
  let offset = calls.length * 32;
  const offsets = tails.map((tail) => {
    const here = word(offset);
    offset += tail.length / 2;
    return here;
  });
  return `${AGGREGATE3}${word(0x20)}${word(calls.length)}${offsets.join("")}${tails.join("")}` as Hex;
}

/** The results of `aggregate3`; undefined where the answer is not one for `count` calls. */
export function decodeAggregate(answer: Hex, count: number): CallResult[] | undefined {
  const start = 2 + WORD * 2;
  if (readWord(answer, 2) !== 0x20 || readWord(answer, 2 + WORD) !== count) return undefined;
  const results: CallResult[] = [];
  for (let k = 0; k < count; k++) {
    const offset = readWord(answer, start + k * WORD);
    if (offset === undefined) return undefined;
    const at = start + offset * 2;
    const success = readWord(answer, at);
    const length = readWord(answer, at + WORD * 2);
    if (success === undefined || length === undefined) return undefined;
    const from = at + WORD * 3;
    if (from + length * 2 > answer.length) return undefined;
    results.push({ success: success === 1, data: `0x${answer.slice(from, from + length * 2)}` });
  }
  return results;
}

function word(value: number): string {
  return value.toString(16).padStart(WORD, "0");
}

/**
 * The word at a character offset as a number; undefined where the answer is too short or the number does not fit 32
 * bits.
 */
function readWord(answer: Hex, at: number): number | undefined {
  if (at + WORD > answer.length) return undefined;
  const value = Number.parseInt(answer.slice(at, at + WORD), 16);
  return value <= 0xffffffff ? value : undefined;
}
