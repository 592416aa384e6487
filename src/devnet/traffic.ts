import type { Hex } from "../core/types.ts";
import { TRADER } from "./plan/addresses.ts";
import type { Venue } from "./plan/plan.ts";
import { quantity, type Rpc } from "./rpc.ts";

const TRADES_PER_BLOCK = 3;
const TRADE_GAS = 800_000;

/** Range of a trade's size as a share of the pool's initial amount of the token sold; log-uniformly distributed. */
const SMALLEST_SHARE = 1e-4;
const LARGEST_SHARE = 4e-3;

/** Distance from the initial price, as a natural logarithm, from which on every trade moves the price back. */
const FARTHEST = 0.02;

/** One decision of the trader. */
type Trade = { readonly venue: Venue; readonly i: 0 | 1; readonly amountIn: bigint };

/**
 * Sends the trades of one block in sequence, through the protocols' own routers.
 *
 * @param blockNumber number of the block that is to include the trades; it seeds the random numbers
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
 * Chooses a trade so that the price makes a random walk with mean reversion: the farther it is from the initial price,
 * the more likely a trade moves it back.
 *
 * @param random numbers in [0, 1)
 */
export function decide(venue: Venue, price: number, random: () => number): Trade {
  const distance = Math.log(price / venue.price);
  // Selling token 0 lowers the price.
  const sellFirst = 0.5 + distance / (2 * FARTHEST);
  const i = random() < sellFirst ? 0 : 1;
  const share = SMALLEST_SHARE * (LARGEST_SHARE / SMALLEST_SHARE) ** random();
  // The share is a fixed-point number with 12 digits, so that a large reserve keeps its precision.
  const amountIn = (venue.depth[i] * BigInt(Math.round(share * 1e12))) / 10n ** 12n;
  return { venue, i, amountIn: amountIn === 0n ? 1n : amountIn };
}

/** A deterministic generator of numbers in [0, 1): a hashed 32-bit counter. */
export function randomOf(seed: number): () => number {
  let counter = seed >>> 0;
  return () => {
    counter = (counter + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(counter ^ (counter >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}
