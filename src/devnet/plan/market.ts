import type { Address } from "../../core/types.ts";
import tokenFile from "../data/tokens.json" with { type: "json" };
import { ACCOUNTS, DAI, FEE_TOKEN, TRADER, USDC, USDS, USDT, WETH } from "./addresses.ts";
import type { Grant } from "./plan.ts";
import { type PairRecord, recordedSushi, recordedUniswap } from "./searcher/recorded.ts";
import { agreedPrices, type Peg, traded } from "./searcher/searcher.ts";

/** A token of the devnet. `kind` names the code behind it; WETH is the real contract. */
export type DevnetToken = {
  readonly address: Address;
  readonly symbol: string;
  readonly name: string;
  readonly decimals: number;
  readonly kind: "weth" | "plain" | "tether" | "permit" | "dai" | "fee";
};

const KINDS: Readonly<Record<Address, DevnetToken["kind"]>> = {
  [WETH]: "weth",
  [USDT]: "tether",
  [USDC]: "permit",
  [DAI]: "dai",
};

const feeToken: DevnetToken = {
  address: FEE_TOKEN,
  symbol: "FEE",
  name: "Fee on transfer",
  decimals: 18,
  kind: "fee",
};

/** Younger than the pairs of the market: only its converter trades it. */
const usds: DevnetToken = {
  address: USDS,
  symbol: "USDS",
  name: "USDS Stablecoin",
  decimals: 18,
  kind: "plain",
};

/** Every token that has a contract on the devnet. */
export const tokens: readonly DevnetToken[] = [
  ...tokenFile.tokens.map((token) => {
    const address = token.address as Address;
    return { ...token, address, kind: KINDS[address] ?? "plain" };
  }),
  feeToken,
  usds,
];

/** Worth a dollar each: the pools of dollars hold them one for one, whatever the recorded pairs said. */
const DOLLARS: Peg = [
  [DAI, 1],
  [USDC, 1e12],
  [USDT, 1e12],
];

/** Wei by smallest unit of a token, as a searcher leaves the recorded pairs; everything made up stands at these. */
export const prices = agreedPrices({ pairs: [...recordedUniswap, ...recordedSushi], numeraire: WETH }, [
  DOLLARS,
]);

/** The recorded pairs, deepest first by their WETH, after a searcher has taken what arbitrage between them pays. */
export const uniswapPairs: readonly PairRecord[] = recordedUniswap.map((pair) => traded(pair, prices));
export const sushiPairs: readonly PairRecord[] = recordedSushi.map((pair) => traded(pair, prices));

/**
 * How deep a token is, and its price: the WETH in its deepest pair, and as much of the token as that is worth, in smallest
 * units. The pair itself may hold up to a fee more or less.
 *
 * @throws Error for a token that has no such pair
 */
export function reference(token: Address): { readonly weth: bigint; readonly amount: bigint } {
  if (token === WETH) return { weth: 1n, amount: 1n };
  const pair = uniswapPairs.find(({ token0, token1 }) => token0 === token || token1 === token);
  const price = prices.get(token);
  if (pair === undefined || price === undefined) throw new Error(`No pair prices ${token}.`);
  const weth = pair.token0 === token ? pair.reserve1 : pair.reserve0;
  return { weth, amount: BigInt(Math.round(Number(weth) / price)) };
}

/**
 * What an amount of one token is worth in another at that price level, rounded down; both in smallest units.
 *
 * @throws Error for a token that has no such pair
 */
export function worth(amount: bigint, token: Address, inToken: Address): bigint {
  const [from, to] = [reference(token), reference(inToken)];
  return (amount * from.weth * to.amount) / (from.amount * to.weth);
}

/**
 * What the ten accounts and the trader hold of every token: a quarter of its deepest pair, so that a trade of a fifth of
 * any pool can be made. The smallest of these is worth more than 100,000 USD.
 */
export function walletGrants(): Grant[] {
  const holders = [...ACCOUNTS, TRADER];
  return tokens.flatMap(({ address: token }) => {
    const amount = token === FEE_TOKEN ? 10n ** 24n : deepest(token) / 4n;
    return holders.map((holder) => ({ holder, token, amount }));
  });
}

function deepest(token: Address): bigint {
  if (token === WETH) return reference(USDT).weth;
  return reference(token === USDS ? DAI : token).amount;
}
