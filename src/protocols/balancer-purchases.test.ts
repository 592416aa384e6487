import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Protocol } from "../core/protocol.ts";
import { subjectOf as subjectOfV2 } from "./balancer-v2/arbitrary.ts";
import { balancerV2 } from "./balancer-v2/index.ts";
import type { WeightedState } from "./balancer-v2/state.ts";
import { subjectOf as subjectOfV3 } from "./balancer-v3/arbitrary.ts";
import { balancerV3 } from "./balancer-v3/index.ts";
import { state as stateOfV3 } from "./balancer-v3/vault.fixture.ts";
import type { Subject } from "./subject.ts";

/**
 * Weighted pools answer an exact output of at most 30 % of a balance, and take an exact input of at most 30 %. The router
 * sells only, so of a token of little weight it can buy more.
 */

const E18 = 10n ** 18n;
const weights = [(8n * E18) / 10n, (2n * E18) / 10n];
const balances = [1000n * E18, 1000n * E18];

const v2: WeightedState = {
  ...{ kind: "weighted", vault: stateOfV3.vault, tokens: stateOfV3.tokens, balances },
  ...{ swapFee: 10n ** 15n, scaling: [1n, 1n], weights, shortcuts: true },
};

const pools: readonly (readonly [string, Protocol, Subject])[] = [
  ["v2", balancerV2 as unknown as Protocol, subjectOfV2(v2)],
  [
    "v3",
    balancerV3 as unknown as Protocol,
    subjectOfV3({ ...stateOfV3, balances, factors: [1n, 1n], shape: { kind: "weighted", weights } }),
  ],
];

describe.each(pools)("a weighted pool of Balancer %s", (_name, protocol, { pool, states, at }) => {
  const quote = (amount: bigint, side: "in" | "out") => protocol.quote(states, pool, 0, 1, amount, side, at);

  test("is bought from up to what it pays for a sale", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 290n * E18 }), (sold) => {
        const sale = quote(sold, "in");
        if (sale === undefined) return;
        const bought = quote(sale.amountOut, "out");
        expect(bought?.amountOut).toBe(sale.amountOut);
        expect(bought!.amountIn <= sold).toBe(true);
      }),
    );
  });

  test("is not bought from beyond that", () => {
    expect(quote(quote(299n * E18, "in")!.amountOut, "out")).toBeDefined();
    expect(quote(quote(299n * E18, "in")!.amountOut + 10n * E18, "out")).toBeUndefined();
    expect(quote(1000n * E18, "out")).toBeUndefined();
  });
});
