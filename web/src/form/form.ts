import { type Fees, NATIVE, type PriceRequest, type Side, type Token } from "../api.ts";
import { parseAmount } from "../offer/amount.ts";
import { parseFee, parseSlippage } from "../offer/percent.ts";
import { ADDRESS } from "../tokens/token-search.ts";

/**
 * The input of the user, unparsed. Tokens are addresses, so that they survive a reload of the token list; in a link
 * they may be symbols.
 */
export type Form = {
  readonly chainId?: number | undefined;
  readonly sell?: string | undefined;
  readonly buy?: string | undefined;
  /** Whether `amount` is sold or bought. */
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

/** Initial values of the form. */
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

/** Symbols of default tokens to buy, the preferred one first. */
const FAMILIAR = ["USDC", "USDT", "DAI"];

/** Resolves the tokens of both sides. A symbol that several tokens have is not resolved. */
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

/** Default tokens for empty sides: the native coin and a stablecoin. A token from a link is never replaced. */
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

/**
 * Error message for a side whose token is not known; undefined where it is known or still asked for, or the side is empty.
 *
 * @param absent addresses at which the chain has no token
 */
export function missingToken(
  named: string | undefined,
  token: Token | undefined,
  absent: ReadonlySet<string>,
): string | undefined {
  if (named === undefined || token !== undefined) return undefined;
  if (ADDRESS.test(named))
    return absent.has(named)
      ? `No token of this chain is known at ${named.slice(0, 6)}…${named.slice(-4)}. Choose one.`
      : undefined;
  return `No listed token of this chain is named “${named}”, or several are. Choose one.`;
}

/** Whether both sides have the same token. */
export function isSameToken({ sell, buy }: Pair): boolean {
  return sell !== undefined && sell.address === buy?.address;
}

/**
 * Exchanges the two sides. The typed amount stays with its token: 1000 of a token to be bought become 1000 of it to be
 * sold.
 */
export function inverted(form: Form): Pick<Form, "sell" | "buy" | "side"> {
  return { sell: form.buy, buy: form.sell, side: form.side === "SELL" ? "BUY" : "SELL" };
}

/** Sets the token of a side. Where the other side has this token, the sides are exchanged. */
export function withToken(form: Form, side: "sell" | "buy", address: string): Partial<Form> {
  const other = side === "sell" ? form.buy : form.sell;
  if (other === address) return inverted(form);
  return side === "sell" ? { sell: address, buy: form.buy } : { sell: form.sell, buy: address };
}

/** The price request of the form; undefined while a field is missing or invalid. */
export function requestOf(chainId: number | undefined, form: Form, pair: Pair): PriceRequest | undefined {
  if (chainId === undefined || pair.sell === undefined || pair.buy === undefined) return undefined;
  if (isSameToken(pair)) return undefined;
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

/** Whether a field is marked as invalid. */
export function hasFault(form: Form, pair: Pair): boolean {
  if (isSameToken(pair)) return true;
  const given = form.side === "SELL" ? pair.sell : pair.buy;
  const amount = given === undefined ? undefined : parseAmount(form.amount, given.decimals);
  return amount?.kind === "bad" || parseSlippage(form.slippage).kind === "bad" || feesOf(form).kind === "bad";
}

export type ParsedFees =
  /** `text` is an error message of one sentence. */
  | { readonly kind: "bad"; readonly text: string }
  | { readonly kind: "fees"; readonly value: Fees | undefined };

/** Parses the fees; undefined where both are empty or 0, whatever the recipient is. */
export function feesOf(form: Pick<Form, "buyFee" | "sellFee" | "feeRecipient">): ParsedFees {
  const buy = parseFee(form.buyFee);
  const sell = parseFee(form.sellFee);
  if (buy.kind === "bad") return buy;
  if (sell.kind === "bad") return sell;
  if (buy.text === "0" && sell.text === "0") return { kind: "fees", value: undefined };
  const recipient = form.feeRecipient.trim();
  if (!ADDRESS.test(recipient) || /^0x0{40}$/i.test(recipient))
    return { kind: "bad", text: "Enter the wallet that the fees go to: 0x and 40 hex digits." };
  return { kind: "fees", value: { recipient: recipient.toLowerCase(), buy: buy.text, sell: sell.text } };
}
