import { addressAt, hasWords, packedUint, uintAt } from "../../../core/abi.ts";
import { stepKinds } from "../../../core/encoding/kinds.ts";
import { KEY_OF_MANAGER, type PairSource, type StepCode } from "../../../core/protocol.ts";
import { type Address, type Deployment, type Hex, type Log, NATIVE, type Pool } from "../../../core/types.ts";
import { isListed, tokenOf } from "./pool-manager.ts";

/**
 * Keys of PancakeSwap Infinity's pools, of both kinds. A pool lives in the manager of its kind under the hash of
 * (currency0, currency1, hooks, manager, fee, parameters); one Vault holds the tokens of all of them.
 */

/** What a pool's `facts` say of its key. */
export type KeyFacts = {
  /** Fee in parts per million, or 0x800000 if the hook sets it. */
  readonly fee: number;
  readonly hooks: Address;
  /** Bits 0 … 15: the hook's callbacks; from bit 16 on the tick spacing, 24 bits, or the bin step, 16 bits. */
  readonly parameters: number;
  /** Whether the deployment lists the hook as leaving all amounts alone. */
  readonly listed: boolean;
};

export const keyOf = (pool: Pool) => pool.facts as KeyFacts;

/** DynamicLPFeeUpdated(bytes32 indexed id, uint24 fee) */
export const DYNAMIC_FEE_UPDATED: Hex = "0x14b2b80e0d62303dc85494859f35a84579160aafbd650180ddf526b1ab547bd6";

/** getSlot0(bytes32) and paused(), which both managers have. */
export const GET_SLOT0: Hex = "0xc815641c";
export const PAUSED: Hex = "0x5c975abb";

/** Paused(address) and Unpaused(address) of a manager: it then swaps in none of its pools, or in all again. */
export const pauses: readonly Hex[] = [
  "0x62e78cea01bee320cd4e420270b5ea74000d11b0c9f74754ebdbfc544b05a258",
  "0x5db9ee0a495bf2e6ff9c91a7834c1ba4fdd244a5e8aa4e537bd38aeae4b073aa",
];

/** Bits of `parameters` for calls around a swap: before it, after it, and changes of amounts by either. */
const SWAP_CALLBACKS = 0b1100_1100_0000;
/** Number of bits of `parameters` that a key may use. */
const PARAMETER_BITS = 40n;
const CALLBACK_BITS = 2 ** 16;

/**
 * Why a pool is refused for its key alone.
 *
 * @source pancakeswap/infinity-core src/pool-cl/interfaces/ICLHooks.sol, src/pool-bin/interfaces/IBinHooks.sol
 */
export function refusalOf(pool: Pool): string | undefined {
  const { listed, parameters } = keyOf(pool);
  const isCalled = (parameters & SWAP_CALLBACKS) !== 0;
  return isCalled && !listed ? "a hook that is not listed may change what a swap pays" : undefined;
}

/** Tick spacing or bin step of a pool. */
export function spacingOf(pool: Pool): number {
  return Math.floor(keyOf(pool).parameters / CALLBACK_BITS);
}

/**
 * The pool of an Initialize log of the deployment's manager, whose data begin with hooks, fee and parameters. Its id is
 * the PoolId, its address the manager's.
 *
 * @param words number of words of the log's data
 */
export function announcedPool(
  log: Log,
  deployment: Deployment,
  { topic, words }: { readonly topic: Hex; readonly words: number },
): Pool | undefined {
  if (log.topics[0] !== topic || log.address !== deployment.factory) return undefined;
  if (log.topics.length !== 4 || !hasWords(log.data, words)) return undefined;
  const parameters = uintAt(log.data, 2);
  // Every pool has a spacing or step of one or more.
  if (parameters >> PARAMETER_BITS !== 0n || parameters < CALLBACK_BITS) return undefined;
  const hooks = addressAt(log.data, 0);
  const fee = Number(uintAt(log.data, 1));
  const key = { fee, hooks, parameters: Number(parameters), listed: isListed(hooks, deployment) };
  return keyedPool(
    deployment,
    log.topics[1]!,
    [addressAt(log.topics[2]!, 0), addressAt(log.topics[3]!, 0)],
    key,
  );
}

function keyedPool(
  deployment: Deployment,
  id: Hex,
  currencies: readonly [Address, Address],
  facts: KeyFacts,
): Pool {
  return {
    id,
    address: deployment.factory,
    protocol: deployment.protocol,
    deployment: deployment.id,
    tokens: currencies.map(tokenOf),
    stateIds: [id],
    facts,
  };
}

const NO_HOOKS: Address = "0x0000000000000000000000000000000000000000";

/**
 * Queries the manager for pools without hooks.
 *
 * @param usual fees in parts per million, and spacings
 */
export function keyedPairs(
  deployment: Deployment,
  usual: readonly (readonly [number, number])[],
): PairSource {
  return {
    target: deployment.factory,
    selector: GET_SLOT0,
    hashed: true,
    numbered: false,
    word: 0,
    details: () => [],
    keys: usual.map(([fee, spacing]) => KEY_OF_MANAGER + fee * 2 ** 24 + spacing),
    poolOf: (currencies, id, key = 0) => {
      const [fee, spacing] = [Math.floor((key % KEY_OF_MANAGER) / 2 ** 24), key % 2 ** 24];
      return keyedPool(deployment, id, currencies, {
        fee,
        hooks: NO_HOOKS,
        parameters: spacing * CALLBACK_BITS,
        listed: false,
      });
    },
  };
}

/** The step. The fee is that of the key, not the present one; the Vault is the one that the manager names. */
export function keyedStep(pool: Pool, i: number, isBin: boolean): StepCode {
  const { fee, hooks, parameters } = keyOf(pool);
  const rest = [packedUint(fee, 3), packedUint(Number(isBin), 1), packedUint(parameters, 5)];
  return {
    kind: stepKinds.infinity,
    target: pool.address,
    zeroForOne: i === 0,
    extra: `${hooks}${rest.map((field) => field.slice(2)).join("")}`,
    intake: pool.tokens[i] === NATIVE ? "held" : "callback",
    paysAnyone: true,
  };
}
