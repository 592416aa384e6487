import { addressAt, hasWords } from "../../../core/abi.ts";
import { type Address, type Deployment, type Log, NATIVE, type Pool } from "../../../core/types.ts";
import { badList, type Listed, listedPools } from "../../shared/pool-list.ts";
import { type ImplementationName, implementations } from "./implementations.ts";

/**
 * The pools of the deployment's list, since Curve's registries announce no addresses in their logs. Options: `lp` if
 * the LP token is another contract, and `base` for a metapool's base pool, which must be a pool of the chain too. The
 * entry's underlying coins are those of a metapool or a lending pool.
 *
 * @throws Error if the list is malformed: the record is wrong
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

/** Fields common to all pools of this protocol. */
export function common(address: Address, deployment: Deployment) {
  return { id: address, address, protocol: "curve-stable", deployment: deployment.id };
}

/** NewStableSwapPair(address indexed swapContract, address tokenA, address tokenB, address tokenC, address LP) */
export const NEW_STABLE_SWAP_PAIR = "0x48dc7a1b156fe3e70ed5ed0afcb307661905edf536f15bb5786e327ea1933532";
export const NONE: Address = `0x${"00".repeat(20)}`;

/**
 * The pool that PancakeSwap's factory announces; the third token of a pool of two coins is zero.
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

/** Whether the coin sold is the native one, which is sent as the call's value. */
export function sellsNative(pool: Pool, i: number): boolean {
  return pool.tokens[i] === NATIVE;
}
