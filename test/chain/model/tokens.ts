import { readFileSync } from "node:fs";
import type { Address } from "../../../src/core/types.ts";
import { mix, unit } from "./hash.ts";

/** The tokens of the fake chain, by number: hubs first, then the rest of the shipped list, then a long tail by formula. */
export type Tokens = {
  readonly hubs: number;
  /** Hubs and listed ones together. */
  readonly listed: number;
  /** All of them. */
  readonly count: number;
  address(n: number): Address;
  /** undefined: no token of this chain. */
  indexOf(address: Address): number | undefined;
  decimals(n: number): number;
  symbol(n: number): string;
  name(n: number): string;
  /** US dollars a whole token, as a double: what pools begin around. */
  price(n: number): number;
};

/** What most pools of Ethereum hold on one side, most used first. */
const HUBS =
  "WETH USDC USDT DAI WBTC wstETH weETH rETH cbETH cbBTC tBTC FRAX USDS sUSDS sUSDe USDe LUSD crvUSD GHO PYUSD LINK UNI AAVE MKR LDO CRV CVX BAL COMP SNX SHIB PEPE APE GRT ENS MATIC frxETH sfrxETH osETH stETH";

const PRICES: Readonly<Record<string, number>> = {
  WETH: 3000,
  WBTC: 90_000,
  cbBTC: 90_000,
  tBTC: 90_000,
  wstETH: 3600,
  weETH: 3200,
  rETH: 3400,
  cbETH: 3300,
  frxETH: 3000,
  sfrxETH: 3350,
  osETH: 3150,
  stETH: 3000,
  MKR: 1500,
};
const STABLE = /USD|DAI|FRAX|GHO/;

type Row = readonly [address: Address, symbol: string, name: string, decimals: number];

function listedRows(): Row[] {
  const file = new URL("../../../src/edge/token-lists/data/tokens.json", import.meta.url);
  const { tokens } = JSON.parse(readFileSync(file, "utf8")) as { tokens: Record<string, readonly Row[]> };
  const rows = tokens["1"] ?? [];
  const hubs = HUBS.split(" ").flatMap((symbol) => rows.filter((row) => row[1] === symbol).slice(0, 1));
  return [...hubs, ...rows.filter((row) => !hubs.includes(row))];
}

/** Odd, so that multiplying by it can be undone modulo 2^32. */
const SPREAD = 0x9e3779b1;
const UNSPREAD = 0x0e8b2f51;

/** @param tail tokens beside the listed ones */
export function createTokens(seed: number, tail: number): Tokens {
  const rows = listedRows();
  const hubs = HUBS.split(" ").filter((symbol) => rows.some((row) => row[1] === symbol)).length;
  const numbers = new Map(rows.map(([address], n) => [address, n]));
  const count = rows.length + tail;
  const part = (n: number, k: number) => mix(seed, n, k, 77).toString(16).padStart(8, "0");
  const tailAddress = (n: number): Address => {
    const last = ((Math.imul(n, SPREAD) ^ seed) >>> 0).toString(16).padStart(8, "0");
    return `0x${part(n, 0)}${part(n, 1)}${part(n, 2)}${part(n, 3)}${last}`;
  };
  const address = (n: number): Address => rows[n]?.[0] ?? tailAddress(n);
  return {
    hubs,
    listed: rows.length,
    count,
    address,
    indexOf(of) {
      const known = numbers.get(of);
      if (known !== undefined) return known;
      const n = Math.imul((Number.parseInt(of.slice(34), 16) ^ seed) >>> 0, UNSPREAD) >>> 0;
      return n >= rows.length && n < count && tailAddress(n) === of ? n : undefined;
    },
    decimals: (n) => rows[n]?.[3] ?? [18, 18, 18, 18, 18, 18, 9, 9, 6, 8][mix(seed, n, 5) % 10]!,
    symbol: (n) => rows[n]?.[1] ?? `T${n}`,
    name: (n) => rows[n]?.[2] ?? `Token number ${n}`,
    price(n) {
      const symbol = rows[n]?.[1] ?? "";
      const known = PRICES[symbol];
      if (known !== undefined) return known;
      if (n < rows.length && STABLE.test(symbol)) return 1;
      return 10 ** (unit(seed, n, 6) * 6 - 4);
    },
  };
}
