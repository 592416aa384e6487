import { isMakerPool } from "../../core/rfq.ts";
import { isNative } from "../../core/tokens.ts";
import type { Address } from "../../core/types.ts";
import type { Notice } from "../advice/types.ts";
import { tokenAmount } from "../amount-text.ts";
import { servedChain } from "../chain.ts";
import type { Deps } from "../deps.ts";
import { tokensOf } from "../pricing/flow.ts";
import type { Quote, QuoteRequest } from "../quoting/quote.ts";

/**
 * Notices about a quote's recipient, its tokens, its pools and the wallet's coins for gas. Those that need a node are left
 * out where none answers in time.
 */
export async function cautionsOf(deps: Deps, made: Quote, request: QuoteRequest): Promise<Notice[]> {
  const [recipient, gas, sold, bought] = await Promise.all([
    recipientNotice(deps, made, request),
    gasNotice(deps, made, request),
    feeNotice(deps, made, "token_in"),
    feeNotice(deps, made, "token_out"),
  ]);
  return [gas, sold, bought, recipient, clockNotice(deps, made)].filter((notice) => notice !== undefined);
}

async function recipientNotice(
  deps: Deps,
  { offer }: Quote,
  { chainId, recipient }: QuoteRequest,
): Promise<Notice | undefined> {
  if (recipient === undefined) return undefined;
  const { proof } = servedChain(deps, chainId);
  const isContract = await proof.isContract(recipient, offer.head).catch(() => undefined);
  if (isContract !== true) return undefined;
  const coins = isNative(offer.tokenOut.address);
  return {
    code: "RECIPIENT_IS_CONTRACT",
    severity: coins ? "warning" : "info",
    message: `The recipient is a contract: it must be able to ${coins ? "take coins" : `use ${offer.tokenOut.symbol}`}, or what arrives there is lost.`,
    details: { recipient },
  };
}

/**
 * A notice where the wallet can pay what the swap sells, but not the gas too: simulations charge none, so that the swap
 * seems to succeed until the wallet has to send it.
 */
async function gasNotice(
  deps: Deps,
  { offer, call, ran }: Quote,
  { chainId, taker }: QuoteRequest,
): Promise<Notice | undefined> {
  if (taker === undefined || ran === undefined) return undefined;
  const { node, chain } = servedChain(deps, chainId);
  const actual = await node.getBalance(taker).catch(() => undefined);
  const gas = offer.gas * offer.gasPriceWei;
  if (actual === undefined || actual >= call.value + gas) return undefined;
  const text = (wei: bigint) => tokenAmount(wei, chain.native);
  const sold = call.value > 0n ? ` beside the ${text(call.value)} that the swap sells` : "";
  return {
    code: "LOW_GAS",
    severity: "warning",
    message: `The wallet holds ${text(actual)}: too little for the gas, about ${text(gas)}${sold}, unless somebody else pays for it.`,
    details: { needed: String(call.value + gas), actual: String(actual) },
  };
}

/**
 * A notice where a transfer of the token deducts a fee. The probe moves the amount from a pool of the route. Vetted
 * tokens are not probed, because they deliver what is sent.
 */
async function feeNotice(
  deps: Deps,
  { offer }: Quote,
  field: "token_in" | "token_out",
): Promise<Notice | undefined> {
  const { address, symbol } = field === "token_in" ? offer.tokenIn : offer.tokenOut;
  const served = servedChain(deps, offer.chain.id);
  if (isNative(address) || served.isVetted(address)) return undefined;
  const side = field === "token_in" ? 0 : 1;
  const step = offer.route.steps.find((one) => !isMakerPool(one.pool) && tokensOf(one)[side] === address);
  if (step === undefined) return undefined;
  const amount = field === "token_in" ? step.amountIn : step.amountOut;
  const probe = { token: address, holder: step.pool.address, amount, head: offer.head };
  const feeBps = await served.proof.transferFeeBps(probe).catch(() => undefined);
  if (feeBps === undefined || feeBps === 0) return undefined;
  return {
    code: "FEE_ON_TRANSFER",
    severity: "warning",
    message: `The token ${symbol} keeps ${feeBps / 100} % of what is sent: less arrives than is quoted, or the swap reverts.`,
    details: { field, token: address, fee_bps: feeBps },
  };
}

/** A pool is evaluated a second time this many seconds ahead. */
const LATER_SECONDS = 60;

/** A notice where pools pay another amount a minute later without any trade: their fees or weights change with time. */
function clockNotice({ registry }: Deps, { priced: { view, at }, offer }: Quote): Notice | undefined {
  const later = { blockNumber: at.blockNumber + 1, timestamp: at.timestamp + LATER_SECONDS };
  const moving = offer.route.steps.filter(({ pool, i, j, amountIn }) => {
    if (isMakerPool(pool)) return false;
    const protocol = registry.get(pool.protocol)!;
    const pays = (when: typeof at) => protocol.quote(view, pool, i, j, amountIn, "in", when)?.amountOut;
    return pays(at) !== pays(later);
  });
  if (moving.length === 0) return undefined;
  const ids = [...new Set(moving.map(({ pool }): Address => pool.address))];
  return {
    code: "TIME_DEPENDENT_POOL",
    severity: "info",
    message: `${ids.length === 1 ? "A pool" : `${ids.length} pools`} of the route will pay something else a minute later though nobody trades: the clock moves fees or weights.`,
    details: { pools: ids.join(",") },
  };
}
