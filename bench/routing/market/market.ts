import { readFileSync } from "node:fs";
import type { Address, At, Pool } from "../../../src/core/types.ts";
import { decodeState } from "./decode.ts";
import {
  address,
  amountAt,
  BadInput,
  type Fields,
  fieldsOf,
  inside,
  listAt,
  numberAt,
  textAt,
} from "./fields.ts";
import type { MarketToken, Order } from "./schema.ts";

/** A market in memory: decoded pools and states, ready for the engine. */
export type Market = {
  native: Address;
  at: At;
  readonly tokens: Map<Address, MarketToken>;
  /** USD of one whole token, where the file says. */
  readonly usd: Map<Address, number>;
  readonly pools: Pool[];
  readonly states: Map<string, unknown>;
  /** Gas units that a pool states for itself. */
  readonly gas: Map<string, number>;
  /** Pools of protocols or with fees that the bench does not know. */
  ignored: number;
};

const WETH: Address = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";

export function emptyMarket(): Market {
  return {
    native: WETH,
    at: { blockNumber: 1, timestamp: 1 },
    tokens: new Map(),
    usd: new Map(),
    pools: [],
    states: new Map(),
    gas: new Map(),
    ignored: 0,
  };
}

/**
 * Reads market files, and the files of v2 pairs and weighted pools, into one market. A pool that an earlier file has
 * already described is ignored and counted.
 *
 * @throws BadInput naming file and field
 */
export function readMarket(files: readonly string[]): Market {
  const market = emptyMarket();
  for (const file of files) inside(`${file}: `, () => addFile(market, parse(file)));
  return market;
}

/** @throws BadInput naming file and field */
export function readOrders(file: string): Order[] {
  return inside(`${file}: `, () => {
    const content = parse(file);
    if (!Array.isArray(content)) throw new BadInput("a list of orders is wanted");
    return content.map((row, k) =>
      inside(`[${k}].`, () => {
        const fields = fieldsOf(row, "");
        return {
          tokenIn: address(fields.tokenIn, "tokenIn"),
          tokenOut: address(fields.tokenOut, "tokenOut"),
          amountIn: String(amountAt(fields, "amountIn")),
        };
      }),
    );
  });
}

function parse(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new BadInput(`cannot be read (${(error as Error).message})`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new BadInput(`no JSON (${(error as Error).message})`);
  }
}

/** Adds what a parsed file holds. */
export function addFile(market: Market, content: unknown): void {
  const file = fieldsOf(content, "file");
  const schema = textAt(file, "schema");
  const add = readers.get(schema);
  if (add === undefined) throw new BadInput(`schema: unknown "${schema}"`);
  add(market, file);
}

const readers = new Map<string, (market: Market, file: Fields) => void>([
  ["market/1", addMarket],
  ["pools-univ2/1", addPairs],
  ["pools-weighted/1", addWeighted],
]);

function addMarket(market: Market, file: Fields): void {
  market.native = address(file.native, "native");
  market.at = { blockNumber: numberAt(file, "block") + 1, timestamp: numberAt(file, "timestamp") + 12 };
  const usd = fieldsOf(file.usd ?? {}, "usd");
  for (const token of Object.keys(usd)) {
    market.usd.set(
      address(token, `usd.${token}`),
      inside("usd.", () => numberAt(usd, token)),
    );
  }
  for (const [k, row] of listAt(file, "tokens").entries()) {
    inside(`tokens[${k}].`, () => {
      const fields = fieldsOf(row, "");
      const token = address(fields.address, "address");
      const symbol = fields.symbol === undefined ? "" : textAt(fields, "symbol");
      market.tokens.set(token, { address: token, symbol, decimals: numberAt(fields, "decimals") });
    });
  }
  for (const [k, row] of listAt(file, "pools").entries()) {
    inside(`pools[${k}].`, () => addPool(market, fieldsOf(row, "")));
  }
}

