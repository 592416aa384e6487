import { untilAborted } from "../abort.ts";
import type { Hex } from "../hex.ts";
import { pause } from "../pause.ts";
import type { Receipt } from "../wallet/chain.ts";
import { maybeSent, type Transaction, type Wallet, within } from "../wallet/wallet.ts";
import { unlessUnable } from "../wallet/wallet-error.ts";
import { type Fate, type Following, fateOf } from "./fate.ts";

type Call = Omit<Transaction, "gas">;
type Capabilities = Readonly<Record<string, { readonly atomic?: { readonly status?: string } } | undefined>>;
type CallsStatus = {
  readonly status?: number;
  readonly receipts?: readonly Pick<Receipt, "transactionHash">[];
};

/** Result of an atomic batch of calls (EIP-5792); `failed` has no transaction. */
export type CallsFate = Fate | { readonly kind: "failed"; readonly status: number };

/** Lowest failure status of wallet_getCallsStatus: 4xx was not sent, 5xx and 6xx reverted. */
const FAILED = 400;

const hex = (value: bigint | number): Hex => `0x${value.toString(16)}`;

/** Longest wait for the capabilities of a wallet. Some wallets never answer a method that they do not know. */
const CAPABILITIES_MS = 5_000;

/**
 * Whether the wallet supports atomic batches; false where it lacks wallet_getCapabilities or does not answer it.
 *
 * @throws the reason of a signal that is aborted
 */
export async function sendsTogether(
  wallet: Wallet,
  chainID: number,
  signals: readonly AbortSignal[],
): Promise<boolean> {
  const method = "wallet_getCapabilities";
  const found = await within(CAPABILITIES_MS, method, () =>
    wallet.rpc(method, [wallet.address, [hex(chainID)]]),
  ).catch(() => undefined);
  for (const signal of signals) signal.throwIfAborted();
  const status = (found as Capabilities | undefined)?.[hex(chainID)]?.atomic?.status;
  return status === "supported" || status === "ready";
}

/**
 * Sends calls as an atomic batch.
 *
 * @returns the batch's id; undefined where the wallet cannot send it, or its owner does not let it, and nothing was sent
 * @throws BraidError WALLET_REFUSED, WALLET_FAILED
 */
export async function sendTogether(
  wallet: Wallet,
  chainID: number,
  calls: readonly Call[],
): Promise<string | undefined> {
  const request = {
    version: "2.0.0",
    from: wallet.address,
    chainId: hex(chainID),
    atomicRequired: true,
    calls: calls.map(({ to, data, value }) => ({ to, data, value: hex(value) })),
  };
  return wallet.rpc("wallet_sendCalls", [request]).then(idOf, unlessUnable);
}

/** The id in a wallet's answer. @throws BraidError WALLET_FAILED where there is none: the batch may have been sent */
function idOf(answer: unknown): string {
  // The first version of EIP-5792 answers the id itself.
  const id = typeof answer === "string" ? answer : (Object(answer) as { id?: unknown }).id;
  if (typeof id === "string" && id !== "") return id;
  throw maybeSent("a batch's id", id);
}

/**
 * Waits until a batch is mined or has failed.
 *
 * @throws the reason of a signal that is aborted
 */
export async function callsFate(id: string, following: Following): Promise<CallsFate> {
  const { wallet, pollMs, signals } = following;
  for (;;) {
    for (const signal of signals) signal.throwIfAborted();
    const asked = untilAborted(signals, () => wallet.rpc("wallet_getCallsStatus", [id]));
    const told = (await asked.catch(() => undefined)) as CallsStatus | undefined;
    const status = told?.status ?? 0;
    // A bundler's transaction succeeds where the calls inside it revert, so its receipt is no answer here.
    if (status >= FAILED) return { kind: "failed", status };
    const last = told?.receipts?.at(-1);
    // The receipt is read from the chain, because receipts of wallets lack some fields.
    if (last !== undefined) return fateOf(last.transactionHash, following);
    await pause(pollMs, signals);
  }
}
