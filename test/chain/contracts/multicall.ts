import type { Address, Hex } from "../../../src/core/types.ts";
import type { BlockRef } from "../blocks/chain.ts";
import type { ModelAnswer } from "../evm/machine.ts";
import { word, words } from "../model/hash.ts";
import { S } from "./selectors.ts";

/**
 * Multicall3. Arguments and answers are read and written by their places: most of what a fake node answers passes
 * through here, and a general codec takes longer than all else that it does.
 *
 * @source mds1/multicall3 src/Multicall3.sol
 */

type Inner = { readonly target: Address; readonly callData: Hex; readonly mayFail: boolean };
type Ask = (to: Address, data: Hex) => ModelAnswer | undefined;

/** Around each call beside what the callee uses: the cold account, and copying. */
const CALL_GAS = 2600;
const OWN_GAS = 700;

export function multicall(data: Hex, block: BlockRef, ask: Ask): ModelAnswer {
  switch (data.slice(0, 10)) {
    case S.getBlockNumber:
      return { ok: true, data: words(block.number), gas: 200, cold: 0 };
    case S.getCurrentBlockTimestamp:
      return { ok: true, data: words(block.timestamp), gas: 200, cold: 0 };
    case S.getEthBalance:
      return { ok: true, data: words(10n ** 18n), gas: 3000, cold: 2500 };
    case S.aggregate3:
    case S.tryAggregate:
      return aggregate(innerCalls(data), ask);
    default:
      return { ok: false, data: "0x", gas: 200, cold: 0 };
  }
}

/** Hex digits of a word. */
const WORD = 64;

/** Calls of `aggregate3((address, bool, bytes)[])` or of `tryAggregate(bool, (address, bytes)[])`. */
function innerCalls(data: Hex): Inner[] {
  const digits = data.slice(10);
  const number = (at: number) => Number.parseInt(digits.slice(at, at + WORD), 16);
  const isThird = data.startsWith(S.aggregate3);
  const list = 2 * number(isThird ? 0 : WORD);
  const first = list + WORD;
  return Array.from({ length: number(list) }, (_, k) => {
    const call = first + 2 * number(first + k * WORD);
    const bytes = call + 2 * number(call + (isThird ? 2 : 1) * WORD);
    const from = bytes + WORD;
    return {
      target: `0x${digits.slice(call + WORD - 40, call + WORD)}`.toLowerCase() as Address,
      callData: `0x${digits.slice(from, from + 2 * number(bytes))}` as Hex,
      mayFail: isThird ? number(call + WORD) !== 0 : number(0) === 0,
    };
  });
}

/** `(bool, bytes)[]` */
function encoded(rows: readonly (readonly [ok: boolean, data: Hex])[]): Hex {
  const heads: string[] = [];
  const tails: string[] = [];
  let at = rows.length * 32;
  for (const [ok, data] of rows) {
    const digits = data.slice(2);
    const padded = digits.padEnd(Math.ceil(digits.length / WORD) * WORD, "0");
    heads.push(word(at));
    tails.push(word(ok ? 1 : 0), word(64), word(digits.length / 2), padded);
    at += 96 + padded.length / 2;
  }
  return `0x${word(32)}${word(rows.length)}${heads.join("")}${tails.join("")}`;
}

function aggregate(calls: readonly Inner[], ask: Ask): ModelAnswer {
  let gas = 1000;
  let cold = 0;
  const seen = new Set<string>();
  const rows: (readonly [boolean, Hex])[] = [];
  for (const { target, callData, mayFail } of calls) {
    const answer = ask(target, callData);
    const isNew = !seen.has(target);
    seen.add(target);
    gas += OWN_GAS + (isNew ? CALL_GAS : 100) + (answer?.gas ?? 0);
    cold += (isNew ? 2500 : 0) + (answer?.cold ?? 0);
    const ok = answer?.ok ?? true;
    if (!ok && !mayFail) return { ok: false, data: "0x", gas, cold: 0 };
    rows.push([ok, answer?.data ?? "0x"]);
  }
  return { ok: true, data: encoded(rows), gas, cold };
}
