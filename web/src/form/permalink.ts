import type { Side } from "../api.ts";
import { ADDRESS } from "../tokens/token-search.ts";

/**
 * The form fields that are kept in the URL fragment, so that a link opens the same request. Fees and their recipient are
 * never among them: whoever makes a link would be paid from the swaps of those who follow it.
 */
export type Question = {
  readonly chainId?: number | undefined;
  readonly sell?: string | undefined;
  readonly buy?: string | undefined;
  /** As typed. */
  readonly amount?: string | undefined;
  readonly side?: Side | undefined;
  /** Percent, as typed. */
  readonly slippage?: string | undefined;
  /** Written as "gas=off" where it is false. */
  readonly withGas?: boolean | undefined;
};

/** A token address or symbol. */
const TOKEN = /^[^\s<>&"]{1,42}$/u;

/**
 * Parses a fragment such as "#chain=1&sell=ETH&buy=0x…&amount=1.5&slippage=0.5&gas=off". Invalid and unknown parts are
 * ignored. Addresses are converted to lower case, symbols are not.
 */
export function readQuestion(fragment: string): Question {
  const parts = new URLSearchParams(fragment.replace(/^#/, ""));
  const matching = (name: string, pattern: RegExp) => {
    const value = parts.get(name) ?? "";
    return pattern.test(value) ? value : undefined;
  };
  const chain = matching("chain", /^[1-9]\d{0,14}$/);
  const token = (name: string) => {
    const value = matching(name, TOKEN);
    return value !== undefined && ADDRESS.test(value) ? value.toLowerCase() : value;
  };
  const [sell, buy] = [token("sell"), token("buy")];
  const slippage = matching("slippage", /^[\d.,]{1,8}$/);
  const amount = matching("amount", /^[\d.,]{1,80}$/);
  const side = matching("side", /^BUY$/) as Side | undefined;
  return {
    ...(chain !== undefined && { chainId: Number(chain) }),
    ...(sell !== undefined && { sell }),
    ...(buy !== undefined && { buy }),
    ...(amount !== undefined && { amount }),
    ...(side !== undefined && { side }),
    ...(slippage !== undefined && { slippage }),
    ...(parts.get("gas") === "off" && { withGas: false }),
  };
}

export function writeQuestion({ chainId, sell, buy, amount, side, slippage, withGas }: Question): string {
  const parts = new URLSearchParams();
  if (chainId !== undefined) parts.set("chain", String(chainId));
  if (sell !== undefined) parts.set("sell", sell);
  if (buy !== undefined) parts.set("buy", buy);
  if (amount !== undefined && amount !== "") parts.set("amount", amount);
  if (side === "BUY") parts.set("side", side);
  if (slippage !== undefined) parts.set("slippage", slippage);
  if (withGas === false) parts.set("gas", "off");
  return `#${parts}`;
}
