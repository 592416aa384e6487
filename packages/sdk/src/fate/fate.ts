import { untilAborted } from "../abort.ts";
import type { Hex } from "../hex.ts";
import { pause } from "../pause.ts";
import type { Receipt } from "../wallet/chain.ts";
import type { Wallet } from "../wallet/wallet.ts";
import { type Ask, type Original, replacementOf } from "./replacement.ts";

/** Result of a transaction that was sent. */
export type Fate =
  /** It was mined, or the same call under another hash, as wallets send it to pay more for gas. */
  | { readonly kind: "mined"; readonly receipt: Receipt }
  /** Another transaction of the account with the same nonce was mined instead. */
  | { readonly kind: "replaced" }
  /** The node no longer knows it. */
  | { readonly kind: "dropped" };

/** Parameters for following a transaction. */
export type Following = {
  readonly wallet: Pick<Wallet, "address" | "rpc">;
  /** The chain that it was sent to. What a wallet says while it is on another chain is no evidence. */
  readonly chainID: number;
  readonly pollMs: number;
  /** Consecutive polls in which the node may not know the transaction before it counts as dropped. */
  readonly patience: number;
  readonly signals: readonly AbortSignal[];
};

type Followed = Following & { readonly hash: string; readonly ask: Ask };

type Trace = {
  /** The transaction, once the node knew it. */
  readonly known: Original | undefined;
  /** Number of consecutive polls in which the node did not know it. */
  readonly missed: number;
  /** Number of consecutive polls in which the node did not know it and the account had used its nonce. */
  readonly used: number;
};

/**
 * Share of the patience after which a transaction whose nonce is used counts as replaced, where the one in its place
 * was not found. Of several nodes behind one address, the one that knows of no receipt may lag behind the one that
 * counted the nonce.
 */
const SURE_SHARE = 1 / 8;

/**
 * Waits until a transaction is mined, replaced or dropped. Failed requests to the node are repeated, because the
 * transaction may still be mined.
 *
 * @throws the reason of a signal that is aborted
 */
export async function fateOf(hash: string, following: Following): Promise<Fate> {
  const { wallet, pollMs, patience, signals } = following;
  const ask: Ask = <T>(method: string, ...parameters: unknown[]) =>
    untilAborted(signals, () => wallet.rpc(method, parameters)).then(
      (answer) => answer as T,
      () => undefined,
    );
  const followed: Followed = { ...following, hash, ask };
  let trace: Trace = { known: undefined, missed: 0, used: 0 };
  for (;;) {
    for (const signal of signals) signal.throwIfAborted();
    const fate = await minedFate(followed);
    if (fate !== undefined) return fate;
    trace = await traced(followed, trace);
    const other = await replacedFate(followed, trace);
    if (other !== undefined) return other;
    if (trace.missed > patience) return { kind: "dropped" };
    await pause(pollMs, signals);
  }
}

async function minedFate({ ask, hash }: Pick<Followed, "ask" | "hash">): Promise<Fate | undefined> {
  const receipt = await ask<Receipt | null>("eth_getTransactionReceipt", hash);
  // Some nodes answer a receipt without a block while the transaction is pending.
  const isMined = typeof receipt?.blockNumber === "string" && typeof receipt.status === "string";
  return isMined ? { kind: "mined", receipt } : undefined;
}

async function traced(followed: Followed, { known, missed, used }: Trace): Promise<Trace> {
  const { ask, hash, wallet } = followed;
  const told = await ask<Original | null>("eth_getTransactionByHash", hash);
  if (told !== null || (await isElsewhere(followed)))
    return { known: told?.nonce === undefined ? known : told, missed: 0, used: 0 };
  const count = known && (await ask<Hex>("eth_getTransactionCount", wallet.address, "latest"));
  const isUsed = known !== undefined && count !== undefined && Number(count) > Number(known.nonce);
  return { known, missed: missed + 1, used: isUsed ? used + 1 : 0 };
}

/** Whether the wallet says that it is on another chain than that of the transaction. */
async function isElsewhere({ ask, chainID }: Followed): Promise<boolean> {
  const told = await ask<Hex | null>("eth_chainId");
  return typeof told === "string" && Number(told) !== chainID;
}

/** @returns undefined while it is not certain that another transaction has the nonce */
async function replacedFate(followed: Followed, { known, used }: Trace): Promise<Fate | undefined> {
  if (used === 0 || known === undefined) return undefined;
  const { ask, hash, wallet, patience } = followed;
  const other = await replacementOf(ask, wallet.address, known);
  // It may have been mined between two requests.
  const own = await minedFate(followed);
  if (own !== undefined) return own;
  // The block has it, and its receipt will follow.
  if (other?.hash === hash) return undefined;
  if (other?.isSameCall) return minedFate({ ask, hash: other.hash });
  return other !== undefined || used > patience * SURE_SHARE ? { kind: "replaced" } : undefined;
}
