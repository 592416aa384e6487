import { encodeAllowance, encodeBalanceOf } from "../core/encoding/index.ts";
import { isNative, MAX_UINT256 } from "../core/tokens.ts";
import type { Address, Hex } from "../core/types.ts";
import type { ServedChain } from "./ports/ports.ts";
import { unknownToken } from "./tokens.ts";

/** A wallet's balance, and its allowance for the router; undefined where the token gave no valid answer. */
export type WalletFacts = {
  readonly balance: bigint | undefined;
  readonly allowance: bigint | undefined;
};

const WORD_CHARS = 64;

/** The first 32-byte word of a call's answer; undefined where there is none, as for an address without a contract. */
export function firstWord(data: Hex): bigint | undefined {
  const word = data.slice(2, 2 + WORD_CHARS);
  return word.length === WORD_CHARS ? BigInt(`0x${word}`) : undefined;
}

/**
 * A wallet's allowance for the router; 2^256 - 1 for the native coin, undefined where the token gives no valid answer.
 */
export async function readAllowance(
  served: ServedChain,
  token: Address,
  owner: Address,
): Promise<bigint | undefined> {
  if (isNative(token)) return MAX_UINT256;
  return firstWord(await served.node.call(token, encodeAllowance(owner, served.router)));
}

async function readBalance(served: ServedChain, token: Address, owner: Address): Promise<bigint | undefined> {
  if (isNative(token)) return served.node.getBalance(owner);
  return firstWord(await served.node.call(token, encodeBalanceOf(owner)));
}

/** Balance and router allowance of a wallet, read in parallel. */
export async function walletFacts(served: ServedChain, token: Address, owner: Address): Promise<WalletFacts> {
  const [balance, allowance] = await Promise.all([
    readBalance(served, token, owner),
    readAllowance(served, token, owner),
  ]);
  return { balance, allowance };
}

/** Whether the wallet's balance and its allowance for the router both cover the amount. */
export function canPay({ balance, allowance }: WalletFacts, amount: bigint): boolean {
  return balance !== undefined && allowance !== undefined && balance >= amount && allowance >= amount;
}

/** The failure for an address whose contract does not respond like an ERC-20 token. */
export function notAToken(token: Address): Error {
  const reason = "its contract does not answer as a token does";
  return unknownToken([{ field: "tokenAddress", reason, value: token }]);
}
