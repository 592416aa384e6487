import { erc20Abi, maxUint256 } from "viem";
import { encodeApprove } from "../../src/core/encoding/erc20.ts";
import { ROUTER_ADDRESS } from "../../src/core/encoding/router-artifact.ts";
import type { Address } from "../../src/core/types.ts";
import { type Bench, type Build, call, deployRouter, deployTokens, requireBuild } from "./chain.ts";

/** Tokens A, B, C and the wrapped coin, with a v2 pair and v3 pools of two fees between each two of them. */
export type Market = {
  readonly a: Address;
  readonly b: Address;
  readonly c: Address;
  readonly d: Address;
  readonly w: Address;
  readonly pairs: Address;
  readonly pools: Address;
  readonly router02: Contract;
  readonly swapRouter: Contract;
  readonly pair: (x: Address, y: Address) => Address;
  readonly pool: (x: Address, y: Address, fee: number) => Address;
};

export type Contract = Build & { readonly address: Address };

const DEADLINE = 2_000_000_000n;
const DEPTH = 5n * 10n ** 23n;
/** The square root of the price in the middle of tick 488: well within one word of the tick bitmap. */
const PRICE = (2n ** 96n * 10_247_245n) / 10_000_000n;

/**
 * By fee: half the width of the pool's one position around tick 490, in ticks. Narrow is deep: a swap there stays
 * within its tick, and the pool writes no observation; in the wide ones it moves about twenty ticks and does.
 */
const WIDTHS = { 500: 120, 3000: 12_000 } as const;
export const FEES = [500, 3000] as const;

async function contract(bench: Bench, file: string, args: readonly unknown[] = []): Promise<Contract> {
  const build = requireBuild(file);
  return { ...build, address: await bench.deploy(build, args) };
}

export async function makeMarket(bench: Bench): Promise<Market> {
  const periphery = "@uniswap/v3-periphery/artifacts/contracts";
  await deployRouter(bench);
  const weth = await contract(bench, "@uniswap/v2-periphery/build/WETH9.json");
  const pairs = await contract(bench, "@uniswap/v2-core/build/UniswapV2Factory.json", [bench.user]);
  const pools = await contract(
    bench,
    "@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json",
  );
  const router02 = await contract(bench, "@uniswap/v2-periphery/build/UniswapV2Router02.json", [
    pairs.address,
    weth.address,
  ]);
  const swapRouter = await contract(bench, `${periphery}/SwapRouter.sol/SwapRouter.json`, [
    pools.address,
    weth.address,
  ]);
  const minter = await contract(
    bench,
    `${periphery}/NonfungiblePositionManager.sol/NonfungiblePositionManager.json`,
    [pools.address, weth.address, bench.user],
  );
  const [a, b, c, d] = (await deployTokens(bench, 4)) as [Address, Address, Address, Address];
  const w = weth.address;
  await bench.send({ to: w, data: call(weth.abi, "deposit", []), value: 16n * DEPTH });
  const tokens = [a, b, c, d, w];
  for (const token of tokens) {
    for (const spender of [router02.address, minter.address, swapRouter.address, ROUTER_ADDRESS])
      await bench.send({ to: token, data: encodeApprove(spender, maxUint256) });
  }
  const pairOf = new Map<string, Address>();
  const poolOf = new Map<string, Address>();
  for (const [index, x] of tokens.entries()) {
    for (const y of tokens.slice(index + 1)) {
      pairOf.set(key(x, y), await makePair(bench, { router02, pairs }, x, y));
      for (const fee of FEES)
        poolOf.set(`${key(x, y)}${fee}`, await makePool(bench, { minter, pools }, [x, y], fee));
    }
  }
  return {
    ...{ a, b, c, d, w, pairs: pairs.address, pools: pools.address, router02, swapRouter },
    pair: (x, y) => pairOf.get(key(x, y))!,
    pool: (x, y, fee) => poolOf.get(`${key(x, y)}${fee}`)!,
  };
}

export function sort(x: Address, y: Address): readonly [Address, Address] {
  return BigInt(x) < BigInt(y) ? [x, y] : [y, x];
}

function key(x: Address, y: Address): string {
  return sort(x, y).join();
}

async function makePair(
  bench: Bench,
  { router02, pairs }: { router02: Contract; pairs: Contract },
  x: Address,
  y: Address,
): Promise<Address> {
  const args = [x, y, DEPTH, DEPTH, 0n, 0n, bench.user, DEADLINE];
  await bench.send({ to: router02.address, data: call(router02.abi, "addLiquidity", args) });
  for (const path of [
    [x, y],
    [y, x],
  ]) {
    const swap = [DEPTH / 1000n, 0n, path, bench.user, DEADLINE];
    await bench.send({ to: router02.address, data: call(router02.abi, "swapExactTokensForTokens", swap) });
  }
  return addressOf(await bench.read(pairs.address, call(pairs.abi, "getPair", [x, y])));
}

async function makePool(
  bench: Bench,
  { minter, pools }: { minter: Contract; pools: Contract },
  pair: readonly [Address, Address],
  fee: (typeof FEES)[number],
): Promise<Address> {
  const [token0, token1] = sort(...pair);
  const start = [token0, token1, fee, PRICE];
  await bench.send({
    to: minter.address,
    data: call(minter.abi, "createAndInitializePoolIfNecessary", start),
  });
  const spacing = fee === 500 ? 10 : 60;
  const tick = (distance: number) => Math.round((490 + distance) / spacing) * spacing;
  const range = { tickLower: tick(-WIDTHS[fee]), tickUpper: tick(WIDTHS[fee]) };
  const position = {
    ...{ token0, token1, fee, ...range, amount0Min: 0n, amount1Min: 0n },
    ...{ amount0Desired: DEPTH, amount1Desired: DEPTH, recipient: bench.user, deadline: DEADLINE },
  };
  await bench.send({ to: minter.address, data: call(minter.abi, "mint", [position]) });
  return addressOf(await bench.read(pools.address, call(pools.abi, "getPool", [token0, token1, fee])));
}

/** Trades each v3 pool both ways, so that no fee or observation slot is written for the first time later. */
export async function warmPools(bench: Bench, market: Market): Promise<void> {
  const tokens = [market.a, market.b, market.c, market.d, market.w];
  for (const tokenIn of tokens)
    for (const tokenOut of tokens)
      for (const fee of FEES) {
        if (tokenIn === tokenOut) continue;
        const question = {
          ...{ tokenIn, tokenOut, fee, recipient: bench.user, deadline: DEADLINE },
          ...{ amountIn: DEPTH / 1000n, amountOutMinimum: 0n, sqrtPriceLimitX96: 0n },
        };
        await bench.send({
          to: market.swapRouter.address,
          data: call(market.swapRouter.abi, "exactInputSingle", [question]),
        });
      }
}

function addressOf(word: string): Address {
  return `0x${word.slice(-40)}`;
}

export const erc20 = erc20Abi;
