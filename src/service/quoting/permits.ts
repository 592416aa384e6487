import type { TypedDataDefinition } from "viem";
import { keccak256 } from "viem/utils";
import {
  attachPermit,
  attachPermit2,
  domainFields,
  PERMIT2_ADDRESS,
  permit2TypedData,
} from "../../core/encoding/index.ts";
import type { Address, Hex } from "../../core/types.ts";
import type { Offer } from "../pricing/offer.ts";
import type { PermitFacts, PermitKind } from "./permit-tokens.ts";
import type { Call } from "./simulation.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Typed data for eth_signTypedData_v4: amounts are decimal strings, and `types` contains EIP712Domain, without which
 * MetaMask signs another domain.
 */
export type TypedDataJson = {
  readonly types: Fields;
  readonly primaryType: string;
  readonly domain: Fields;
  readonly message: Fields;
};

/** Typed data that a payer may sign instead of sending an approval. */
export type PermitOffer = {
  readonly kind: PermitKind | "permit2";
  readonly typedData: TypedDataJson;
  readonly nonce: bigint;
  /** Unix time in seconds. */
  readonly deadline: number;
  /**
   * Whether the signature is enough: true for the token's own permits, and where Permit2's allowance covers the amount.
   */
  readonly ready: boolean;
  /** The contract that must be approved first where it is not ready; undefined for permits of the token itself. */
  readonly approve: Address | undefined;
};

/** A signature that a request carries. */
export type GivenPermit = {
  readonly kind: PermitKind | "permit2";
  readonly signature: Hex;
  /** Not needed for EIP-2612, where the token counts the nonces itself. */
  readonly nonce: bigint;
  /** Unix time in seconds. */
  readonly deadline: number;
};

/**
 * Gas units that a permit may add. A token's own permit writes a new allowance and a nonce behind a proxy; Permit2
 * writes a nonce and adds a call to the transfer.
 */
export const permitGas: Readonly<Record<GivenPermit["kind"], bigint>> = {
  eip2612: 100_000n,
  dai: 100_000n,
  permit2: 80_000n,
};

type Signing = {
  readonly offer: Offer;
  readonly owner: Address;
  readonly spender: Address;
  readonly deadline: number;
};

/** All permits that can be signed for an offer, the token's own first. */
export function permitOffers(facts: PermitFacts, signing: Signing): PermitOffer[] {
  const { deadline, offer, owner } = signing;
  const offers: PermitOffer[] = [];
  if (facts.token !== undefined) {
    const { kind, nonce } = facts.token;
    const typedData = plain(tokenTypedData(facts.token, signing));
    offers.push({ kind, typedData, nonce, deadline, ready: true, approve: undefined });
  }
  if (facts.permit2 !== undefined) {
    const nonce = freshNonce(offer, owner);
    const request = {
      chainId: offer.chain.id,
      token: offer.tokenIn.address,
      amount: offer.amountIn,
      nonce,
      deadline,
    };
    const ready = facts.permit2.allowance >= offer.amountIn;
    const typedData = plain(permit2TypedData(request));
    offers.push({ kind: "permit2", typedData, nonce, deadline, ready, approve: PERMIT2_ADDRESS });
  }
  return offers;
}

const permitFields = [
  { name: "owner", type: "address" },
  { name: "spender", type: "address" },
  { name: "value", type: "uint256" },
  { name: "nonce", type: "uint256" },
  { name: "deadline", type: "uint256" },
] as const;

const daiFields = [
  { name: "holder", type: "address" },
  { name: "spender", type: "address" },
  { name: "nonce", type: "uint256" },
  { name: "expiry", type: "uint256" },
  { name: "allowed", type: "bool" },
] as const;

function tokenTypedData(
  { kind, domain, nonce }: NonNullable<PermitFacts["token"]>,
  { offer, owner, spender, deadline }: Signing,
): TypedDataDefinition {
  const until = BigInt(deadline);
  if (kind === "dai") {
    const message = { holder: owner, spender, nonce, expiry: until, allowed: true };
    return { domain, types: { Permit: daiFields }, primaryType: "Permit", message };
  }
  const message = { owner, spender, value: offer.amountIn, nonce, deadline: until };
  return { domain, types: { Permit: permitFields }, primaryType: "Permit", message };
}

/**
 * A nonce for Permit2, which accepts any number that the owner has not used. It is the hash of the swap and its block,
 * so no state has to be kept: two requests for the same swap in one block give the same permit, which can be used once.
 */
function freshNonce({ tokenIn, tokenOut, amountIn, head }: Offer, owner: Address): bigint {
  const words = [owner, tokenIn.address, tokenOut.address, head.hash, `0x${amountIn.toString(16)}`];
  return BigInt(keccak256(new TextEncoder().encode(words.join(" "))));
}

/** Typed data as JSON, with amounts as decimal strings and the type of the domain included. */
function plain({ domain, types, primaryType, message }: TypedDataDefinition): TypedDataJson {
  const all = { EIP712Domain: domainFields(domain!), ...types };
  const text = JSON.stringify({ types: all, primaryType, domain, message }, (_key, value: unknown) =>
    typeof value === "bigint" ? value.toString() : value,
  );
  return JSON.parse(text) as TypedDataJson;
}

/** The swap's calldata with the payer's signature as its first step. */
export function withPermit(
  call: Call,
  offer: Offer,
  { kind, signature, nonce, deadline }: GivenPermit,
): Call {
  const amount = offer.amountIn;
  if (kind === "permit2") {
    const request = { chainId: offer.chain.id, token: offer.tokenIn.address, amount, nonce, deadline };
    return { ...call, data: attachPermit2(call.data, request, signature) };
  }
  const word = kind === "dai" ? nonce : amount;
  return { ...call, data: attachPermit(call.data, { kind, word, deadline }, signature) };
}
