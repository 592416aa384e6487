import { type Fees, NATIVE, type PriceRequest, type Side, type Token } from "../api.ts";
import { parseAmount } from "../offer/amount.ts";
import { parseFee, parseSlippage } from "../offer/percent.ts";
import { ADDRESS } from "../tokens/token-search.ts";

/**
 * What the person has entered, as entered. Tokens are addresses, so that they outlive a reload of the list; those of a
 * link may be symbols.
 */
export type Form = {
  readonly chainId?: number | undefined;
  readonly sell?: string | undefined;
  readonly buy?: string | undefined;
  /** Which amount was typed. */
  readonly side: Side;
  readonly amount: string;
  /** In percent. */
  readonly slippage: string;
  readonly withGas: boolean;
  /** In percent; empty = none. */
  readonly buyFee: string;
  readonly sellFee: string;
  readonly feeRecipient: string;
};

/** Everyday terms. */
export const FIRST_FORM: Form = {
  side: "SELL",
  amount: "1",
  slippage: "0.5",
  withGas: true,
  buyFee: "",
  sellFee: "",
  feeRecipient: "",
};

export type Pair = { readonly sell: Token | undefined; readonly buy: Token | undefined };

/** What a newcomer most likely wants to see a price in. */
const FAMILIAR = ["USDC", "USDT", "DAI"];

/** The tokens of both sides, where they are known. A symbol that several tokens bear names none of them. */
export function tokensOfForm(form: Form, known: ReadonlyMap<string, Token>): Pair {
  const find = (named: string | undefined) => {
    if (named === undefined) return undefined;
    const wanted = named.toLowerCase();
    const found = known.get(wanted);
    if (found !== undefined || ADDRESS.test(named)) return found;
    const bearers = [...known.values()].filter(({ symbol }) => symbol.toLowerCase() === wanted);
    return bearers.length === 1 ? bearers[0] : undefined;
  };
  return { sell: find(form.sell), buy: find(form.buy) };
}

/** Fills sides that nobody chose: the native coin against a familiar dollar. What a link names is never replaced. */
export function firstTokens(
  form: Form,
  list: readonly Token[],
  known: ReadonlyMap<string, Token>,
): Pick<Form, "sell" | "buy"> {
  const pair = tokensOfForm(form, known);
  const familiar = FAMILIAR.map((symbol) => list.find((token) => token.symbol === symbol));
  const first = (candidates: readonly (Token | undefined)[], other: string | undefined) =>
    candidates.find((token) => token !== undefined && token.address !== other)?.address;
  const coin = list.find((token) => token.address === NATIVE);
  const sell = form.sell ?? first([coin, ...list], pair.buy?.address);
  const buy = form.buy ?? first([...familiar, ...list], pair.sell?.address ?? sell);
  return { sell: pair.sell?.address ?? sell, buy: pair.buy?.address ?? buy };
}

/** Why a side that was named has no token; undefined where it has one, or was not named. */
export function missingToken(named: string | undefined, token: Token | undefined): string | undefined {
  if (named === undefined || token !== undefined) return undefined;
  return ADDRESS.test(named)
    ? `No token of this chain is known at ${named.slice(0, 6)}…${named.slice(-4)}. Choose one.`
    : `No listed token of this chain is named “${named}”, or several are. Choose one.`;
}

/** The two sides swapped. What was bought becomes the amount only if the person asks: the number typed stays. */
export function inverted(form: Form): Pick<Form, "sell" | "buy"> {
  return { sell: form.buy, buy: form.sell };
}

/** The other side moves where both would be the same token. */
export function withToken(form: Form, side: "sell" | "buy", address: string): Pick<Form, "sell" | "buy"> {
  const other = side === "sell" ? form.buy : form.sell;
  if (other === address) return inverted(form);
  return side === "sell" ? { sell: address, buy: form.buy } : { sell: form.sell, buy: address };
}

/** The request that the form makes; undefined while something is missing or wrong. */
export function requestOf(chainId: number | undefined, form: Form, pair: Pair): PriceRequest | undefined {
  if (chainId === undefined || pair.sell === undefined || pair.buy === undefined) return undefined;
  const given = form.side === "SELL" ? pair.sell : pair.buy;
  const amount = parseAmount(form.amount, given.decimals);
  const slippage = parseSlippage(form.slippage);
  const fees = feesOf(form);
  if (amount.kind !== "amount" || slippage.kind !== "permille" || fees.kind === "bad") return undefined;
  return {
    chainId,
    tokenIn: pair.sell.address,
    tokenOut: pair.buy.address,
    side: form.side,
    amount: amount.value,
    slippage: slippage.text,
    withGas: form.withGas,
    fees: fees.value,
  };
}

/** Whether something that was entered is marked as wrong, and so keeps the form from asking. */
export function hasFault(form: Form, { sell, buy }: Pair): boolean {
  const given = form.side === "SELL" ? sell : buy;
  const amount = given === undefined ? undefined : parseAmount(form.amount, given.decimals);
  return amount?.kind === "bad" || parseSlippage(form.slippage).kind === "bad" || feesOf(form).kind === "bad";
}

export type ParsedFees =
  /** `text` is one sentence for the person who typed. */
  | { readonly kind: "bad"; readonly text: string }
  | { readonly kind: "fees"; readonly value: Fees | undefined };

/** The fees that the form asks for; none where both are empty or 0, whatever stands as their recipient. */
export function feesOf(form: Pick<Form, "buyFee" | "sellFee" | "feeRecipient">): ParsedFees {
  const buy = parseFee(form.buyFee);
  const sell = parseFee(form.sellFee);
  if (buy === undefined || sell === undefined)
    return { kind: "bad", text: "A fee is 0 to 50 %, in steps of 0.1 %." };
  if (buy === "0" && sell === "0") return { kind: "fees", value: undefined };
  const recipient = form.feeRecipient.trim();
  if (!ADDRESS.test(recipient) || /^0x0{40}$/i.test(recipient))
    return { kind: "bad", text: "Enter the wallet that the fees go to: 0x and 40 hex digits." };
  return { kind: "fees", value: { recipient: recipient.toLowerCase(), buy, sell } };
}
