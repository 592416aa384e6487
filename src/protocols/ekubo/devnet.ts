import type { Hex } from "viem";
import { encodeFunctionData, parseAbi } from "viem/utils";
import coreArtifact from "../../../contracts/devnet/out/EkuboCore.json" with { type: "json" };
import { word } from "../../core/abi.ts";
import {
  compact,
  MAX_TICK,
  MIN_TICK,
  sqrtPriceOf,
  tickAtPrice,
  ticksBetween,
} from "../../core/math/ekubo/ekubo-price.ts";
import type { Address, Deployment } from "../../core/types.ts";
import { DAI, USDC, WBTC, WETH } from "../../devnet/plan/addresses.ts";
import { reference } from "../../devnet/plan/market.ts";
import {
  type DevnetProtocol,
  type Grant,
  planOfModels,
  type SeedTransaction,
} from "../../devnet/plan/plan.ts";

const CORE: Address = "0x00000000000014aa86c5d3c41765bb24e11bd701";
const NATIVE_THERE = "0x0000000000000000000000000000000000000000";

const abi = parseAbi([
  "struct PoolKey { address token0; address token1; bytes32 config; }",
  "struct TickDelta { int32 number; int128 liquidityDelta; }",
  "struct QuoteData { int32 tick; uint96 sqrtRatio; uint128 liquidity; int32 minTick; int32 maxTick; TickDelta[] ticks; }",
  "function open(PoolKey key, uint256 price, TickDelta[] ticks)",
  "function unwrap(address wrapper, uint256 amount)",
  "function getQuoteData(PoolKey[] keys, uint32 words) view returns (QuoteData[])",
]);

const deployment: Deployment = {
  id: "ekubo",
  protocol: "ekubo",
  name: "Ekubo",
  factory: CORE,
  fromBlock: 0,
  trusted: true,
  facts: { lens: CORE },
  source: "a model at Ethereum's address, its lens included: contracts/devnet/ekubo/EkuboCore.sol",
};

type Order = {
  /** Ascending; WETH stands for the native coin, which it is worth. */
  readonly tokens: readonly [Address, Address];
  /** Fraction of the input. */
  readonly fee: number;
  /** Ticks between initialised ticks; 0 is a pool over all prices. */
  readonly spacing: number;
  /** Value of all positions in percent of the depth of the shallower token's deepest pair. */
  readonly depthPercent: number;
  readonly isNative: boolean;
};

const orders: readonly Order[] = [
  { tokens: [WETH, USDC], fee: 0.0005, spacing: 1000, depthPercent: 6, isNative: true },
  { tokens: [WETH, USDC], fee: 0.003, spacing: 0, depthPercent: 6, isNative: true },
  { tokens: [WBTC, WETH], fee: 0.001, spacing: 5982, depthPercent: 8, isNative: false },
  { tokens: [DAI, USDC], fee: 0.0001, spacing: 100, depthPercent: 3, isNative: false },
];

/** Ends of the positions relative to the price, in tick spacings, with their share of the pool's value in percent. */
const RANGES = [
  [-200, 200, 40],
  [-40, 40, 30],
  [-8, 9, 20],
  [3, 60, 10],
] as const;

type Design = {
  readonly price: bigint;
  readonly ticks: readonly { readonly number: number; readonly liquidityDelta: bigint }[];
  readonly stock: readonly [bigint, bigint];
};

