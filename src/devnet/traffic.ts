import type { Hex } from "../core/types.ts";
import { TRADER } from "./plan/addresses.ts";
import type { Venue } from "./plan/plan.ts";
import { quantity, type Rpc } from "./rpc.ts";

const TRADES_PER_BLOCK = 3;
const TRADE_GAS = 800_000;

/** A trade is between these shares of what the pool held at the start, evenly spread over powers of ten. */
const SMALLEST_SHARE = 1e-4;
const LARGEST_SHARE = 4e-3;

/** A price this far from its start, as a natural logarithm, is always moved back; nearer, the more often the farther. */
const FARTHEST = 0.02;

/** One decision of the trader. */
type Trade = { readonly venue: Venue; readonly i: 0 | 1; readonly amountIn: bigint };

/**
 * Sends the trades of one block, one after the other, through the protocols' own routers.
 *
 * @param blockNumber the block that is to have them; with the prices it decides what is traded
 */
export async function sendTraffic(rpc: Rpc, venues: readonly Venue[], blockNumber: number): Promise<void> {
  const random = randomOf(blockNumber);
  for (let count = 0; count < TRADES_PER_BLOCK; count++) {
    const venue = venues[Math.floor(random() * venues.length)]!;
    const price = venue.priceOf(await rpc.call<Hex>("eth_call", [venue.read, "latest"]));
    const { i, amountIn } = decide(venue, price, random);
    const { to, data } = venue.trade(i, amountIn, TRADER);
    await rpc.call("eth_sendTransaction", [{ from: TRADER, to, data, gas: quantity(TRADE_GAS) }]);
  }
}

/**
 * What to trade at a price: a random walk on a rubber band.
 *
 * @param random numbers in [0, 1)
 */
export function decide(venue: Venue, price: number, random: () => number): Trade {
  const distance = Math.log(price / venue.price);
  // Selling token 0 lowers the price.
  const sellFirst = 0.5 + distance / (2 * FARTHEST);
  const i = random() < sellFirst ? 0 : 1;
  const share = SMALLEST_SHARE * (LARGEST_SHARE / SMALLEST_SHARE) ** random();
  // In millionths of a millionth, so that the share of a large reserve keeps its digits.
  const amountIn = (venue.depth[i] * BigInt(Math.round(share * 1e12))) / 10n ** 12n;
  return { venue, i, amountIn: amountIn === 0n ? 1n : amountIn };
}

/** Numbers in [0, 1) that depend on the seed only: a 32-bit counter, mixed. */
export function randomOf(seed: number): () => number {
  let counter = seed >>> 0;
  return () => {
    counter = (counter + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(counter ^ (counter >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}
