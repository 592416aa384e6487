import { addressAt, hasWords, intAt, uintAt } from "../../core/abi.ts";
import type { PairSource } from "../../core/protocol.ts";
import type { Address, Deployment, Hex, Log, Pool } from "../../core/types.ts";
import { MAX_AMOUNT, type State } from "./state.ts";
import { swap } from "./swap.ts";
import { limitOf } from "./trade.ts";

/** NewPool(address indexed tokenX, address indexed tokenY, uint24 indexed fee, uint24 pointDelta, address pool) */
const NEW_POOL = "0xf04da67755adf58739649e2fb9949a6328518141b7ac9e44aa10320688b04900";
/**
 * Swap(address indexed tokenX, address indexed tokenY, uint24 indexed fee, bool sellsX, uint256 amountX, uint256 amountY,
 * int24 point)
 */
const SWAP = "0x0fe977d619f8172f7fdbe8bb8928ef80952817d96936509f67d66346bc4cd10f";
/** Swap of pools of before July 2023, which does not state the point that the price ends in: the pool is read again. */
const SWAP_WITHOUT_POINT = "0xe7779a36a28ae0e49bcbd9fcf57286fb607699c0c339c202e92495640505613e";
/** Mint and Burn of liquidity, AddLimitOrder and DecLimitOrder. An added order may fill one of the other token first. */
const CHANGES: readonly Hex[] = [
  "0x7a53080ba414158be7ec69b987b5fb7d07dee101fe85488f0853ae16239d0bde",
  "0x0c396cd989a39f4459b5fa1aed6a9a8dcdbc45908acfd67e028cd568da98982c",
  "0x4f4658280ee6d0e8f09b5e436dacaca69ec5dd7c2ba05fb010d5145a3567cdad",
  "0x3736ba81d13006f6ea2012ba3e287f087169b55d90a9defb5966fe9eb830d7ea",
];
const stateTopics: readonly Hex[] = [SWAP, SWAP_WITHOUT_POINT, ...CHANGES];
export const creations: readonly Hex[] = [NEW_POOL];
export const topics: readonly Hex[] = [...creations, ...stateTopics];

/** pool(address,address,uint24) of the factory, tokens in either order */
const POOL_OF: Hex = "0xbecbcc6a";
/** pointDelta() of a pool: factories pair the same fee with different spacings */
const SPACING: Hex = "0x58c51ce6";
/**
 * Fees in ppm: those of a new factory, and those that its owners enabled later.
 *
 * @source izumiFinance/iZiSwap-core `3e8f627` contracts/iZiSwapFactory.sol; 500 and 3,000 are those of recorded pools
 */
const FEES = [100, 400, 500, 2_000, 3_000, 10_000];

type Facts = { readonly feePpm: number; readonly spacing: number };

function poolOf(
  deployment: Deployment,
  tokens: readonly [Address, Address],
  address: Address,
  facts: Facts,
): Pool {
  return {
    ...{ id: address, address, protocol: "iziswap", deployment: deployment.id },
    ...{ tokens, stateIds: [address], facts },
  };
}

export function discover(log: Log, deployment: Deployment): Pool | undefined {
  if (log.topics[0] !== NEW_POOL || log.address !== deployment.factory) return undefined;
  if (log.topics.length !== 4 || !hasWords(log.data, 2)) return undefined;
  const tokens = [addressAt(log.topics[1]!, 0), addressAt(log.topics[2]!, 0)] as const;
  const facts = { feePpm: Number(uintAt(log.topics[3]!, 0)), spacing: Number(uintAt(log.data, 0)) };
  return poolOf(deployment, tokens, addressAt(log.data, 1), facts);
}

/** Pools of the usual fees. */
export function byPair(deployment: Deployment): PairSource {
  return {
    ...{ target: deployment.factory, selector: POOL_OF, hashed: false, numbered: false, keys: FEES, word: 0 },
    details: (named) => [{ to: addressAt(named, 0), data: SPACING }],
    poolOf: (tokens, named, feePpm = 0, [spacing = "0x"]) =>
      hasWords(spacing, 1)
        ? poolOf(deployment, tokens, addressAt(named, 0), { feePpm, spacing: Number(intAt(spacing, 0)) })
        : undefined,
  };
}

export function touches(log: Log): readonly string[] {
  return stateTopics.includes(log.topics[0]!) ? [log.address] : [];
}

/** The state after a swap, which is computed again from the amounts of its log; after any other log the pool is read again. */
export function apply(state: State, log: Log): State | "reload" {
  if (log.topics[0] === SWAP && hasWords(log.data, 4)) return afterSwap(state, log.data);
  return stateTopics.includes(log.topics[0]!) ? "reload" : state;
}

/** The log does not say whether the input or the output was asked for, nor the limit. Only what agrees in all numbers is believed. */
function afterSwap(state: State, data: Hex): State | "reload" {
  const sellsX = uintAt(data, 0) === 1n;
  const [x, y] = [uintAt(data, 1), uintAt(data, 2)];
  const [taken, paid] = sellsX ? [x, y] : [y, x];
  for (const isOutput of [false, true]) {
    const amount = isOutput ? paid : taken;
    if (amount > MAX_AMOUNT) return "reload";
    const done = swap(state, { sellsX, isOutput, amount, limit: limitOf(state, sellsX) });
    const agrees = done?.taken === taken && done.paid === paid && done.next.point === Number(intAt(data, 3));
    if (agrees && done.isDone) return done.next;
  }
  return "reload";
}
