import { encodeAllowance, encodeBalanceOf } from "../core/encoding/index.ts";
import { isNative, MAX_UINT256 } from "../core/tokens.ts";
import type { Address, Hex } from "../core/types.ts";
import type { ServedChain } from "./ports/ports.ts";
import { unknownToken } from "./tokens.ts";

/** What a wallet holds and lets the router spend; undefined where the token did not say. */
export type WalletFacts = {
  readonly balance: bigint | undefined;
  readonly allowance: bigint | undefined;
};

const WORD_CHARS = 64;

/** The first word of a call's answer; undefined where there is none, as for an address without a contract. */
export function firstWord(data: Hex): bigint | undefined {
  const word = data.slice(2, 2 + WORD_CHARS);
  return word.length === WORD_CHARS ? BigInt(`0x${word}`) : undefined;
}

/** How much of a token the router may spend of this wallet. The native coin needs no allowance: 2^256 - 1. */
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

/** Balance and allowance of a wallet, read together. */
export async function walletFacts(served: ServedChain, token: Address, owner: Address): Promise<WalletFacts> {
  const [balance, allowance] = await Promise.all([
    readBalance(served, token, owner),
    readAllowance(served, token, owner),
  ]);
  return { balance, allowance };
}

/** True where the wallet holds the amount and lets the router take it. */
export function canPay({ balance, allowance }: WalletFacts, amount: bigint): boolean {
  return balance !== undefined && allowance !== undefined && balance >= amount && allowance >= amount;
}

/** The failure for an address whose contract does not answer as a token does. */
export function notAToken(token: Address): Error {
  const reason = "its contract does not answer as a token does";
  return unknownToken([{ field: "tokenAddress", reason, value: token }]);
}
