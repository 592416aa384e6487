import { addressAt, hasWords, uintAt, word } from "../../core/abi.ts";
import type { At, Deployment, Hex, Log, Pool } from "../../core/types.ts";
import { type Field, withBits } from "../shared/packed-word.ts";
import { addressFact } from "../shared/record-address.ts";
import type { Facts } from "./reads.ts";
import { FIELDS, ID_SHIFT, idOf, isMoving, type State } from "./state.ts";

/** LogSwap(uint256 swapData, uint256 dexVariables) */
const SWAP: Hex = "0xfbce846c23a724e6e61161894819ec46c90a8d3dd96e90e7342c6ef49ffb539c";
/** LogInitialize, of the pool's key, its 8 bytes, two words and the terms */
const INITIALIZE: Hex = "0x0f3c8652ed6961216fd2437ded3dd9abbdf4661d9c3e37fad5e62e335d99f682";

export const creations: readonly Hex[] = [INITIALIZE];
export const topics: readonly Hex[] = [
  ...creations,
  SWAP,
  // What the pool's owners change; all begin with the key and the 8 bytes. LogUpdateFeeAndRevenueCut, LogUpdateRebalancingStatus
  "0xc5811e82a3e001f10b79bea9e9d8744e42416fd0328aa30af018fa3351f34343",
  "0x7f2be73aa0d4fdbdb0f05733e6bf6aea23fc4ff062e20fa3b5a8118083589426",
  // LogUpdateRangePercents, LogUpdateShiftTime
  "0x35c6dac8e06d7b162f4bd26386a89b1632a5f59830c7ffa4a45220db8b68ce48",
  "0x376f9eadf790d01bd6a33e0d48bd73376b113fe21a2ea4b267bf3c81047f81bc",
  // LogUpdateCenterPriceLimits, LogUpdateThresholdPercent
  "0x0e0abfebb6263ebebbb763cf6b606b7b2d7ebee45238589e982a1737831e3878",
  "0xab364b1339c5d754b249cb39f82ef00a3881d1d97bdc631b109a10e2d8845e36",
  // LogUpdateCenterPriceAddress, LogDeposit, LogWithdraw
  "0x30642295ea4176e23cf68fd310f4a94e617b45ad97f54e541157229e634a6184",
  "0x5215e0d1b2a71023436cdb272e4954aec234cb46d793100d02d1e955820badcf",
  "0xc3f541673644e6c18d377e885be08b51d0d95367f2b038b3e83ecac980a77fba",
];
const known: ReadonlySet<string> = new Set(topics);

/** Words of the logs. */
const SALT = 2;
const DEX_ID = 3;
const VARIABLES_AFTER = 1;
/** In a swap's first word the pool's 8 bytes are the lowest bits. */
const ID_BITS = 64;

export function discover(log: Log, deployment: Deployment): Pool | undefined {
  if (log.topics[0] !== INITIALIZE || log.address !== deployment.factory) return undefined;
  if (!hasWords(log.data, DEX_ID + 1)) return undefined;
  const id = idOf(uintAt(log.data, DEX_ID) >> ID_SHIFT);
  const facts: Facts = {
    salt: `0x${word(uintAt(log.data, SALT))}`,
    deployer: addressFact(deployment, "deployer"),
  };
  return {
    id,
    address: deployment.factory,
    protocol: "fluid-lite",
    deployment: deployment.id,
    tokens: [addressAt(log.data, 0), addressAt(log.data, 1)],
    stateIds: [id],
    facts,
  };
}

export function touches({ topics: [topic], data }: Log): readonly string[] {
  if (topic === SWAP)
    return hasWords(data, VARIABLES_AFTER + 1) ? [idOf(BigInt.asUintN(ID_BITS, uintAt(data, 0)))] : [];
  const isOurs = topic !== undefined && known.has(topic) && hasWords(data, DEX_ID + 1);
  return isOurs ? [idOf(uintAt(data, DEX_ID) >> ID_SHIFT)] : [];
}

/** Fields that a swap changes. */
const TRADED: readonly Field[] = [FIELDS.supply0, FIELDS.supply1, FIELDS.status];

/**
 * A swap's log carries the first word. The others change only where time moves the prices, before the swap or after it. Any
 * contract can emit a log with a pool's 8 bytes: only those of the pools' own contract count.
 *
 * @param at the block of the log
 */
export function apply(state: State, log: Log, { blockNumber }: At): State | "reload" {
  if (log.address !== state.contract) return state;
  if (log.topics[0] !== SWAP) return known.has(log.topics[0]!) ? "reload" : state;
  const after = { ...state, variables: uintAt(log.data, VARIABLES_AFTER), readAt: blockNumber };
  const isKept = withoutTrades(state.variables) === withoutTrades(after.variables);
  return isMoving(state) || isMoving(after) || !isKept ? "reload" : after;
}

/** The word with 0 in all fields that swaps change. */
function withoutTrades(variables: bigint): bigint {
  return TRADED.reduce((rest, field) => withBits(rest, field, 0n), variables);
}

/** Whether a state is of another block and time has moved its prices. */
export function stale(state: State, { blockNumber }: At): boolean {
  return isMoving(state) && blockNumber > state.readAt + 1;
}
