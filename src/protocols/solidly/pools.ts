import { addressAt, callData, hasWords, uintAt } from "../../core/abi.ts";
import type { Solver } from "../../core/math/pairs/solidly-math.ts";
import type { PairSource } from "../../core/protocol.ts";
import type { Address, At, Call, Deployment, Hex, Log, Pool, Refusal } from "../../core/types.ts";
import type { State } from "./state.ts";

/** PairCreated(address indexed token0, address indexed token1, bool stable, address pair, uint256) */
const PAIR_CREATED = "0xc4805696c66d7cf352fc1d6bb633ad5ee82f6cb577c453024b6e0eb8306c6fc9";
/** PoolCreated(address indexed token0, address indexed token1, bool indexed stable, address pool, uint256) */
const POOL_CREATED = "0x2128d88d14c80cb081c1252a5acff7a264671bf199ce226b53788fb26065005e";
/** Sync(uint256 reserve0, uint256 reserve1) */
const SYNC = "0xcf2aa50876cdfbb541206f89af0ee78d44a2abf8d328e37fa4917f982149848a";
/** SetCustomFee(address indexed pool, uint256 fee), of the factory */
const SET_CUSTOM_FEE = "0xae468ce586f9a87660fdffc1448cee942042c16ae2f02046b134b5224f31936b";

export const creations: readonly Hex[] = [PAIR_CREATED, POOL_CREATED];
export const topics: readonly Hex[] = [...creations, SYNC, SET_CUSTOM_FEE];

/** metadata() → decimals0, decimals1 (as 10^d), reserve0, reserve1, stable, token0, token1 */
const METADATA: Hex = "0x392f37e9";
/** isPaused() of the factory */
const IS_PAUSED: Hex = "0xb187bd26";

/** Calls that return the fee of a pair, by generation of the factory. */
const feeCalls = {
  /** getFee(address pool, bool stable): Velodrome v2, Aerodrome. */
  poolAndCurve: (pool: Address, stable: number) => callData("0xcc56b2c5", BigInt(pool), stable),
  /** getFee(bool stable): Velodrome v1, Thena. */
  curve: (_pool: Address, stable: number) => callData("0x512b45ea", stable),
  /** getFee(address pool): Velocimeter. */
  pool: (pool: Address) => callData("0xb88c9148", BigInt(pool)),
} as const;
type FeeCall = keyof typeof feeCalls;

const SOLVERS: readonly Solver[] = ["unit", "nearest", "nearestPlain"];

/** Facts of a deployment about its pairs. */
type Fork = { readonly solver: Solver; readonly feeCall: FeeCall; readonly feeDenominator: number };

/** @throws Error if the deployment does not state how its pairs work: the record is wrong */
function forkOf({ id, facts }: Deployment): Fork {
  const { solver, feeCall, feeDenominator = 10_000 } = facts;
  if (!SOLVERS.some((known) => known === solver))
    throw new Error(`deployment ${id}: solver must be one of ${SOLVERS}, not ${solver}`);
  if (typeof feeCall !== "string" || !Object.hasOwn(feeCalls, feeCall))
    throw new Error(`deployment ${id}: feeCall must be one of ${Object.keys(feeCalls)}, not ${feeCall}`);
  if (typeof feeDenominator !== "number" || !Number.isSafeInteger(feeDenominator) || feeDenominator <= 0)
    throw new Error(`deployment ${id}: feeDenominator must be a positive integer, not ${feeDenominator}`);
  return { solver: solver as Solver, feeCall: feeCall as FeeCall, feeDenominator };
}

/** The pair that the factory announces, by either version of the event. */
export function discover(log: Log, deployment: Deployment): Pool | undefined {
  if (log.address !== deployment.factory) return undefined;
  const created = created1(log) ?? created2(log);
  if (created === undefined) return undefined;
  return poolOf(deployment, [addressAt(log.topics[1]!, 0), addressAt(log.topics[2]!, 0)], created);
}

function poolOf(
  deployment: Deployment,
  tokens: readonly [Address, Address],
  { pair, stable }: Created,
): Pool {
  return {
    id: pair,
    address: pair,
    protocol: "solidly",
    deployment: deployment.id,
    tokens,
    stateIds: [pair],
    facts: { ...forkOf(deployment), stable, factory: deployment.factory },
  };
}

