import { type Provider, quantity } from "../wallet/provider.ts";
import type { Call } from "./quote.ts";

/** Transactions of a wallet: sending, and what becomes of them. */

export type Receipt = {
  readonly transactionHash: string;
  readonly blockNumber: string;
  readonly status: string;
  readonly gasUsed: string;
  readonly effectiveGasPrice?: string;
  readonly logs: readonly {
    readonly address: string;
    readonly topics: readonly string[];
    readonly data: string;
  }[];
};

/** What became of a transaction that was sent. */
export type Fate =
  | { readonly kind: "mined"; readonly receipt: Receipt }
  /** Another transaction of this account with the same nonce was mined in its place. */
  | { readonly kind: "replaced" }
  /** The network forgot it. */
  | { readonly kind: "dropped" };

/** Sends one call from the account. @returns its hash. @throws what the wallet threw */
export async function send(provider: Provider, account: string, call: Call): Promise<string> {
  const transaction = { from: account, to: call.to, data: call.data, value: quantity(BigInt(call.value)) };
  return (await provider.request({ method: "eth_sendTransaction", params: [transaction] })) as string;
}

export type Waiting = {
  readonly provider: Provider;
  readonly account: string;
  readonly pollMs: number;
  /** Polls without a trace of the transaction after which it counts as dropped. */
  readonly patience: number;
  readonly signal: AbortSignal;
};

type Asking = <T>(method: string, ...params: unknown[]) => Promise<T | undefined>;
type Known = { readonly nonce?: string } | null;

/**
 * Waits until a transaction is mined, replaced or forgotten.
 *
 * @throws the abort error where `signal` fired; a node that does not answer is asked again
 */
export async function fateOf(hash: string, waiting: Waiting): Promise<Fate> {
  const ask = askingOf(waiting.provider);
  let trace: Trace = { nonce: undefined, missed: 0 };
  for (;;) {
    waiting.signal.throwIfAborted();
    const mined = await minedFate(ask, hash);
    if (mined !== undefined) return mined;
    trace = traced(trace, await ask<Known>("eth_getTransactionByHash", hash));
    if (await isReplaced(ask, waiting.account, trace))
      return (await minedFate(ask, hash)) ?? { kind: "replaced" };
    if (trace.missed > waiting.patience) return { kind: "dropped" };
    await pause(waiting.pollMs, waiting.signal);
  }
}

/** The nonce once it was seen, and how often in a row the network did not know the transaction. */
type Trace = { readonly nonce: number | undefined; readonly missed: number };

function traced({ nonce, missed }: Trace, known: Known | undefined): Trace {
  return {
    nonce: known?.nonce === undefined ? nonce : Number(known.nonce),
    missed: known === null ? missed + 1 : 0,
  };
}

/** Questions to the wallet's node; undefined where it does not answer. */
function askingOf(provider: Provider): Asking {
  return <T>(method: string, ...params: unknown[]) =>
    provider.request({ method, params }).then(
      (result) => result as T,
      () => undefined,
    );
}

async function minedFate(ask: Asking, hash: string): Promise<Fate | undefined> {
  const receipt = await ask<Receipt | null>("eth_getTransactionReceipt", hash);
  return receipt ? { kind: "mined", receipt } : undefined;
}

/** Whether the account has used the nonce of a transaction that is no longer known. */
async function isReplaced(ask: Asking, account: string, { nonce, missed }: Trace): Promise<boolean> {
  if (nonce === undefined || missed === 0) return false;
  const count = await ask<string>("eth_getTransactionCount", account, "latest");
  return count !== undefined && Number(count) > nonce;
}

/** @throws the abort error where `signal` fires first */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal.addEventListener("abort", stop, { once: true });
  });
}