function addPool(market: Market, row: Fields): void {
  const protocol = textAt(row, "protocol");
  const id = address(row.address, "address");
  const tokens = listAt(row, "tokens").map((token, k) => address(token, `tokens[${k}]`));
  if (tokens.length < 2 || new Set(tokens).size !== tokens.length)
    throw new BadInput("tokens: two different ones at least are wanted");
  const decoded = inside("state.", () => decodeState(protocol, fieldsOf(row.state, ""), tokens));
  if (decoded === undefined || market.states.has(id)) {
    market.ignored++;
    return;
  }
  market.pools.push({
    id,
    address: id,
    protocol: decoded.protocol,
    deployment: protocol,
    tokens,
    stateIds: decoded.base === undefined ? [id] : [id, decoded.base],
    facts: decoded.facts,
  });
  market.states.set(id, decoded.state);
  if (row.gas !== undefined) market.gas.set(id, numberAt(row, "gas"));
}

/** Token rows of the pool files: index, address and more; the index is the position. */
function tokenRows(file: Fields): readonly (readonly unknown[])[] {
  return listAt(file, "tokens").map((row, k) => {
    if (!Array.isArray(row) || row[0] !== k) throw new BadInput(`tokens[${k}]: its index must be ${k}`);
    return row;
  });
}

function addPairs(market: Market, file: Fields): void {
  const tokens = tokenRows(file).map(([, at, symbol, decimals], k) => {
    const token = address(at, `tokens[${k}][1]`);
    market.tokens.set(token, { address: token, symbol: String(symbol), decimals: Number(decimals) });
    return token;
  });
  const { feeNum, feeDen } = file;
  for (const [k, row] of listAt(file, "pairs").entries()) {
    inside(`pairs[${k}].`, () => {
      if (!Array.isArray(row)) throw new BadInput("a list of columns is wanted");
      const [at, a, b, reserve0, reserve1] = row as [string, number, number, string, string];
      const state = { reserves: [reserve0, reserve1], feeNum, feeDen };
      addPool(market, {
        protocol: "uniswap-v2",
        address: at,
        tokens: [known(tokens, a), known(tokens, b)],
        state,
      });
    });
  }
}

function addWeighted(market: Market, file: Fields): void {
  const tokens = tokenRows(file).map(([, at, decimals], k) => {
    const token = address(at, `tokens[${k}][1]`);
    market.tokens.set(token, { address: token, symbol: "", decimals: Number(decimals) });
    return { token, decimals: Number(decimals) };
  });
  for (const [k, row] of listAt(file, "pools").entries()) {
    inside(`pools[${k}].`, () => {
      if (!Array.isArray(row) || !Array.isArray(row[2])) throw new BadInput("[2]: a list of coins is wanted");
      const [id, swapFee, coins] = row as [string, string, [number, string, string][]];
      const held = coins.map(([n]) => known(tokens, n));
      // The vault does not take such tokens: it could not scale them up to 18 digits.
      if (held.some(({ decimals }) => !(decimals <= 18))) {
        market.ignored++;
        return;
      }
      const raw = coins.map(([, , weight]) => units(weight, 18));
      const total = raw.reduce((sum, weight) => sum + weight, 0n);
      const state = {
        balances: coins.map(([, balance], n) => String(units(balance, held[n]!.decimals))),
        weights: raw.map((weight) => String((weight * 10n ** 18n) / total)),
        scalingFactors: held.map(({ decimals }) => String(10n ** BigInt(18 - decimals))),
        swapFee: String(units(swapFee, 18)),
        powVersion: "v2",
      };
      const pool = { protocol: "balancer-v2-weighted", address: id, tokens: held.map((h) => h.token), state };
      addPool(market, pool);
    });
  }
}

function known<T>(tokens: readonly T[], n: number): T {
  const token = tokens[n];
  if (token === undefined) throw new BadInput(`no token has the index ${JSON.stringify(n)}`);
  return token;
}

/** A decimal string in units of 10^-decimals, rounded down. */
function units(text: string, decimals: number): bigint {
  if (!/^[0-9]+(\.[0-9]*)?$/.test(text))
    throw new BadInput(`a decimal is wanted, not ${JSON.stringify(text)}`);
  const [whole = "0", fraction = ""] = text.split(".");
  return BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, "0"));
}
