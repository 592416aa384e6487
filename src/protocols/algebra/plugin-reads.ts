import { addressAt, callData, hasWords, uintAt } from "../../core/abi.ts";
import type { Address, Call, Deployment, Facts, Hex, Pool, Refusal } from "../../core/types.ts";
import { addressFact } from "../shared/record-address.ts";
import { RING } from "./history.ts";
import { type FeeSource, type Reading, readFeeSource, readNewest } from "./past-reads.ts";

/**
 * How the plugins that a record states set the fee of a swap: from volatility, or against the last move of the price.
 * Their source was read: they neither trade nor change an amount.
 */
const KINDS = ["adaptive", "sliding"] as const;
type Kind = (typeof KINDS)[number];

/** A kind of plugin, and the factory that made all plugins of this kind. */
export type Plugins = { readonly plugin: Kind; readonly pluginFactory: Address };

/** plugin() of a pool of Integral */
const PLUGIN: Hex = "0xef01df4f";
/** pluginByPool(address) of a factory of plugins: the one that it made for the pool */
const PLUGIN_BY_POOL: Hex = "0xcdef16f6";
/** timepointIndex() of a plugin */
const TIMEPOINT_INDEX: Hex = "0x0786feb6";
/** s_feeFactors(), s_priceChangeFactor() and s_baseFee() of a plugin whose fee slides */
const SLIDING: readonly Hex[] = ["0x58e31bfd", "0x7b3de5c6", "0x08cd1975"];

/** Flags of Integral's plugin configuration: the plugin is called before a swap; it may set the fee. */
const BEFORE_SWAP = 1n;
const DYNAMIC_FEE = 128n;

/**
 * The plugins that a deployment's record states; undefined if it states none.
 *
 * @throws Error if it states an unknown kind, or no factory: the record is wrong
 */
export function statedPlugins(deployment: Deployment): Plugins | undefined {
  const { plugin } = deployment.facts;
  if (plugin === undefined) return undefined;
  const kind = KINDS.find((known) => known === plugin);
  if (kind === undefined)
    throw new Error(`deployment ${deployment.id}: plugin must be one of ${KINDS}, not ${plugin}`);
  return { plugin: kind, pluginFactory: addressFact(deployment, "pluginFactory") };
}

/** The plugins of a pool's deployment. */
export function pluginsOf({ facts }: { readonly facts: Facts }): Plugins | undefined {
  return facts.plugin === undefined ? undefined : (facts as Facts & Plugins);
}

/** Asks for the pool's plugin, and for the one that the stated factory made for it. */
export function pluginCalls({ address }: Pool, { pluginFactory }: Plugins): readonly Call[] {
  return [
    { to: address, data: PLUGIN },
    { to: pluginFactory, data: callData(PLUGIN_BY_POOL, BigInt(address)) },
  ];
}

/** Whether a plugin is called before each swap. */
export const isBeforeSwap = (pluginConfig: bigint): boolean => (pluginConfig & BEFORE_SWAP) !== 0n;

/** The pool's plugin, if it is the one that the stated factory made for this pool and may set the fee. */
export function provenPlugin(
  pluginConfig: bigint,
  [own = "0x", made = "0x"]: readonly Hex[],
): Address | Refusal {
  if (!hasWords(own, 1) || !hasWords(made, 1) || uintAt(own, 0) === 0n || uintAt(own, 0) !== uintAt(made, 0))
    return { refusal: "the plugin is not of the stated factory" };
  // Without this flag, setting the fee reverts, and so would every swap.
  if ((pluginConfig & DYNAMIC_FEE) === 0n) return { refusal: "the plugin may not set the fee" };
  return addressAt(own, 0);
}

/** Reads what the fees of the next swaps follow from. */
export function* readPluginFee(plugin: Address, { plugin: kind }: Plugins): Reading<FeeSource> {
  const own = kind === "sliding" ? SLIDING : [];
  const [index = "0x", ...rest] = yield [TIMEPOINT_INDEX, ...own].map((data) => ({ to: plugin, data }));
  if (!hasWords(index, 1) || uintAt(index, 0) >= BigInt(RING)) return { refusal: "timepointIndex failed" };
  const lastIndex = Number(uintAt(index, 0));
  const operator = { address: plugin, generation: "integral", directional: false, lastIndex } as const;
  if (kind === "adaptive") return yield* readFeeSource(operator);
  const [factors = "0x", priceChangeFactor = "0x", baseFee = "0x"] = rest;
  const newest = yield* readNewest(operator);
  if ("refusal" in newest) return newest;
  if (!hasWords(factors, 2) || !hasWords(priceChangeFactor, 1) || !hasWords(baseFee, 1))
    return { refusal: "the sliding fee's parameters failed" };
  return {
    sliding: {
      baseFee: Number(uintAt(baseFee, 0)),
      priceChangeFactor: Number(uintAt(priceChangeFactor, 0)),
      factors: [uintAt(factors, 0), uintAt(factors, 1)],
      newest: { timestamp: newest.timestamp, tick: newest.tick },
    },
  };
}
