import fc from "fast-check";
import { encodeAbiParameters, encodeEventTopics, getAddress, parseAbi, toFunctionSelector } from "viem/utils";
import { describe, expect, test } from "vitest";
import { amountIn, amountOut } from "../../core/math/pairs/constant-product.ts";
import type { Address, Deployment, Hex, Log, Side } from "../../core/types.ts";
import { PAIR, subjectOf } from "./arbitrary.ts";
import { uniswapV2 } from "./index.ts";
import { MAX_RESERVE, type State } from "./quote.ts";

const events = parseAbi([
  "event PairCreated(address indexed token0, address indexed token1, address pair, uint256)",
  "event Sync(uint112 reserve0, uint112 reserve1)",
]);
const TOKEN_0 = "0x1111111111111111111111111111111111111111";
const TOKEN_1 = "0xabcdefabcdefabcdefabcdefabcdefabcdefabcd";
const factory: Address = "0x5c69bee701ef814a2b6a3edd4b1652cb9cc5aa6f";
const deployment: Deployment = {
  id: "uniswap-v2",
  protocol: "uniswap-v2",
  name: "Uniswap_V2",
  factory,
  fromBlock: 0,
  trusted: true,
  facts: { feePpm: 3000 },
  source: "test",
};
const at = { blockNumber: 1, timestamp: 1 };

function created(address: Address): Log {
  return {
    address,
    topics: encodeEventTopics({
      abi: events,
      eventName: "PairCreated",
      args: { token0: TOKEN_0, token1: getAddress(TOKEN_1) },
    }) as Hex[],
    data: encodeAbiParameters([{ type: "address" }, { type: "uint256" }], [PAIR, 7n]),
  };
}

function sync(reserve0: bigint, reserve1: bigint): Log {
  return {
    address: PAIR,
    topics: encodeEventTopics({ abi: events, eventName: "Sync" }) as Hex[],
    data: encodeAbiParameters([{ type: "uint112" }, { type: "uint112" }], [reserve0, reserve1]),
  };
}

const reservesAnswer = (reserve0: bigint, reserve1: bigint) =>
  encodeAbiParameters(
    [{ type: "uint112" }, { type: "uint112" }, { type: "uint32" }],
    [reserve0, reserve1, 1],
  );

function sell(state: State, i: number, amount: bigint, side: Side = "in") {
  const { pool, states } = subjectOf(state);
  return uniswapV2.quote(states, pool, i, 1 - i, amount, side, at);
}

describe("discovery", () => {
  test("a pair is announced by its factory", () => {
    expect(uniswapV2.discover(created(factory), deployment)).toEqual({
      id: PAIR,
      address: PAIR,
      protocol: "uniswap-v2",
      deployment: "uniswap-v2",
      tokens: [TOKEN_0, TOKEN_1],
      stateIds: [PAIR],
      facts: { feePpm: 3000 },
    });
  });

  test("anyone else's announcement, and any other log, is not believed", () => {
    expect(uniswapV2.discover(created(TOKEN_0), deployment)).toBeUndefined();
    expect(uniswapV2.discover({ ...sync(1n, 1n), address: factory }, deployment)).toBeUndefined();
    expect(uniswapV2.discover({ ...created(factory), data: "0x" }, deployment)).toBeUndefined();
  });

  test.each([undefined, "3000", -1, 0.5, 1_000_000])("a deployment with the fee %s is loud", (feePpm) => {
    const wrong = { ...deployment, facts: feePpm === undefined ? {} : { feePpm } };
    expect(() => uniswapV2.discover(created(factory), wrong)).toThrow(/deployment uniswap-v2: feePpm/);
  });
});

describe("state", () => {
  const { pool } = subjectOf({ reserves: [0n, 0n], feePpm: 3000 });

  test("one read, of the selector that solc gives", () => {
    expect(uniswapV2.reads(pool, [])).toEqual([{ to: PAIR, data: toFunctionSelector("getReserves()") }]);
    expect(uniswapV2.reads(pool, [reservesAnswer(1n, 2n)])).toEqual([]);
  });

  test("the state after a Sync is the state that is loaded", () => {
    const uint112 = fc.bigInt({ min: 0n, max: MAX_RESERVE });
    fc.assert(
      fc.property(uint112, uint112, (a, b) => {
        const loaded = uniswapV2.load(pool, [reservesAnswer(a, b)], at);
        expect(loaded).toEqual({ reserves: [a, b], feePpm: 3000 });
        expect(uniswapV2.apply({ reserves: [5n, 6n], feePpm: 3000 }, sync(a, b), at)).toEqual(loaded);
      }),
    );
  });

  test("only a Sync touches a pair, and only its emitter", () => {
    expect(uniswapV2.touches(sync(1n, 2n))).toEqual([PAIR]);
    expect(uniswapV2.touches(created(factory))).toEqual([]);
  });

  test.each([
    ["0x", "getReserves failed"],
    [`0x${"00".repeat(95)}`, "getReserves failed"],
    [`0x${"ff".repeat(96)}`, "a reserve is wider than uint112"],
  ] as const)("%s is refused: %s", (answer, refusal) => {
    expect(uniswapV2.load(pool, [answer], at)).toEqual({ refusal });
  });

  test("a pair of a token with itself is refused", () => {
    const same = { ...pool, tokens: [TOKEN_0, TOKEN_0] } as const;
    expect(uniswapV2.load(same, [reservesAnswer(1n, 2n)], at)).toEqual({
      refusal: "both tokens are the same",
    });
  });
});

