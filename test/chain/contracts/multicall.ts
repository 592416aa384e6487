import { decodeFunctionData, encodeAbiParameters, multicall3Abi, parseAbi } from "viem";
import type { Address, Hex } from "../../../src/core/types.ts";
import type { BlockRef } from "../blocks/chain.ts";
import type { ModelAnswer } from "../evm/evm.ts";
import { words } from "../model/hash.ts";
import { S } from "./selectors.ts";

/** Multicall3. @source mds1/multicall3 src/Multicall3.sol */

const abi = [
  ...multicall3Abi,
  ...parseAbi([
    "function tryAggregate(bool requireSuccess, (address target, bytes callData)[] calls) payable returns ((bool success, bytes returnData)[])",
  ]),
] as const;
const results = [{ type: "tuple[]", components: [{ type: "bool" }, { type: "bytes" }] }] as const;

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

function innerCalls(data: Hex): Inner[] {
  const { functionName, args } = decodeFunctionData({ abi, data });
  if (functionName === "aggregate3") {
    return args[0].map(({ target, allowFailure, callData }) => ({
      target: target.toLowerCase() as Address,
      callData,
      mayFail: allowFailure,
    }));
  }
  const [requires, calls] = args as unknown as [boolean, readonly { target: Address; callData: Hex }[]];
  return calls.map(({ target, callData }) => ({
    target: target.toLowerCase() as Address,
    callData,
    mayFail: !requires,
  }));
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
  return { ok: true, data: encodeAbiParameters(results, [rows]), gas, cold };
}
