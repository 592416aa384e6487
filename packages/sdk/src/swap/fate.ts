import type { Hex } from "../hex.ts";
import { pause } from "../pause.ts";
import type { Receipt } from "./chain.ts";
import type { Wallet } from "./wallet.ts";

/** What became of a transaction that was sent. */
export type Fate =
  | { readonly kind: "mined"; readonly receipt: Receipt }
  /** Another transaction of the account with the same nonce was mined in its place. */
  | { readonly kind: "replaced" }
  /** The node no longer knows it. */
  | { readonly kind: "dropped" };

/** How a transaction is followed. */
export type Following = {
  readonly wallet: Pick<Wallet, "address" | "rpc">;
  readonly pollMs: number;
  /** How often in a row the node must not know the transaction until it counts as dropped. */
  readonly patience: number;
  readonly signals: readonly AbortSignal[];
};

/** The nonce once it was seen, and how often in a row the node did not know the transaction. */
type Trace = { readonly nonce: number | undefined; readonly missed: number };
type Known = { readonly nonce?: Hex } | null;
type Ask = <T>(method: string, ...parameters: unknown[]) => Promise<T | undefined>;

/**
 * Waits until a transaction is mined, replaced or dropped. A node that does not answer is asked again: what was sent
 * may be mined all the same.
 *
 * @throws the reason of the signal that ends the waiting
 */
export async function fateOf(hash: string, { wallet, pollMs, patience, signals }: Following): Promise<Fate> {
  const ask: Ask = <T>(method: string, ...parameters: unknown[]) =>
    wallet.rpc(method, parameters).then(
      (answer) => answer as T,
      () => undefined,
    );
  let trace: Trace = { nonce: undefined, missed: 0 };
  for (;;) {
    for (const signal of signals) signal.throwIfAborted();
    const mined = await minedFate(ask, hash);
    if (mined !== undefined) return mined;
    trace = traced(trace, await ask<Known>("eth_getTransactionByHash", hash));
    // It may have been mined between the two questions.
    if (await isReplaced(ask, wallet.address, trace))
      return (await minedFate(ask, hash)) ?? { kind: "replaced" };
    if (trace.missed > patience) return { kind: "dropped" };
    await pause(pollMs, signals);
  }
}

async function minedFate(ask: Ask, hash: string): Promise<Fate | undefined> {
  const receipt = await ask<Receipt | null>("eth_getTransactionReceipt", hash);
  return receipt ? { kind: "mined", receipt } : undefined;
}

function traced({ nonce, missed }: Trace, known: Known | undefined): Trace {
  return {
    nonce: known?.nonce === undefined ? nonce : Number(known.nonce),
    missed: known === null ? missed + 1 : 0,
  };
}

/** Whether the account has used the nonce of a transaction that the node no longer knows. */
async function isReplaced(ask: Ask, account: string, { nonce, missed }: Trace): Promise<boolean> {
  if (nonce === undefined || missed === 0) return false;
  const count = await ask<Hex>("eth_getTransactionCount", account, "latest");
  return count !== undefined && Number(count) > nonce;
}
