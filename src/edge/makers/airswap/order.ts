import Type, { type Static } from "typebox";
import * as Value from "typebox/value";
import { hashTypedData, recoverTypedDataAddress } from "viem";
import { type AirSwapOrder, airSwapTypedData, ROUTER_ADDRESS } from "../../../core/encoding/index.ts";
import type { Address, Hex } from "../../../core/types.ts";
import type { FirmAsk } from "../../../service/ports/ports-makers.ts";
import type { Judged } from "../door.ts";
import { type AirSwapFacts, type AirSwapMaker, FEE_DIVISOR } from "./facts.ts";
import type { CheckOrder } from "./order-facts.ts";

const Uint = Type.String({ pattern: "^[0-9]{1,78}$" });
const Account = Type.String({ pattern: "^0x[0-9a-fA-F]{40}$" });
const Word = Type.String({ pattern: "^0x[0-9a-fA-F]{64}$" });

/** What `getSignerSideOrderERC20` answers. Servers that send no fee and no sender have signed them all the same. */
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

/** AirSwap's library rounds what a level pays to so many decimals: half a unit of them may be missing of an honest order. */
const PRICE_DECIMALS = 6;

/**
 * Holds an order to what was asked. Its terms are those of the request and of the contract, so the maker's signature has to be
 * over them: nothing of them is taken from the answer but what the maker alone decides.
 *
 * @param leftMs for asking the chain whether it would fill the order
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

/** Whether what the answer repeats of the request is what was asked, and the fee is the contract's. */
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

/** @returns undefined where a number does not fit, or the order lapses too soon */
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

/** Smallest units that rounding may take of an order. */
function spareOf({ decimals }: AirSwapFacts, { makerToken }: FirmAsk): bigint {
  const finer = (decimals.get(makerToken) ?? 0) - PRICE_DECIMALS;
  return finer > 0 ? 5n * 10n ** BigInt(finer - 1) : 0n;
}

/** Whether the signature is good and the newest block would fill the order; undefined where no node says in time. */
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
