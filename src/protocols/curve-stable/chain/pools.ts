import { addressAt, callData, hasWords, uintAt, wordsAt } from "../../../core/abi.ts";
import type { PairSource } from "../../../core/protocol.ts";
import { type Address, type Deployment, type Hex, type Log, NATIVE, type Pool } from "../../../core/types.ts";
import { curvePairs, GET_COINS } from "../../curve-pairs.ts";
import { badList, type Listed, listedPools } from "../../pool-list.ts";
import { type ImplementationName, implementations } from "./implementations.ts";

/**
 * The pools of the deployment's list: Curve's registries announce no addresses in their logs. Options: `lp` where the LP
 * token is another contract, `base` for a metapool's base pool, which must be a pool of the chain as well; what lies
 * under the coins of a metapool or of a lending pool are its underlying coins.
 *
 * @throws Error where the list cannot be read: the record is wrong
 */
export function seeds(deployment: Deployment): readonly Pool[] {
  const allowed = { implementations: Object.keys(implementations), options: ["lp", "base"] };
  return listedPools(deployment, allowed).map((listed) => seed(listed, deployment));
}

function seed({ address, implementation, own, under, options }: Listed, deployment: Deployment): Pool {
  const { lp, base } = options;
  const isMeta = implementations[implementation as ImplementationName].base !== "none";
  if (isMeta !== (base !== undefined) || (isMeta && own.length !== 2))
    throw badList(deployment, "no base pool and two coins", address);
  return {
    ...common(address, deployment),
    tokens: [...own, ...under],
    stateIds: base === undefined ? [address] : [address, base],
    facts: { implementation, own: own.length, ...(lp === undefined ? {} : { lp }) },
  };
}

function common(address: Address, deployment: Deployment) {
  return { id: address, address, protocol: "curve-stable", deployment: deployment.id };
}

/** NewStableSwapPair(address indexed swapContract, address tokenA, address tokenB, address tokenC, address LP) */
export const NEW_STABLE_SWAP_PAIR = "0x48dc7a1b156fe3e70ed5ed0afcb307661905edf536f15bb5786e327ea1933532";
const NONE = `0x${"00".repeat(20)}`;

/**
 * A pool of PancakeSwap's factory; the third token of a pool of two is zero.
 *
 * @source pancakeswap/pancake-smart-contracts projects/stable-swap/contracts/PancakeStableSwapFactory.sol
 */
export function discover(log: Log, deployment: Deployment): Pool | undefined {
  if (log.topics[0] !== NEW_STABLE_SWAP_PAIR || log.address !== deployment.factory) return undefined;
  if (log.topics.length !== 2 || !hasWords(log.data, 4)) return undefined;
  const tokens = [0, 1, 2].map((k) => addressAt(log.data, k)).filter((token) => token !== NONE);
  const address = addressAt(log.topics[1]!, 0);
  return {
    ...common(address, deployment),
    tokens,
    stateIds: [address],
    facts: { implementation: "pancake", own: tokens.length, lp: addressAt(log.data, 3) },
  };
}

/** The pools of two coins that the factory is asked for: the first so many. */
const ASKED = 6;
/** get_pool_asset_types(address) → 0 plain, 1 with an oracle, 2 rebasing, 3 ERC-4626, a coin each; get_base_pool(address) */
const GET_POOL_ASSET_TYPES: Hex = "0xa80f2464";
const GET_BASE_POOL: Hex = "0x6f20d6dd";
const REBASING = 2n;

/**
 * Pools of the newest factory, whose logs name no pool: a deployment of the fact `factory` "ng" asks it. Metapools are left out:
 * the factory keeps no types of their coins, so a rebasing one could not be told.
 *
 * @source curvefi/stableswap-ng 2abe778f contracts/main/CurveStableSwapFactoryNG.vy
 */
export function byPair(deployment: Deployment): PairSource | undefined {
  const { factory: kind } = deployment.facts;
  if (kind === undefined) return undefined;
  if (kind !== "ng") throw new Error(`deployment ${deployment.id}: no such factory: ${kind}`);
  const { factory } = deployment;
  return {
    ...curvePairs(factory, ASKED),
    details: (named) =>
      [GET_COINS, GET_POOL_ASSET_TYPES, GET_BASE_POOL].map((selector) => ({
        to: factory,
        data: callData(selector, BigInt(named)),
      })),
    poolOf: (_pair, named, _key, [coins = "0x", types = "0x", base = "0x"]) => {
      const tokens = wordsAt(coins, 0).map((index) => addressAt(coins, index));
      const kinds = wordsAt(types, 0).map((index) => uintAt(types, index));
      const isMeta = !hasWords(base, 1) || addressAt(base, 0) !== NONE;
      if (isMeta || tokens.length < 2 || kinds.length !== tokens.length) return undefined;
      const address = addressAt(named, 0);
      const implementation = kinds.includes(REBASING) ? "ng-rebasing" : "ng";
      return {
        ...common(address, deployment),
        tokens,
        stateIds: [address],
        facts: { implementation, own: tokens.length },
      };
    },
  };
}

/** Whether the coin sold is the native one, which is sent with the call. */
export function sellsNative(pool: Pool, i: number): boolean {
  return pool.tokens[i] === NATIVE;
}
