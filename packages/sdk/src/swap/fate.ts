import type { Hex } from "../hex.ts";
import { pause } from "../pause.ts";
import type { Receipt } from "./chain.ts";
import type { Wallet } from "./wallet.ts";

/** Result of a transaction that was sent. */
export type Fate =
  | { readonly kind: "mined"; readonly receipt: Receipt }
  /** Another transaction of the account with the same nonce was mined instead. */
  | { readonly kind: "replaced" }
  /** The node no longer knows it. */
  | { readonly kind: "dropped" };

/** Parameters for following a transaction. */
export type Following = {
  readonly wallet: Pick<Wallet, "address" | "rpc">;
  readonly pollMs: number;
  /** Consecutive polls in which the node may not know the transaction before it counts as dropped. */
  readonly patience: number;
  readonly signals: readonly AbortSignal[];
};

/** The transaction's nonce once known, and the number of consecutive polls in which the node did not know it. */
type Trace = { readonly nonce: number | undefined; readonly missed: number };
type Known = { readonly nonce?: Hex } | null;
type Ask = <T>(method: string, ...parameters: unknown[]) => Promise<T | undefined>;

/**
 * Waits until a transaction is mined, replaced or dropped. Failed requests to the node are repeated, because the
 * transaction may still be mined.
 *
 * @throws the reason of a signal that is aborted
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
    // It may have been mined between the two requests.
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
