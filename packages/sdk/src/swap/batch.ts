import { refuse } from "../error.ts";
import type { Hex } from "../hex.ts";
import { pause } from "../request.ts";
import { mined, type Receipt } from "./chain.ts";
import type { Transaction, Wallet } from "./wallet.ts";

/** EIP-5792: several calls that happen together or not at all. */

type Call = Omit<Transaction, "gas">;
type Capabilities = Readonly<Record<string, { readonly atomic?: { readonly status?: string } } | undefined>>;
type CallsStatus = { readonly status?: number; readonly receipts?: readonly Receipt[] };

const POLL_MS = 500;
const LONGEST_MS = 180_000;
/** Statuses of wallet_getCallsStatus: below 200 it is under way, 200 is done, above it failed. */
const CONFIRMED = 200;

const hex = (value: bigint | number): Hex => `0x${value.toString(16)}`;

/** Whether the wallet says that it sends calls as one; a wallet that does not know the method does not. */
export async function sendsTogether(wallet: Wallet, chainID: number): Promise<boolean> {
  const found = await wallet
    .rpc("wallet_getCapabilities", [wallet.address, [hex(chainID)]])
    .catch(() => undefined);
  const status = (found as Capabilities | undefined)?.[hex(chainID)]?.atomic?.status;
  return status === "supported" || status === "ready";
}

/** @throws BraidError WALLET_REFUSED, REVERTED, NOT_MINED */
export async function sendTogether(
  wallet: Wallet,
  chainID: number,
  calls: readonly Call[],
  signals: readonly AbortSignal[],
): Promise<Receipt> {
  const request = {
    version: "2.0.0",
    from: wallet.address,
    chainId: hex(chainID),
    atomicRequired: true,
    calls: calls.map(({ to, data, value }) => ({ to, data, value: hex(value) })),
  };
  const { id } = (await wallet.rpc("wallet_sendCalls", [request])) as { id: string };
  for (let waitedMs = 0; waitedMs < LONGEST_MS; waitedMs += POLL_MS) {
    const { status = 0, receipts } = (await wallet.rpc("wallet_getCallsStatus", [id])) as CallsStatus;
    const last = receipts?.at(-1);
    if (status === CONFIRMED && last !== undefined) return mined(wallet, last.transactionHash, signals);
    if (status > CONFIRMED)
      throw refuse("REVERTED", `The wallet's calls ${id} failed with status ${status}.`);
    await pause(POLL_MS, signals);
  }
  throw refuse("NOT_MINED", `The wallet's calls ${id} have no receipt after ${LONGEST_MS / 1000} s.`);
}
