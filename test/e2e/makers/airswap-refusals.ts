import type { Hex } from "viem";
import { numberToHex } from "viem/utils";
import { devnetAccount } from "../../../scripts/maker/sign.ts";
import {
  type AirSwapOrder,
  airSwapExtra,
  airSwapTypedData,
  SWAP_ERC20_ADDRESS,
} from "../../../src/core/encoding/index.ts";
import {
  fresh,
  laterExpiry,
  type Refusal,
  raised,
  refusalsOf,
  SALE,
  said,
  withAmount,
  withOrder,
} from "./refusals.ts";
import { MAKER_ACCOUNT, type MakerStack } from "./stack.ts";
import { readyWallet, sendQuote } from "./swaps.ts";

/** Where parts of an AirSwap step's extra begin: see core/encoding/kinds.ts. */
const AT = { takerAmount: 20, makerAmount: 36, nonce: 52, expiry: 84 };

/** The order of a step, as its maker would sign it. */
function orderIn(extra: string, chainId: number): AirSwapOrder {
  const number = (byte: number, bytes: number) => BigInt(`0x${extra.slice(byte * 2, (byte + bytes) * 2)}`);
  return {
    ...{ chainId, settler: SWAP_ERC20_ADDRESS, signer: `0x${extra.slice(0, 40)}`, protocolFee: 7n },
    ...{ signerToken: SALE.bought, signerAmount: number(AT.makerAmount, 16) },
    ...{ senderToken: SALE.sold, senderAmount: number(AT.takerAmount, 16) },
    ...{ nonce: number(AT.nonce, 32), expiry: Number(number(AT.expiry, 5)) },
  };
}

/** The same swap with its order signed once more by its maker, over something else. */
async function signedAnew(data: Hex, chainId: number, change: (message: object) => object): Promise<Hex> {
  const found: string[] = [];
  withOrder(data, (extra) => {
    found.push(extra);
    return extra;
  });
  const order = orderIn(found[0]!, chainId);
  const { message, ...typed } = airSwapTypedData(order);
  const maker = devnetAccount(MAKER_ACCOUNT);
  const signature = await maker.signTypedData!({ ...typed, message: change(message) } as never);
  return withOrder(data, () => airSwapExtra(order, signature).slice(2));
}

/**
 * AirSwap orders that are no longer, or never were, what their maker signed for the router. Each is held against the same
 * order as it is, which any account may send: that is the limit that ADR 0007 states.
 */
export async function airSwapRefused(stack: MakerStack): Promise<readonly Refusal[]> {
  const { chain } = stack;
  const payer = await readyWallet(stack, SALE, 1);
  const other = await readyWallet(stack, SALE, 2);
  const offer = await fresh(stack, payer);
  const { calldata } = offer;
  const held: [string, string, string][] = [];
  const expect = async (what: string, wanted: string, from: Hex, data: Hex) =>
    void held.push([what, wanted, await said(stack, from, offer, data)]);
  const anew = (change: (message: object) => object) => signedAnew(calldata, chain.chainId, change);
  await expect("as it is", "paid", payer.address, calldata);
  await expect("as it is, of another taker", "paid", other.address, calldata);
  await expect("signed once more", "paid", payer.address, await anew((message) => message));
  const elsewhere = { senderWallet: other.address };
  await expect(
    "for another sender",
    "MakerRefused",
    payer.address,
    await anew((of) => ({ ...of, ...elsewhere })),
  );
  await expect(
    "with another fee",
    "MakerRefused",
    payer.address,
    await anew((of) => ({ ...of, protocolFee: 8n })),
  );
  await expect(
    "the maker's amount raised",
    "MakerRefused",
    payer.address,
    withOrder(calldata, raised(AT.makerAmount)),
  );
  await expect(
    "the expiry moved",
    "MakerRefused",
    payer.address,
    withOrder(calldata, laterExpiry(AT.expiry)),
  );
  const ofOther = withOrder(calldata, (extra) => `${other.address.slice(2)}${extra.slice(40)}`);
  await expect("of another signer", "MakerRefused", payer.address, ofOther);
  await expect(
    "the taker's amount raised",
    "BadFill",
    payer.address,
    withOrder(calldata, raised(AT.takerAmount)),
  );
  await expect("filled in part", "BadFill", payer.address, withAmount(calldata, SALE.amount / 2n));
  await sendQuote(stack, payer, SALE, offer);
  await readyWallet(stack, SALE, 1);
  await expect("replayed", "MakerRefused", payer.address, calldata);
  const lapsing = await fresh(stack, payer);
  held.push(["as it is, again", "paid", await said(stack, payer.address, lapsing, lapsing.calldata)]);
  await chain.rpc("evm_setNextBlockTimestamp", [numberToHex(BigInt(lapsing.expiry!) + 1n)]);
  await chain.rpc("evm_mine");
  await expect("expired", "MakerRefused", payer.address, lapsing.calldata);
  return refusalsOf(held);
}
