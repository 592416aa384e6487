import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Intake, Protocol } from "../protocol.ts";
import { type Address, ALL_Q32, NATIVE, type Pool, type Route } from "../types.ts";
import { decodeSwap, encodeSwap, ROUTER_ADDRESS, type SwapTerms } from "./index.ts";
import { extraBytes, stepKinds } from "./kinds.ts";
import { stepFlags } from "./layout.ts";
import type { EncodingContext } from "./plan.ts";

const A: Address = "0x000000000000000000000000000000000000000a";
const B: Address = "0x000000000000000000000000000000000000000b";
const C: Address = "0x000000000000000000000000000000000000000c";
const W: Address = "0x000000000000000000000000000000000000000e";
const UNVETTED: Address = "0x00000000000000000000000000000000000000ff";
const SOMEONE: Address = "0x00000000000000000000000000000000000000aa";

/** A protocol with `encode` alone, the only member that encoding calls. */
function design(kind: number, intake: Intake, paysAnyone: boolean, runsForeignCode = false): Protocol {
  return {
    encode: (pool: Pool, _state: unknown, i: number) => ({
      kind,
      target: pool.address,
      zeroForOne: i === 0,
      extra: `0x${"00".repeat(extraBytes[kind]!)}`,
      intake,
      paysAnyone,
      runsForeignCode,
    }),
  } as unknown as Protocol;
}

const context: EncodingContext = {
  registry: new Map([
    ["v2", design(stepKinds.v2, "transfer", true)],
    ["v3", design(stepKinds.v3, "callback", true)],
    ["v4", design(stepKinds.v4, "callback", true)],
    ["hooked", design(stepKinds.v4, "callback", true, true)],
    ["wrap", design(stepKinds.wrap, "held", false)],
  ]),
  view: { get: () => undefined },
  trusts: (pool) => pool.deployment !== "shady",
  vets: (token) => token !== UNVETTED,
};

let made = 0;
function pool(protocol: string, tokens: readonly Address[], deployment = "known"): Pool {
  made += 1;
  const address: Address = `0x${(0xf000 + made).toString(16).padStart(40, "0")}`;
  return { id: address, address, protocol, deployment, tokens, stateIds: [address], facts: {} };
}

/** Sells the first of each pool's two tokens for the second. */
function route(tokenIn: Address, tokenOut: Address, ...pools: readonly (readonly [Pool, number])[]): Route {
  const steps = pools.map(([crossed, shareQ32]) => ({
    pool: crossed,
    i: 0,
    j: 1,
    shareQ32,
    amountIn: 1n,
    amountOut: 1n,
    gas: 1,
  }));
  return { tokenIn, tokenOut, amountIn: 1000n, amountOut: 1000n, steps };
}

const plain: SwapTerms = {
  minimumOut: 1n,
  recipient: undefined,
  deadline: 2_000_000_000,
  sellFeePermille: 0,
  buyFeePermille: 0,
  feeRecipient: undefined,
};

function flagsOf(found: Route, terms: Partial<SwapTerms> = {}): string[][] {
  const { route: wire } = decodeSwap(encodeSwap(1000n, found, { ...plain, ...terms }, context).data);
  return wire.steps.map((step) =>
    Object.entries(stepFlags)
      .filter(([name, bit]) => name !== "zeroForOne" && step.flags & bit)
      .map(([name]) => name),
  );
}

