import { refuse } from "../../../packages/sdk/src/error.ts";
import { ROUTER } from "../../../packages/sdk/src/generated/router.ts";
import { allowanceOf, balanceOf } from "../../../packages/sdk/src/swap/chain.ts";
import type { Wallet } from "../../../packages/sdk/src/swap/wallet.ts";

type Sold = {
  readonly token: string;
  /** Smallest units that the swap takes. */
  readonly amount: bigint;
  /** Whether the allowance that was there before the swap pays for it. */
  readonly isAllowed: boolean;
};

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
export async function requireFunds(wallet: Wallet, { token, amount, isAllowed }: Sold): Promise<void> {
  const atLeast = (read: Promise<bigint>) => read.then((found) => found >= amount).catch(() => true);
  const [isHeld, isEnough] = await Promise.all([
    atLeast(balanceOf(wallet, token, wallet.address)),
    isAllowed ? atLeast(allowanceOf(wallet, token, ROUTER)) : true,
  ]);
  if (!isHeld) throw refuse("INSUFFICIENT_BALANCE", LESS_HELD);
  if (!isEnough) throw refuse("INSUFFICIENT_ALLOWANCE", LESS_ALLOWED);
}
