import { type Address, type Deployment, NATIVE, type Pool } from "../../core/types.ts";
import { type ImplementationName, implementations } from "./implementations.ts";

const ADDRESS = /^0x[0-9a-f]{40}$/;

/**
 * The pools that a deployment lists in its fact `pools`: Curve's registries announce no addresses in their logs.
 *
 * One pool a `;`, its words apart by spaces: address, implementation, coins joined by `,`, and `lp=address` where the
 * LP token is another contract and something needs its supply. For example:
 * `0xbebc… early 0x6b17…,0xa0b8…,0xdac1… lp=0x6c3f…`.
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
  const [address, implementation, coins, ...options] = line.split(/\s+/);
  const tokens = (coins ?? "").split(",");
  if (!isAddress(address) || tokens.length < 2 || !tokens.every(isAddress)) throw wrong("no pool and coins");
  if (implementation === undefined || !(implementation in implementations))
    throw wrong("no such implementation");
  const facts: Record<string, string> = { implementation };
  for (const option of options) {
    const [key, value] = option.split("=");
    if (key !== "lp" || !isAddress(value)) throw wrong(`unknown option ${option}`);
    facts[key] = value;
  }
  return {
    id: address,
    address,
    protocol: "curve-stable",
    deployment: deployment.id,
    tokens: tokens.filter(isAddress),
    stateIds: [address],
    facts,
  };
}

function isAddress(text: string | undefined): text is Address {
  return text !== undefined && ADDRESS.test(text);
}

export function implementationOf(pool: Pool): (typeof implementations)[ImplementationName] {
  return implementations[pool.facts.implementation as ImplementationName];
}

/** Whether one of the pool's coins is the native one, which is sent with the call. */
export function sellsNative(pool: Pool, i: number): boolean {
  return pool.tokens[i] === NATIVE;
}