describe("who pays whom", () => {
  test("a trusted pool pays the recipient", () => {
    expect(flagsOf(route(A, B, [pool("v2", [A, B]), ALL_Q32]))).toEqual([["toRecipient"]]);
  });

  test("one pool that is not trusted puts every payment into custody", () => {
    const found = route(A, B, [pool("v2", [A, B], "shady"), 2 ** 31], [pool("v3", [A, B]), ALL_Q32]);
    expect(flagsOf(found)).toEqual([[], []]);
  });

  test("one pool that calls code of its creator's puts every payment into custody", () => {
    const found = route(A, B, [pool("hooked", [A, B]), 2 ** 31], [pool("v3", [A, B]), ALL_Q32]);
    expect(flagsOf(found)).toEqual([[], []]);
  });

  test("a token on the way, or the one sold, that is not vetted keeps the whole output with the router; the one bought may be any", () => {
    const between = (token: Address) =>
      route(A, B, [pool("v2", [A, token]), ALL_Q32], [pool("v3", [token, B]), ALL_Q32]);
    expect(flagsOf(between(C)).at(-1)).toContain("toRecipient");
    expect(flagsOf(between(UNVETTED)).at(-1)).not.toContain("toRecipient");
    expect(flagsOf(route(UNVETTED, B, [pool("v2", [UNVETTED, B]), ALL_Q32]))).toEqual([[]]);
    expect(flagsOf(route(A, UNVETTED, [pool("v2", [A, UNVETTED]), ALL_Q32]))).toEqual([["toRecipient"]]);
  });

  test("a buy fee puts every payment into custody", () => {
    const found = route(A, B, [pool("v2", [A, B]), ALL_Q32]);
    expect(flagsOf(found, { buyFeePermille: 10, feeRecipient: SOMEONE })).toEqual([[]]);
    expect(flagsOf(found, { sellFeePermille: 10, feeRecipient: SOMEONE })).toEqual([["toRecipient"]]);
  });

  test("a pool pays the pair behind it", () => {
    const found = route(A, C, [pool("v3", [A, B]), ALL_Q32], [pool("v2", [B, C]), ALL_Q32]);
    expect(flagsOf(found)).toEqual([["toNext"], ["prefunded", "toRecipient"]]);
  });

  test("a pool that asks for its input is not paid in advance", () => {
    const found = route(A, C, [pool("v2", [A, B]), ALL_Q32], [pool("v3", [B, C]), ALL_Q32]);
    expect(flagsOf(found)).toEqual([[], ["toRecipient"]]);
  });

  test("two pools that feed one pair pay the router", () => {
    const found = route(
      A,
      C,
      [pool("v2", [A, B]), 2 ** 31],
      [pool("v3", [A, B]), ALL_Q32],
      [pool("v2", [B, C]), ALL_Q32],
    );
    expect(flagsOf(found)).toEqual([[], [], ["toRecipient"]]);
  });

  test("a pair that takes a share is paid by the router", () => {
    const found = route(
      A,
      C,
      [pool("v2", [A, B]), ALL_Q32],
      [pool("v2", [B, C]), 2 ** 31],
      [pool("v2", [B, C]), ALL_Q32],
    );
    expect(flagsOf(found)).toEqual([[], ["toRecipient"], ["toRecipient"]]);
  });

  test("a register emptied in between can be handed over again", () => {
    const found = route(
      A,
      C,
      [pool("v2", [A, B]), 2 ** 31],
      [pool("v2", [B, C]), ALL_Q32],
      [pool("v3", [A, B]), ALL_Q32],
      [pool("v2", [B, C]), ALL_Q32],
    );
    const last = ["prefunded", "toRecipient"];
    expect(flagsOf(found)).toEqual([["toNext"], last, ["toNext"], last]);
  });

  test("a v4 step alone pays the pair behind it, the last of a run does not", () => {
    const alone = route(A, C, [pool("v4", [A, B]), ALL_Q32], [pool("v2", [B, C]), ALL_Q32]);
    expect(flagsOf(alone)).toEqual([["toNext"], ["prefunded", "toRecipient"]]);
    const run = route(
      A,
      C,
      [pool("v4", [A, W]), ALL_Q32],
      [pool("v4", [W, B]), ALL_Q32],
      [pool("v2", [B, C]), ALL_Q32],
    );
    expect(flagsOf(run)).toEqual([[], [], ["toRecipient"]]);
  });

  test("wrapping stays in the router", () => {
    const found = route(NATIVE, B, [pool("wrap", [NATIVE, W]), ALL_Q32], [pool("v2", [W, B]), ALL_Q32]);
    expect(flagsOf(found)).toEqual([[], ["toRecipient"]]);
  });
});

