import { describe, expect, test } from "vitest";
import { makeBoard } from "../orders/board.ts";
import { addFile, emptyMarket } from "./market.ts";
import { seededMarket } from "./seeded.ts";

const SIZE = { tokens: 60, pools: 240, orders: 40 };
const DUST = 400;

function dusty(seed: number, dust = DUST) {
  const { file, orders } = seededMarket(seed, { ...SIZE, dust });
  return { file, orders, dust: file.pools.slice(SIZE.pools) };
}

describe.each([1, 2, 3, Math.floor(Math.random() * 2 ** 32)])("dust of seed %i", (seed) => {
  test("comes on top: the other pools and the orders are those of the clean market", () => {
    const clean = seededMarket(seed, SIZE);
    const { file, orders, dust } = dusty(seed);
    expect(file.pools.slice(0, SIZE.pools)).toEqual(clean.file.pools);
    expect({ ...file, pools: [] }).toEqual({ ...clean.file, pools: [] });
    expect(orders).toEqual(clean.orders);
    expect(dust).toHaveLength(DUST);
    expect(dusty(seed, 10).dust).toEqual(dust.slice(0, 10));
    expect(new Set(file.pools.map(({ address }) => address)).size).toBe(SIZE.pools + DUST);
  });

  test("has every design, between tokens of the market, partly between hubs", () => {
    const { file, dust } = dusty(seed);
    expect(new Set(dust.map(({ protocol }) => protocol)).size).toBe(4);
    const hubs = new Set(file.tokens.slice(0, 8).map(({ address }) => address));
    const between = dust.filter(({ tokens }) => tokens.every((token) => hubs.has(token))).length;
    expect(between / DUST).toBeGreaterThan(0.15);
    expect(between / DUST).toBeLessThan(0.6);
    for (const { tokens } of dust) {
      expect(new Set(tokens).size).toBe(tokens.length);
      for (const token of tokens) expect(file.usd[token]).toBeGreaterThan(0);
    }
  });

  test("is off by 1 to 50 % and at most 100 USD deep a side", () => {
    const { file, dust } = dusty(seed);
    const market = emptyMarket();
    addFile(market, { ...file, pools: dust });
    expect(market.ignored).toBe(0);
    const { edges, tokens } = makeBoard(market);
    const worth = (node: number) => {
      const { decimals } = market.tokens.get(tokens[node]!)!;
      return file.usd[tokens[node]!]! / 10 ** decimals;
    };
    const off = new Map<string, number>();
    let deepest = 0;
    for (const { pool, tail, head, direction } of edges) {
      const back = edges.find((edge) => edge.pool === pool && edge.tail === head && edge.head === tail)!;
      const price = (Math.sqrt(direction.spot / back.direction.spot) * worth(head)) / worth(tail);
      off.set(pool.id, Math.max(off.get(pool.id) ?? 0, price - 1));
      const half = direction.out(direction.amountAt(direction.spot / 4)) * worth(head);
      if (pool.protocol === "uniswap-v2") deepest = Math.max(deepest, 2 * half);
    }
    expect(deepest).toBeLessThan(160);
    expect(deepest).toBeGreaterThan(50);
    const shares = [...off.values()].sort((a, b) => a - b);
    // Coins of small units are rounded, which hides or adds some; nearly all are within.
    expect(shares.filter((share) => share > 0.009 && share < 1.01).length).toBeGreaterThan(0.95 * DUST);
    expect(shares[Math.floor(DUST / 2)]).toBeGreaterThan(0.1);
  });
});
