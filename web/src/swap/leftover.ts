import { fateOf } from "../../../packages/sdk/src/fate/fate.ts";
import { ROUTER } from "../../../packages/sdk/src/generated/router.ts";
import type { Hex } from "../../../packages/sdk/src/hex.ts";
import { encodeApprove } from "../../../packages/sdk/src/quote/calldata.ts";
import { allowanceOf, requireChain } from "../../../packages/sdk/src/wallet/chain.ts";
import { fromProvider, requireHash, within } from "../../../packages/sdk/src/wallet/wallet.ts";
import { NATIVE } from "../api.ts";
import { walletFault } from "../wallet/provider.ts";
import type { Session } from "../wallet/session.ts";
import type { Way } from "./pay.ts";
import { type End, PATIENCE, POLL_MS, succeeded } from "./run.ts";

/** What the router may still take of an account's tokens when a swap has ended. */
export type Leftover = {
  readonly chainId: number;
  readonly account: string;
  readonly token: string;
  /** Smallest units; undefined = not known, although an approval was sent. */
  readonly amount: bigint | undefined;
};

/** Longest wait for the allowance, which holds up the end of the swap on the screen. */
const READ_MS = 5_000;

type Swapped = {
  readonly chainId: number;
  readonly token: string;
  readonly way: Way;
  readonly end: End;
  /** Whether an approval was sent. */
  readonly isApproved: boolean;
};

/**
 * Reads what the router may still take. Another window of the page may have used an approval, or added one.
 *
 * @returns undefined where it may take nothing, or where a swap has used an allowance that was there before it
 */
export async function leftoverOf(session: Session, swapped: Swapped): Promise<Leftover | undefined> {
  const { chainId, token, way, end, isApproved } = swapped;
  const isDone = end.kind === "mined";
  if (token === NATIVE || (isDone && way === "none")) return undefined;
  const wallet = await fromProvider(session.wallet.provider, session.account as Hex);
  const block = "receipt" in end ? end.receipt.blockNumber : "latest";
  const read = () => allowanceOf(wallet, token, ROUTER, block);
  const amount = await within(READ_MS, "eth_call", read).catch(() => undefined);
  if (amount === 0n || (amount === undefined && (isDone || !isApproved))) return undefined;
  return { chainId, account: session.account, token, amount };
}

/**
 * Takes the router's allowance back, by an approval of 0.
 *
 * @returns why it stays; undefined where it is revoked
 * @throws the abort error where `signal` is aborted
 */
export async function revoke(
  session: Session | undefined,
  { chainId, account, token }: Leftover,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (session?.account !== account) return `Connect the account ${account} to revoke it.`;
  try {
    const wallet = await fromProvider(session.wallet.provider, account as Hex);
    await requireChain(wallet, chainId, "Your wallet is on another chain. Switch it back, then try again.");
    const call = { to: token as Hex, data: encodeApprove(ROUTER, 0n), value: 0n, gas: undefined };
    const hash = requireHash(await wallet.send(call));
    const following = { wallet, chainID: chainId, pollMs: POLL_MS, patience: PATIENCE, signals: [signal] };
    const fate = await fateOf(hash, following);
    if (fate.kind === "mined" && succeeded(fate.receipt)) return undefined;
    return "The revocation was not executed. Check your wallet before you try again.";
  } catch (error) {
    if ((error as Error)?.name === "AbortError") throw error;
    return walletFault(error).text;
  }
}
