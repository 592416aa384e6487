import { readLocal, writeLocal } from "../local.ts";

/** Number of recent tokens that are stored per chain. */
const MOST = 6;

const keyOf = (chainId: number) => `recent.${chainId}`;

/** Lower-case addresses of the tokens picked last on a chain in this browser, newest first. */
export function recentTokens(chainId: number): readonly string[] {
  const kept = readLocal(keyOf(chainId));
  return Array.isArray(kept) ? kept.filter((one) => typeof one === "string") : [];
}

export function rememberToken(chainId: number, address: string): void {
  const others = recentTokens(chainId).filter((one) => one !== address);
  writeLocal(keyOf(chainId), [address, ...others].slice(0, MOST));
}
