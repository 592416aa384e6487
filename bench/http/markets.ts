import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readMarket } from "../routing/market/market.ts";
import type { Order } from "../routing/market/schema.ts";
import { seededMarket } from "../routing/market/seeded.ts";
import { makeBoard } from "../routing/orders/board.ts";
import { makeOrders } from "../routing/orders/orders.ts";

/** A market that is served, as files; the devnet has none and is started whole. */
export type MarketFiles = { readonly name: string; readonly market: string; readonly orders: string };

/** Markets in files of a temporary folder, which `remove` deletes. */
export type Markets = {
  seeded(pools: number): MarketFiles;
  /** Pools of a file of real ones, with seeded orders between their tokens. */
  real(file: string): MarketFiles;
  remove(): void;
};

const SEED = 1;
const ORDERS = 200;
/** Tokens are a quarter of the pools up to this many pools, and a fifth above. */
const SMALL = 20_000;

export function createMarkets(): Markets {
  const folder = mkdtempSync(join(tmpdir(), "braid-http-"));
  const write = (name: string, content: unknown): string => {
    const path = join(folder, name);
    writeFileSync(path, JSON.stringify(content));
    return path;
  };
  const ordersOf = (orders: readonly Order[], name: string) => write(`${name}.orders.json`, orders);
  return {
    seeded(pools) {
      const tokens = Math.floor(pools / (pools > SMALL ? 5 : 4));
      const { file, orders } = seededMarket(SEED, { tokens, pools, orders: ORDERS });
      const name = `${pools}`;
      return {
        name: `seeded, ${pools} pools`,
        market: write(`${name}.json`, file),
        orders: ordersOf(orders, name),
      };
    },
    real(file) {
      const board = makeBoard(readMarket([file]));
      const orders = makeOrders(board, { count: ORDERS, seed: SEED });
      const name = `real, ${board.market.pools.length} pools`;
      return { name, market: file, orders: ordersOf(orders, "real") };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
