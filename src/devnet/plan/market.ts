import type { Address } from "../../core/types.ts";
import tokenFile from "../data/tokens.json" with { type: "json" };
import { ACCOUNTS, DAI, FEE_TOKEN, PYUSD, SUSDS, TRADER, USDC, USDS, USDT, WETH } from "./addresses.ts";
import type { Grant } from "./plan.ts";
import { type PairRecord, recordedSushi, recordedUniswap } from "./searcher/recorded.ts";
import { agreedPrices, type Peg, traded } from "./searcher/searcher.ts";

/** A token of the devnet. `kind` selects its code; WETH has the bytecode of mainnet. */
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

/** Only traded at par, and sUSDS at its savings rate, because they are younger than the recorded pairs. */
const young: readonly DevnetToken[] = [
  { address: USDS, symbol: "USDS", name: "USDS Stablecoin", decimals: 18, kind: "plain" },
  { address: SUSDS, symbol: "sUSDS", name: "Savings USDS", decimals: 18, kind: "plain" },
  { address: PYUSD, symbol: "PYUSD", name: "PayPal USD", decimals: 6, kind: "plain" },
];

/** Every token that has a contract on the devnet. */
export const tokens: readonly DevnetToken[] = [
  ...tokenFile.tokens.map((token) => {
    const address = token.address as Address;
    return { ...token, address, kind: KINDS[address] ?? "plain" };
  }),
  feeToken,
  ...young,
];

/** Stablecoins that are pegged to each other, whatever the recorded pairs say: dollar pools hold them one for one. */
const DOLLARS: Peg = [
  [DAI, 1],
  [USDC, 1e12],
  [USDT, 1e12],
];

/** Token prices in wei per smallest unit, after arbitrage between the recorded pairs. Designed pools start at them. */
export const prices = agreedPrices({ pairs: [...recordedUniswap, ...recordedSushi], numeraire: WETH }, [
  DOLLARS,
]);

/** The recorded pairs after all arbitrage between them, ordered by WETH reserve, the deepest first. */
export const uniswapPairs: readonly PairRecord[] = recordedUniswap.map((pair) => traded(pair, prices));
export const sushiPairs: readonly PairRecord[] = recordedSushi.map((pair) => traded(pair, prices));

/**
 * Depth and price of a token: the WETH reserve of its deepest pair, and the amount of the token that is worth as much,
 * in smallest units. The pair's own reserve of the token differs by up to the fee.
 *
 * @throws Error for a token without a pair
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
 * Converts an amount of a token to another token at the prices of `reference`, in smallest units, rounded down.
 *
 * @throws Error for a token without a pair
 */
export function worth(amount: bigint, token: Address, inToken: Address): bigint {
  const [from, to] = [reference(token), reference(inToken)];
  return (amount * from.weth * to.amount) / (from.amount * to.weth);
}

/**
 * Tokens of the ten accounts and the trader: a quarter of the token's depth each, so that a fifth of any pool can be
 * traded. The smallest of these amounts is worth more than 100,000 USD.
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
  if (token === PYUSD) return reference(DAI).amount / 10n ** 12n;
  return reference(token === USDS || token === SUSDS ? DAI : token).amount;
}
