import { addressAt, hasWords, intAt } from "../../core/abi.ts";
import type { PairSource } from "../../core/protocol.ts";
import type { Address, At, Deployment, Hex, Log, Pool } from "../../core/types.ts";
import type { State } from "./state.ts";

/**
 * Slipstream, the concentrated pools of Velodrome and Aerodrome: v3's swap loop, ticks and logs. Pools are identified
 * by tick spacing, and a module of the factory sets their fee (`fee-reads.ts`, `moving-fee.ts`).
 *
 * @source velodrome-finance/slipstream contracts/core/{CLFactory,CLPool}.sol (193a6b8)
 */

/** PoolCreated(address indexed token0, address indexed token1, int24 indexed tickSpacing, address pool) */
export const POOL_CREATED_BY_SPACING = "0xab0d57f0df537bb25e80245ef7748fa62353808c54d6e528a9dd20887aed9ac2";

/** Logs of a module that changes a pool's fee; topics[1] is the pool. */
export const feeTopics: readonly Hex[] = [
  // CustomFeeSet(address,uint24)
  "0xe2150e4054ad34f299189d809c507f52c0c572bfef0504af03f43be0870cd354",
  // ScalingFactorSet(address,uint256)
  "0x30c247ef0dda66710b7fde1079bd6f5194755e8f285b64fb79d8124f7e421830",
  // FeeCapSet(address,uint256)
  "0x580e5cae1c3e7e91049a0dce5893866a73af11163fd52389d95c2117d8df053b",
  // DynamicFeeReset(address)
  "0xc468f70535e94886b35ff615ecae1df3a7149178689eb6db7d69861cd9247d05",
  // InitialFeeSet(address,uint24)
  "0x44531d81af116c0c7f752fcad89391b989c70a1b879d53fe2d773e802f45c871",
  // InitialFeeDisabled(address)
  "0xe5533c2dec51b6b9529953d762818ba6ea041300b82826e1c634eaea2a56b1e9",
];

/** Age after which fees are read again: modules and default fees can change without a log that names the pool. */
const MOST_AGE_SECONDS = 3600;

/** The pool that a Slipstream factory announces. */
export function discoverBySpacing(log: Log, deployment: Deployment): Pool | undefined {
  if (log.topics[0] !== POOL_CREATED_BY_SPACING || log.address !== deployment.factory) return undefined;
  if (log.topics.length !== 4 || !hasWords(log.data, 1)) return undefined;
  const tokens = [addressAt(log.topics[1]!, 0), addressAt(log.topics[2]!, 0)] as const;
  return poolOf(deployment, tokens, {
    address: addressAt(log.data, 0),
    spacing: Number(intAt(log.topics[3]!, 0)),
  });
}

type Created = { readonly address: Address; readonly spacing: number };

function poolOf(
  deployment: Deployment,
  tokens: readonly [Address, Address],
  { address, spacing }: Created,
): Pool {
  return {
    ...{ id: address, address, protocol: "uniswap-v3", deployment: deployment.id },
    ...{ tokens, stateIds: [address], facts: { tickSpacing: spacing, feesFrom: deployment.factory } },
  };
}

/** getPool(address,address,int24) */
const GET_POOL: Hex = "0x28af8d0b";

/** @source velodrome-finance/slipstream contracts/core/CLFactory.sol constructor: the spacings that it enables */
const SPACINGS = [1, 50, 100, 200, 2_000];

export function bySpacing(deployment: Deployment): PairSource {
  return {
    target: deployment.factory,
    selector: GET_POOL,
    hashed: false,
    numbered: false,
    word: 0,
    details: () => [],
    keys: SPACINGS,
    poolOf: (tokens, named, spacing = 0) =>
      poolOf(deployment, tokens, { address: addressAt(named, 0), spacing }),
  };
}

/** Whether the pool's fee comes from its factory. */
export function asksFactory(pool: Pool): boolean {
  return pool.facts.feesFrom !== undefined;
}

/** Whether a log of the fee's module changes the pool's fee, so that it must be read again. */
export function changesFee(state: State, log: Log): boolean {
  return state.fees?.module === log.address && feeTopics.includes(log.topics[0]!);
}

export function hasOldFee({ fees }: State, at: At): boolean {
  return fees !== undefined && at.timestamp - fees.readAt > MOST_AGE_SECONDS;
}
