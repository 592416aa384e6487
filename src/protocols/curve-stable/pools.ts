import { addressAt, hasWords } from "../../core/abi.ts";
import { type Address, type Deployment, type Log, NATIVE, type Pool } from "../../core/types.ts";
import { type ImplementationName, implementations } from "./implementations.ts";

const ADDRESS = /^0x[0-9a-f]{40}$/;

/**
 * The pools that a deployment lists in its fact `pools`: Curve's registries announce no addresses in their logs.
 *
 * One pool a `;`, its words apart by spaces: address, implementation, coins joined by `,`, and options. What lies under
 * the coins of a lending pool or of a metapool follows after a `/`. Options: `lp=address` where the LP token is another
 * contract, `base=address` of a metapool's base pool, which must be a pool of the chain as well. For example:
 * `0xbebc… early 0x6b17…,0xa0b8…,0xdac1… lp=0x6c3f…; 0x0f9c… meta 0x1c48…,0x6c3f…/0x6b17…,0xa0b8…,0xdac1… base=0xbebc…`.
 *
 * @throws Error where the list cannot be read: the record is wrong
 */
export function seeds(deployment: Deployment): readonly Pool[] {
  const { pools } = deployment.facts;
  if (pools === undefined) return [];
  if (typeof pools !== "string") throw new Error(`deployment ${deployment.id}: pools must be a string`);
  return pools
    .split(";")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((line) => seed(line, deployment));
}

function seed(line: string, deployment: Deployment): Pool {
  const wrong = (what: string) => new Error(`deployment ${deployment.id}: ${what} in "${line}"`);
  const [address, implementation, coins = "", ...options] = line.split(/\s+/);
  const [own = [], under = [], ...rest] = coins.split("/").map((list) => list.split(","));
  const tokens = [...own, ...under];
  if (!isAddress(address) || rest.length > 0 || own.length < 2 || !tokens.every(isAddress))
    throw wrong("no pool and coins");
  if (!isImplementation(implementation)) throw wrong("no such implementation");
  const { lp, base, ...unknown } = Object.fromEntries(options.map((option) => option.split("=")));
  for (const key of Object.keys(unknown)) throw wrong(`unknown option ${key}`);
  if (![lp, base].every((value) => value === undefined || isAddress(value))) throw wrong("no address");
  const isMeta = implementations[implementation].base !== "none";
  if (isMeta !== isAddress(base) || (isMeta && own.length !== 2)) throw wrong("no base pool and two coins");
  return {
    ...common(address, deployment),
    tokens: tokens.filter(isAddress),
    stateIds: isMeta ? [address, base] : [address],
    facts: { implementation, own: own.length, ...(lp === undefined ? {} : { lp }) },
  };
}

function isImplementation(name: string | undefined): name is ImplementationName {
  return name !== undefined && name in implementations;
}

function common(address: Address, deployment: Deployment) {
  return { id: address, address, protocol: "curve-stable", deployment: deployment.id };
}

function isAddress(text: string | undefined): text is Address {
  return text !== undefined && ADDRESS.test(text);
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

/** Whether the coin sold is the native one, which is sent with the call. */
export function sellsNative(pool: Pool, i: number): boolean {
  return pool.tokens[i] === NATIVE;
}
