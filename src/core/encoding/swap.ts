import type { Abi } from "viem";
import { decodeFunctionData, encodeFunctionData } from "viem/utils";
import { MAX_FEE_PERMILLE } from "../shares/fees.ts";
import { ZERO_ADDRESS } from "../tokens.ts";
import { type Address, type Hex, NATIVE, type Route } from "../types.ts";
import { packRoute, unpackRoute, type WireRoute } from "./layout.ts";
import { type EncodingContext, planSteps } from "./plan.ts";
import { ROUTER_ADDRESS } from "./router-artifact.ts";

export const swapAbi = [
  {
    type: "function",
    name: "swap",
    stateMutability: "payable",
    inputs: [
      { name: "amountIn", type: "uint256" },
      { name: "minOut", type: "uint256" },
      { name: "recipient", type: "address" },
      { name: "terms", type: "uint256" },
      { name: "route", type: "bytes" },
    ],
    outputs: [{ name: "out", type: "uint256" }],
  },
] as const satisfies Abi;

/** Terms of a swap other than its route. */
export type SwapTerms = {
  /** Minimum amount that the recipient gets, net of the buy fee; smallest units, at least 1. */
  readonly minimumOut: bigint;
  /** undefined = the sender of the transaction. */
  readonly recipient: Address | undefined;
  /** Unix time in seconds after which the router reverts. */
  readonly deadline: number;
  /** Thousandths of the amount sold, 0 … 500. */
  readonly sellFeePermille: number;
  /** Thousandths of the amount bought, 0 … 500. */
  readonly buyFeePermille: number;
  readonly feeRecipient: Address | undefined;
};

/** The router counts fees in basis points, 10 per thousandth, so fees round alike in both units. */
const BPS_PER_PERMILLE = 10;

function feeBps(permille: number): bigint {
  if (!Number.isInteger(permille) || permille < 0 || permille > MAX_FEE_PERMILLE)
    throw new Error(`a fee of ${permille} thousandths`);
  return BigInt(permille * BPS_PER_PERMILLE);
}

/** deadline (64 bits) | sell fee bps (16) | buy fee bps (16) | fee recipient (160) */
function packTerms(terms: SwapTerms): bigint {
  const sell = feeBps(terms.sellFeePermille);
  const buy = feeBps(terms.buyFeePermille);
  if (sell + buy === 0n) return BigInt(terms.deadline) << 192n;
  if (terms.feeRecipient === undefined) throw new Error("a fee without a recipient");
  return (BigInt(terms.deadline) << 192n) | (sell << 176n) | (buy << 160n) | BigInt(terms.feeRecipient);
}

/**
 * The transaction that executes a settled route.
 *
 * @param amountIn amount paid in smallest units, sell fee included; `route.amountIn` is the amount net of that fee
 * @returns `value` = `amountIn` if the native coin is sold, else 0
 * @throws Error for terms or a route that the router would refuse; callers validate both
 */
export function encodeSwap(
  amountIn: bigint,
  route: Route,
  terms: SwapTerms,
  context: EncodingContext,
): { to: Address; data: Hex; value: bigint } {
  if (!Number.isSafeInteger(terms.deadline) || terms.deadline <= 0)
    throw new Error(`a deadline of ${terms.deadline}`);
  if (terms.minimumOut < 1n) throw new Error(`a minimum of ${terms.minimumOut}`);
  const bytes = packRoute(planSteps(route, terms.buyFeePermille > 0, context));
  const data = encodeFunctionData({
    abi: swapAbi,
    args: [amountIn, terms.minimumOut, terms.recipient ?? ZERO_ADDRESS, packTerms(terms), bytes],
  });
  return { to: ROUTER_ADDRESS, data, value: route.tokenIn === NATIVE ? amountIn : 0n };
}

/** The same swap with another minimum. @throws Error if the data is not a call of `swap` */
export function withMinimum(data: Hex, minimumOut: bigint): Hex {
  const [amountIn, , ...rest] = decodeFunctionData({ abi: swapAbi, data }).args;
  return encodeFunctionData({ abi: swapAbi, args: [amountIn, minimumOut, ...rest] });
}

/** Decoded calldata of `swap`, for display and tests. */
export type DecodedSwap = {
  readonly amountIn: bigint;
  readonly minimumOut: bigint;
  readonly recipient: Address | undefined;
  readonly deadline: number;
  readonly sellFeeBps: number;
  readonly buyFeeBps: number;
  readonly feeRecipient: Address | undefined;
  readonly route: WireRoute;
};

function orNobody(address: string): Address | undefined {
  const lower = address.toLowerCase() as Address;
  return lower === ZERO_ADDRESS ? undefined : lower;
}

/** @throws Error if the data is not a well-formed call of `swap` */
export function decodeSwap(data: Hex): DecodedSwap {
  const [amountIn, minimumOut, recipient, terms, bytes] = decodeFunctionData({ abi: swapAbi, data }).args;
  return {
    amountIn,
    minimumOut,
    recipient: orNobody(recipient),
    deadline: Number(terms >> 192n),
    sellFeeBps: Number((terms >> 176n) & 0xffffn),
    buyFeeBps: Number((terms >> 160n) & 0xffffn),
    feeRecipient: orNobody(`0x${(terms & ((1n << 160n) - 1n)).toString(16).padStart(40, "0")}`),
    route: unpackRoute(bytes.toLowerCase() as Hex),
  };
}
