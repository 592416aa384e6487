import type { Hex, LocalAccount } from "viem";
import { DAI, USDC, WETH } from "../../../src/devnet/plan/addresses.ts";
import type { Offer } from "../api.ts";
import { approve } from "../paying.ts";
import type { MakerStack } from "./stack.ts";

export type MakerOffer = Offer & { readonly expiry?: number; readonly valid_until: number };

/** Pairs with a maker on both sides, and their usual amounts. */
const SALES: readonly (readonly [sold: Hex, bought: Hex, most: bigint])[] = [
  [WETH, USDC, 4n * 10n ** 18n],
  [USDC, WETH, 12_000n * 10n ** 6n],
  [WETH, DAI, 4n * 10n ** 18n],
  [DAI, WETH, 12_000n * 10n ** 18n],
  [DAI, USDC, 9_000n * 10n ** 18n],
];

export type Sale = { readonly sold: Hex; readonly bought: Hex; readonly amount: bigint };

export function drawSale({ random }: MakerStack): Sale {
  const [sold, bought, most] = SALES[Math.floor(random() * SALES.length)]!;
  const amount = BigInt(Math.floor(Number(most) * 10 ** (-3 * random()))) + 1n;
  return { sold, bought, amount };
}

/** A wallet that has the amount, and has approved the router for it. */
export async function readyWallet(stack: MakerStack, { sold, amount }: Sale, index: number) {
  const { chain } = stack;
  const payer = chain.wallet(index);
  if ((await chain.balanceOf(sold, payer.address)) < amount)
    await chain.fund(sold, payer.address, amount * 2n, WETH);
  const world = { chain, api: stack.api, wrapped: WETH, serial: { next: 0 } };
  const token = { address: sold } as never;
  await approve(world, { tokenIn: token, validated: true } as never, payer, amount);
  return payer;
}

export async function makerQuote(
  { chain, api }: MakerStack,
  sale: Sale,
  more: Readonly<Record<string, string | number>> = {},
): Promise<MakerOffer> {
  return api<MakerOffer>(`/v1/${chain.chainId}/quote`, {
    fromTokenAddress: sale.sold,
    toTokenAddress: sale.bought,
    amount: sale.amount.toString(),
    slippage: 10,
    min_block: await chain.blockNumber(),
    ...more,
  });
}

export const hasOrder = ({ routes }: Offer): boolean => routes.some(({ type }) => type === "rfq");

type Sent = { readonly status: Hex; readonly got: bigint; readonly paid: bigint };

/** Sends a quote's transaction in a block of its own, and reads what it moved. */
export async function sendQuote(
  { chain }: MakerStack,
  payer: LocalAccount,
  sale: Sale,
  offer: MakerOffer,
): Promise<Sent> {
  const balances = () =>
    Promise.all([sale.bought, sale.sold].map((token) => chain.balanceOf(token, payer.address)));
  const [boughtBefore, soldBefore] = await balances();
  const gas = BigInt(offer.estimate_gas_total);
  const call = { to: offer.to, data: offer.calldata, value: BigInt(offer.value), gas };
  const hash = await chain.send(payer, call);
  await chain.mine();
  const { status } = await chain.receipt(hash);
  const [boughtAfter, soldAfter] = await balances();
  return { status, got: boughtAfter! - boughtBefore!, paid: soldBefore! - soldAfter! };
}

export type SwapTally = { swaps: number; withMakers: number; split: number; faults: string[] };

/** Swaps until `count` of them had a maker's order in them; each must move to the wei what was quoted. */
export async function swapWithMakers(stack: MakerStack, count: number): Promise<SwapTally> {
  const tally: SwapTally = { swaps: 0, withMakers: 0, split: 0, faults: [] };
  while (tally.withMakers < count && tally.swaps < 4 * count) {
    const sale = drawSale(stack);
    const payer = await readyWallet(stack, sale, tally.swaps % 8);
    const isNamed = tally.swaps % 2 === 0;
    const offer = await makerQuote(stack, sale, isNamed ? { takerAddress: payer.address } : {});
    const { status, got, paid } = await sendQuote(stack, payer, sale, offer);
    tally.swaps++;
    if (hasOrder(offer)) tally.withMakers++;
    if (hasOrder(offer) && offer.routes.length > 1) tally.split++;
    const error = got - BigInt(offer.amount_out_total);
    if (status !== "0x1" || error !== 0n || paid !== sale.amount)
      tally.faults.push(
        `${sale.amount} ${sale.sold} → ${sale.bought}: ${status}, ${error} wei beside the quote`,
      );
    if (hasOrder(offer) !== (offer.expiry !== undefined)) tally.faults.push("expiry without an order");
  }
  return tally;
}
