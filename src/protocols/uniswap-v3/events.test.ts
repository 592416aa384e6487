import fc from "fast-check";
import { encodeEventTopics } from "viem/utils";
import { describe, expect, test } from "vitest";
import { sqrtRatioAtTick } from "../../core/math/concentrated/tick-math.ts";
import { emptyPool, minted } from "../shared/concentrated/concentrated-arbitrary.ts";
import { POOL, states, subjectOf } from "./arbitrary.ts";
import {
  at,
  burnLog,
  limits,
  loaded,
  log,
  mintLog,
  some,
  swapLog,
  WHO,
  wider,
  words,
} from "./contract.fixture.ts";
import { uniswapV3 } from "./index.ts";
import type { State } from "./state.ts";

describe("events", () => {
  test("a Swap event gives the state that the quote wrote", () => {
    fc.assert(
      fc.property(states, fc.nat({ max: 1 }), fc.bigInt({ min: 1n, max: 2n ** 90n }), (state, i, amount) => {
        const { pool, states: view } = subjectOf(state);
        const fill = uniswapV3.quote(view, pool, i, 1 - i, amount, "in", at);
        if (fill === undefined) return;
        const after = fill.writes[0]![1] as State;
        expect(uniswapV3.apply(state, swapLog(after), at)).toEqual(after);
        if (state.tickSpacing >= 7) expect(loaded(after)).toEqual(after);
      }),
      limits,
    );
  });

  test("PancakeSwap's wider Swap event is read the same", () => {
    const topics = encodeEventTopics({
      abi: wider,
      eventName: "Swap",
      args: { sender: WHO, recipient: WHO },
    });
    const data = words(5n, -6n, sqrtRatioAtTick(120), 77n, 120n, 3n, 4n);
    const after = uniswapV3.apply(some, log(topics, data), at);
    expect(after).toEqual({ ...some, sqrtPriceX96: sqrtRatioAtTick(120), liquidity: 77n, tick: 120 });
    expect(uniswapV3.topics).toContain(topics[0]);
  });

  test("the state after Mint and Burn events is the state that is loaded", () => {
    fc.assert(
      fc.property(
        states,
        fc.integer({ min: -9, max: 9 }),
        fc.integer({ min: 1, max: 9 }),
        (state, k, width) => {
          const lower = (Math.floor(state.tick / state.tickSpacing) + k) * state.tickSpacing;
          const upper = lower + width * state.tickSpacing;
          const more = uniswapV3.apply(state, mintLog(lower, upper, 1000n), at) as State;
          expect(more).toEqual(minted(state, { lower, upper, liquidity: 1000n }));
          const less = uniswapV3.apply(more, burnLog(lower, upper, 400n), at) as State;
          expect(less).toEqual(minted(state, { lower, upper, liquidity: 600n }));
          if (state.tickSpacing >= 7) expect(loaded(less)).toEqual(less);
          expect(uniswapV3.apply(less, burnLog(lower, upper, 600n), at)).toEqual(state);
        },
      ),
      limits,
    );
  });

  test("a position that ends at the price's tick is out of range, one that begins there is in", () => {
    const onTick = minted(emptyPool({ feePpm: 3000, tickSpacing: 60 }, 60, 0), {
      lower: -60,
      upper: 120,
      liquidity: 10n,
    });
    expect(uniswapV3.apply(onTick, mintLog(0, 60, 5n), at)).toMatchObject({ liquidity: 10n });
    expect(uniswapV3.apply(onTick, mintLog(60, 120, 5n), at)).toMatchObject({ liquidity: 15n });
  });

  test("a burn of nothing collects fees only", () => {
    expect(uniswapV3.apply(some, burnLog(0, 60, 0n), at)).toBe(some);
  });

  test("what the table does not know is read again", () => {
    expect(uniswapV3.apply(some, burnLog(0, 60, 5n), at)).toBe("reload");
    const window = { ...some, lowest: -1000, highest: 1000 };
    const beyond = { ...some, tick: 5000, sqrtPriceX96: sqrtRatioAtTick(5000) };
    expect(uniswapV3.apply(window, swapLog(beyond), at)).toBe("reload");
    expect(uniswapV3.apply(some, swapLog(beyond), at)).toEqual(beyond);
  });

  test("touches names the emitter for state events only", () => {
    expect(uniswapV3.touches(mintLog(0, 60, 1n))).toEqual([POOL]);
    expect(uniswapV3.touches({ ...mintLog(0, 60, 1n), topics: [uniswapV3.topics[0]!] })).toEqual([]);
  });
});
