import type { TypedDataDefinition } from "viem";
import type { Address, Hex } from "../types.ts";
import { ROUTER_ADDRESS } from "./router-artifact.ts";

/**
 * Address of SwapERC20 4.3 on the chains that it was deployed to.
 *
 * @source deploys.js of npm's @airswap/swap-erc20 5.0.1
 */
export const SWAP_ERC20_ADDRESS: Address = "0xd82e10b9a4107939e55fcca9b53a9ede6cf2fc46";

/** AirSwap's `OrderERC20` with the router as its sender: filled once and in full, by any caller of the router. */
export type AirSwapOrder = {
  readonly chainId: number;
  /** AirSwap's SwapERC20 contract, which settles the order. */
  readonly settler: Address;
  readonly signer: Address;
  readonly signerToken: Address;
  /** Smallest units that the signer pays to the router; AirSwap's fee is charged to the signer on top. */
  readonly signerAmount: bigint;
  readonly senderToken: Address;
  /** Smallest units sold; the order takes exactly this amount. */
  readonly senderAmount: bigint;
  readonly nonce: bigint;
  /** Unix time in seconds from which the order is refused. */
  readonly expiry: number;
  /** AirSwap's fee in basis points, equal to the contract's value when the order is filled. */
  readonly protocolFee: bigint;
};

const orderFields = [
  { name: "nonce", type: "uint256" },
  { name: "expiry", type: "uint256" },
  { name: "signerWallet", type: "address" },
  { name: "signerToken", type: "address" },
  { name: "signerAmount", type: "uint256" },
  { name: "protocolFee", type: "uint256" },
  { name: "senderWallet", type: "address" },
  { name: "senderToken", type: "address" },
  { name: "senderAmount", type: "uint256" },
] as const;

/**
 * EIP-712 data that an AirSwap maker signs.
 *
 * @source SwapERC20.sol of npm's @airswap/swap-erc20 5.0.1: ORDER_TYPEHASH, _domainNameAndVersion
 */
export function airSwapTypedData(order: AirSwapOrder): TypedDataDefinition {
  const { chainId, settler, signer, expiry, ...rest } = order;
  return {
    domain: { name: "SWAP_ERC20", version: "4.3", chainId, verifyingContract: settler },
    types: { OrderERC20: orderFields },
    primaryType: "OrderERC20",
    message: { ...rest, expiry: BigInt(expiry), signerWallet: signer, senderWallet: ROUTER_ADDRESS },
  };
}

function hex(value: bigint, bytes: number): string {
  const text = value.toString(16);
  if (value < 0n || text.length > bytes * 2) throw new Error(`${value} does not fit ${bytes} bytes`);
  return text.padStart(bytes * 2, "0");
}

/**
 * Extra bytes of an airSwap step; the step's target is the order's settler.
 *
 * @param signature r, s, v: 65 bytes
 * @throws Error if an amount, the expiry or the signature does not have its width
 */
export function airSwapExtra(order: AirSwapOrder, signature: Hex): Hex {
  if (signature.length !== 132) throw new Error(`a signature of ${(signature.length - 2) / 2} bytes, not 65`);
  const amounts = hex(order.senderAmount, 16) + hex(order.signerAmount, 16);
  const terms = hex(order.nonce, 32) + hex(BigInt(order.expiry), 5);
  return `0x${order.signer.slice(2)}${amounts}${terms}${signature.slice(2)}`;
}
