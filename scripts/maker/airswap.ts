import { setTimeout as wait } from "node:timers/promises";
import { encodeFunctionData, erc20Abi, type Hex, parseAbi } from "viem";
import { SWAP_ERC20_ADDRESS } from "../../src/core/encoding/index.ts";
import type { Level } from "../../src/core/rfq.ts";
import type { Book, Rpc } from "./book.ts";
import { bestOf, bookOf, type Desk } from "./desk.ts";
import { signAirSwapOrder } from "./sign.ts";

/** What the maker has to know of AirSwap's contract and of its tokens. */
export type Terms = { readonly protocolFee: bigint; readonly decimals: ReadonlyMap<Hex, number> };

const abi = parseAbi(["function protocolFee() view returns (uint256)"]);

export async function readTerms(rpc: Rpc, tokens: readonly Hex[]): Promise<Terms> {
  const call = async (to: Hex, data: Hex) => BigInt(await rpc<Hex>("eth_call", [{ to, data }, "latest"]));
  const decimals = encodeFunctionData({ abi: erc20Abi, functionName: "decimals" });
  const protocolFee = encodeFunctionData({ abi, functionName: "protocolFee" });
  const places = await Promise.all(tokens.map((token) => call(token, decimals)));
  return {
    protocolFee: await call(SWAP_ERC20_ADDRESS, protocolFee),
    decimals: new Map(tokens.map((token, k) => [token, Number(places[k])])),
  };
}

type Asked = { readonly id: unknown; readonly method: string; readonly params: never };
type OrderParams = {
  readonly chainId: string;
  readonly senderAmount: string;
  readonly signerToken: Hex;
  readonly senderToken: Hex;
  readonly minExpiry?: string;
};

/** Answers one call of AirSwap's protocol. */
export async function answerAirSwap(desk: Desk, { id, method, params }: Asked): Promise<object> {
  const made = await (method === "getPricingERC20" || method === "getAllPricingERC20"
    ? pricing(desk)
    : method === "getSignerSideOrderERC20"
      ? order(desk, params)
      : undefined);
  const error = { code: -33601, message: "Not serving that" };
  return made === undefined ? { jsonrpc: "2.0", id, error } : { jsonrpc: "2.0", id, result: made };
}

/** Digits of a price behind the point: enough that levels read from it are those of the book but for a few units. */
const PRICE_PLACES = 36;

function pricing(desk: Desk): object | undefined {
  const book = desk.terms && bookOf(desk);
  return book?.directions.map(({ sold, bought, levels }) => ({
    baseToken: sold,
    quoteToken: bought,
    bid: priceList(desk.terms!, [sold, bought], levels),
    ask: priceList(desk.terms!, [sold, bought], reverseOf(book, sold, bought)),
  }));
}

/** What the maker takes of the quote token for the base token, as if that were sold for it. */
function reverseOf(book: Book, sold: Hex, bought: Hex): Level[] {
  const back = book.directions.find((one) => one.sold === bought && one.bought === sold)?.levels ?? [];
  return back.map(({ amountIn, amountOut }) => ({ amountIn: amountOut, amountOut: amountIn }));
}

/** Running totals of the base token, and prices in the quote token, as decimal texts of whole tokens. */
function priceList({ decimals }: Terms, [base, quote]: readonly [Hex, Hex], levels: readonly Level[]) {
  const [baseUnit, quoteUnit] = [base, quote].map((token) => 10n ** BigInt(decimals.get(token)!));
  let total = 0n;
  return levels.map(({ amountIn, amountOut }) => {
    total += amountIn;
    const price = (amountOut * baseUnit! * 10n ** BigInt(PRICE_PLACES)) / (amountIn * quoteUnit!);
    return [decimal(total, decimals.get(base)!), decimal(price, PRICE_PLACES)];
  });
}

function decimal(amount: bigint, places: number): string {
  const text = amount.toString().padStart(places + 1, "0");
  return `${text.slice(0, -places)}.${text.slice(-places)}`;
}

/** @returns undefined where no order is given */
async function order(desk: Desk, params: OrderParams): Promise<object | undefined> {
  const { fade, slowMs, lie } = desk.manners;
  if (slowMs > 0) await wait(slowMs);
  const senderAmount = BigInt(params.senderAmount);
  const [sold, bought] = [params.senderToken, params.signerToken];
  const signerAmount = bestOf(desk, { sold, bought }, senderAmount);
  if (desk.terms === undefined || signerAmount === undefined || desk.random() < fade) return undefined;
  if (Number(params.chainId) !== desk.chainId) return undefined;
  const { order: signed, signature } = await signAirSwapOrder(
    desk.account,
    {
      ...{ chainId: desk.chainId, settler: SWAP_ERC20_ADDRESS, protocolFee: desk.terms.protocolFee },
      ...{ signer: desk.account.address.toLowerCase() as Hex, signerToken: bought, signerAmount },
      ...{ senderToken: sold, senderAmount },
      leastExpiry: Math.floor(Date.now() / 1000) + Number(params.minExpiry ?? 0),
    },
    lie,
  );
  return {
    nonce: signed.nonce.toString(),
    expiry: signed.expiry.toString(),
    signerWallet: desk.account.address,
    signerToken: bought,
    signerAmount: signed.signerAmount.toString(),
    protocolFee: signed.protocolFee.toString(),
    senderToken: sold,
    senderAmount: params.senderAmount,
    v: Number(`0x${signature.slice(130)}`).toString(),
    r: signature.slice(0, 66),
    s: `0x${signature.slice(66, 130)}`,
  };
}
