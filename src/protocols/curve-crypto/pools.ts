import { addressAt, callData, hasWords } from "../../core/abi.ts";
import type { PairSource } from "../../core/protocol.ts";
import type { Address, Deployment, Log, Pool } from "../../core/types.ts";
import { curvePairs, GET_COINS } from "../shared/curve-pairs.ts";
import { listedPools } from "../shared/pool-list.ts";
import type { DesignName } from "./designs.ts";

/** Properties of a contract that are needed to read it. */
export type Implementation = {
  readonly design: DesignName;
  readonly multiplier: bigint;
  /**
   * Designs by the version that both pool and maths contract must report, as versions from the same factory differ;
   * undefined if contracts report none.
   */
  readonly versions: Readonly<Record<string, DesignName>> | undefined;
};

/**
 * Contracts by their name in lists of pools.
 *
 * @source curvefi/curve-crypto-contract, curvefi/curve-factory-crypto, curvefi/tricrypto-ng, curvefi/twocrypto-ng; the texts without
 *   `v`: curvefi/curve-core, whose contracts are these but for their headers
 */
export const implementations = {
  /** Tricrypto of May 2021. */
  "tricrypto-2021-05": { design: "tricrypto", multiplier: 100n, versions: undefined },
  /** Tricrypto from July 2021 on. */
  tricrypto: { design: "tricrypto", multiplier: 10_000n, versions: undefined },
  /** Pools of two coins, including those of the first crypto factory. */
  twocrypto: { design: "twocrypto", multiplier: 10_000n, versions: undefined },
  "tricrypto-ng": {
    design: "tricrypto-ng",
    multiplier: 10_000n,
    versions: { "v2.0.0": "tricrypto-ng", "2.0.0": "tricrypto-ng" },
  },
  "twocrypto-ng": {
    design: "twocrypto-ng",
    multiplier: 10_000n,
    versions: {
      "v2.0.0": "twocrypto-ng",
      "v2.1.0": "twocrypto-ng-2024",
      "2.1.0": "twocrypto-ng-2024",
    },
  },
} as const satisfies Record<string, Implementation>;

type ImplementationName = keyof typeof implementations;

export function implementationOf(pool: Pool): Implementation {
  return implementations[pool.facts.implementation as ImplementationName];
}

/**
 * The pools of the deployment's list; option `lp` is the LP token of a first-generation pool. Pools of newer
 * factories are found by `discover`.
 *
 * @throws Error if the list is malformed: the record is wrong
 */
export function seeds(deployment: Deployment): readonly Pool[] {
  const allowed = { implementations: Object.keys(implementations), options: ["lp"] };
  return listedPools(deployment, allowed).map(({ address, implementation, own, options }) =>
    poolOf(deployment, address, own, { implementation, ...options }),
  );
}

function poolOf(
  deployment: Deployment,
  address: Address,
  tokens: readonly Address[],
  facts: Readonly<Record<string, string>>,
): Pool {
  return {
    ...{ id: address, address, protocol: "curve-crypto", deployment: deployment.id },
    ...{ tokens, stateIds: [address], facts },
  };
}

/**
 * TricryptoPoolDeployed(address pool, string name, string symbol, address weth, address[3] coins, address math, bytes32
 * salt, uint256 packed_precisions, … , address deployer)
 */
const TRICRYPTO_POOL_DEPLOYED = "0xa307f5d0802489baddec443058a63ce115756de9020e2b07d3e2cd2f21269e2a";
/** TwocryptoPoolDeployed(address pool, string name, string symbol, address[2] coins, address math, bytes32 salt, …) */
const TWOCRYPTO_POOL_DEPLOYED = "0x8152a3037e3dc54154ad0d2cadb1cf7e1d1b9e2b625faa3dfb4fe03d609102ca";

export const creationTopics = [TRICRYPTO_POOL_DEPLOYED, TWOCRYPTO_POOL_DEPLOYED] as const;

/** Implementation, index of the word of the first coin, and number of coins by event. */
const announced = {
  [TRICRYPTO_POOL_DEPLOYED]: { implementation: "tricrypto-ng", first: 4, coins: 3 },
  [TWOCRYPTO_POOL_DEPLOYED]: { implementation: "twocrypto-ng", first: 3, coins: 2 },
} as const;

/** The pool that a newer factory announces. */
export function discover(log: Log, deployment: Deployment): Pool | undefined {
  const format = announced[log.topics[0] as keyof typeof announced];
  if (format === undefined || log.address !== deployment.factory) return undefined;
  if (!hasWords(log.data, format.first + format.coins)) return undefined;
  const tokens = Array.from({ length: format.coins }, (_, k) => addressAt(log.data, format.first + k));
  return poolOf(deployment, addressAt(log.data, 0), tokens, { implementation: format.implementation });
}

/** By factory: number of coins per pool, and number of pools queried per pair. */
const factories = { "tricrypto-ng": { coins: 3, asked: 3 }, "twocrypto-ng": { coins: 2, asked: 4 } } as const;

/** Queries pools by pair. The fact `factory` names the type of a newer factory; other factories are not queried. */
export function byPair(deployment: Deployment): PairSource | undefined {
  const { factory } = deployment.facts;
  if (factory === undefined) return undefined;
  const made = factories[factory as keyof typeof factories];
  if (made === undefined) throw new Error(`deployment ${deployment.id}: no such factory: ${factory}`);
  return {
    ...curvePairs(deployment.factory, made.asked),
    details: (named) => [{ to: deployment.factory, data: callData(GET_COINS, BigInt(named)) }],
    poolOf: (_pair, named, _key, [coins = "0x"]) => {
      if (!hasWords(coins, made.coins)) return undefined;
      const tokens = Array.from({ length: made.coins }, (_, k) => addressAt(coins, k));
      const implementation = String(factory);
      return poolOf(deployment, addressAt(named, 0), tokens, { implementation });
    },
  };
}
