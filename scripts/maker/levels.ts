import { setTimeout as wait } from "node:timers/promises";
import { signRequest } from "../../src/edge/makers/wire/signed-request.ts";
import type { Book } from "./book.ts";
import { bookOf, type Desk } from "./desk.ts";

/** Between two pushes. */
const PUSH_MS = 500;

/** A book as Braid's interface has levels. */
export function levelsOf({ directions, inventory }: Book): object {
  return {
    pairs: directions.map((one) => ({
      taker_token: one.sold,
      maker_token: one.bought,
      levels: one.levels.map(({ amountIn, amountOut }) => [amountIn.toString(), amountOut.toString()]),
    })),
    inventory: Object.fromEntries([...inventory].map(([token, amount]) => [token, amount.toString()])),
  };
}

/** Where levels are pushed, and the maker's name in that service's configuration. */
export type PushTarget = { readonly url: string; readonly name: string };

/** Pushes the newest levels until it is told to stop; what a push comes to is the service's to say. */
export async function pushLevels(desk: Desk, to: PushTarget, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const book = bookOf(desk);
    if (book !== undefined)
      await push(desk.secret ?? "", to, JSON.stringify(levelsOf(book))).catch(() => undefined);
    await wait(PUSH_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function push(secret: string, { url, name }: PushTarget, body: string): Promise<void> {
  const timestamp = Date.now().toString();
  const signature = signRequest({ secret, timestamp, line: "POST /levels", body });
  const signed = { "x-braid-timestamp": timestamp, "x-braid-signature": signature };
  const headers = { "content-type": "application/json", "x-braid-maker": name, ...signed };
  const answer = await fetch(url, { method: "POST", headers, body });
  await answer.text();
}
