import { quantity } from "../wallet/provider.ts";
import type { Session } from "../wallet/session.ts";
import type { Call } from "./quote.ts";
import { type Fate, pause, type Receipt } from "./transactions.ts";

/** Several calls as one transaction, where the wallet can: EIP-5792. */

type Capabilities = Readonly<Record<string, { readonly atomic?: { readonly status?: string } } | undefined>>;

/** Whether the wallet runs several calls of this account on its chain as one. A wallet that does not say cannot. */
export async function takesBatches({ wallet, account, chainId }: Session): Promise<boolean> {
  const chain = quantity(chainId);
  try {
    const told = (await wallet.provider.request({
      method: "wallet_getCapabilities",
      params: [account, [chain]],
    })) as Capabilities;
    const status = told[chain]?.atomic?.status;
    return status === "supported" || status === "ready";
  } catch {
    return false;
  }
}

type Status = { readonly status?: number; readonly receipts?: readonly Receipt[] };

/** @throws what the wallet threw where the user refused */
export async function sendBatch(
  session: Session,
  calls: readonly Call[],
  watch: { readonly pollMs: number; readonly signal: AbortSignal },
): Promise<{ readonly id: string; readonly fate: Promise<Fate> }> {
  const sent = (await session.wallet.provider.request({
    method: "wallet_sendCalls",
    params: [
      {
        version: "2.0.0",
        from: session.account,
        chainId: quantity(session.chainId),
        atomicRequired: true,
        calls: calls.map(({ to, data, value }) => ({ to, data, value: quantity(BigInt(value)) })),
      },
    ],
  })) as { readonly id: string };
  return { id: sent.id, fate: batchFate(session, sent.id, watch) };
}

/** 1xx = waiting, 200 = done, 400 = never sent, 500 and more = reverted. */
async function batchFate(
  { wallet }: Session,
  id: string,
  { pollMs, signal }: { readonly pollMs: number; readonly signal: AbortSignal },
): Promise<Fate> {
  for (;;) {
    signal.throwIfAborted();
    const told = await wallet.provider.request({ method: "wallet_getCallsStatus", params: [id] }).then(
      (status) => status as Status,
      () => undefined,
    );
    const receipt = told?.receipts?.at(-1);
    if (receipt !== undefined) return { kind: "mined", receipt };
    if ((told?.status ?? 0) >= 400) return { kind: "dropped" };
    await pause(pollMs, signal);
  }
}
