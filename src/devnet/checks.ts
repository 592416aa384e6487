import { decodeFunctionResult, encodeFunctionData, parseAbi } from "viem/utils";
import type { Hex } from "../core/types.ts";
import { MULTICALL3 } from "./plan/addresses.ts";
import type { Check } from "./plan/plan.ts";
import type { Rpc } from "./rpc.ts";

const abi = parseAbi([
  "struct Call3 { address target; bool allowFailure; bytes callData; }",
  "struct Result { bool success; bytes returnData; }",
  "function aggregate3(Call3[] calls) payable returns (Result[] returnData)",
]);

/**
 * Runs all checks of the plans in one Multicall3 call.
 *
 * @throws Error naming every failed check, with the expected and the found value
 */
export async function verify(rpc: Rpc, checks: readonly Check[]): Promise<void> {
  const calls = checks.map(({ call }) => ({ target: call.to, allowFailure: true, callData: call.data }));
  const data = encodeFunctionData({ abi, functionName: "aggregate3", args: [calls] });
  const answer = await rpc.call<Hex>("eth_call", [{ to: MULTICALL3, data, gas: "0x5f5e1000" }, "latest"]);
  const results = decodeFunctionResult({ abi, functionName: "aggregate3", data: answer });

  const wrong = checks.flatMap(({ what, startsWith }, index) => {
    const found = results[index]?.returnData ?? "0x";
    return found.startsWith(startsWith) ? [] : [`${what}: expected ${startsWith}, found ${found}`];
  });
  if (wrong.length > 0) throw new Error(`The devnet differs from its plan:\n${wrong.join("\n")}`);
}
