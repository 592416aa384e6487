import {
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionData,
  encodeFunctionResult,
  parseAbi,
} from "viem/utils";
import { expect } from "vitest";
import type { Deployment, Hex, Log, Pool } from "../../core/types.ts";
import { emptyPool, minted } from "../shared/concentrated/concentrated-arbitrary.ts";
import { POOL, subjectOf } from "./arbitrary.ts";
import { uniswapV3 } from "./index.ts";
import type { State } from "./state.ts";

export const limits = { numRuns: 60 };
export const abi = parseAbi([
  "event PoolCreated(address indexed token0, address indexed token1, uint24 indexed fee, int24 tickSpacing, address pool)",
  "event Initialize(uint160 sqrtPriceX96, int24 tick)",
  "event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)",
  "event Mint(address sender, address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)",
  "event Burn(address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)",
  "function slot0() view returns (uint160 sqrtPriceX96, int24 tick, uint16, uint16, uint16, uint8, bool)",
  "function liquidity() view returns (uint128)",
  "function tickBitmap(int16) view returns (uint256)",
  "function ticks(int24) view returns (uint128, int128, uint256, uint256, int56, uint160, uint32, bool)",
]);
export const wider = parseAbi([
  "event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick, uint128 fees0, uint128 fees1)",
]);

export const WHO = "0x00000000000000000000000000000000000000cc";
export const factory = "0x1f98431c8ad98523631ae4a59f267346ea31f984";
export const at = { blockNumber: 1, timestamp: 1 };
export const deployment: Deployment = {
  id: "uniswap-v3",
  protocol: "uniswap-v3",
  name: "Uniswap_V3",
  factory,
  fromBlock: 0,
  trusted: true,
  facts: {},
  source: "test",
};

export const log = (topics: unknown, data: Hex): Log => ({ address: POOL, topics: topics as Hex[], data });
export const words = (...values: bigint[]) =>
  encodeAbiParameters(
    values.map(() => ({ type: "int256" }) as const),
    values,
  );

export function swapLog({ sqrtPriceX96, liquidity, tick }: State): Log {
  const topics = encodeEventTopics({ abi, eventName: "Swap", args: { sender: WHO, recipient: WHO } });
  return log(topics, words(5n, -6n, sqrtPriceX96, liquidity, BigInt(tick)));
}

export function mintLog(lower: number, upper: number, amount: bigint): Log {
  const args = { owner: WHO, tickLower: lower, tickUpper: upper } as const;
  return log(encodeEventTopics({ abi, eventName: "Mint", args }), words(BigInt(WHO), amount, 1n, 2n));
}

export function burnLog(lower: number, upper: number, amount: bigint): Log {
  const args = { owner: WHO, tickLower: lower, tickUpper: upper } as const;
  return log(encodeEventTopics({ abi, eventName: "Burn", args }), words(amount, 1n, 2n));
}

/** A pool contract with this state: its answers to the reads. */
export function contractOf(state: State): (data: Hex) => Hex {
  const bitmap = new Map<number, bigint>();
  for (const tick of state.ticks) {
    const compressed = tick / state.tickSpacing;
    const bit = 1n << BigInt(((compressed % 256) + 256) % 256);
    bitmap.set(compressed >> 8, (bitmap.get(compressed >> 8) ?? 0n) | bit);
  }
  const answers = new Map<Hex, Hex>();
  answers.set(
    encodeFunctionData({ abi, functionName: "slot0" }),
    encodeFunctionResult({
      abi,
      functionName: "slot0",
      result: [state.sqrtPriceX96, state.tick, 1, 1, 1, 0, true],
    }),
  );
  answers.set(encodeFunctionData({ abi, functionName: "liquidity" }), words(state.liquidity));
  for (const [position, bits] of bitmap)
    answers.set(
      encodeFunctionData({ abi, functionName: "tickBitmap", args: [position] }),
      encodeFunctionResult({ abi, functionName: "tickBitmap", result: bits }),
    );
  state.ticks.forEach((tick, k) => {
    answers.set(
      encodeFunctionData({ abi, functionName: "ticks", args: [tick] }),
      words(state.grosses[k]!, state.nets[k]!, 0n, 0n, 0n, 0n, 0n, 1n),
    );
  });
  return (data) => answers.get(data) ?? words(0n);
}

/** Reads until no call is left, as the edge does. */
export function readAll(pool: Pool, answer: (data: Hex) => Hex): { answers: Hex[]; rounds: number[] } {
  const answers: Hex[] = [];
  const rounds: number[] = [];
  for (let calls = uniswapV3.reads(pool, answers); calls.length > 0; calls = uniswapV3.reads(pool, answers)) {
    for (const call of calls) expect(call.to).toBe(pool.address);
    answers.push(...calls.map(({ data }) => answer(data)));
    rounds.push(calls.length);
  }
  return { answers, rounds };
}

export function loaded(state: State): unknown {
  const { pool } = subjectOf(state);
  return uniswapV3.load(pool, readAll(pool, contractOf(state)).answers, at);
}

export const start = emptyPool({ feePpm: 3000, tickSpacing: 60 }, 7, 0);
export const some = minted(start, { lower: -600, upper: 600, liquidity: 10n ** 18n });
