import { addressAt, hasWords, intAt, uintAt } from "../../core/abi.ts";
import type { PairSource } from "../../core/protocol.ts";
import type { Address, At, Deployment, Hex, Log, Pool } from "../../core/types.ts";
import { afterPositionLog, afterSwapLog } from "../shared/concentrated/concentrated-events.ts";
import { type Fees, feesIn, isSame, told, traded } from "./past.ts";
import { statedPlugins } from "./plugin-reads.ts";
import { hasPast, type State, stateAt } from "./state.ts";

/** Pool(address indexed token0, address indexed token1, address pool) of the factory */
const POOL = "0x91ccaa7a278130b65168c3a0c8d3bcae84cf5e43704342bd3ec0b59e59c036db";
/** Initialize(uint160 price, int24 tick) */
const INITIALIZE = "0x98636036cb66a9c19a37435efc1e90142190214e8abeb821bdba3f2990dd4c95";
/** Swap(address indexed, address indexed, int256, int256, uint160 price, uint128 liquidity, int24 tick) */
const SWAP = "0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67";
/**
 * Swap of Integral 1.2: the same words, followed by a plugin's replacement of the pool's fee, and the plugin's own
 * fee
 */
const SWAP_WITH_FEES = "0x121cb44ee54098b1a04743c487e7460d8dd429b27f88b1f4d4767396e1a59f79";
/**
 * SwapFee(address indexed, uint24 overrideFee, uint24 pluginFee) of Integral 1.2.2, before the Swap: a plugin's
 * replacement of the pool's fee, 0 if there is none, and the plugin's own fee
 */
const SWAP_FEE = "0x9443903d84c9719611bd4bba871daaf18a3950d00d5d78b1a2fa701f76df54ff";
/** Mint(address, address indexed, int24 indexed bottom, int24 indexed top, uint128 liquidity, uint256, uint256) */
const MINT = "0x7a53080ba414158be7ec69b987b5fb7d07dee101fe85488f0853ae16239d0bde";
/** Burn(address indexed, int24 indexed bottom, int24 indexed top, uint128 liquidity, uint256, uint256) */
const BURN = "0x0c396cd989a39f4459b5fa1aed6a9a8dcdbc45908acfd67e028cd568da98982c";
/** Burn of Integral 1.2: the same words, followed by the plugin's fee */
const BURN_WITH_FEE = "0x932214d4a69c27c086643126ed97c32681da179064c678836c173f99bd13ca01";
/** Fee(uint16 fee) */
const FEE = "0x598b9f043c813aa6be3426ca60d1c65d17256312890be5118dab55b0775ebe2a";
/** Fee(uint16 zeroToOne, uint16 oneToZero) of v1.9 with a fee a direction */
const FEES = "0x8a89de70856bccec096661388f305b9a75f5f65cb0d8a0e1e803c39dabedb57f";
/** PluginConfig(uint8 config) of Integral; another plugin is announced by a configuration of 0 */
const PLUGIN_CONFIG = "0x3a6271b36c1b44bd6a0a0d56230602dc6919b7c17af57254306fadf5fee69dc3";

const stateTopics: readonly Hex[] = [
  INITIALIZE,
  SWAP,
  SWAP_WITH_FEES,
  SWAP_FEE,
  MINT,
  BURN,
  BURN_WITH_FEE,
  FEE,
  FEES,
  PLUGIN_CONFIG,
];
export const creations: readonly Hex[] = [POOL];
export const topics: readonly Hex[] = [...creations, ...stateTopics];

/**
 * Generations that are supported: v1 with its fixed spacing of 60, v1.9 with a bit for every tick, its branch with a
 * fee a direction, v2 with limit orders, and Integral.
 */
const VERSIONS = ["v1", "v1.9", "v1.9-directional", "v2", "integral"] as const;

/** @throws Error if the deployment does not state its generation: the record is wrong */
export function discover(log: Log, deployment: Deployment): Pool | undefined {
  if (log.topics[0] !== POOL || log.address !== deployment.factory) return undefined;
  if (log.topics.length !== 3 || !hasWords(log.data, 1)) return undefined;
  const tokens = [addressAt(log.topics[1]!, 0), addressAt(log.topics[2]!, 0)] as const;
  return poolOf(deployment, tokens, addressAt(log.data, 0));
}

function poolOf(deployment: Deployment, tokens: readonly [Address, Address], address: Address): Pool {
  return {
    id: address,
    address,
    protocol: "algebra",
    deployment: deployment.id,
    tokens,
    stateIds: [address],
    facts: { version: versionOf(deployment), ...statedPlugins(deployment) },
  };
}

