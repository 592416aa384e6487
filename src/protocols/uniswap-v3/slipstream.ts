import type { At, Hex, Log } from "../../core/types.ts";
import type { State } from "./state.ts";

/**
 * Slipstream, the concentrated pools of Velodrome and Aerodrome: v3's swap loop, ticks and logs. Pools are identified
 * by tick spacing, and a module of the factory sets their fee (`fee-reads.ts`, `moving-fee.ts`).
 *
 * @source velodrome-finance/slipstream contracts/core/{CLFactory,CLPool}.sol (193a6b8)
 */

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

/** Age after which fees are read again: they can change without a log that is known, such as another module's. */
const MOST_AGE_SECONDS = 3600;

/** Whether a log of the fee's module changes the pool's fee, so that it must be read again. */
export function changesFee(state: State, log: Log): boolean {
  return state.fees?.module === log.address && feeTopics.includes(log.topics[0]!);
}

export function hasOldFee({ fees }: State, at: At): boolean {
  return fees !== undefined && at.timestamp - fees.readAt > MOST_AGE_SECONDS;
}
