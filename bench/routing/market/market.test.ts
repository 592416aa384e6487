import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readMarket, readOrders } from "./market.ts";
import { seededMarket } from "./seeded.ts";

const folder = mkdtempSync(join(tmpdir(), "braid-bench-"));
afterAll(() => rmSync(folder, { recursive: true }));

function file(content: unknown): string {
  const path = join(folder, "file.json");
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

const token = (n: number) => `0x${String(n).padStart(40, "0")}`;
const pair = {
  protocol: "uniswap-v2",
  address: token(9),
  tokens: [token(1), token(2)],
  state: { reserves: ["1000", "2000"], feeNum: 3, feeDen: 1000 },
};
const empty = {
  schema: "market/1",
  native: token(1),
  block: 5,
  timestamp: 60,
  usd: {},
  tokens: [],
  pools: [],
};

describe("a market file", () => {
  test("is read with its pools, states and gas; unknown designs are counted", () => {
    const pools = [
      { ...pair, gas: 77 },
      { ...pair, address: token(8), protocol: "dodo" },
    ];
    const market = readMarket([file({ ...empty, pools })]);
    expect(market.ignored).toBe(1);
    expect(market.pools.map(({ id }) => id)).toEqual([pair.address]);
    expect(market.states.get(pair.address)).toEqual({ reserves: [1000n, 2000n], feePpm: 3000 });
    expect(market.gas.get(pair.address)).toBe(77);
    expect(market.at).toEqual({ blockNumber: 6, timestamp: 72 });
  });

  test("keeps a pool that two files describe once", () => {
    const path = file({ ...empty, pools: [pair] });
    const market = readMarket([path, path]);
    expect([market.pools.length, market.ignored]).toEqual([1, 1]);
  });

  const bad: [string, unknown, RegExp][] = [
    ["no JSON", "{", /file\.json: no JSON/],
    ["no schema", {}, /file\.json: schema: a string/],
    ["another schema", { schema: "x/1" }, /file\.json: schema: unknown "x\/1"/],
    ["no native", { ...empty, native: undefined }, /file\.json: native: an address/],
    [
      "a negative reserve",
      { ...empty, pools: [pair, { ...pair, state: { ...pair.state, reserves: ["1", "-2"] } }] },
      /file\.json: pools\[1\]\.state\.reserves\[1\]: must not be negative/,
    ],
    [
      "a reserve in floating point",
      { ...empty, pools: [{ ...pair, state: { ...pair.state, reserves: ["1", 1.5] } }] },
      /pools\[0\]\.state\.reserves\[1\]: an integer/,
    ],
    ["a token twice", { ...empty, pools: [{ ...pair, tokens: [token(1), token(1)] }] }, /pools\[0\]\.tokens/],
    ["a price that is none", { ...empty, usd: { [token(1)]: "much" } }, /usd\.0x0+1: a number/],
  ];
  test.each(bad)("with %s is refused by field", (_, content, message) => {
    expect(() => readMarket([file(content)])).toThrow(message);
  });

  test("that is not there is named", () => {
    expect(() => readMarket([join(folder, "none.json")])).toThrow(/none\.json: cannot be read/);
  });
});

test("pairs of a v2 file", () => {
  const content = {
    schema: "pools-univ2/1",
    feeNum: 3,
    feeDen: 1000,
    tokens: [
      [0, token(1).toUpperCase().replace("0X", "0x"), "A", 6],
      [1, token(2), "B", 18],
    ],
    pairs: [[token(3), 0, 1, "12", "34", 0]],
  };
  const market = readMarket([file(content)]);
  expect(market.pools[0]).toMatchObject({ id: token(3), tokens: [token(1), token(2)] });
  expect(market.states.get(token(3))).toEqual({ reserves: [12n, 34n], feePpm: 3000 });
  expect(market.tokens.get(token(1) as never)?.decimals).toBe(6);
});

test("pools of a weighted file: whole tokens become units, weights add up to less than or exactly 1", () => {
  const content = {
    schema: "pools-weighted/1",
    tokens: [
      [0, token(1), 6],
      [1, token(2), 18],
    ],
    pools: [
      [
        token(3),
        "0.0015",
        [
          [0, "1.2345678", "30"],
          [1, "2", "10"],
        ],
      ],
    ],
  };
  const state = readMarket([file(content)]).states.get(token(3));
  expect(state).toMatchObject({
    balances: [1_234_567n, 2n * 10n ** 18n],
    weights: [75n * 10n ** 16n, 25n * 10n ** 16n],
    scaling: [10n ** 12n, 1n],
    swapFee: 1_500_000_000_000_000n,
    shortcuts: true,
  });
});

test("a weighted pool of a token with over 18 digits is ignored, a balance that is no number refused", () => {
  const coins = (balance: string) => [
    [0, balance, "1"],
    [1, "2", "1"],
  ];
  const content = (decimals: number, balance: string) => ({
    schema: "pools-weighted/1",
    tokens: [
      [0, token(1), decimals],
      [1, token(2), 18],
    ],
    pools: [[token(3), "0.01", coins(balance)]],
  });
  const market = readMarket([file(content(24, "5"))]);
  expect([market.pools.length, market.ignored]).toEqual([0, 1]);
  expect(() => readMarket([file(content(6, "NaN"))])).toThrow(/file\.json: pools\[0\]\.a decimal/);
});

test("a seeded market survives the file", () => {
  const { file: made, orders } = seededMarket(2, { tokens: 40, pools: 160, orders: 5 });
  const market = readMarket([file(made)]);
  expect(market.pools.length).toBe(160);
  expect(readOrders(file(orders))).toEqual(orders);
});

test("a bad order is refused by field", () => {
  const order = { tokenIn: token(1), tokenOut: token(2), amountIn: "5" };
  expect(() => readOrders(file([order, { ...order, amountIn: "1e18" }]))).toThrow(
    /\[1\]\.amountIn: an integer/,
  );
  expect(() => readOrders(file([{ ...order, tokenOut: "0x1" }]))).toThrow(/\[0\]\.tokenOut: an address/);
  expect(() => readOrders(file({}))).toThrow(/a list of orders/);
});
