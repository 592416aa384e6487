import { decodeFunctionResult, encodeFunctionData, erc20Abi } from "viem";
import type { Address, Hex } from "../types.ts";

/** The call by which an owner lets `spender` take up to `amount`. */
export function encodeApprove(spender: Address, amount: bigint): Hex {
  return encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [spender, amount] });
}

export function encodeAllowance(owner: Address, spender: Address): Hex {
  return encodeFunctionData({ abi: erc20Abi, functionName: "allowance", args: [owner, spender] });
}

export function encodeBalanceOf(account: Address): Hex {
  return encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [account] });
}

/** @throws Error when the answer is no uint256, as of an account without code */
export function decodeUint(data: Hex): bigint {
  return decodeFunctionResult({ abi: erc20Abi, functionName: "balanceOf", data });
}
