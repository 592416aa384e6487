import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createBraid, decodeSwap, quoteFaults } from "../../packages/sdk/src/index.ts";
import { decodeSwap as decodeByService } from "../../src/core/encoding/index.ts";
import type { Hex } from "../../src/core/types.ts";
import { USDC, WETH } from "../api/world.ts";
import { seeded } from "../support/random.ts";
import { createPayingWorld, DEADLINE, fetchOf, type Genuine, genuineQuotes, PAYER } from "./genuine.ts";
import { judge, mutationNames } from "./mutations.ts";

/** A quote is held to what was asked for. `npm run fuzz:quotes` does the same a hundred thousand times. */

let world: Awaited<ReturnType<typeof createPayingWorld>>;
let genuine: Genuine[];
beforeAll(async () => {
  world = await createPayingWorld();
  genuine = await genuineQuotes(world);
});
afterAll(() => world.app.close());

describe("genuine quotes", () => {
  test("are accepted: of both sides, with fees, for another recipient, paid by each signature", () => {
    expect(genuine.length).toBe(10);
    for (const { asked, quote } of genuine) expect(quoteFaults(asked, quote)).toEqual([]);
  });

  test("are refused where their gas is no number of units, which the wallet would take for its limit", () => {
    const { asked, quote } = genuine[0]!;
    for (const estimate_gas_total of [null, -1n] as bigint[])
      expect(quoteFaults(asked, { ...quote, estimate_gas_total })).toMatchObject([
        { field: "estimate_gas_total" },
      ]);
  });

  test("are read as the service's own decoder reads them", () => {
    for (const { quote } of genuine) {
      const { route, deadline, ...terms } = decodeByService(quote.calldata);
      expect(decodeSwap(quote.calldata)).toEqual({ ...terms, ...route, deadline: BigInt(deadline) });
    }
  });

  test("without takerAddress the sender may be anyone, and a recipient is held all the same", async () => {
    const braid = createBraid({ url: "http://braid.test", fetch: fetchOf(world) });
    const pair = {
      chainID: 1,
      fromTokenAddress: USDC,
      toTokenAddress: WETH,
      amount: 10n ** 9n,
      slippage: 10,
    };
    const asked = { ...pair, deadline: DEADLINE };
    const open = await braid.quote(asked);
    expect(quoteFaults({ ...asked, recipientAddress: PAYER }, open)).not.toEqual([]);
    const named = await braid.quote({ ...asked, recipientAddress: PAYER });
    expect(quoteFaults(asked, named)).not.toEqual([]);
  });
});

describe("mutated quotes", () => {
  test.each(mutationNames)("%s: none is accepted", (name) => {
    let judged = 0;
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const verdict = judge(genuine, name, seeded(seed));
        if (verdict !== undefined) judged++;
        expect(verdict ?? { accepted: false, fault: undefined }).toMatchObject({
          accepted: false,
          fault: undefined,
        });
      }),
      { numRuns: 150 },
    );
    expect(judged).toBeGreaterThan(5);
  });

  test("a change of the route between the two tokens is the service's business", () => {
    const { asked, quote } = genuine[1]!;
    const last = quote.calldata.slice(0, 10 + 64 * 6 + 2 * (1 + 40 + 8));
    const other = `${last}${"5".repeat(40)}${quote.calldata.slice(last.length + 40)}` as Hex;
    expect(decodeSwap(other)!.steps[0]!.target).toBe(`0x${"5".repeat(40)}`);
    const sent = JSON.parse(
      JSON.stringify(quote, (_key, value) => (typeof value === "bigint" ? `n${value}` : value)).replaceAll(
        quote.calldata,
        other,
      ),
      (_key, value) => (/^n\d+$/.test(value) ? BigInt(value.slice(1)) : value),
    );
    expect(quoteFaults(asked, sent)).toEqual([]);
  });
});
