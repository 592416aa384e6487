import { readLocal, writeLocal } from "../local.ts";
import { ListFault, type OwnList, type OwnToken } from "./read-list.ts";

const KEY = "lists";
const MOST_LISTS = 10;

/** The user's token lists in this browser, in the order in which they were added. */
export function ownLists(): readonly OwnList[] {
  const kept = readLocal(KEY);
  return Array.isArray(kept) ? kept.filter(isList) : [];
}

/**
 * Stores a list. It replaces one of the same name.
 *
 * @returns all lists
 * @throws ListFault where there are too many lists, or the browser's storage is full
 */
export function keepList(list: OwnList): readonly OwnList[] {
  const before = ownLists();
  const next = [...before.filter(({ name }) => name !== list.name), list];
  if (next.length > MOST_LISTS)
    throw new ListFault(`At most ${MOST_LISTS} lists are kept. Remove one first.`);
  writeLocal(KEY, next);
  if (ownLists().length === next.length) return next;
  writeLocal(KEY, before);
  throw new ListFault("This browser has no room for the list.");
}

export function dropList(name: string): readonly OwnList[] {
  const next = ownLists().filter((list) => list.name !== name);
  writeLocal(KEY, next.length === 0 ? undefined : next);
  return next;
}

function isList(kept: unknown): kept is OwnList {
  const { name, tokens } = (kept ?? {}) as Partial<OwnList>;
  return typeof name === "string" && Array.isArray(tokens) && tokens.every(isToken);
}

function isToken(kept: unknown): kept is OwnToken {
  const { chainId, address, symbol, name, decimals } = (kept ?? {}) as Partial<OwnToken>;
  const isText = typeof symbol === "string" && typeof name === "string";
  return isText && /^0x[0-9a-f]{40}$/.test(address ?? "") && [chainId, decimals].every(Number.isSafeInteger);
}
