import { concentratedOf } from "../shared/concentrated/concentrated-vectors.ts";
import { MANAGED_FIELDS, managedTrial } from "../shared/pool-managers/pool-manager-vectors.ts";
import {
  type Fields,
  integer,
  list,
  NotUnderstood,
  quoteTrial,
  type Trial,
  understood,
  type Vector,
  type VectorSuite,
} from "../swapvec.ts";
import { MANAGER, subjectOf } from "./arbitrary.ts";
import { clankerRule } from "./hooks/clanker-rule.ts";
import type { HookRule } from "./hooks/rule.ts";
import { uniswapV4 } from "./index.ts";

export const suite: VectorSuite = {
  names: ["uniswap-v4"],
  open(vector) {
    const state = understood(vector.state, [...MANAGED_FIELDS, "hooks"], ["ticksComplete"]);
    return state.hooks === null
      ? managedTrial(vector, state)
      : hookedTrial(vector, state, ruleOf(state.hooks));
  },
};

/** The rule of a recorded hook: which token is the clanker, and the fees of both in parts per million. */
function ruleOf(hooks: unknown): HookRule {
  const { family, ...rest } = understood(hooks, ["family", "clanker", "clankerFee", "pairedFee"]);
  if (family !== "clanker-static") throw new NotUnderstood(`hooks ${family}`);
  const clanker = integer(rest.clanker) === 0n ? 0 : 1;
  const [own, paired] = [Number(integer(rest.clankerFee)), Number(integer(rest.pairedFee))];
  return clankerRule(clanker, clanker === 0 ? [own, paired] : [paired, own], 0);
}

function hookedTrial(vector: Vector, state: Fields, rule: HookRule): Trial {
  const { zeroForOne, oneForZero } = understood(state.protocolFee, ["zeroForOne", "oneForZero"]);
  const pool = {
    ...concentratedOf(state, state.fee),
    grosses: list(state.ticks).map((tick) => integer((tick as Fields).liquidityGross)),
    manager: MANAGER,
    protocolFees: [Number(integer(zeroForOne)), Number(integer(oneForZero))] as const,
    ...{ dynamic: false, readAt: 1, rule, spent: false },
  };
  return quoteTrial(uniswapV4, vector, subjectOf(pool));
}
