import { decodeFunctionResult, encodeFunctionData, erc20Abi, type Hex, parseAbi } from "viem";
import { isCrossed, type Level } from "../../src/core/rfq.ts";

/** JSON-RPC to a node. */
export type Rpc = <T>(method: string, params: readonly unknown[]) => Promise<T>;

export type Pair = readonly [Hex, Hex];

/** What the maker says to `GET /levels`. */
export type Book = {
  readonly directions: readonly {
    readonly sold: Hex;
    readonly bought: Hex;
    readonly levels: readonly Level[];
  }[];
  readonly inventory: ReadonlyMap<Hex, bigint>;
};

const factoryAbi = parseAbi(["function getPair(address a, address b) view returns (address)"]);
const pairAbi = parseAbi([
  "function getReserves() view returns (uint112 reserve0, uint112 reserve1, uint32 at)",
]);

const FACTORY: Hex = "0x5c69bee701ef814a2b6a3edd4b1652cb9cc5aa6f";

/** Half of the spread, what each further level costs, and how far a one-sided inventory moves the price; millionths. */
const SPREAD_PPM = 200;
const STEP_PPM = 50;
const SKEW_PPM = 150;
const LEVELS = 6;
/** The first level is this part of the inventory; each is twice the one before. */
const FIRST_PART = 512n;

const PPM = 1_000_000n;

async function call(rpc: Rpc, to: Hex, data: Hex): Promise<Hex> {
  return rpc("eth_call", [{ to, data }, "latest"]);
}

async function reserves(rpc: Rpc, [a, b]: Pair): Promise<readonly [bigint, bigint]> {
  const asked = encodeFunctionData({ abi: factoryAbi, functionName: "getPair", args: [a, b] });
  const pair: Hex = `0x${(await call(rpc, FACTORY, asked)).slice(26)}`;
  const answer = await call(rpc, pair, encodeFunctionData({ abi: pairAbi, functionName: "getReserves" }));
  const [one, two] = decodeFunctionResult({ abi: pairAbi, functionName: "getReserves", data: answer });
  return a < b ? [one, two] : [two, one];
}

async function balance(rpc: Rpc, token: Hex, account: Hex): Promise<bigint> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [account] });
  return BigInt(await call(rpc, token, data));
}

/** Levels around the price of Uniswap v2's pools; who holds more of one token sells it cheaper and buys it for less. */
export async function makeBook(rpc: Rpc, account: Hex, pairs: readonly Pair[]): Promise<Book> {
  const tokens = [...new Set(pairs.flat())];
  const held = await Promise.all(tokens.map((token) => balance(rpc, token, account)));
  const inventory = new Map(tokens.map((token, k) => [token, held[k]!]));
  const sides = await Promise.all(
    pairs.map(async ([a, b]) => {
      const [reserveA, reserveB] = await reserves(rpc, [a, b]);
      const [stockA, stockB] = [inventory.get(a)!, inventory.get(b)!];
      const worthA = Number(stockA) * (Number(reserveB) / Number(reserveA));
      const skew = Math.round((SKEW_PPM * (worthA - Number(stockB))) / (worthA + Number(stockB) || 1));
      const onward = levelsOf(stockB, [reserveA, reserveB], SPREAD_PPM + skew);
      const back = levelsOf(stockA, [reserveB, reserveA], SPREAD_PPM - skew);
      if (isCrossed([onward, back])) throw new Error("the book is crossed");
      return [
        { sold: a, bought: b, levels: onward },
        { sold: b, bought: a, levels: back },
      ];
    }),
  );
  return { directions: sides.flat(), inventory };
}

/** @param stock of the token that the maker pays */
function levelsOf(stock: bigint, [sold, bought]: readonly [bigint, bigint], ppm: number): Level[] {
  return Array.from({ length: LEVELS }, (_, k) => {
    const amountIn = ((stock / FIRST_PART) * 2n ** BigInt(k) * sold) / bought;
    const worth = PPM - BigInt(ppm + STEP_PPM * k);
    return { amountIn, amountOut: (amountIn * bought * worth) / (sold * PPM) };
  }).filter(({ amountOut }) => amountOut > 0n);
}
