import { readFileSync } from "node:fs";
import fc from "fast-check";
import { encodeFunctionData, parseAbi } from "viem/utils";
import { afterAll, beforeAll, expect, test } from "vitest";
import poolArtifact from "../../../contracts/devnet/out/MaverickPool.json" with { type: "json" };
import type { Address } from "../../core/types.ts";
import { subjects } from "../../protocols/maverick/arbitrary.ts";
import { type State, sell } from "../../protocols/maverick/state.ts";
import { stateOf } from "../../protocols/maverick/vectors.ts";
import { asked, complaint, parseVectors } from "../../protocols/swapvec.ts";
import { type ModelChain, startModelChain } from "./model-chain.ts";

const abi = parseAbi([
  "struct Opening { int32 tick; uint8 kind; uint128 a; uint128 b; }",
  "function open(address[2] tokens, uint64 fee, uint32 spacing, uint64 ratio, int32 active, Opening[] bins)",
  "function quote(uint256 amount, bool tokenAIn) view returns (uint256)",
]);

let chain: ModelChain;
beforeAll(async () => {
  chain = await startModelChain();
});
afterAll(() => chain?.stop());

async function openModel(state: State): Promise<Address> {
  const [model, ...tokens] = [chain.next(), chain.next(), chain.next()] as const;
  for (const [k, token] of tokens.entries())
    await chain.place(token, 19 - String(state.scales[k]).length, { holder: model, held: 0n });
  await chain.put(model, poolArtifact.runtimeCode);
  // The kind of a bin does not affect a swap, but bins of one tick must have different kinds.
  const bins = state.bins.map(({ tick, a, b }, k) => {
    const kind = state.bins.slice(0, k).filter((other) => other.tick === tick).length;
    return { tick, kind, a, b };
  });
  const { fee, tickSpacing, protocolFeeRatio, activeTick } = state;
  const args = [tokens, fee, tickSpacing, protocolFeeRatio, activeTick, bins] as const;
  await chain.send(model, encodeFunctionData({ abi, functionName: "open", args }));
  return model;
}

/** The amount that the model pays; undefined where it reverts or pays nothing. */
async function ask(model: Address, i: number, amount: bigint): Promise<bigint | undefined> {
  const data = encodeFunctionData({ abi, functionName: "quote", args: [amount, i === 0] });
  const [paid] = await chain.words({ to: model, data });
  return paid === 0n ? undefined : paid;
}

test("recorded swaps", async () => {
  const file = new URL("../../protocols/maverick/vectors.json", import.meta.url);
  let count = 0;
  for (const vector of parseVectors(readFileSync(file, "utf8"))) {
    let state = stateOf(vector);
    // The swaps are consecutive, so each model is initialised with the state after the swap before.
    for (const swap of vector.swaps) {
      const [i, amount] = [vector.tokens.indexOf(swap.tokenIn), asked(swap)];
      const paid = await ask(await openModel(state), i, amount);
      const answer = paid === undefined ? undefined : { amountIn: amount, amountOut: paid };
      expect(complaint(swap, answer), vector.id).toBe(undefined);
      state = sell(state, i, amount)!.next;
      count++;
    }
  }
  expect(count).toBeGreaterThanOrEqual(8);
});

const order = fc
  .record({ i: fc.constantFrom(0, 1), bits: fc.integer({ min: 4, max: 84 }) })
  .map(({ i, bits }) => ({ i, amount: (1n << BigInt(bits)) + BigInt(bits) }));
const states = subjects.map((subject) => subject.states.get(subject.pool.stateIds[0]) as State);

test("what Braid's pool answers, from pools and orders at random", { timeout: 60_000 }, async () => {
  let filled = 0;
  await fc.assert(
    fc.asyncProperty(states, fc.array(order, { minLength: 8, maxLength: 8 }), async (state, orders) => {
      const model = await openModel(state);
      for (const { i, amount } of orders) {
        const expected = sell(state, i, amount)?.amountOut;
        expect(await ask(model, i, amount), `${i}: ${amount}`).toBe(expected);
        if (expected !== undefined) filled++;
      }
    }),
    { numRuns: 25 },
  );
  expect(filled).toBeGreaterThan(60);
});