test("the sold token comes first, the bought one last, all others once", () => {
  const found = route(
    A,
    C,
    [pool("v2", [A, C]), 2 ** 30],
    [pool("v2", [A, B]), 2 ** 31],
    [pool("v2", [A, B]), ALL_Q32],
    [pool("v2", [B, C]), ALL_Q32],
  );
  const { tokens, steps } = decodeSwap(encodeSwap(1000n, found, plain, context).data).route;
  expect(tokens).toEqual([A, B, C]);
  expect(steps.map(({ src, dst, share }) => [src, dst, share])).toEqual([
    [0, 2, 2 ** 30],
    [0, 1, 2 ** 31],
    [0, 1, 0],
    [1, 2, 0],
  ]);
});

test("value is sent for native input alone", () => {
  const wraps = route(NATIVE, W, [pool("wrap", [NATIVE, W]), ALL_Q32]);
  expect(encodeSwap(1234n, wraps, plain, context).value).toBe(1234n);
  const swaps = route(A, B, [pool("v2", [A, B]), ALL_Q32]);
  expect(encodeSwap(1234n, swaps, plain, context)).toMatchObject({ value: 0n, to: ROUTER_ADDRESS });
});

test("terms survive the way there and back", () => {
  const terms = fc.record({
    minimumOut: fc.bigInt({ min: 1n, max: 2n ** 256n - 1n }),
    recipient: fc.constantFrom(undefined, SOMEONE),
    deadline: fc.integer({ min: 1, max: 2 ** 53 - 1 }),
    sellFeePermille: fc.integer({ min: 0, max: 500 }),
    buyFeePermille: fc.integer({ min: 1, max: 500 }),
    feeRecipient: fc.constant(SOMEONE),
  });
  const found = route(A, B, [pool("v2", [A, B]), ALL_Q32]);
  fc.assert(
    fc.property(terms, fc.bigInt({ min: 1n, max: 2n ** 256n - 1n }), (wanted, amountIn) => {
      const { route: _, ...read } = decodeSwap(encodeSwap(amountIn, found, wanted, context).data);
      const { sellFeePermille, buyFeePermille, ...rest } = wanted;
      expect(read).toEqual({
        ...rest,
        amountIn,
        sellFeeBps: sellFeePermille * 10,
        buyFeeBps: buyFeePermille * 10,
      });
    }),
  );
});

test.each<[string, Partial<SwapTerms>]>([
  ["no minimum", { minimumOut: 0n }],
  ["no deadline", { deadline: 0 }],
  ["a deadline that is no time", { deadline: 2 ** 53 }],
  ["a fee above a half", { buyFeePermille: 501, feeRecipient: SOMEONE }],
  ["a fraction of a fee", { sellFeePermille: 0.5, feeRecipient: SOMEONE }],
  ["a fee for nobody", { sellFeePermille: 10 }],
])("%s is refused", (_, change) => {
  const found = route(A, B, [pool("v2", [A, B]), ALL_Q32]);
  expect(() => encodeSwap(1n, found, { ...plain, ...change }, context)).toThrow();
});

test("a route that buys the sold token is refused", () => {
  const found = route(A, C, [pool("v2", [A, B]), ALL_Q32], [pool("v2", [B, A]), ALL_Q32]);
  expect(() => encodeSwap(1n, found, plain, context)).toThrow(/against its route/);
});

test("a pool of an unknown protocol is refused by name", () => {
  const found = route(A, B, [pool("curve", [A, B]), ALL_Q32]);
  expect(() => encodeSwap(1n, found, plain, context)).toThrow(/curve/);
});