function versionOf({ id, facts }: Deployment): string {
  const { version } = facts;
  if (VERSIONS.some((known) => known === version)) return version as string;
  throw new Error(`deployment ${id}: version must be one of ${VERSIONS}, not ${version}`);
}

/** poolByPair(address,address) */
const POOL_BY_PAIR: Hex = "0xd9a641e1";

export function byPair(deployment: Deployment): PairSource {
  return {
    target: deployment.factory,
    selector: POOL_BY_PAIR,
    hashed: false,
    numbered: false,
    word: 0,
    details: () => [],
    keys: [],
    poolOf: (tokens, named) => poolOf(deployment, tokens, addressAt(named, 0)),
  };
}

export function touches(log: Log): readonly string[] {
  return stateTopics.includes(log.topics[0]!) ? [log.address] : [];
}

/**
 * The state after a log; "reload" if the price left the known ticks, a position is unknown, or the basis of the fee
 * may have changed.
 *
 * @param at its time shows whether the log is of the first change of a block, which sets the fee
 */
export function apply(state: State, log: Log, at: At): State | "reload" {
  switch (log.topics[0]) {
    case INITIALIZE:
      return { ...state, sqrtPriceX96: uintAt(log.data, 0), tick: Number(intAt(log.data, 1)) };
    case SWAP:
      return afterSwap(state, log, at);
    case SWAP_WITH_FEES: {
      const replaced = afterReplacement(state, log, { at, word: 5 });
      return replaced === "reload" ? replaced : afterSwap(replaced, log, at);
    }
    case SWAP_FEE:
      return afterReplacement(state, log, { at, word: 0 });
    case MINT:
      return afterPosition(state, log, { at, liquidity: uintAt(log.data, 1) });
    case BURN:
    case BURN_WITH_FEE:
      return afterPosition(state, log, { at, liquidity: -uintAt(log.data, 0) });
    case FEE:
      return afterFees(state, [Number(uintAt(log.data, 0)), Number(uintAt(log.data, 0))], at);
    case FEES:
      return afterFees(state, [Number(uintAt(log.data, 0)), Number(uintAt(log.data, 1))], at);
    case PLUGIN_CONFIG:
      return "reload";
    default:
      return state;
  }
}

function afterFees(state: State, fees: Fees, { timestamp }: At): State | "reload" {
  if (hasPast(state)) return told(state, fees, timestamp);
  // A plugin whose fee slides replaces the pool's own in every swap.
  if (state.sliding !== undefined) return state;
  return isSame(fees, feesIn(state)) ? state : "reload";
}

/**
 * The state after a plugin's replacement of the pool's fee for one swap.
 *
 * @param position `word` is the index of the replacement, which the plugin's own fee follows
 */
function afterReplacement(
  state: State,
  { data }: Log,
  { at, word }: { readonly at: At; readonly word: number },
): State | "reload" {
  const fee = Number(uintAt(data, word));
  if (uintAt(data, word + 1) !== 0n) return "reload";
  const { sliding } = state;
  if (sliding === undefined) return fee === 0 ? state : afterFees(state, [fee, fee], at);
  return feesIn(stateAt(state, at.timestamp)!).includes(fee) ? state : "reload";
}

/**
 * The pool with the fees of its block. Changed fees are announced by an earlier log, so without one they are the
 * previous ones.
 */
function unchanged(state: State, { timestamp }: At): State | "reload" {
  return hasPast(state) ? told(state, feesIn(state), timestamp) : stateAt(state, timestamp)!;
}

function afterSwap(state: State, log: Log, at: At): State | "reload" {
  const known = unchanged(state, at);
  if (known === "reload") return known;
  const after = afterSwapLog(known, log);
  if (after === "reload" || !hasPast(after)) return after;
  const amounts = [intAt(log.data, 0), intAt(log.data, 1)] as const;
  return { ...after, past: traded(after.past, amounts, after.liquidity) };
}

type Change = { readonly at: At; readonly liquidity: bigint };

/**
 * The state after a Mint or Burn. A change of liquidity in range sets the block's fee, as a swap does, except in
 * Integral. Limit orders, which have a single tick, are not supported.
 */
function afterPosition(state: State, log: Log, { at, liquidity }: Change): State | "reload" {
  const [lower, upper] = [Number(intAt(log.topics[2]!, 0)), Number(intAt(log.topics[3]!, 0))];
  if (lower === upper) return "reload";
  const isInRange = liquidity !== 0n && lower <= state.tick && state.tick < upper;
  const isFeeSet = isInRange && state.past !== undefined && state.past.history.generation !== "integral";
  const known = isFeeSet ? unchanged(state, at) : state;
  return known === "reload" ? known : afterPositionLog(known, log, liquidity);
}
