import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readMarket } from "../market/market.ts";
import { movedMarket } from "../market/moved.ts";
import type { MarketFile, Order } from "../market/schema.ts";
import { seededMarket } from "../market/seeded.ts";
import { buildEngine } from "../orders/run.ts";
import { sizedOrders } from "../orders/sized-orders.ts";
import { type Worth, worthIn } from "../report/gaps.ts";

/** Markets of the table on disk, with their orders and what these are worth. */
export type Made = {
  readonly files: readonly string[];
  readonly orders: readonly Order[];
  readonly worth: Worth;
  /** Deletes the files that were made. */
  readonly discard: () => void;
};

export type CleanSize = { readonly tokens: number; readonly pools: number };

/** Seeded: the orders are those of the market. */
export function cleanMarket(
  folder: string,
  seed: number,
  wanted: CleanSize & { readonly count: number; readonly dust?: number },
): Made {
  const { tokens, pools, count, dust = 0 } = wanted;
  const { file, orders } = seededMarket(seed, { tokens, pools, orders: count, dust });
  const path = join(folder, `seed-${seed}-${pools}-dust-${dust}.market.json`);
  writeMarket(path, file);
  const usd = file.usd;
  const decimals = new Map(file.tokens.map((token) => [token.address, token.decimals]));
  const worth: Worth = ({ tokenIn, amountIn }) =>
    ((Number(amountIn) / 10 ** decimals.get(tokenIn)!) * usd[tokenIn]!) / usd[file.native]!;
  return { files: [path], orders, worth, discard: () => rmSync(path, { force: true }) };
}

/** A pool a line: the whole market as one text can be longer than a text may be. */
function writeMarket(path: string, { pools, ...head }: MarketFile): void {
  const rows = pools.map((pool) => JSON.stringify(pool)).join(",\n");
  writeFileSync(path, `${JSON.stringify(head).slice(0, -1)},"pools":[\n${rows}\n]}\n`);
}

/** Real pairs: orders of 0.01 to 100 of the native coin. */
export function realMarket(files: readonly string[], count: number): Made {
  const market = readMarket(files);
  const { engine } = buildEngine(market);
  const orders = sizedOrders(market, engine, { count, seed: 1, from: 0.01, to: 100 });
  // The worth is by the prices of this engine, which is gone when answers are judged.
  const byOrder = new Map(
    orders.map((order) => [
      keyOf(order),
      worthIn(market, (token) => engine.nativePer(token))(order as never),
    ]),
  );
  return { files, orders, worth: (order) => byOrder.get(keyOf(order)), discard: () => {} };
}

/** The same of a market file of which one pair in a hundred, seeded, has moved since searchers left it. */
export function movedRealMarket(
  folder: string,
  file: string,
  { seed, count }: { readonly seed: number; readonly count: number },
): Made {
  const path = join(folder, `moved-${seed}.market.json`);
  writeMarket(path, movedMarket(JSON.parse(readFileSync(file, "utf8")), seed));
  return { ...realMarket([path], count), discard: () => rmSync(path, { force: true }) };
}

function keyOf({ tokenIn, tokenOut, amountIn }: Order): string {
  return `${tokenIn}-${tokenOut}-${amountIn}`;
}
