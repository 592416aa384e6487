import { addressAt, callData, hasWords, uintAt, wordsAt } from "../../../core/abi.ts";
import type { PairSource } from "../../../core/protocol.ts";
import type { Address, Deployment, Hex, Pool } from "../../../core/types.ts";
import { curvePairs, GET_COINS } from "../../curve-pairs.ts";
import { type ImplementationName, implementations } from "./implementations.ts";
import { common, NONE } from "./pools.ts";

/** The pools of two coins that a factory is asked for: the first so many. */
const ASKED = 6;
/** get_pool_asset_types(address) → 0 plain, 1 with an oracle, 2 rebasing, 3 ERC-4626, a coin each */
const GET_POOL_ASSET_TYPES: Hex = "0xa80f2464";
/** get_base_pool(address), get_implementation_address(address), get_underlying_coins(address) */
const GET_BASE_POOL: Hex = "0x6f20d6dd";
const GET_IMPLEMENTATION_ADDRESS: Hex = "0x510d98a4";
const GET_UNDERLYING_COINS: Hex = "0xa77576ef";
const REBASING = 2n;
/** Coins that the classic factory returns of a pool, and of what lies under a metapool; zero where there are fewer. */
const CLASSIC_COINS = 4;
const CLASSIC_UNDERLYING = 8;

type Factory = Pick<PairSource, "poolOf"> & { readonly asked: readonly Hex[] };

/**
 * Pools of factories whose logs name no pool: a deployment with the fact `factory` asks for those of a pair.
 *
 * @throws Error where there is no such factory, or its implementations cannot be read: the record is wrong
 */
export function byPair(deployment: Deployment): PairSource | undefined {
  const { factory: kind } = deployment.facts;
  if (kind === undefined) return undefined;
  const { asked, poolOf } = factoryOf(String(kind), deployment);
  const { factory: to } = deployment;
  return {
    ...curvePairs(to, ASKED),
    details: (named) => asked.map((selector) => ({ to, data: callData(selector, BigInt(named)) })),
    poolOf,
  };
}

function factoryOf(kind: string, deployment: Deployment): Factory {
  if (kind === "ng") return ng(deployment);
  if (kind === "classic") return classic(deployment);
  throw new Error(`deployment ${deployment.id}: no such factory: ${kind}`);
}

/**
 * The newest factory. Metapools are left out: the factory keeps no types of their coins, so a rebasing one could not be told.
 *
 * @source curvefi/stableswap-ng 2abe778f contracts/main/CurveStableSwapFactoryNG.vy
 */
function ng(deployment: Deployment): Factory {
  return {
    asked: [GET_COINS, GET_POOL_ASSET_TYPES, GET_BASE_POOL],
    poolOf: (_pair, named, _key, [coins = "0x", types = "0x", base = "0x"]) => {
      const tokens = wordsAt(coins, 0).map((index) => addressAt(coins, index));
      const kinds = wordsAt(types, 0).map((index) => uintAt(types, index));
      const isMeta = !hasWords(base, 1) || addressAt(base, 0) !== NONE;
      if (isMeta || tokens.length < 2 || kinds.length !== tokens.length) return undefined;
      const implementation = kinds.includes(REBASING) ? "ng-rebasing" : "ng";
      return plain(addressAt(named, 0), deployment, { implementation, tokens });
    },
  };
}

/** A contract that a factory makes copies of, and the base pool that it is for, where it is a metapool's. */
type Master = { readonly implementation: ImplementationName; readonly base: Address | undefined };

/**
 * The factory before that, which makes copies of contracts: the fact `implementations` says by their addresses which they are.
 * Pools of other contracts are left out, such as those whose rates come from an oracle.
 *
 * @source curvefi/curve-factory 5272fd2 contracts/Factory.vy, whose pools are contracts/implementations
 */
function classic(deployment: Deployment): Factory {
  const masters = readMasters(deployment);
  return {
    asked: [GET_COINS, GET_IMPLEMENTATION_ADDRESS, GET_BASE_POOL, GET_UNDERLYING_COINS],
    poolOf: (_pair, named, _key, [coins = "0x", copied = "0x", base = "0x", under = "0x"]) => {
      const master = hasWords(copied, 1) ? masters.get(addressAt(copied, 0)) : undefined;
      const over = hasWords(base, 1) ? addressAt(base, 0) : undefined;
      if (master === undefined || over !== (master.base ?? NONE)) return undefined;
      const [tokens, bases] = [listed(coins, CLASSIC_COINS), listed(under, CLASSIC_UNDERLYING)];
      const pool = plain(addressAt(named, 0), deployment, { ...master, tokens });
      if (over !== NONE) return metapool(pool, over, bases);
      return tokens.length < 2 ? undefined : pool;
    },
  };
}

/** @param under its first coin, and those of the base pool */
function metapool(pool: Pool, base: Address, [coin, ...bases]: readonly Address[]): Pool | undefined {
  if (pool.tokens.length !== 2 || coin !== pool.tokens[0] || bases.length < 2) return undefined;
  return { ...pool, tokens: [...pool.tokens, ...bases], stateIds: [pool.address, base] };
}

type Plain = { readonly implementation: ImplementationName; readonly tokens: readonly Address[] };

function plain(address: Address, deployment: Deployment, { implementation, tokens }: Plain): Pool {
  const facts = { implementation, own: tokens.length };
  return { ...common(address, deployment), tokens, stateIds: [address], facts };
}

/** Addresses of an array of fixed size up to the first that is zero; none where the answer is shorter. */
function listed(answer: Hex, size: number): readonly Address[] {
  if (!hasWords(answer, size)) return [];
  const all = Array.from({ length: size }, (_, k) => addressAt(answer, k));
  const end = all.indexOf(NONE);
  return end < 0 ? all : all.slice(0, end);
}

/** One contract a `;`: its address, its name in the design's table and, of a metapool, `base=` with the base pool's address. */
function readMasters({ id, facts }: Deployment): ReadonlyMap<Address, Master> {
  const lines = String(facts.implementations ?? "").split(";");
  return new Map(
    lines.map((line): [Address, Master] => {
      const [, address, name, base] =
        /^\s*(0x[0-9a-f]{40}) (\S+)(?: base=(0x[0-9a-f]{40}))?\s*$/.exec(line) ?? [];
      const implementation = implementations[name as ImplementationName];
      if (implementation === undefined || (implementation.base === "none") !== (base === undefined))
        throw new Error(
          `deployment ${id}: no contract of a known name, with a base pool if it is a metapool's, in "${line}"`,
        );
      return [
        address as Address,
        { implementation: name as ImplementationName, base: base as Address | undefined },
      ];
    }),
  );
}
