import { refuse } from "../../../packages/sdk/src/error.ts";
import { ROUTER } from "../../../packages/sdk/src/generated/router.ts";
import { untilKnown } from "../../../packages/sdk/src/pause.ts";
import { allowanceOf, balanceOf } from "../../../packages/sdk/src/wallet/chain.ts";
import type { Wallet } from "../../../packages/sdk/src/wallet/wallet.ts";

type Sold = {
  readonly token: string;
  /** Smallest units that the swap takes. */
  readonly amount: bigint;
  /** Whether an allowance pays for it, and no signature. */
  readonly isAllowed: boolean;
  /** Whether it was approved just now, which the wallet's node may not know yet. */
  readonly isNew: boolean;
  readonly signal: AbortSignal;
};

/** Most reads of an allowance that was approved just now. */
const READS = 9;

const LESS_HELD =
  "Your wallet holds less than this swap sells, perhaps because another swap took it. Correct the amount, then try again.";
const LESS_ALLOWED =
  "The router may take less of your tokens than this swap sells, perhaps because another swap used the approval. Try again.";

/**
 * Refuses a swap whose tokens are gone since its quote was shown, as where another window of the page sold them: the wallet would pay
 * gas for a transaction that reverts. What cannot be read is left to the wallet's own estimate.
 *
 * @throws BraidError INSUFFICIENT_BALANCE, INSUFFICIENT_ALLOWANCE
 */
export async function requireFunds(wallet: Wallet, sold: Sold): Promise<void> {
  const { token, amount, isAllowed } = sold;
  const atLeast = (read: Promise<bigint>) => read.then((found) => found >= amount).catch(() => true);
  const [isHeld, isEnough] = await Promise.all([
    atLeast(balanceOf(wallet, token, wallet.address)),
    !isAllowed || isAllowedFor(() => atLeast(allowanceOf(wallet, token, ROUTER)), sold),
  ]);
  if (!isHeld) throw refuse("INSUFFICIENT_BALANCE", LESS_HELD);
  if (!isEnough) throw refuse("INSUFFICIENT_ALLOWANCE", LESS_ALLOWED);
}

async function isAllowedFor(read: () => Promise<boolean>, { isNew, signal }: Sold): Promise<boolean> {
  const found = await untilKnown(async () => (await read()) || undefined, isNew ? READS : 1, [signal]);
  return found === true;
}
