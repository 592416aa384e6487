import { leastInput } from "../../core/math/least-input.ts";
import { noJoint } from "../../core/math/sampling/joint-curves.ts";
import { sampledCurve } from "../../core/math/sampling/sampled-curve.ts";
import type { Protocol } from "../../core/protocol.ts";
import type { Hex, Log, Pool } from "../../core/types.ts";
import { uint256CurveStep } from "../shared/curve-step.ts";
import { type Order, quoteOwnState, type Trade } from "../shared/own-state.ts";
import { exchange } from "./exchange.ts";
import { gain } from "./gain.ts";
import { type Mirror, mirrorOf, quoteFloat } from "./mirror.ts";
import { byPair, creationTopics, discover, seeds } from "./pools.ts";
import { load, reads } from "./reads.ts";
import type { State } from "./state.ts";

/**
 * Gas units of one crossing through the router, by number of coins: if the pool may move its price scale, for which
 * it computes D again (`GAS`), and if it has not earned enough for that (`STILL_GAS`). The devnet's models need
 * 230,000 and 190,000 for two coins, 270,000 and 213,000 for three; they average prices more cheaply than the
 * contracts.
 */
const GAS = { 2: 260_000, 3: 310_000 } as const;
const STILL_GAS = { 2: 222_000, 3: 250_000 } as const;
const sizeOf = (coins: number) => (coins === 2 ? 2 : 3);

/**
 * Logs after which the state is read again: a trade changes averages, prices and profits that its log does not carry.
 */
const reloading: readonly Hex[] = [
  // TokenExchange(address,uint256,uint256,uint256,uint256), and with fee and packed_price_scale
  "0xb2e76ae99761dc136e598d4a629bb347eccb9532a5f8bbd72e18467c3c34cc98",
  "0x143f1f8e861fbdeddd5b46e844b7d3ac7b86a122f36e8c463859ee6811b1f29c",
  // AddLiquidity(address,uint256[N],uint256,uint256), N = 2, 3, and with packed_price_scale
  "0x540ab385f9b5d450a27404172caade516b3ba3f4be88239ac56a2ad1de2a1f5a",
  "0x96b486485420b963edd3fdec0b0195730035600feb7de6f544383d7950fa97ee",
  "0x7196cbf63df1f2ec20638e683ebe51d18260be510592ee1e2efe3f3cfd4c33e9",
  "0xe1b60455bd9e33720b547f60e4e0cfbf1252d0f2ee0147d53029945f39fe3c1a",
  // RemoveLiquidity(address,uint256[N],uint256), N = 2, 3
  "0xdd3c0336a16f1b64f172b7bb0dad5b2b3c7c76f91e8c4aafd6aae60dce800153",
  "0xd6cc314a0b1e3b2579f8e64248e82434072e8271290eef8ad0886709304195f5",
  // RemoveLiquidityOne(address,uint256,uint256,uint256), and with approx_fee and packed_price_scale
  "0x5ad056f2e28a8cec232015406b843668c1e36cda598127ec3b8c59b8c72773a0",
  "0xe200e24d4a4c7cd367dd9befe394dc8a14e6d58c88ff5e2f512d65a9e0aa9c5c",
  // NewParameters of six, seven and eight uint256
  "0xa32137411fc7c20db359079cd84af0e2cad58cd7a182a8a5e23e08e554e88bf0",
  "0x1c65bbdc939f346e5d6f0bde1f072819947438d4fc7b182cc59c2f6dc5504087",
  "0xb3f6a232492fbf4cd34152faeeb0ae859d7a0a0fba3031c9393bab392efa7174",
  // RampAgamma of six and four uint256, StopRampA(uint256,uint256,uint256)
  "0xe35f0559b0642164e286b30df2077ec3a05426617a25db7578fd20ba39a6cd05",
  "0x7dce008c7221b9d42f26174f7435e50f9cc8f502c57019724c090b546415a029",
  "0x5f0e7fba3d100c9e19446e1c92fe436f0a9a22fe99669360e4fdd6d3de2fc284",
  // ClaimAdminFee(address,uint256), ClaimAdminFee(address,uint256[N]), N = 2, 3
  "0x6059a38198b1dc42b3791087d1ff0fbd72b3179553c25f678cd246f52ffaaf59",
  "0x3bbd5f2f4711532d6e9ee88dfdf2f1468e9a4c3ae5e14d2e1a67bf4242d008d0",
  "0x5ebe66c628d0969a211b99673a322baa5fc8a62baf286c175e254daef76f5bcc",
];
const known: ReadonlySet<string> = new Set(reloading);
const isKnown = (log: Log) => known.has(log.topics[0]!);

/** Sells to or buys from the pool. @returns undefined if the contract would revert or pay nothing */
function trade(state: State, { i, j, amount, side, at }: Order): Trade<State> | undefined {
  if (amount <= 0n) return undefined;
  const sell = (dx: bigint) => exchange(state, { i, j, dx, timestamp: at.timestamp });
  const amountIn = side === "in" ? amount : priceOf(state, { i, j, amount }, (dx) => sell(dx)?.dy);
  const done = amountIn === undefined ? undefined : sell(amountIn);
  if (amountIn === undefined || done === undefined || done.dy === 0n) return undefined;
  const amountOut = side === "in" ? done.dy : amount;
  const gas = (done.next.isSettled ? STILL_GAS : GAS)[sizeOf(state.balances.length)];
  return { amountIn, amountOut, gas, next: done.next };
}

type Wanted = Pick<Order, "i" | "j" | "amount">;

/**
 * The least input that pays at least `amount`, since the contract only sells. The search starts at the price scale's
 * price.
 */
function priceOf(state: State, { i, j, amount }: Wanted, sell: (dx: bigint) => bigint | undefined) {
  if (amount >= state.balances[j]!) return undefined;
  const worth = (k: number) => state.precisions[k]! * (k === 0 ? 10n ** 18n : state.priceScale[k - 1]!);
  return leastInput(sell, amount, (amount * worth(j)) / worth(i));
}

/** Curve's crypto pools, of coins with different prices: tricrypto and twocrypto, first and newer generation. */
export const curveCrypto: Protocol<State, Mirror> = {
  name: "curve-crypto",
  topics: [...creationTopics, ...reloading],
  creations: creationTopics,
  byPair,
  hinted: () => [],
  bitmap: () => undefined,
  seeds,
  discover,
  touches: (log) => (isKnown(log) ? [log.address] : []),
  reads,
  load,
  apply: (state, log) => (isKnown(log) ? "reload" : state),
  stale: () => false,
  quote: quoteOwnState(trade),
  mirror: (state: State, _pool: Pool, at) => mirrorOf(state, at.timestamp),
  quoteFloat,
  curve: (mirror, i, j) => sampledCurve((x) => quoteFloat(mirror, i, j, x)),
  joint: noJoint,
  gain,
  gas: (pool) => STILL_GAS[sizeOf(pool.xp.length)],
  encode: uint256CurveStep,
};
