import type { Address } from "../core/types.ts";
import { ACCOUNTS, DAI, FEE_TOKEN, TRADER, USDC, USDS, USDT, WETH } from "./addresses.ts";
import sushiFile from "./data/sushi-v2.json" with { type: "json" };
import tokenFile from "./data/tokens.json" with { type: "json" };
import uniswapFile from "./data/uniswap-v2.json" with { type: "json" };
import type { Grant } from "./plan.ts";

/** A token of the devnet. `kind` names the code behind it; WETH is the real contract. */
export type DevnetToken = {
  readonly address: Address;
  readonly symbol: string;
  readonly name: string;
  readonly decimals: number;
  readonly kind: "weth" | "plain" | "tether" | "permit" | "dai" | "fee";
};

/** A constant-product pair with its reserves in smallest units. */
export type PairRecord = {
  readonly address: Address;
  readonly token0: Address;
  readonly token1: Address;
  readonly reserve0: bigint;
  readonly reserve1: bigint;
};

type PairRow = Record<"address" | "token0" | "token1" | "reserve0" | "reserve1", string>;

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

/** Real pairs, deepest first by their WETH. */
export const uniswapPairs: readonly PairRecord[] = uniswapFile.pairs.map(pairRecord);
export const sushiPairs: readonly PairRecord[] = sushiFile.pairs.map(pairRecord);

/**
 * The price level that everything made up must follow: both sides of the token's deepest WETH pair, in smallest units.
 *
 * @throws Error for a token that has no such pair
 */
export function reference(token: Address): { readonly weth: bigint; readonly amount: bigint } {
  if (token === WETH) return { weth: 1n, amount: 1n };
  const pair = uniswapPairs.find(({ token0, token1 }) => token0 === token || token1 === token);
  if (pair === undefined) throw new Error(`No pair prices ${token}.`);
  return pair.token0 === token
    ? { weth: pair.reserve1, amount: pair.reserve0 }
    : { weth: pair.reserve0, amount: pair.reserve1 };
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

function pairRecord(row: PairRow): PairRecord {
  return {
    address: row.address as Address,
    token0: row.token0 as Address,
    token1: row.token1 as Address,
    reserve0: BigInt(row.reserve0),
    reserve1: BigInt(row.reserve1),
  };
}
