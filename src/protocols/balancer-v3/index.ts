import { addressAt, hasWords, uintAt } from "../../core/abi.ts";
import { stepKinds } from "../../core/encoding/kinds.ts";
import { mulDown } from "../../core/math/fixed-point.ts";
import type { Protocol, StepCode } from "../../core/protocol.ts";
import type { Hex, Log, Pool } from "../../core/types.ts";
import { quoteOwnState } from "../shared/own-state.ts";
import { curve, joint, type Mirror, mirror, quoteFloat } from "./mirror.ts";
import { discover, hinted, POOL_REGISTERED } from "./pools.ts";
import { load, reads } from "./reads.ts";
import type { State } from "./state.ts";
import { gas, trade } from "./swap.ts";

/** Swap(address indexed pool, address indexed tokenIn, address indexed tokenOut, amountIn, amountOut, feeShare, fee) */
const SWAP = "0x0874b2d545cb271cdbda4e093020c452328b24af12382ed62c4d00f5c26709db";

/** Logs of the vault and of hooks after which a pool is read again; topics[1] is the pool. */
const ABOUT_A_POOL = [
  // PoolInitialized(address), LiquidityAdded and LiquidityRemoved(address,address,uint8,uint256,uint256[],uint256[])
  "0xcad8c9d32507393b6508ca4a888b81979919b477510585bde8488f153072d6f3",
  "0xa26a52d8d53702bba7f137907b8e1f99ff87f6d450144270ca25e72481cca871",
  "0xfbe5b0d79fb94f1e81c0a92bf86ae9d3a19e9d1bf6202c0d3e75120f65d5d8a5",
  // PoolPausedStateChanged(address,bool), SwapFeePercentageChanged(address,uint256)
  "0x57e20448028297190122571be7cb6c1b1ef85730c673f7c72f533c8662419aa7",
  "0x89d41522342fabac1471ca6073a5623e5caf367b03ca6e9a001478d0cf8be4a1",
  // PoolRecoveryModeStateChanged(address,bool), AggregateSwapFeePercentageChanged(address,uint256)
  "0xc2354cc2f78ea57777e55ddd43a7f22b112ce98868596880edaeb22b4f9c73a9",
  "0xe4d371097beea42453a37406e2aef4c04f3c548f84ac50e72578662c0dcd7354",
  // AggregateYieldFeePercentageChanged(address,uint256), VaultAuxiliary(address,bytes32,bytes)
  "0x606eb97d83164bd6b200d638cd49c14c65d94d4f2c674cfd85e24e0e202c3ca5",
  "0x4bc4412e210115456903c65b5277d299a505e79f2eb852b92b1ca52d85856428",
  // MaxSurgeFeePercentageChanged(address,uint256), ThresholdSurgePercentageChanged(address,uint256)
  "0xcc7585f1dd40a0def67658a884745a1eca326ed902fe084d36e9e04084212032",
  "0x3b64afdb883fd4fa590572fb2db0b4d199d8ffb9703f5d32f4d87d1d468c026c",
] as const;

/** Logs emitted by a pool after which it is read again. */
const BY_A_POOL = [
  // AmpUpdateStarted(uint256,uint256,uint256,uint256), AmpUpdateStopped(uint256)
  "0x1835882ee7a34ac194f717a35e09bb1d24c82a3b9d854ab6c9749525b714cdf2",
  "0xa0d01593e47e69d07e0ccd87bece09411e07dd1ed40ca8f2e7af2976542a0233",
  // VirtualBalancesUpdated(uint256,uint256), PriceRatioStateUpdated(uint256,uint256,uint256,uint256)
  "0xf36b0fd05d55ca91fb3ebd8493adf78a3405a11c145c054a092d0994b665b637",
  "0xa18562ea402e57cc2b437f8d7a139c6c38958adc1ecbb706ec37a7a64ff6e7a5",
  // DailyPriceShiftExponentUpdated(uint256,uint256), CenterednessMarginUpdated(uint256), LastTimestampUpdated(uint32)
  "0x7ee46b38be05f748de1c0fb2002ac48fe50a26a0017c654a92c0bf9228058847",
  "0x74d468c8e414c37c502176a45cce93c85eaa0abf608e40641dc6664ca5efcab0",
  "0x32a9fd44bdf167703f584bd25098494d3d18a4653a2d97116d28da05209444d4",
] as const;

/** VaultPausedStateChanged(bool) of the vault. */
const VAULT_PAUSED: Hex = "0xe0629fe656e45ad7fd63a24b899da368690024c07043b88e57aee5095b1d3d02";

const byTopic: ReadonlySet<string> = new Set([SWAP, ...ABOUT_A_POOL]);
const byEmitter: ReadonlySet<string> = new Set(BY_A_POOL);
const topics: readonly Hex[] = [POOL_REGISTERED, SWAP, ...ABOUT_A_POOL, ...BY_A_POOL, VAULT_PAUSED];

function touches(log: Log): readonly string[] {
  const topic = log.topics[0]!;
  if (byTopic.has(topic)) return log.topics[1] === undefined ? [] : [addressAt(log.topics[1], 0)];
  return byEmitter.has(topic) ? [log.address] : [];
}

function apply(state: State, log: Log): State | "reload" {
  if (log.topics[0] !== SWAP) return touches(log).length > 0 ? "reload" : state;
  // Any contract can emit a log with the vault's topics.
  return log.address === state.vault ? swapped(state, log) : state;
}

/** The state after a Swap log: balances change by its amounts, less the part of the fee that leaves the pool. */
function swapped(state: State, log: Log): State | "reload" {
  const i = state.tokens.indexOf(addressAt(log.topics[2] ?? "0x", 0));
  const j = state.tokens.indexOf(addressAt(log.topics[3] ?? "0x", 0));
  const isPlain = state.onlyIn === 0 && state.shape.kind !== "reclamm";
  if (i < 0 || j < 0 || !hasWords(log.data, 4) || !isPlain) return "reload";
  const charged = mulDown(uintAt(log.data, 3), state.aggregateFee);
  const balances = state.balances.slice();
  balances[i] = balances[i]! + uintAt(log.data, 0) - charged;
  balances[j] = balances[j]! - uintAt(log.data, 1);
  return { ...state, balances };
}

function encode(pool: Pool): StepCode {
  return {
    kind: stepKinds.balancerV3,
    target: pool.address,
    zeroForOne: false,
    extra: pool.id as Hex,
    intake: "callback",
    paysAnyone: true,
  };
}

/** Pools of Balancer's Vault v3: weighted, stable with surge fees, E-CLP, ReCLAMM, liquidity bootstrapping. */
export const balancerV3: Protocol<State, Mirror> = {
  name: "balancer-v3",
  topics,
  creations: [POOL_REGISTERED],
  byPair: () => undefined,
  hinted,
  bitmap: () => undefined,
  seeds: () => [],
  discover,
  touches,
  pauses: [VAULT_PAUSED],
  reads,
  load,
  apply,
  stale: (state, at) => state.onlyIn !== 0 && state.onlyIn !== at.blockNumber,
  quote: quoteOwnState(trade),
  mirror: (state, _pool, at) => mirror(state, at.timestamp),
  quoteFloat,
  curve,
  joint,
  gas: ({ shape, surge }) => gas(shape, surge !== undefined),
  encode,
};