/** A pool at the market's price, in doubles: which positions there are is free to choose. */
function design({ tokens, spacing, depthPercent }: Order): Design {
  const [first, second] = tokens.map(reference) as [Reference, Reference];
  const per = (Number(second.amount) / Number(second.weth)) * (Number(first.weth) / Number(first.amount));
  const root = Math.sqrt(per);
  const depths = [first, second].map(({ weth }) => Number(weth)).filter((weth) => weth > 1);
  const value =
    ((2 * Math.min(...depths) * depthPercent) / 100) * (Number(second.amount) / Number(second.weth));
  const ranges = spacing === 0 ? [[-Infinity, Infinity, 100] as const] : RANGES;
  const nets = new Map<number, bigint>();
  const stock: [number, number] = [0, 0];
  for (const [from, to, percent] of ranges) {
    const [lower, upper] = [from, to].map((steps) => boundary(root, steps, spacing)) as [number, number];
    const inside = Math.min(Math.max(root, sqrtPriceOf(lower)), sqrtPriceOf(upper));
    const unit = [1 / inside - 1 / sqrtPriceOf(upper), inside - sqrtPriceOf(lower)] as const;
    const liquidity = BigInt(Math.floor((value * percent) / 100 / (unit[1] + unit[0] * per)));
    nets.set(lower, (nets.get(lower) ?? 0n) + liquidity);
    nets.set(upper, (nets.get(upper) ?? 0n) - liquidity);
    stock[0] += Number(liquidity) * unit[0];
    stock[1] += Number(liquidity) * unit[1];
  }
  const ticks = [...nets].map(([number, liquidityDelta]) => ({ number, liquidityDelta }));
  return {
    price: compact(BigInt(Math.floor(root * 2 ** 64)) << 64n, false)!,
    ticks: ticks.sort((a, b) => a.number - b.number),
    stock: [withMargin(stock[0]), withMargin(stock[1])],
  };
}

type Reference = ReturnType<typeof reference>;

function boundary(root: number, steps: number, spacing: number): number {
  if (steps === -Infinity) return MIN_TICK;
  if (steps === Infinity) return MAX_TICK;
  return (Math.floor(ticksBetween(1, root) / spacing) + steps) * spacing;
}

/** A margin for rounding and the error of doubles. */
function withMargin(amount: number): bigint {
  return BigInt(Math.ceil(amount * 1.000001)) + 1000n;
}

function keyOf({ tokens: [token0, token1], fee, spacing, isNative }: Order) {
  const type = spacing === 0 ? 0 : 2 ** 31 + spacing;
  const digits = (value: bigint, bytes: number) => value.toString(16).padStart(2 * bytes, "0");
  const config: Hex = `0x${digits(0n, 20)}${digits(BigInt(Math.floor(fee * 2 ** 64)), 8)}${digits(BigInt(type), 4)}`;
  return { token0: isNative ? NATIVE_THERE : token0, token1, config };
}

function grants(order: Order): Grant[] {
  const { stock } = design(order);
  return ([0, 1] as const).map((side) => ({ holder: CORE, token: order.tokens[side], amount: stock[side] }));
}

function open(order: Order): SeedTransaction {
  const { price, ticks } = design(order);
  return {
    to: CORE,
    data: encodeFunctionData({ abi, functionName: "open", args: [keyOf(order), price, ticks] }),
    gas: 3_000_000,
  };
}

/** Turns the first token of the pools of the native coin into native coins. */
function unwrapNative(): SeedTransaction {
  const amount = orders
    .filter(({ isNative }) => isNative)
    .reduce((sum, order) => sum + design(order).stock[0], 0n);
  return {
    to: CORE,
    data: encodeFunctionData({ abi, functionName: "unwrap", args: [WETH, amount] }),
    gas: 100_000,
  };
}

/** The core in a model, with pools of the native coin and without, over all prices and with ticks. */
export const devnet: DevnetProtocol = {
  deployments: [deployment],
  packages: [],
  plan: async () =>
    planOfModels({
      helpers: [{ address: CORE, runtimeCode: coreArtifact.runtimeCode as Hex }],
      grants: orders.flatMap(grants),
      transactions: [...orders.map(open), unwrapNative()],
      checks: orders.map((order) => ({
        what: `price of the Ekubo pool of ${order.tokens.join(" and ")}`,
        call: {
          to: CORE,
          data: encodeFunctionData({ abi, functionName: "getQuoteData", args: [[keyOf(order)], 1] }),
        },
        startsWith: `0x${[0x20, 1, 0x20, tickAtPrice(design(order).price)].map(word).join("")}`,
      })),
    }),
};
