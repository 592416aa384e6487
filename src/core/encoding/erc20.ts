import { decodeFunctionResult, encodeFunctionData, parseAbi } from "viem/utils";
import type { Address, Hex } from "../types.ts";

const erc20Abi = parseAbi([
  "function approve(address spender, uint256 amount) returns (bool)",
  "function allowance(address owner, address spender) view returns (uint256)",
  "function balanceOf(address account) view returns (uint256)",
]);

/** Calldata of ERC-20 `approve`: allows `spender` to take up to `amount` from the caller. */
export function encodeApprove(spender: Address, amount: bigint): Hex {
  return encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [spender, amount] });
}

export function encodeAllowance(owner: Address, spender: Address): Hex {
  return encodeFunctionData({ abi: erc20Abi, functionName: "allowance", args: [owner, spender] });
}

export function encodeBalanceOf(account: Address): Hex {
  return encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [account] });
}

/** Decodes a uint256 answer. @throws Error if the data is no uint256, e.g. "0x" from an account without code */
export function decodeUint(data: Hex): bigint {
  return decodeFunctionResult({ abi: erc20Abi, functionName: "balanceOf", data });
}
