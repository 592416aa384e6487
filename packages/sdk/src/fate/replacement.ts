import type { Hex } from "../hex.ts";

/** Calls a method of the wallet's node. @returns undefined where the call fails */
export type Ask = <T>(method: string, ...parameters: unknown[]) => Promise<T | undefined>;

/** The fields of a JSON-RPC transaction that are used. */
export type Original = {
  readonly nonce: Hex;
  readonly to?: Hex | null;
  readonly input?: Hex;
  readonly value?: Hex;
};
type InBlock = Original & { readonly hash: string; readonly from: Hex };

/** A transaction with the nonce of another one of the same account. */
type Replacement = {
  readonly hash: string;
  /** Whether it makes the same call, as a transaction that was sent again to pay more for gas does. */
  readonly isSameCall: boolean;
};

/** Most blocks that are searched, from the newest one back. */
const MOST_BLOCKS = 16;

/** Searches the newest blocks for the transaction of `account` with the nonce of `original`. */
export async function replacementOf(
  ask: Ask,
  account: string,
  original: Original,
): Promise<Replacement | undefined> {
  const newest = await ask<Hex>("eth_blockNumber");
  if (typeof newest !== "string") return undefined;
  for (let back = 0; back < MOST_BLOCKS && Number(newest) >= back; back++) {
    const number = `0x${(Number(newest) - back).toString(16)}`;
    const block = await ask<{ readonly transactions?: readonly InBlock[] } | null>(
      "eth_getBlockByNumber",
      number,
      true,
    );
    const found = block?.transactions?.find(
      ({ from, nonce }) => same(from, account) && Number(nonce) === Number(original.nonce),
    );
    if (found !== undefined) return { hash: found.hash, isSameCall: isSameCall(found, original) };
  }
  return undefined;
}

function isSameCall(one: Original, other: Original): boolean {
  return (
    same(one.to, other.to) &&
    same(one.input, other.input) &&
    BigInt(one.value ?? "0x0") === BigInt(other.value ?? "0x0")
  );
}

const same = (left: string | null | undefined, right: string | null | undefined): boolean =>
  left?.toLowerCase() === right?.toLowerCase();
