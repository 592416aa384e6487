import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { keccak256 } from "viem/utils";
import tokenArtifact from "../../../contracts/devnet/out/Token.json" with { type: "json" };
import viewArtifact from "../../../contracts/devnet/out/V4StateView.json" with { type: "json" };
import type { Address, Hex } from "../../../src/core/types.ts";
import type { Chain } from "../blocks/chain.ts";
import { bitmapOf, tickAt } from "../contracts/ticks.ts";
import { STATE_VIEW } from "../model/families.ts";
import { word } from "../model/hash.ts";
import { isPair, type PoolState, type TickState } from "../model/states.ts";
import type { Range } from "../model/universe.ts";

/**
 * The same pools as accounts of a real node: the protocols' own bytecode, and the storage that they would have. What the model
 * answers, and the gas that reading costs, is held against it.
 *
 * @source storage layouts: Uniswap/v2-core UniswapV2Pair, UniswapV2Factory; v3-core UniswapV3Pool, UniswapV3Factory; v4-core
 *         StateLibrary
 */

export type Account = { balance: string; code?: Hex; storage?: Record<Hex, Hex> };
export type Accounts = Record<Address, Account>;

const require = createRequire(import.meta.url);

function runtimeCode(file: string): Hex {
  const artifact = JSON.parse(readFileSync(require.resolve(file), "utf8")) as {
    deployedBytecode?: string | { object: string };
    evm?: { deployedBytecode: { object: string } };
  };
  const code = artifact.deployedBytecode ?? artifact.evm!.deployedBytecode;
  return `0x${(typeof code === "string" ? code : code.object).replace(/^0x/, "")}`;
}

const CODE = {
  pair: () => runtimeCode("@uniswap/v2-core/build/UniswapV2Pair.json"),
  pairFactory: () => runtimeCode("@uniswap/v2-core/build/UniswapV2Factory.json"),
  pool: () => runtimeCode("@uniswap/v3-core/artifacts/contracts/UniswapV3Pool.sol/UniswapV3Pool.json"),
  poolFactory: () =>
    runtimeCode("@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json"),
  manager: () => runtimeCode("@uniswap/v4-core/out/PoolManager.sol/PoolManager.json"),
};

const slot = (value: bigint | number): Hex => `0x${word(BigInt.asUintN(256, BigInt(value)))}`;
const entry = (key: Hex | bigint | number, mapping: Hex | bigint | number): bigint =>
  BigInt(keccak256(`0x${bare(key)}${bare(mapping)}`));
const bare = (value: Hex | bigint | number) =>
  typeof value === "string" ? value.slice(2).padStart(64, "0") : word(BigInt.asUintN(256, BigInt(value)));

/** Mapping of balances in `contracts/devnet/tokens/Ledger.sol`. */
const TOKEN_BALANCES = 4;

/** Every pool that exists at the newest block, its factories and its tokens. */
export function realAccounts(chain: Chain): Accounts {
  const accounts: Accounts = {};
  const put = (address: Address, code: Hex) => {
    accounts[address] ??= { balance: "0x0", code, storage: {} };
    return accounts[address].storage as Record<Hex, Hex>;
  };
  for (const range of chain.universe.ranges) placeRange(chain, range, put);
  put(STATE_VIEW, viewArtifact.runtimeCode as Hex)[slot(0)] = slot(BigInt(managerOf(chain)));
  return accounts;
}

type Put = (address: Address, code: Hex) => Record<Hex, Hex>;

function managerOf({ universe }: Chain): Address {
  return universe.ranges.find(({ kind }) => kind === "v4")!.factory;
}

