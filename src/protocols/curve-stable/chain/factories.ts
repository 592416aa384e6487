import { addressAt, callData, hasWords, uintAt, wordsAt } from "../../../core/abi.ts";
import type { PairSource } from "../../../core/protocol.ts";
import type { Address, Deployment, Hex, Pool } from "../../../core/types.ts";
import { curvePairs, GET_COINS } from "../../shared/curve-pairs.ts";
import { type ImplementationName, implementations } from "./implementations.ts";
import { common, NONE } from "./pools.ts";

/** Number of pools queried per pair. */
const ASKED = 6;
/** get_pool_asset_types(address) → 0 plain, 1 with an oracle, 2 rebasing, 3 ERC-4626, a coin each */
const GET_POOL_ASSET_TYPES: Hex = "0xa80f2464";
/** get_base_pool(address), get_implementation_address(address), get_underlying_coins(address) */
const GET_BASE_POOL: Hex = "0x6f20d6dd";
const GET_IMPLEMENTATION_ADDRESS: Hex = "0x510d98a4";
const GET_UNDERLYING_COINS: Hex = "0xa77576ef";
const REBASING = 2n;
/** Sizes of the classic factory's arrays of coins and of underlying coins; unused elements are zero. */
const CLASSIC_COINS = 4;
const CLASSIC_UNDERLYING = 8;

type Factory = Pick<PairSource, "poolOf"> & { readonly asked: readonly Hex[] };

/**
 * Queries pools by pair, for factories whose logs name no pool. The fact `factory` is the factory's type.
 *
 * @throws Error if the type is unknown, or its implementations are malformed: the record is wrong
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
 * The newest factory. The fact `perCoin` lists its contracts whose pools divide D coin by coin. Metapools are left out: the factory has no asset types for their coins, so a rebasing coin
 * would go unnoticed.
 *
 * @source curvefi/stableswap-ng 2abe778f contracts/main/CurveStableSwapFactoryNG.vy; CurveStableSwapNG.vy at 5f582a6, its
 *   second version, for those that `perCoin` lists
 */
function ng(deployment: Deployment): Factory {
  const perCoin = String(deployment.facts.perCoin ?? "");
  return {
    asked: [GET_COINS, GET_POOL_ASSET_TYPES, GET_BASE_POOL, GET_IMPLEMENTATION_ADDRESS],
    poolOf: (_pair, named, _key, [coins = "0x", types = "0x", base = "0x", copied = "0x"]) => {
      const tokens = wordsAt(coins, 0).map((index) => addressAt(coins, index));
      const kinds = wordsAt(types, 0).map((index) => uintAt(types, index));
      const isMeta = !hasWords(base, 1) || addressAt(base, 0) !== NONE;
      if (isMeta || tokens.length < 2 || kinds.length !== tokens.length) return undefined;
      if (!hasWords(copied, 1)) return undefined;
      const version = perCoin.includes(addressAt(copied, 0)) ? "ng-2023" : "ng";
      const implementation = kinds.includes(REBASING) ? (`${version}-rebasing` as const) : version;
      return plain(addressAt(named, 0), deployment, { implementation, tokens });
    },
  };
}

/** A contract that a factory clones, and the base pool that it is for if its clones are metapools. */
type Master = { readonly implementation: ImplementationName; readonly base: Address | undefined };

/**
 * The previous factory, which clones contracts: the fact `implementations` identifies them by address. Pools of other
 * contracts are left out, such as those with rates from an oracle.
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
      const tokens = listed(coins, CLASSIC_COINS);
      const bases = listed(under, CLASSIC_UNDERLYING);
      const pool = plain(addressAt(named, 0), deployment, { ...master, tokens });
      if (over !== NONE) return metapool(pool, over, bases);
      return tokens.length < 2 ? undefined : pool;
    },
  };
}

/** @param under its first coin, then the base pool's coins */
function metapool(pool: Pool, base: Address, [coin, ...bases]: readonly Address[]): Pool | undefined {
  if (pool.tokens.length !== 2 || coin !== pool.tokens[0] || bases.length < 2) return undefined;
  return { ...pool, tokens: [...pool.tokens, ...bases], stateIds: [pool.address, base] };
}

type Plain = { readonly implementation: ImplementationName; readonly tokens: readonly Address[] };

function plain(address: Address, deployment: Deployment, { implementation, tokens }: Plain): Pool {
  const facts = { implementation, own: tokens.length };
  return { ...common(address, deployment), tokens, stateIds: [address], facts };
}

/** Addresses of a fixed-size array up to the first zero; empty if the answer is too short. */
function listed(answer: Hex, size: number): readonly Address[] {
  if (!hasWords(answer, size)) return [];
  const all = Array.from({ length: size }, (_, k) => addressAt(answer, k));
  const end = all.indexOf(NONE);
  return end < 0 ? all : all.slice(0, end);
}

/**
 * Parses the fact `implementations`. Entries are separated by `;`: address, name in `implementations`, and for a
 * metapool `base=` with the base pool's address.
 */
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
