import { addressAt, callData, hasWords, uintAt, wordsAt } from "../../core/abi.ts";
import { readNamed } from "../../core/named-addresses.ts";
import type { HintedPool } from "../../core/protocol.ts";
import type { Address, Deployment, Hex, Log, Pool } from "../../core/types.ts";
import { readHints } from "../shared/pool-list.ts";

/**
 * PoolRegistered(address indexed pool, address indexed factory, TokenConfig[] tokenConfig, uint256 swapFeePercentage,
 * uint32 pauseWindowEndTime, PoolRoleAccounts, HooksConfig, LiquidityManagement), by the vault
 */
export const POOL_REGISTERED = "0xbc1561eeab9f40962e2fb827a7ff9c7cdb47a9d7c84caeefa4ed90e043842dad";

/**
 * Index of the word at which the hooks' record begins in the log: it follows the array's offset, the fee, the pause
 * window and three roles.
 */
const HOOKS = 6;
/** Indexes of words within that record, and its length. */
const hooksAt = { computesFee: 3, beforeSwap: 4, afterSwap: 5, contract: 10, words: 11 };
const HEAD = HOOKS + hooksAt.words + 4;
/** Words per token record: token, type, rate provider, whether its yield pays fees. */
const CONFIG = 4;

export const SURGE = "stable-surge";

/** Kind of a pool's hooks: "none" if they do not affect swaps, "unknown" if they may, so that the pool is refused. */
export type HookKind = "none" | typeof SURGE | "unknown";

/**
 * The pool that the vault registers. A deployment names the vault as its factory, and in its facts
 *
 * - `factories`: the accepted pool factories, by design (`writeNamed`)
 * - `hooks`: the known hooks, those of stable surges with the name `stable-surge`; may be absent
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
  return poolOf(deployment, {
    id: addressAt(pool, 0),
    tokens: records.map((record) => addressAt(log.data, record)),
    design: designOf(addressAt(factory, 0), deployment),
    hasRates: records.some((record) => uintAt(log.data, record + 1) !== 0n),
    hooks: { data: log.data, at: HOOKS },
  });
}

/** Position of the vault's record of a pool's hooks. */
type Hooks = { readonly data: Hex; readonly at: number };

type Registered = {
  readonly id: Address;
  readonly tokens: readonly Address[];
  readonly design: string;
  readonly hasRates: boolean;
  readonly hooks: Hooks;
};

function poolOf(deployment: Deployment, { id, tokens, design, hasRates, hooks }: Registered): Pool {
  return {
    ...{ id, address: deployment.factory, protocol: "balancer-v3", deployment: deployment.id },
    ...{ tokens, stateIds: [id] },
    facts: {
      ...{ design, hasRates, hook: hookOf(hooks, deployment) },
      hookAddress: addressAt(hooks.data, hooks.at + hooksAt.contract),
    },
  };
}

/**
 * The pools whose addresses the record lists in its fact `hints`, separated by spaces. Tokens and hooks are read from
 * the vault; the design is that of the listed factory which confirms that it created the pool.
 *
 * @source balancer/balancer-v3-monorepo pkg/interfaces/contracts/vault: IVaultExtension, VaultTypes
 * @throws Error if a list is malformed: the record is wrong
 */
export function hinted(deployment: Deployment): readonly HintedPool[] {
  const hints = readHints(deployment, 20);
  if (hints.length === 0) return [];
  const { factory: vault } = deployment;
  const factories = factoriesOf(deployment);
  return hints.map((id) => ({
    details: [
      { to: vault, data: callData(GET_POOL_TOKEN_INFO, BigInt(id)) },
      { to: vault, data: callData(GET_HOOKS_CONFIG, BigInt(id)) },
      ...factories.map(({ address }) => ({ to: address, data: callData(IS_POOL_FROM_FACTORY, BigInt(id)) })),
    ],
    poolOf: ([info = "0x", hooks = "0x", ...made]) => {
      const design = factories.find((_, k) => isTrue(made[k] ?? "0x"))?.name;
      const tokens = wordsAt(info, 0).map((index) => addressAt(info, index));
      const types = typesIn(info, tokens.length);
      if (design === undefined || tokens.length < 2 || types === undefined || !hasWords(hooks, hooksAt.words))
        return undefined;
      const hasRates = types.some((type) => type !== 0n);
      return poolOf(deployment, { id, tokens, design, hasRates, hooks: { data: hooks, at: 0 } });
    },
  }));
}

/** getPoolTokenInfo(address) → tokens, (type, rate provider, whether its yield pays fees)[], balances, live balances. */
const GET_POOL_TOKEN_INFO: Hex = "0x67e0e076";
const GET_HOOKS_CONFIG: Hex = "0xce8630d4";
const IS_POOL_FROM_FACTORY: Hex = "0x6634b753";
/** Words per token record in that answer. */
const TOKEN_INFO = 3;

function typesIn(info: Hex, count: number): readonly bigint[] | undefined {
  const [first = 0] = wordsAt(info, 1);
  if (first === 0 || !hasWords(info, first + count * TOKEN_INFO)) return undefined;
  return Array.from({ length: count }, (_, k) => uintAt(info, first + k * TOKEN_INFO));
}

function isTrue(answer: Hex): boolean {
  return hasWords(answer, 1) && uintAt(answer, 0) === 1n;
}

/** @throws Error if the deployment lists no factories, or the list is malformed: the record is wrong */
function factoriesOf({ id, facts }: Deployment) {
  return readNamed(facts.factories, `deployment ${id}: factories`);
}

function designOf(factory: Address, deployment: Deployment): string {
  return factoriesOf(deployment).find(({ address }) => address === factory)?.name ?? "";
}

function hookOf({ data, at }: Hooks, { id, facts }: Deployment): HookKind {
  const calls = (flag: number) => uintAt(data, at + flag) !== 0n;
  if (calls(hooksAt.beforeSwap) || calls(hooksAt.afterSwap)) return "unknown";
  if (!calls(hooksAt.computesFee)) return "none";
  const hooks = facts.hooks === undefined ? [] : readNamed(facts.hooks, `deployment ${id}: hooks`);
  const hook = addressAt(data, at + hooksAt.contract);
  return hooks.some(({ name, address }) => name === SURGE && address === hook) ? SURGE : "unknown";
}
