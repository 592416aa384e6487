import { readLocal, writeLocal } from "../local.ts";

/** Tokens that were picked lately, newest first, by chain; kept in this browser. */

const MOST = 6;

const keyOf = (chainId: number) => `recent.${chainId}`;

/** Lower-case addresses. */
export function recentTokens(chainId: number): readonly string[] {
  const kept = readLocal(keyOf(chainId));
  return Array.isArray(kept) ? kept.filter((one) => typeof one === "string") : [];
}

export function rememberToken(chainId: number, address: string): void {
  const others = recentTokens(chainId).filter((one) => one !== address);
  writeLocal(keyOf(chainId), [address, ...others].slice(0, MOST));
}
