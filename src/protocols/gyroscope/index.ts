import { noJoint } from "../../core/math/sampling/joint-curves.ts";
import { sampledCurve } from "../../core/math/sampling/sampled-curve.ts";
import type { HintedPool, Protocol } from "../../core/protocol.ts";
import type { Deployment, Log, Pool, PoolId } from "../../core/types.ts";
import {
  applyIn,
  discoverIn,
  hintedIn,
  touchesIn,
  vaultCreations,
  vaultPauses,
  vaultStep,
  vaultTopics,
  vaultTrade,
} from "../shared/balancer-vault.ts";
import { quoteOwnState } from "../shared/own-state.ts";
import { curve, type Mirror, mirror, quoteFloat } from "./mirror.ts";
import { load, reads } from "./reads.ts";
import type { State } from "./state.ts";
import { design, gas } from "./swap.ts";

const none: ReadonlySet<string> = new Set();

/**
 * The pool id of an entry of this protocol. The vault announces pools of all designs by the same log, so every
 * deployment of the vault has an entry for each pool and refuses those of other factories. A prefix keeps the ids of
 * these entries apart.
 */
const own = (address: PoolId): PoolId => `gyroscope:${address}`;

function entryOf(pool: Pool | undefined): Pool | undefined {
  return pool && { ...pool, id: own(pool.id), stateIds: [own(pool.id)] };
}

function discover(log: Log, deployment: Deployment): Pool | undefined {
  return entryOf(discoverIn("gyroscope", log, deployment));
}

function hinted(deployment: Deployment): readonly HintedPool[] {
  return hintedIn("gyroscope", deployment).map(({ details, poolOf }) => ({
    details,
    poolOf: (answers) => entryOf(poolOf(answers)),
  }));
}

/** Gyroscope's concentrated-liquidity pools on Balancer's Vault v2: 2-CLP, 3-CLP and E-CLP. */
export const gyroscope: Protocol<State, Mirror> = {
  name: "gyroscope",
  topics: vaultTopics,
  creations: vaultCreations,
  byPair: () => undefined,
  hinted,
  bitmap: () => undefined,
  seeds: () => [],
  discover,
  touches: (log) => touchesIn(log, none).map(own),
  pauses: vaultPauses,
  reads,
  load,
  apply: applyIn,
  stale: (state, at) => state.onlyIn !== 0 && state.onlyIn !== at.blockNumber,
  quote: quoteOwnState(vaultTrade(design)),
  mirror,
  quoteFloat,
  curve: (mirror, i, j) => curve(mirror, i, j) ?? sampledCurve((x) => quoteFloat(mirror, i, j, x)),
  joint: noJoint,
  gas: (pool) => gas(pool.kind),
  encode: (pool) => vaultStep(pool),
};
