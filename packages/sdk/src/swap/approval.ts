import { refuse } from "../error.ts";
import type { QuoteAnswer } from "../generated/api.ts";
import { ROUTER } from "../generated/router.ts";
import type { Hex } from "../hex.ts";
import { encodeApprove } from "../quote/calldata.ts";
import { allowanceOf, approvedBy, blockOf, runs } from "../wallet/chain.ts";
import type { Transaction, Wallet } from "../wallet/wallet.ts";
import { quoteAgain, type Run, send } from "./run.ts";

/**
 * Whether the router's allowance covers a quote. Where the wallet's node says that it does and the service that it does
 * not, one of them is behind, as a node is that does not know of the wallet's last swap yet: a quote from the wallet's
 * newest block on decides.
 *
 * @throws BraidError as `Braid.quote`
 */
export async function isAllowed(run: Run, quote: QuoteAnswer): Promise<boolean> {
  const { braid, wallet, terms, request } = run;
  const allowance = await allowanceOf(wallet, terms.fromTokenAddress, ROUTER);
  if (allowance < quote.amount_in || !lacksAllowance(quote)) return allowance >= quote.amount_in;
  const min_block = await blockOf(wallet);
  return !lacksAllowance(await braid.quote({ ...terms, min_block }, { signal: request.signal }));
}

/** Whether the service read an allowance that is too low. Not checked: at worst, a needless approval is sent. */
function lacksAllowance({ issues }: QuoteAnswer): boolean {
  return issues?.allowance !== undefined;
}

/**
 * The transactions that approve exactly `amount` for the router: with a reset to 0 first where the token requires it.
 */
export async function approvalsFor(wallet: Wallet, token: string, amount: bigint): Promise<Transaction[]> {
  const to = token.toLowerCase() as Hex;
  const of = (each: bigint) => ({ to, data: encodeApprove(ROUTER, each), value: 0n, gas: undefined });
  const isSet = (await allowanceOf(wallet, to, ROUTER)) > 0n;
  return isSet && !(await runs(wallet, of(amount))) ? [of(0n), of(amount)] : [of(amount)];
}

/**
 * Approves, and requests a new quote, because the price from before the approval is some blocks old.
 *
 * @throws BraidError INSUFFICIENT_ALLOWANCE where the wallet's owner approved less, as some wallets let them
 */
export async function approved(run: Run, quote: QuoteAnswer): Promise<QuoteAnswer> {
  // Buying an exact amount may cost more in the next block, so the slippage is added.
  const isBuy = run.terms.side === "BUY";
  const room = isBuy ? withSlippage(quote.amount_in, run.terms.slippage) : quote.amount_in;
  run.tell({ stage: "approving", amount: room });
  const owner = run.wallet.address;
  let approvedAmount: bigint | undefined;
  for (const approval of await approvalsFor(run.wallet, run.terms.fromTokenAddress, room)) {
    const receipt = await send(run, approval);
    run.braid.sawBlock(run.terms.chainID, Number(receipt.blockNumber));
    approvedAmount = approvedBy(receipt, { token: run.terms.fromTokenAddress, owner, spender: ROUTER });
  }
  if (approvedAmount === undefined || approvedAmount >= room) return quoteAgain(run, quote, {}, room);
  if (approvedAmount < quote.amount_in) throw approvedLess(quote.amount_in, approvedAmount);
  return quoteAgain(run, quote, {}, approvedAmount);
}

function approvedLess(needed: bigint, actual: bigint): Error {
  const text = `The approval is for ${actual} smallest units of the token, the swap takes ${needed}. Approve the amount that the wallet is asked for.`;
  const facts = { needed: String(needed), actual: String(actual), spender: ROUTER };
  return refuse("INSUFFICIENT_ALLOWANCE", text, {
    details: [{ field: "allowance", reason: "is less than the swap takes", ...facts }],
  });
}

const PPM = 1_000_000n;

function withSlippage(amount: bigint, permille: number): bigint {
  return amount + (amount * BigInt(Math.round(permille * 1000))) / PPM;
}
