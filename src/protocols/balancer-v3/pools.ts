import { addressAt, hasWords, uintAt } from "../../core/abi.ts";
import { readNamed } from "../../core/named-addresses.ts";
import type { Address, Deployment, Log, Pool } from "../../core/types.ts";

/**
 * PoolRegistered(address indexed pool, address indexed factory, TokenConfig[] tokenConfig, uint256 swapFeePercentage,
 * uint32 pauseWindowEndTime, PoolRoleAccounts, HooksConfig, LiquidityManagement), by the vault
 */
export const POOL_REGISTERED = "0xbc1561eeab9f40962e2fb827a7ff9c7cdb47a9d7c84caeefa4ed90e043842dad";

/** Words of the data's head before the hooks' flags: the list's offset, fee, pause window and three roles. */
const HOOKS = 6;
const COMPUTES_FEE = HOOKS + 3;
const BEFORE_SWAP = HOOKS + 4;
const AFTER_SWAP = HOOKS + 5;
const HOOKS_CONTRACT = HOOKS + 10;
const HEAD = HOOKS_CONTRACT + 5;
/** Words of a token's record: token, type, rate provider, whether its yield pays fees. */
const CONFIG = 4;

const SURGE = "stable-surge";

/** Why a pool may not be priced by what its hooks may do; "none" where they leave swaps alone. */
export type HookKind = "none" | typeof SURGE | "unknown";

/**
 * The pool that the vault registers. A deployment names the vault as its factory, and in its facts
 *
 * - `factories`: the pool factories that are believed, by design (`writeNamed`)
 * - `hooks`: the hooks that are known, those of stable surges by the name `stable-surge`; may be absent
 *
 * Anyone can register a pool: one of another factory is announced with the design "" and refused when it is loaded.
 */
export function discover(log: Log, deployment: Deployment): Pool | undefined {
  if (log.topics[0] !== POOL_REGISTERED || log.address !== deployment.factory) return undefined;
  const [, pool, factory] = log.topics;
  if (pool === undefined || factory === undefined || !hasWords(log.data, HEAD)) return undefined;
  const start = Number(uintAt(log.data, 0)) / 32;
  const count = hasWords(log.data, start + 1) ? Number(uintAt(log.data, start)) : 0;
  if (count < 2 || !hasWords(log.data, start + 1 + count * CONFIG)) return undefined;
  const records = Array.from({ length: count }, (_, k) => start + 1 + k * CONFIG);
  const id = addressAt(pool, 0);
  return {
    id,
    address: deployment.factory,
    protocol: "balancer-v3",
    deployment: deployment.id,
    tokens: records.map((record) => addressAt(log.data, record)),
    stateIds: [id],
    facts: {
      design: designOf(addressAt(factory, 0), deployment),
      hasRates: records.some((record) => uintAt(log.data, record + 1) !== 0n),
      hook: hookOf(log, deployment),
      hookAddress: addressAt(log.data, HOOKS_CONTRACT),
    },
  };
}

/** @throws Error where the deployment lists no factories, or not in the form above: the record is wrong */
function designOf(factory: Address, { id, facts }: Deployment): string {
  const factories = readNamed(facts.factories, `deployment ${id}: factories`);
  return factories.find(({ address }) => address === factory)?.name ?? "";
}

function hookOf(log: Log, { id, facts }: Deployment): HookKind {
  const calls = (flag: number) => uintAt(log.data, flag) !== 0n;
  if (calls(BEFORE_SWAP) || calls(AFTER_SWAP)) return "unknown";
  if (!calls(COMPUTES_FEE)) return "none";
  const hooks = facts.hooks === undefined ? [] : readNamed(facts.hooks, `deployment ${id}: hooks`);
  const hook = addressAt(log.data, HOOKS_CONTRACT);
  return hooks.some(({ name, address }) => name === SURGE && address === hook) ? SURGE : "unknown";
}
