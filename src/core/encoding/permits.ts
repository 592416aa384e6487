import type { TypedDataDefinition } from "viem";
import { decodeFunctionData, encodeFunctionData } from "viem/utils";
import { ZERO_ADDRESS } from "../tokens.ts";
import type { Address, Hex } from "../types.ts";
import { stepKinds } from "./kinds.ts";
import { packRoute, stepFlags, unpackRoute, type WireStep } from "./layout.ts";
import { ROUTER_ADDRESS } from "./router-artifact.ts";
import { swapAbi } from "./swap.ts";

/** Address of Permit2, the same on every chain. */
export const PERMIT2_ADDRESS: Address = "0x000000000022d473030f116ddee9f6b43ac78ba3";

const permissions = [
  { name: "token", type: "address" },
  { name: "amount", type: "uint256" },
] as const;

const transferFields = [
  { name: "permitted", type: "TokenPermissions" },
  { name: "spender", type: "address" },
  { name: "nonce", type: "uint256" },
  { name: "deadline", type: "uint256" },
] as const;

function permit2Domain(chainId: number) {
  return { name: "Permit2", chainId, verifyingContract: PERMIT2_ADDRESS } as const;
}

/** A payer's permission for the router to take `amount` of `token` once, through Permit2. */
export type Permit2Request = {
  readonly chainId: number;
  readonly token: Address;
  /** Amount of the swap including the sell fee; smallest units. */
  readonly amount: bigint;
  /** An unordered Permit2 nonce that the payer has not used. */
  readonly nonce: bigint;
  /** Unix time in seconds. */
  readonly deadline: number;
};

export function permit2TypedData(request: Permit2Request): TypedDataDefinition {
  return {
    domain: permit2Domain(request.chainId),
    types: { TokenPermissions: permissions, PermitTransferFrom: transferFields },
    primaryType: "PermitTransferFrom",
    message: {
      permitted: { token: request.token, amount: request.amount },
      spender: ROUTER_ADDRESS,
      nonce: request.nonce,
      deadline: BigInt(request.deadline),
    },
  };
}

/** A maker's order: up to `makerAmount` of one token for `takerAmount` of another, partially fillable at that rate. */
export type RfqOrder = {
  readonly chainId: number;
  readonly takerToken: Address;
  readonly takerAmount: bigint;
  readonly makerToken: Address;
  readonly makerAmount: bigint;
  /** undefined = any taker. */
  readonly taker: Address | undefined;
  readonly nonce: bigint;
  /** Unix time in seconds. */
  readonly expiry: number;
};

/** EIP-712 data that a maker signs: a Permit2 witness transfer. */
export function rfqTypedData(order: RfqOrder): TypedDataDefinition {
  return {
    domain: permit2Domain(order.chainId),
    types: {
      TokenPermissions: permissions,
      RfqOrder: [
        { name: "takerToken", type: "address" },
        { name: "takerAmount", type: "uint256" },
        { name: "taker", type: "address" },
      ],
      PermitWitnessTransferFrom: [...transferFields, { name: "witness", type: "RfqOrder" }],
    },
    primaryType: "PermitWitnessTransferFrom",
    message: {
      permitted: { token: order.makerToken, amount: order.makerAmount },
      spender: ROUTER_ADDRESS,
      nonce: order.nonce,
      deadline: BigInt(order.expiry),
      witness: {
        takerToken: order.takerToken,
        takerAmount: order.takerAmount,
        taker: order.taker ?? ZERO_ADDRESS,
      },
    },
  };
}

function hex(value: bigint | number, bytes: number): string {
  const text = value.toString(16);
  if (value < 0 || text.length > bytes * 2) throw new Error(`${value} does not fit ${bytes} bytes`);
  return text.padStart(bytes * 2, "0");
}

/**
 * The signature with v as 27 or 28, the only values with which `ecrecover` returns a signer. Some signers return 0 or 1.
 *
 * @param signature 65 bytes
 */
export function withContractV(signature: Hex): Hex {
  const v = Number.parseInt(signature.slice(-2), 16);
  return `0x${signature.slice(2, -2)}${(v < 27 ? v + 27 : v).toString(16).padStart(2, "0")}`;
}

function signatureOf(signature: Hex): string {
  if (signature.length !== 132) throw new Error(`a signature of ${(signature.length - 2) / 2} bytes, not 65`);
  return signature.slice(2);
}

/**
 * Extra bytes of an rfq step. The step's direction bit states whether the order names a taker.
 *
 * @throws Error if an amount, the nonce, the expiry or the signature does not have its width
 */
export function rfqExtra(order: RfqOrder, signature: Hex): Hex {
  const amounts = hex(order.takerAmount, 16) + hex(order.makerAmount, 16);
  return `0x${amounts}${hex(order.nonce, 32)}${hex(order.expiry, 5)}${signatureOf(signature)}`;
}

function prepend(data: Hex, kind: number, flags: number, extra: string): Hex {
  const { args } = decodeFunctionData({ abi: swapAbi, data });
  const [amountIn, minOut, recipient, terms, bytes] = args;
  const route = unpackRoute(bytes.toLowerCase() as Hex);
  const step: WireStep = { kind, flags, src: 0, dst: 1, share: 0, target: ZERO_ADDRESS, extra: `0x${extra}` };
  const longer = packRoute({ ...route, steps: [step, ...route.steps] });
  return encodeFunctionData({ abi: swapAbi, args: [amountIn, minOut, recipient, terms, longer] });
}

/**
 * Prepends a permit2 step: the swap is then paid by a Permit2 signature instead of an approval of the router.
 *
 * @param data calldata of `swap`
 * @param signature the payer's signature of `permit2TypedData`; 65 bytes
 * @throws Error if the data is not a swap, or the signature has another length
 */
export function attachPermit2(data: Hex, request: Permit2Request, signature: Hex): Hex {
  const extra = hex(request.nonce, 32) + hex(request.deadline, 5) + signatureOf(signature);
  return prepend(data, stepKinds.permit2, 0, extra);
}

/** An EIP-2612 permit, or DAI's older form, which has a nonce in place of the value. */
export type Permit = {
  readonly kind: "eip2612" | "dai";
  /** Allowance granted; for "dai" the holder's nonce. */
  readonly word: bigint;
  /** Unix time in seconds. */
  readonly deadline: number;
};

/** Prepends a permit step of the payer for the token sold. @throws Error as `attachPermit2` */
export function attachPermit(data: Hex, permit: Permit, signature: Hex): Hex {
  const extra = hex(permit.word, 32) + hex(permit.deadline, 5) + signatureOf(signature);
  return prepend(data, stepKinds.permit, permit.kind === "dai" ? stepFlags.zeroForOne : 0, extra);
}
