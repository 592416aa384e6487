import type { Hex, LocalAccount } from "viem";
import { decodeFunctionData, encodeFunctionData, numberToHex } from "viem/utils";
import { decodeRevert } from "../../../src/core/encoding/index.ts";
import { stepKinds } from "../../../src/core/encoding/kinds.ts";
import { packRoute, unpackRoute } from "../../../src/core/encoding/layout.ts";
import { swapAbi } from "../../../src/core/encoding/swap.ts";
import { USDC, WETH } from "../../../src/devnet/plan/addresses.ts";
import type { MakerStack } from "./stack.ts";
import { type MakerOffer, makerQuote, readyWallet, type Sale, sendQuote } from "./swaps.ts";

export const SALE: Sale = { sold: WETH, bought: USDC, amount: 10n ** 17n };

export type Refusal = { readonly what: string; readonly fault: string | undefined };

/** What the chain says to a swap: "paid", or the router's error. */
export async function said({ chain }: MakerStack, from: Hex, { to }: MakerOffer, data: Hex): Promise<string> {
  try {
    await chain.rpc("eth_call", [{ from, to, data }, "latest"]);
    return "paid";
  } catch (error) {
    return decodeRevert((error as { data?: Hex }).data ?? "0x").name;
  }
}

/** The same swap with another order in it: `change` gets the order's extra bytes without 0x. */
export function withOrder(data: Hex, change: (extra: string) => string): Hex {
  const [amountIn, minOut, recipient, terms, bytes] = decodeFunctionData({ abi: swapAbi, data }).args;
  const route = unpackRoute(bytes);
  const steps = route.steps.map((step) =>
    step.kind === stepKinds.rfq || step.kind === stepKinds.airSwap
      ? { ...step, extra: `0x${change(step.extra.slice(2))}` as Hex }
      : step,
  );
  const packed = packRoute({ ...route, steps });
  return encodeFunctionData({ abi: swapAbi, args: [amountIn, minOut, recipient, terms, packed] });
}

/** The same swap of another amount. */
export function withAmount(data: Hex, amount: bigint): Hex {
  const [, , ...rest] = decodeFunctionData({ abi: swapAbi, data }).args;
  return encodeFunctionData({ abi: swapAbi, args: [amount, 1n, ...rest] });
}

/** One unit more of the amount that starts at a byte of the order's extra. */
export const raised = (byte: number) => (extra: string) => {
  const from = byte * 2;
  const amount = BigInt(`0x${extra.slice(from, from + 32)}`) + 1n;
  return extra.slice(0, from) + amount.toString(16).padStart(32, "0") + extra.slice(from + 32);
};

/** Another expiry in the five bytes from a byte of the order's extra. */
export const laterExpiry = (byte: number) => (extra: string) =>
  `${extra.slice(0, byte * 2)}ffffffffff${extra.slice(byte * 2 + 10)}`;

export function refusalsOf(held: readonly (readonly [string, string, string])[]): Refusal[] {
  return held.map(([what, wanted, got]) => ({
    what,
    fault: got === wanted ? undefined : `an order ${what}: ${got}, not ${wanted}`,
  }));
}

export async function fresh(stack: MakerStack, payer: LocalAccount): Promise<MakerOffer> {
  const named = { takerAddress: payer.address, rfqOnly: "true", deadline: 4_000_000_000 };
  return makerQuote(stack, SALE, named);
}

/** Orders that are no longer, or never were, what their maker signed. Each is held against the same order as it is. */
export async function refusedOnChain(stack: MakerStack): Promise<readonly Refusal[]> {
  const { chain } = stack;
  const payer = await readyWallet(stack, SALE, 1);
  const offer = await fresh(stack, payer);
  const other = await readyWallet(stack, SALE, 2);
  const held: [string, string, string][] = [
    ["as it is", "paid", await said(stack, payer.address, offer, offer.calldata)],
  ];
  const expect = async (what: string, from: Hex, data: Hex) =>
    void held.push([what, "MakerRefused", await said(stack, from, offer, data)]);
  await expect("the maker's amount raised", payer.address, withOrder(offer.calldata, raised(16)));
  await expect("the taker's amount raised", payer.address, withOrder(offer.calldata, raised(0)));
  await expect("the expiry moved", payer.address, withOrder(offer.calldata, laterExpiry(64)));
  await expect("another taker", other.address, offer.calldata);
  await sendQuote(stack, payer, SALE, { ...offer, calldata: withAmount(offer.calldata, SALE.amount / 2n) });
  await expect("refilled", payer.address, withAmount(offer.calldata, SALE.amount / 2n));
  await readyWallet(stack, SALE, 1);
  await expect("replayed", payer.address, offer.calldata);
  const lapsing = await fresh(stack, payer);
  held.push(["as it is, again", "paid", await said(stack, payer.address, lapsing, lapsing.calldata)]);
  await chain.rpc("evm_setNextBlockTimestamp", [numberToHex(BigInt(lapsing.expiry!) + 1n)]);
  await chain.rpc("evm_mine");
  await expect("expired", payer.address, lapsing.calldata);
  return refusalsOf(held);
}