describe("edges", () => {
  const even: State = { reserves: [10n ** 18n, 10n ** 18n], feePpm: 3000 };

  test.each([
    ["nothing in", even, 0, 0n, undefined],
    ["too little for one unit out", even, 0, 1n, undefined],
    ["the least that pays one unit", even, 0, 2n, 1n],
    ["as much as a uint112 still holds", even, 0, MAX_RESERVE - 10n ** 18n, 999_999_999_999_999_806n],
    ["one unit more than a uint112 holds", even, 0, MAX_RESERVE - 10n ** 18n + 1n, undefined],
    ["an empty pair", { reserves: [0n, 0n], feePpm: 3000 } as State, 0, 1000n, undefined],
    ["only the sold side empty", { reserves: [0n, 5n], feePpm: 3000 } as State, 0, 1000n, undefined],
    [
      "the other direction",
      { reserves: [5n * 10n ** 18n, 10n ** 19n], feePpm: 3000 } as State,
      1,
      10n ** 18n,
      453305446940074565n,
    ],
  ])("sell: %s", (...[_name, state, i, amount, out]) => {
    expect(sell(state, i, amount)?.amountOut).toBe(out);
  });

  test.each([
    ["nothing", 0n, undefined],
    ["one unit", 1n, 2n],
    ["all but one unit costs more than a uint112 holds", 10n ** 18n - 1n, undefined],
    ["all of it", 10n ** 18n, undefined],
    ["more than there is", 10n ** 19n, undefined],
  ])("buy: %s", (_name, amount, amountInExpected) => {
    expect(sell(even, 0, amount, "out")?.amountIn).toBe(amountInExpected);
  });

  test("an input that divides without rest is not raised by one", () => {
    expect(sell({ reserves: [1000n, 2000n], feePpm: 0 }, 0, 1000n, "out")?.amountIn).toBe(1000n);
  });

  test("a fill writes the reserves that the pair will store", () => {
    const fill = sell({ reserves: [1000n, 2000n], feePpm: 0 }, 1, 500n);
    expect({ ...fill, writes: fill?.writes }).toEqual({
      amountIn: 500n,
      amountOut: 200n,
      gas: 54_000,
      writes: [[PAIR, { reserves: [800n, 2500n], feePpm: 0 }]],
    });
  });
});

test("the output is the largest, and the input the least, that pass the pair's K check", () => {
  const reserve = fc.bigInt({ min: 1n, max: MAX_RESERVE });
  const passes = (k: { sold: bigint; bought: bigint }, [rIn, rOut]: [bigint, bigint], fee: bigint) =>
    ((rIn + k.sold) * 1_000_000n - k.sold * fee) * (rOut - k.bought) >= rIn * rOut * 1_000_000n;
  fc.assert(
    fc.property(reserve, reserve, reserve, fc.integer({ min: 0, max: 999_999 }), (rIn, rOut, x, fee) => {
      const out = amountOut(x, rIn, rOut, fee);
      expect(passes({ sold: x, bought: out }, [rIn, rOut], BigInt(fee))).toBe(true);
      expect(passes({ sold: x, bought: out + 1n }, [rIn, rOut], BigInt(fee))).toBe(false);
      const bought = x % rOut;
      if (bought === 0n) return;
      const sold = amountIn(bought, rIn, rOut, fee);
      expect(passes({ sold, bought }, [rIn, rOut], BigInt(fee))).toBe(true);
      expect(passes({ sold: sold - 1n, bought }, [rIn, rOut], BigInt(fee))).toBe(false);
    }),
  );
});

test("parts per million round as the forks' own fractions do", () => {
  const reserve = fc.bigInt({ min: 1n, max: MAX_RESERVE });
  const fractions = fc.constantFrom([3n, 1000n], [25n, 10_000n], [1n, 400n], [2n, 1000n]);
  fc.assert(
    fc.property(reserve, reserve, reserve, fractions, (rIn, rOut, x, [num, den]) => {
      const lessFee = x * (den! - num!);
      const own = (lessFee * rOut) / (rIn * den! + lessFee);
      expect(amountOut(x, rIn, rOut, Number((num! * 1_000_000n) / den!))).toBe(own);
    }),
  );
});

test("the step names the pair, the direction and the fee", () => {
  const state: State = { reserves: [1n, 1n], feePpm: 2500 };
  expect(uniswapV2.encode(subjectOf(state).pool, state, 1, 0)).toEqual({
    kind: 1,
    target: PAIR,
    zeroForOne: false,
    extra: "0x0009c4",
    intake: "transfer",
    paysAnyone: true,
  });
});
