import { addressAt, hasWords, uintAt, word } from "../../core/abi.ts";
import { type Address, type Deployment, type Hex, type Log, NATIVE, type Pool } from "../../core/types.ts";
import { addressFact } from "../shared/record-address.ts";

/** PoolInitialized(bytes32 poolId, (address token0, address token1, bytes32 config), int32 tick, uint96 sqrtRatio) */
const POOL_INITIALIZED = "0x5e4688b340694b7c7fd30047fd082117dc46e32acfbf81a44bb1fac0ae65154d";
/** PositionUpdated(address locker, bytes32 poolId, bytes32 positionId, int128, bytes32, bytes32 stateAfter) */
const POSITION_UPDATED = "0x704b3ab4a76158ad4d66625a2a43be81edbffd24630e8fde5174e97035370a07";

export const creations: readonly Hex[] = [POOL_INITIALIZED];
export const topics: readonly Hex[] = [...creations, POSITION_UPDATED];

const ZERO = "0x0000000000000000000000000000000000000000";

/** What the adapter knows of a pool beside its tokens. */
export type Facts = {
  /** The pool key's last word: extension 20 B | fee u64, of 2^64 | type u32. */
  readonly config: Hex;
  /** Whether the pool has no extension, or one that the record lists as not changing any amount. */
  readonly isRouted: boolean;
  /** The lens contract that answers price and ticks: QuoteDataFetcher. */
  readonly lens: Address;
};

/**
 * The pool's type: bit 31 set and the tick spacing below it, or the amplification (7 bits) and the centre tick over 16
 * (24 bits, signed) of a pool that has one range of liquidity; 0 is a pool over all prices.
 */
export function typeOf({ config }: Facts): { readonly spacing: number } | "one range" {
  const word32 = Number(BigInt(config) & 0xffff_ffffn);
  return word32 >= 2 ** 31 ? { spacing: word32 - 2 ** 31 } : "one range";
}

/** The fee on the input, a fraction of 2^64. */
export function feeIn({ config }: Facts): bigint {
  return (BigInt(config) >> 32n) & (2n ** 64n - 1n);
}

/** The pool that the core announces. Its id is the PoolId; its address is the core's. */
export function discover(log: Log, deployment: Deployment): Pool | undefined {
  if (log.topics[0] !== POOL_INITIALIZED || log.address !== deployment.factory) return undefined;
  if (!hasWords(log.data, 6)) return undefined;
  const tokens = [addressAt(log.data, 1), addressAt(log.data, 2)];
  const config = uintAt(log.data, 3);
  const id = `0x${word(uintAt(log.data, 0))}` as const;
  const facts: Facts = {
    config: `0x${word(config)}`,
    isRouted: isHarmless(`0x${word(config).slice(0, 40)}`, deployment),
    lens: addressFact(deployment, "lens"),
  };
  return {
    id,
    address: deployment.factory,
    protocol: "ekubo",
    deployment: deployment.id,
    tokens: tokens.map((token) => (token === ZERO ? NATIVE : token)),
    stateIds: [id],
    facts,
  };
}

/** `facts.harmless` has lower-case addresses of extensions separated by commas. */
function isHarmless(extension: Address, { facts }: Deployment): boolean {
  const { harmless } = facts;
  return extension === ZERO || (typeof harmless === "string" && harmless.split(",").includes(extension));
}

/** A changed position. Swaps have no topic, so no filter finds them: states are read again in every block. */
export function touches(log: Log): readonly string[] {
  if (log.topics[0] !== POSITION_UPDATED || !hasWords(log.data, 6)) return [];
  return [`0x${word(uintAt(log.data, 1))}`];
}
