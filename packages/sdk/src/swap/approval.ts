import type { QuoteAnswer } from "../generated/api.ts";
import { ROUTER } from "../generated/router.ts";
import type { Hex } from "../hex.ts";
import { encodeApprove } from "../quote/calldata.ts";
import { allowanceOf, runs } from "./chain.ts";
import { moved, quoteFor, type Run, send } from "./run.ts";
import type { Transaction } from "./wallet.ts";

/** The approvals that a quote needs: of the exact amount, behind a reset where the token wants one. */
export async function approvalsFor(
  { wallet, terms }: Run,
  { amount_in }: QuoteAnswer,
): Promise<Transaction[]> {
  const to = terms.fromTokenAddress.toLowerCase() as Hex;
  const of = (amount: bigint) => ({ to, data: encodeApprove(ROUTER, amount), value: 0n, gas: undefined });
  const isSet = (await allowanceOf(wallet, to, ROUTER)) > 0n;
  return isSet && !(await runs(wallet, of(amount_in))) ? [of(0n), of(amount_in)] : [of(amount_in)];
}

/** Approves, and asks anew: the price of before the approval is some blocks old. */
export async function approved(run: Run, quote: QuoteAnswer): Promise<QuoteAnswer> {
  run.tell({ stage: "approving", amount: quote.amount_in });
  // What buys an exact amount may cost a little more in the next block.
  const isBuy = run.terms.side === "BUY";
  const room = isBuy ? withSlippage(quote.amount_in, run.terms.slippage) : quote.amount_in;
  for (const approval of await approvalsFor(run, { ...quote, amount_in: room })) {
    const receipt = await send(run, approval);
    run.braid.sawBlock(run.terms.chainID, Number(receipt.blockNumber));
  }
  return moved(quote, await quoteFor(run, {}), room);
}

const PPM = 1_000_000n;

function withSlippage(amount: bigint, permille: number): bigint {
  return amount + (amount * BigInt(Math.round(permille * 1000))) / PPM;
}
