import { onLocalChange, readLocal, writeLocal } from "../local.ts";

/** A swap that was sent from this browser. Amounts are decimal texts in smallest units. */
export type Past = {
  /** Hash of the transaction. */
  readonly id: string;
  readonly chainId: number;
  readonly account: string;
  /** Unix milliseconds. */
  readonly sentMs: number;
  readonly sold: Amount;
  readonly bought: Amount;
  readonly state: "pending" | "done" | "reverted" | "replaced" | "dropped";
  /** Amount received, in smallest units. */
  readonly realised?: string | undefined;
};

type Amount = {
  readonly address: string;
  readonly symbol: string;
  readonly decimals: number;
  readonly amount: string;
};

const KEY = "history";
/** Number of newest swaps that are stored. */
const MOST = 50;

/** The swaps that are stored in this browser, newest first. */
export function readHistory(): readonly Past[] {
  const kept = readLocal(KEY);
  return Array.isArray(kept) ? kept.filter(isPast) : [];
}

/** Calls `listener` when another tab changes the history. @returns a function that removes the listener */
export function onHistoryChange(listener: () => void): () => void {
  return onLocalChange(KEY, listener);
}

/** Adds a swap, or replaces the one with the same id. */
export function withPast(history: readonly Past[], past: Past): readonly Past[] {
  const known = history.some(({ id }) => id === past.id);
  const next = known ? history.map((one) => (one.id === past.id ? past : one)) : [past, ...history];
  return next.slice(0, MOST);
}

export function writeHistory(history: readonly Past[]): void {
  writeLocal(KEY, history.length === 0 ? undefined : history);
}

function isPast(kept: unknown): kept is Past {
  const { id, chainId, sold, bought } = (kept ?? {}) as Partial<Past>;
  const isAmount = (one: Amount | undefined) =>
    typeof one?.symbol === "string" && /^\d+$/.test(one.amount) && Number.isInteger(one.decimals);
  return typeof id === "string" && Number.isInteger(chainId) && isAmount(sold) && isAmount(bought);
}
