import type { Side } from "./api.ts";
import { ADDRESS } from "./token-search.ts";

/** What the page was asked to show; kept in the fragment of its address, so that a link shows the same question. */
export type Question = {
  readonly chainId?: number | undefined;
  readonly sell?: string | undefined;
  readonly buy?: string | undefined;
  /** As typed. */
  readonly amount?: string | undefined;
  readonly side?: Side | undefined;
};

/** Reads a fragment such as "#chain=1&sell=0x…&buy=0x…&amount=1.5"; parts that make no sense are left out. */
export function readQuestion(fragment: string): Question {
  const parts = new URLSearchParams(fragment.replace(/^#/, ""));
  const matching = (name: string, pattern: RegExp) => {
    const value = parts.get(name) ?? "";
    return pattern.test(value) ? value : undefined;
  };
  const chain = matching("chain", /^[1-9]\d{0,14}$/);
  const sell = matching("sell", ADDRESS)?.toLowerCase();
  const buy = matching("buy", ADDRESS)?.toLowerCase();
  const amount = matching("amount", /^[\d.]{1,80}$/);
  const side = matching("side", /^BUY$/) as Side | undefined;
  return {
    ...(chain !== undefined && { chainId: Number(chain) }),
    ...(sell !== undefined && { sell }),
    ...(buy !== undefined && { buy }),
    ...(amount !== undefined && { amount }),
    ...(side !== undefined && { side }),
  };
}

export function writeQuestion({ chainId, sell, buy, amount, side }: Question): string {
  const parts = new URLSearchParams();
  if (chainId !== undefined) parts.set("chain", String(chainId));
  if (sell !== undefined) parts.set("sell", sell);
  if (buy !== undefined) parts.set("buy", buy);
  if (amount !== undefined && amount !== "") parts.set("amount", amount);
  if (side === "BUY") parts.set("side", side);
  return `#${parts}`;
}
