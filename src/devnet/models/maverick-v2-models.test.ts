import fc from "fast-check";
import type { Hex } from "viem";
import { encodeFunctionData, parseAbi, toHex } from "viem/utils";
import { afterAll, beforeAll, expect, test } from "vitest";
import poolArtifact from "../../../contracts/devnet/out/MaverickV2Pool.json" with { type: "json" };
import type { Address, Call, Pool } from "../../core/types.ts";
import { states, subjectOf } from "../../protocols/maverick-v2/arbitrary.ts";
import { load, reads } from "../../protocols/maverick-v2/pools.ts";
import type { State } from "../../protocols/maverick-v2/state.ts";
import { swap } from "../../protocols/maverick-v2/swap.ts";
import { type ModelChain, startModelChain } from "./model-chain.ts";

const abi = parseAbi([
  "struct Terms { uint64 feeA; uint64 feeB; uint32 spacing; uint32 lookback; uint8 ratio; int32 active; int64 position; int64 weighted; }",
  "struct Opening { int32 tick; uint8 kind; uint128 a; uint128 b; uint128 supply; }",
  "struct SwapParams { uint256 amount; bool tokenAIn; bool exactOutput; int32 tickLimit; }",
  "function open(address[2] tokens, Terms terms, Opening[] bins)",
  "function swap(address recipient, SwapParams params, bytes data) returns (uint256 amountIn, uint256 amountOut)",
]);
const RECIPIENT: Address = "0x00000000000000000000000000000000000000aa";
const PAID = 2n ** 100n;

let chain: ModelChain;
beforeAll(async () => {
  chain = await startModelChain();
});
afterAll(() => chain?.stop());

/** The bins of a state: its movers, and a static bin for the rest of each tick. */
function openingsOf({ ticks }: State) {
  return ticks.flatMap(({ tick, a, b, supply, movers }) => {
    const moving = movers.reduce((sum, { balance }) => sum + balance, 0n);
    const still = { tick, kind: 0, a, b, supply: supply - moving, id: 0 };
    return [
      still,
      ...movers.map(({ id, kind, balance }) => ({ tick, kind, a: 0n, b: 0n, supply: balance, id })),
    ];
  });
}

async function openModel(state: State): Promise<Pool> {
  const [model, ...tokens] = [chain.next(), chain.next(), chain.next()] as [Address, Address, Address];
  for (const [k, token] of tokens.entries())
    await chain.place(token, 19 - String(state.scales[k]).length, { holder: model, held: PAID });
  await chain.put(model, poolArtifact.runtimeCode);
  const terms = {
    ...{
      feeA: state.fees[0],
      feeB: state.fees[1],
      spacing: state.tickSpacing,
      lookback: Number(state.lookback),
    },
    ...{ ratio: Number(state.protocolFeeRatio), active: state.activeTick, position: state.position },
    weighted: state.weighted,
  };
  // Movers come last, in the order of their ids.
  const bins = openingsOf(state).sort((one, other) => one.id - other.id);
  await chain.send(model, encodeFunctionData({ abi, functionName: "open", args: [tokens, terms, bins] }));
  for (const [k, token] of tokens.entries())
    await chain.place(token, 19 - String(state.scales[k]).length, { holder: model, held: 2n * PAID });
  const { pool } = subjectOf(state);
  return { ...pool, id: model, address: model, tokens, stateIds: [model] };
}

async function answerOf(call: Call): Promise<Hex> {
  const words = await chain.words(call);
  return `0x${words.map((one) => toHex(one, { size: 32 }).slice(2)).join("")}`;
}

async function read(pool: Pool): Promise<State> {
  const answers: Hex[] = [];
  for (let calls = reads(pool, answers); calls.length > 0; calls = reads(pool, answers))
    answers.push(...(await Promise.all(calls.map(answerOf))));
  return load(pool, answers) as State;
}

/** Where the bins that follow the price lie. */
const placesOf = ({ ticks }: State): string =>
  ticks.flatMap(({ tick, movers }) => movers.map(({ id }) => `${id} in ${tick}`)).join();

const order = fc.record({
  i: fc.constantFrom(0, 1),
  bits: fc.integer({ min: 24, max: 80 }),
  seconds: fc.constantFrom(1, 40, 10_000),
});

test("what Braid's pool pays and leaves, from pools and orders at random", { timeout: 120_000 }, async () => {
  let [filled, moved] = [0, 0];
  await fc.assert(
    fc.asyncProperty(states, fc.array(order, { minLength: 3, maxLength: 3 }), async (drawn, orders) => {
      const pool = await openModel(drawn);
      for (const { i, bits, seconds } of orders) {
        const state = await read(pool);
        const scale = state.scales[i as 0 | 1];
        const time = state.time + seconds;
        const amount = (1n << BigInt(bits)) / scale + 1n;
        const limit = state.activeTick + (i === 0 ? 60 : -60);
        const asked = { amount, sellsA: i === 0, isOutput: false, tickLimit: limit };
        const params = { amount, tokenAIn: i === 0, exactOutput: false, tickLimit: limit };
        const data = encodeFunctionData({ abi, functionName: "swap", args: [RECIPIENT, params, "0x"] });
        const answered = await chain.words({ to: pool.address, data }, time);
        const expected = swap(state, asked, time);
        expect(answered).toEqual(expected === undefined ? [] : [expected.amountIn, expected.amountOut]);
        if (expected === undefined) continue;
        filled++;
        await chain.send(pool.address, data, time);
        const after = await read(pool);
        const { next } = expected;
        const bounds = { first: after.first, last: after.last };
        if (next.isSettled) expect(after).toEqual({ ...next, ...bounds });
        if (placesOf(next) !== placesOf(state)) moved++;
      }
    }),
    { numRuns: 40 },
  );
  expect(filled).toBeGreaterThan(60);
  expect(moved).toBeGreaterThan(2);
});