function placeRange(chain: Chain, range: Range, put: Put): void {
  const { universe } = chain;
  const codes = { v2: CODE.pairFactory, v3: CODE.poolFactory, v4: CODE.manager };
  const own = put(range.factory, codes[range.kind]());
  const poolCode = range.kind === "v4" ? undefined : range.kind === "v2" ? CODE.pair() : CODE.pool();
  for (let pool = range.first; pool < range.first + range.count; pool++) {
    const state = chain.state(pool, chain.head());
    if (state === undefined) continue;
    const key = universe.key(pool);
    const tokens = universe.pairAddresses(pool);
    register(own, { range, key, tokens, fee: universe.tier(pool)[0], k: pool - range.first });
    const base = range.kind === "v4" ? entry(key, 6) : 0n;
    const storage = poolCode === undefined ? own : put(key, poolCode);
    writeState(storage, { state, base, isV4: range.kind === "v4", feePpm: universe.tier(pool)[0] });
    if (range.kind !== "v4") placeTokens(chain, pool, put);
    if (isPair(state)) writePair(storage, { range, tokens, timestamp: chain.head().timestamp });
  }
  if (range.kind === "v2") own[slot(3)] = slot(chain.made(range, chain.head()));
}

type Registered = {
  readonly range: Range;
  readonly key: Hex;
  readonly tokens: readonly [Address, Address];
  readonly fee: number;
  readonly k: number;
};

function register(own: Record<Hex, Hex>, { range, key, tokens: [a, b], fee, k }: Registered): void {
  if (range.kind === "v2") {
    own[slot(entry(b, entry(a, 2)))] = slot(BigInt(key));
    own[slot(entry(a, entry(b, 2)))] = slot(BigInt(key));
    own[slot(BigInt(keccak256(slot(3))) + BigInt(k))] = slot(BigInt(key));
  }
  if (range.kind === "v3") {
    own[slot(entry(fee, entry(b, entry(a, 5))))] = slot(BigInt(key));
    own[slot(entry(fee, entry(a, entry(b, 5))))] = slot(BigInt(key));
  }
}

function writePair(
  storage: Record<Hex, Hex>,
  { range, tokens, timestamp }: { range: Range; tokens: readonly [Address, Address]; timestamp: number },
): void {
  storage[slot(5)] = slot(BigInt(range.factory));
  storage[slot(6)] = slot(BigInt(tokens[0]));
  storage[slot(7)] = slot(BigInt(tokens[1]));
  storage[slot(12)] = slot(1);
  storage[slot(8)] = slot(BigInt(storage[slot(8)] as Hex) | (BigInt(timestamp % 2 ** 32) << 224n));
}

type Written = {
  readonly state: PoolState;
  readonly base: bigint;
  readonly isV4: boolean;
  readonly feePpm: number;
};

function writeState(storage: Record<Hex, Hex>, { state, base, isV4, feePpm }: Written): void {
  if (isPair(state)) {
    storage[slot(8)] = slot((state.reserves[1] << 112n) | state.reserves[0]);
    return;
  }
  const tick = BigInt.asUintN(24, BigInt(state.tick)) << 160n;
  const rest = isV4 ? BigInt(feePpm) << 208n : (1n << 200n) | (1n << 216n) | (1n << 240n);
  if (state.sqrtPriceX96 > 0n) storage[slot(base)] = slot(state.sqrtPriceX96 | tick | rest);
  if (state.liquidity > 0n) storage[slot(base + (isV4 ? 3n : 4n))] = slot(state.liquidity);
  writeTicks(storage, state, isV4 ? [base + 4n, base + 5n, false] : [5n, 6n, true]);
}

function writeTicks(
  storage: Record<Hex, Hex>,
  state: TickState,
  [ticks, bitmap, marks]: readonly [bigint, bigint, boolean],
): void {
  for (const tick of state.ticks) {
    const [gross, net] = tickAt(state, tick);
    const at = entry(tick, ticks);
    storage[slot(at)] = slot((BigInt.asUintN(128, net) << 128n) | gross);
    if (marks) storage[slot(at + 3n)] = slot(1n << 248n);
  }
  for (const [number, bits] of bitmapOf(state)) storage[slot(entry(number, bitmap))] = slot(bits);
}

/** The tokens' balances of a pool, as the model's tokens say them. */
function placeTokens(chain: Chain, pool: number, put: Put): void {
  const state = chain.state(pool, chain.head())!;
  for (const [k, token] of chain.universe.pairAddresses(pool).entries()) {
    const balances = put(token, tokenArtifact.runtimeCode as Hex);
    const key = slot(entry(chain.universe.key(pool), TOKEN_BALANCES));
    if (isPair(state)) balances[key] = slot(state.reserves[k] as bigint);
  }
}
