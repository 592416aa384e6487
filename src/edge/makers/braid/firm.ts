import Type, { type Static } from "typebox";
import * as Value from "typebox/value";
import { hashTypedData, recoverTypedDataAddress } from "viem";
import {
  PERMIT2_ADDRESS,
  type RfqOrder,
  ROUTER_ADDRESS,
  rfqTypedData,
} from "../../../core/encoding/index.ts";
import type { Hex } from "../../../core/types.ts";
import type { FirmAsk } from "../../../service/ports/ports-makers.ts";
import type { CheckSignature } from "../contract-signature.ts";
import type { Judged } from "../door.ts";
import type { MakerSettings } from "../makers-file.ts";
import { type AskMaker, LateError, type MakerAnswer } from "../wire/request.ts";

/** What `POST /firm` answers with status 200. */
export const FirmAnswer = Type.Object({
  maker_amount: Type.String({ pattern: "^[0-9]{1,39}$" }),
  nonce: Type.String({ pattern: "^[0-9]{1,78}$" }),
  expiry: Type.Integer({ minimum: 0, maximum: 2 ** 40 - 1 }),
  signature: Type.String({ pattern: "^0x[0-9a-fA-F]{130}$" }),
});

/** What `POST /firm` is sent. */
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

/** Where a maker is asked, and a contract whether a signature is its own. */
type FirmDoors = { readonly ask: AskMaker; readonly checkSignature: CheckSignature };

/** An order of Permit2 with its maker's signature. */
type Signed = { readonly order: RfqOrder; readonly signature: Hex };

/**
 * Asks a maker for an order and holds the answer to what was asked. The order's terms are those of the request, so the
 * maker's signature has to be over them: nothing of them is taken from the answer but what the maker alone decides.
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
    return { outcome: error instanceof LateError ? "late" : "failed", order: undefined };
  }
}

/** @param isOwn whether the maker calls an order's signature its own; undefined where nobody says */
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

/** @returns undefined where a number does not fit, or the order lapses too soon */
function orderOf(
  { chainId }: MakerSettings,
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
  return { order, signature: answer.signature.toLowerCase() as Hex };
}

/** @returns undefined where nobody says in time */
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
