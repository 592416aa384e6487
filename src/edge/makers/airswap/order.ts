import Type, { type Static } from "typebox";
import * as Value from "typebox/value";
import { hashTypedData, recoverTypedDataAddress } from "viem/utils";
import { type AirSwapOrder, airSwapTypedData, ROUTER_ADDRESS } from "../../../core/encoding/index.ts";
import type { Address, Hex } from "../../../core/types.ts";
import type { FirmAsk } from "../../../service/ports/ports-makers.ts";
import type { Judged } from "../door.ts";
import { type AirSwapFacts, type AirSwapMaker, FEE_DIVISOR } from "./facts.ts";
import type { CheckOrder } from "./order-facts.ts";

const Uint = Type.String({ pattern: "^[0-9]{1,78}$" });
const Account = Type.String({ pattern: "^0x[0-9a-fA-F]{40}$" });
const Word = Type.String({ pattern: "^0x[0-9a-fA-F]{64}$" });

/** Result of `getSignerSideOrderERC20`. A server may omit the fee and the sender; its signature covers them anyway. */
export const OrderAnswer = Type.Object({
  nonce: Uint,
  expiry: Uint,
  signerWallet: Account,
  signerToken: Account,
  signerAmount: Uint,
  protocolFee: Type.Optional(Uint),
  senderWallet: Type.Optional(Account),
  senderToken: Account,
  senderAmount: Uint,
  v: Type.String({ pattern: "^(27|28)$" }),
  r: Word,
  s: Word,
});

type Answer = Static<typeof OrderAnswer>;
type Signed = { readonly order: AirSwapOrder; readonly signature: Hex };

const UINT40 = 2n ** 40n;
const UINT128 = 2n ** 128n;
const UINT256 = 2n ** 256n;

/**
 * AirSwap's library rounds amounts to this many decimals, so an honest order may pay half a unit of the last one less.
 */
const PRICE_DECIMALS = 6;

/**
 * Validates an order against the request. The order is built from the terms of the request and of the contract; only
 * the signer amount, nonce, expiry and signature are taken from the answer. A signature over any other terms therefore
 * fails.
 *
 * @param leftMs milliseconds left for checking at a node that the order can be filled
 */
export async function judgeOrder(
  maker: AirSwapMaker,
  answer: unknown,
  wanted: FirmAsk,
  { facts, checkOrder, leftMs }: Held,
): Promise<Judged> {
  if (!Value.Check(OrderAnswer, answer) || !isAsAsked(maker, answer, wanted, facts)) return INVALID;
  const order = orderOf(maker, answer, wanted, facts);
  if (order === undefined) return INVALID;
  if (order.signerAmount + spareOf(facts, wanted) < wanted.promised)
    return { outcome: "worse", order: undefined };
  const v = Number(answer.v).toString(16);
  const signed: Signed = { order, signature: `${answer.r}${answer.s.slice(2)}${v}`.toLowerCase() as Hex };
  const isSound = await isFillable(maker, signed, { facts, checkOrder, leftMs });
  if (isSound === true) return { outcome: "given", order: signed };
  return isSound === false ? INVALID : { outcome: "unchecked", order: undefined };
}

type Held = {
  readonly facts: AirSwapFacts;
  readonly checkOrder: CheckOrder;
  readonly leftMs: () => number;
};

const INVALID: Judged = { outcome: "invalid", order: undefined };

/** Whether the terms that the answer repeats are those of the request, and its fee, where given, is the contract's. */
function isAsAsked(
  { address }: AirSwapMaker,
  answer: Answer,
  wanted: FirmAsk,
  { protocolFee }: AirSwapFacts,
): boolean {
  const accounts: readonly (readonly [string | undefined, Address])[] = [
    [answer.signerWallet, address],
    [answer.senderWallet, ROUTER_ADDRESS],
    [answer.signerToken, wanted.makerToken],
    [answer.senderToken, wanted.takerToken],
  ];
  const isFee = answer.protocolFee === undefined || BigInt(answer.protocolFee) === protocolFee;
  const isWhole = BigInt(answer.senderAmount) === wanted.takerAmount;
  return isFee && isWhole && accounts.every(([told, is]) => told === undefined || told.toLowerCase() === is);
}

/** @returns undefined where a number exceeds its Solidity type, or the order expires too soon */
function orderOf(
  { chainId, address, airSwap: { settler } }: AirSwapMaker,
  answer: Answer,
  wanted: FirmAsk,
  { protocolFee }: AirSwapFacts,
): AirSwapOrder | undefined {
  const [nonce, expiry, signerAmount] = [answer.nonce, answer.expiry, answer.signerAmount].map(BigInt);
  if (nonce! >= UINT256 || signerAmount! >= UINT128 || expiry! >= UINT40) return undefined;
  if (expiry! < BigInt(wanted.leastExpiry)) return undefined;
  return {
    ...{ chainId, settler, signer: address, protocolFee, nonce: nonce!, expiry: Number(expiry) },
    ...{ signerToken: wanted.makerToken, signerAmount: signerAmount! },
    ...{ senderToken: wanted.takerToken, senderAmount: wanted.takerAmount },
  };
}

/** How much less than promised an order may pay because of AirSwap's rounding, smallest units of the maker token. */
function spareOf({ decimals }: AirSwapFacts, { makerToken }: FirmAsk): bigint {
  const finer = (decimals.get(makerToken) ?? 0) - PRICE_DECIMALS;
  return finer > 0 ? 5n * 10n ** BigInt(finer - 1) : 0n;
}

/**
 * Whether the signature is valid and the order can be filled at the newest block; undefined where no node answers in
 * time.
 */
async function isFillable(
  { isContract, airSwap: { settler } }: AirSwapMaker,
  { order, signature }: Signed,
  { facts: { signatory, protocolFee }, checkOrder, leftMs }: Held,
): Promise<boolean | undefined> {
  const typedData = airSwapTypedData(order);
  const recovered = await recoverTypedDataAddress({ ...typedData, signature }).catch(() => undefined);
  const hasKey = recovered?.toLowerCase() === signatory;
  if (!hasKey && !isContract) return false;
  const timeoutMs = leftMs();
  if (timeoutMs < 1) return undefined;
  const { signer, nonce, signerToken, signerAmount } = order;
  const contractSignature = hasKey
    ? undefined
    : { account: signatory, digest: hashTypedData(typedData), signature };
  const leaving = signerAmount + (signerAmount * protocolFee) / FEE_DIVISOR;
  return checkOrder({ settler, signer, nonce, signerToken, leaving, contractSignature, timeoutMs });
}
