import fc from "fast-check";
import { type Address, NATIVE } from "../../core/types.ts";
import { longestWalk, tickedPools } from "../shared/concentrated/concentrated-arbitrary.ts";
import type { Subject } from "../subject.ts";
import { clankerRule } from "./hooks/clanker-rule.ts";
import { NO_CUTS } from "./hooks/family.ts";
import type { HookRule } from "./hooks/rule.ts";
import type { State } from "./state.ts";

export const MANAGER: Address = "0x000000000000000000000000000000000000004a";
export const POOL_ID = `0x${"c4".repeat(32)}` as const;
export const NO_HOOKS = "0x0000000000000000000000000000000000000000";
const VIEW = "0x000000000000000000000000000000000000004b";

/** A pool with this state; its first token is the native coin. */
export function subjectOf(state: State): Subject {
  return {
    pool: {
      id: POOL_ID,
      address: MANAGER,
      protocol: "uniswap-v4",
      deployment: "arbitrary",
      tokens: [NATIVE, "0x0000000000000000000000000000000000000002"],
      stateIds: [POOL_ID],
      facts: {
        fee: state.feePpm,
        tickSpacing: state.tickSpacing,
        hooks: NO_HOOKS,
        family: "",
        stateView: VIEW,
      },
    },
    states: new Map([[POOL_ID, state]]),
    at: { blockNumber: 2, timestamp: 1 },
    roundings: 2 * longestWalk(state) + worthOfCut(state),
  };
}

/** What a unit of either token is worth in the other, rounded up: a hook that takes a share of the input rounds it once more. */
function worthOfCut({ rule, sqrtPriceX96 }: State): number {
  if (rule === null || rule.inputCuts.every((cut) => cut === 0n)) return 0;
  const price = (Number(sqrtPriceX96) / 2 ** 96) ** 2;
  return Math.ceil(Math.max(price, 1 / price));
}

const facts = fc.constantFrom(
  { feePpm: 100, tickSpacing: 1 },
  { feePpm: 500, tickSpacing: 10 },
  { feePpm: 2345, tickSpacing: 37 },
  { feePpm: 3000, tickSpacing: 60 },
  { feePpm: 10_000, tickSpacing: 200 },
  { feePpm: 0, tickSpacing: 60 },
  { feePpm: 1_000_000, tickSpacing: 60 },
);

const protocolFee = fc.constantFrom(0, 0, 25, 1000);

const hookFee = fc.constantFrom(0, 1, 4, 10_000, 100_000, 299_999);

/** No hook, hooks that take a share of either token, and one that trades with the pool after a swap. */
const rules: fc.Arbitrary<HookRule | null> = fc.oneof(
  { arbitrary: fc.constant(null), weight: 4 },
  {
    arbitrary: fc
      .tuple(fc.constantFrom(0 as const, 1 as const), hookFee, hookFee)
      .map(([clanker, fee0, fee1]) => clankerRule(clanker, [fee0, fee1], 300_000)),
    weight: 3,
  },
  { arbitrary: fc.constant({ ...NO_CUTS, fees: null, gas: 600_000, moves: "after" }), weight: 1 },
);

export const states: fc.Arbitrary<State> = fc
  .tuple(tickedPools(facts), protocolFee, protocolFee, rules)
  .map(([pool, fee0, fee1, rule]) => ({
    ...pool,
    manager: MANAGER,
    protocolFees: [fee0, fee1],
    dynamic: false,
    readAt: 1,
    rule,
    spent: false,
  }));

export const subjects: fc.Arbitrary<Subject> = states.map(subjectOf);
