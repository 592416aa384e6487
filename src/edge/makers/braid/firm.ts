import Type, { type Static } from "typebox";
import * as Value from "typebox/value";
import { hashTypedData, recoverTypedDataAddress } from "viem/utils";
import {
  PERMIT2_ADDRESS,
  type RfqOrder,
  ROUTER_ADDRESS,
  rfqTypedData,
  withContractV,
} from "../../../core/encoding/index.ts";
import type { Hex } from "../../../core/types.ts";
import type { FirmAsk } from "../../../service/ports/ports-makers.ts";
import type { CheckSignature } from "../contract-signature.ts";
import { type Judged, unanswered } from "../door.ts";
import type { MakerSettings } from "../makers-file.ts";
import type { AskMaker, MakerAnswer } from "../wire/request.ts";

/** Response body of `POST /firm` with status 200. `expiry` is Unix time in seconds; amounts are smallest units. */
export const FirmAnswer = Type.Object({
  maker_amount: Type.String({ pattern: "^[0-9]{1,39}$" }),
  nonce: Type.String({ pattern: "^[0-9]{1,78}$" }),
  expiry: Type.Integer({ minimum: 0, maximum: 2 ** 40 - 1 }),
  signature: Type.String({ pattern: "^0x[0-9a-fA-F]{130}$" }),
});

/** Request body of `POST /firm`. `least_expiry` is Unix time in seconds; amounts are smallest units. */
export const FirmRequest = Type.Object({
  chain_id: Type.Integer(),
  taker_token: Type.String(),
  taker_amount: Type.String(),
  maker_token: Type.String(),
  taker: Type.Union([Type.String(), Type.Null()]),
  least_expiry: Type.Integer(),
  spender: Type.String(),
});

const UINT128 = 2n ** 128n;
const UINT256 = 2n ** 256n;

/** The connection to the maker, and the EIP-1271 check for makers whose account is a contract. */
type FirmDoors = { readonly ask: AskMaker; readonly checkSignature: CheckSignature };

/** A Permit2 order with its maker's signature. */
type Signed = { readonly order: RfqOrder; readonly signature: Hex };

/**
 * Requests a signed order from a maker and validates it. The order is built from the terms of the request; only the
 * maker amount, nonce, expiry and signature are taken from the response. A signature over any other terms therefore
 * fails.
 */
export async function askFirm(
  maker: MakerSettings,
  { ask, checkSignature }: FirmDoors,
  wanted: FirmAsk,
  timeoutMs: number,
): Promise<Judged> {
  const endMs = performance.now() + timeoutMs;
  const body: Static<typeof FirmRequest> = {
    chain_id: maker.chainId,
    taker_token: wanted.takerToken,
    taker_amount: wanted.takerAmount.toString(),
    maker_token: wanted.makerToken,
    taker: wanted.taker ?? null,
    least_expiry: wanted.leastExpiry,
    spender: ROUTER_ADDRESS,
  };
  try {
    const answer = await ask({ path: "/firm", body, timeoutMs });
    const isOwn = (signed: Signed) => isSignedBy(maker, signed, checkSignature, endMs - performance.now());
    return await judge(maker, answer, wanted, isOwn);
  } catch (error) {
    return unanswered(error);
  }
}

/** @param isOwn whether the maker's account signed an order; undefined where no node answers */
async function judge(
  maker: MakerSettings,
  { status, json }: MakerAnswer,
  wanted: FirmAsk,
  isOwn: (signed: Signed) => Promise<boolean | undefined>,
): Promise<Judged> {
  if (status !== 200)
    return { outcome: status === 204 || status === 404 ? "refused" : "failed", order: undefined };
  if (!Value.Check(FirmAnswer, json)) return { outcome: "invalid", order: undefined };
  const signed = orderOf(maker, json, wanted);
  if (signed === undefined) return { outcome: "invalid", order: undefined };
  if (signed.order.makerAmount < wanted.promised) return { outcome: "worse", order: undefined };
  const isSigned = await isOwn(signed);
  if (isSigned === true) return { outcome: "given", order: signed };
  return { outcome: isSigned === false ? "invalid" : "unchecked", order: undefined };
}

/** @returns undefined where a number exceeds its Solidity type, or the order expires too soon */
function orderOf(
  { chainId, isContract }: MakerSettings,
  answer: Static<typeof FirmAnswer>,
  wanted: FirmAsk,
): Signed | undefined {
  const { takerToken, takerAmount, makerToken, taker } = wanted;
  const [makerAmount, nonce] = [BigInt(answer.maker_amount), BigInt(answer.nonce)];
  if (makerAmount >= UINT128 || nonce >= UINT256 || answer.expiry < wanted.leastExpiry) return undefined;
  const { expiry } = answer;
  const order: RfqOrder = {
    ...{ chainId, takerToken, takerAmount, makerToken, makerAmount },
    ...{ taker, nonce, expiry },
  };
  const signature = answer.signature.toLowerCase() as Hex;
  // Recovery here accepts v as 0 or 1 and the chain does not. A contract defines the last byte itself.
  return { order, signature: isContract ? signature : withContractV(signature) };
}

/** Whether the maker's account signed the order. @returns undefined where no node answers in time */
async function isSignedBy(
  { address, isContract }: MakerSettings,
  { order, signature }: Signed,
  checkSignature: CheckSignature,
  leftMs: number,
): Promise<boolean | undefined> {
  if (isContract) {
    if (leftMs < 1) return undefined;
    const digest = hashTypedData(rfqTypedData(order));
    return checkSignature({ asker: PERMIT2_ADDRESS, account: address, digest, signature, timeoutMs: leftMs });
  }
  try {
    const signer = await recoverTypedDataAddress({ ...rfqTypedData(order), signature });
    return signer.toLowerCase() === address;
  } catch {
    return false;
  }
}