/** getPair(address,address,bool) of the first generation, getPool(address,address,bool) of Velodrome v2's. */
const GET_PAIR: Hex = "0x6801cc30";
const GET_POOL: Hex = "0x79bc57d5";

/** Queries both pairs of two tokens: key 0 is the volatile one, key 1 the stable one. */
export function byPair(deployment: Deployment): PairSource {
  return {
    target: deployment.factory,
    selector: forkOf(deployment).feeCall === "poolAndCurve" ? GET_POOL : GET_PAIR,
    hashed: false,
    numbered: false,
    word: 0,
    details: () => [],
    keys: [0, 1],
    poolOf: (tokens, named, key) =>
      poolOf(deployment, tokens, { pair: addressAt(named, 0), stable: key === 1 }),
  };
}

type Created = { readonly pair: Address; readonly stable: boolean };

function created1({ topics: [topic, ...rest], data }: Log): Created | undefined {
  if (topic !== PAIR_CREATED || rest.length !== 2 || !hasWords(data, 2)) return undefined;
  return { pair: addressAt(data, 1), stable: uintAt(data, 0) === 1n };
}

function created2({ topics: [topic, ...rest], data }: Log): Created | undefined {
  if (topic !== POOL_CREATED || rest.length !== 3 || !hasWords(data, 1)) return undefined;
  return { pair: addressAt(data, 0), stable: uintAt(rest[2]!, 0) === 1n };
}

export function touches(log: Log): readonly string[] {
  if (log.topics[0] === SYNC) return [log.address];
  return log.topics[0] === SET_CUSTOM_FEE && log.topics.length === 2 ? [addressAt(log.topics[1]!, 0)] : [];
}

export function apply(state: State, log: Log): State | "reload" {
  if (log.topics[0] === SET_CUSTOM_FEE) return "reload";
  return log.topics[0] === SYNC ? { ...state, reserves: [uintAt(log.data, 0), uintAt(log.data, 1)] } : state;
}

export function reads(pool: Pool, answers: readonly Hex[]): readonly Call[] {
  if (answers.length > 0) return [];
  const factory = pool.facts.factory as Address;
  const fee = feeCalls[pool.facts.feeCall as FeeCall](pool.address, Number(pool.facts.stable));
  return [
    { to: pool.address, data: METADATA },
    { to: factory, data: fee },
    { to: factory, data: IS_PAUSED },
  ];
}

/**
 * The state, or why the pair is refused. A pair without reserves has a valid state, which its first Sync makes
 * tradable.
 */
export function load(pool: Pool, answers: readonly Hex[], at: At): State | Refusal {
  const [metadata = "0x", fee = "0x", paused = "0x"] = answers;
  if (pool.tokens[0] === pool.tokens[1]) return { refusal: "both tokens are the same" };
  if (!hasWords(metadata, 7) || !hasWords(fee, 1)) return { refusal: "metadata or getFee failed" };
  if (!hasWords(paused, 1)) return { refusal: "isPaused failed" };
  if (uintAt(paused, 0) !== 0n) return { refusal: "the factory is paused" };
  const state: State = {
    stable: uintAt(metadata, 4) === 1n,
    reserves: [uintAt(metadata, 2), uintAt(metadata, 3)],
    units: [uintAt(metadata, 0), uintAt(metadata, 1)],
    solver: pool.facts.solver as Solver,
    fee: uintAt(fee, 0),
    feeDenominator: BigInt(pool.facts.feeDenominator as number),
    readAt: at.timestamp,
  };
  return refusalOf(pool, state, metadata) ?? state;
}

function refusalOf(pool: Pool, state: State, metadata: Hex): Refusal | undefined {
  if (state.stable !== pool.facts.stable) return { refusal: "the pair is of another curve than announced" };
  if (pool.tokens.some((token, k) => token !== addressAt(metadata, 5 + k)))
    return { refusal: "the pair's tokens are not the announced ones" };
  if (state.fee >= state.feeDenominator) return { refusal: "the fee takes everything" };
  if (state.units.some((unit) => !/^10*$/.test(unit.toString()) || unit > 10n ** 36n))
    return { refusal: "decimals out of range" };
  return undefined;
}
