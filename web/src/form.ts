import { parseAmount } from "./amount.ts";
import { NATIVE, type PriceRequest, type Token } from "./api.ts";
import { parseSlippage } from "./percent.ts";

/** What the person has entered, as entered. Tokens are addresses, so that they outlive a reload of the list. */
export type Form = {
  readonly chainId?: number | undefined;
  readonly sell?: string | undefined;
  readonly buy?: string | undefined;
  readonly amount: string;
  /** In percent. */
  readonly slippage: string;
  readonly withGas: boolean;
};

export type Pair = { readonly sell: Token | undefined; readonly buy: Token | undefined };

/** What a newcomer most likely wants to see a price in. */
const FAMILIAR = ["USDC", "USDT", "DAI"];

export function tokensOfForm(form: Form, known: ReadonlyMap<string, Token>): Pair {
  const find = (address: string | undefined) => (address === undefined ? undefined : known.get(address));
  return { sell: find(form.sell), buy: find(form.buy) };
}

/** Fills sides that are empty, or that name a token nobody knows here: the native coin against a familiar dollar. */
export function firstTokens(
  form: Form,
  list: readonly Token[],
  known: ReadonlyMap<string, Token>,
): Pick<Form, "sell" | "buy"> {
  const pair = tokensOfForm(form, known);
  const familiar = FAMILIAR.map((symbol) => list.find((token) => token.symbol === symbol));
  const first = (candidates: readonly (Token | undefined)[], other: string | undefined) =>
    candidates.find((token) => token !== undefined && token.address !== other)?.address;
  const sell =
    pair.sell?.address ?? first([list.find((token) => token.address === NATIVE), ...list], pair.buy?.address);
  const buy = pair.buy?.address ?? first([...familiar, ...list], sell);
  return { sell, buy };
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
  const amount = parseAmount(form.amount, pair.sell.decimals);
  const slippage = parseSlippage(form.slippage);
  if (amount.kind !== "amount" || slippage.kind !== "permille") return undefined;
  return {
    chainId,
    tokenIn: pair.sell.address,
    tokenOut: pair.buy.address,
    amount: amount.value,
    slippage: slippage.text,
    withGas: form.withGas,
  };
}
