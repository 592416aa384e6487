import { encodeAbiParameters, type Hex, maxUint256, parseAbi } from "viem";
import { encodeApprove } from "../../src/core/encoding/erc20.ts";
import { type Address, NATIVE } from "../../src/core/types.ts";
import { type Bench, type Build, call, readBuild } from "./chain.ts";
import { type Market, sort } from "./market.ts";

/** Uniswap v4 beside the other pools: one manager, a pool of 0.3 % between each two of A, B, C and the native coin. */
export type V4Market = { readonly manager: Address };

export const V4_FEE = 3000;
export const V4_SPACING = 60;
export const NO_HOOKS: Address = "0x0000000000000000000000000000000000000000";

const PRICE = (2n ** 96n * 10_247_245n) / 10_000_000n;
const LIQUIDITY = 10n ** 25n;

export function currencyOf(token: Address): Address {
  return token === NATIVE ? NO_HOOKS : token;
}

export function keyOf(x: Address, y: Address): object {
  const [currency0, currency1] = sort(currencyOf(x), currencyOf(y));
  return { currency0, currency1, fee: V4_FEE, tickSpacing: V4_SPACING, hooks: NO_HOOKS };
}

/** @returns undefined where the manager's package is not there */
export async function deployV4(bench: Bench, { a, b, c }: Market): Promise<V4Market | undefined> {
  const folder = "@uniswap/v4-core/out";
  const manager = readBuild(`${folder}/PoolManager.sol/PoolManager.json`);
  const minter = readBuild(`${folder}/PoolModifyLiquidityTest.sol/PoolModifyLiquidityTest.json`);
  const swapper = readBuild(`${folder}/PoolSwapTest.sol/PoolSwapTest.json`);
  if (manager === undefined || minter === undefined || swapper === undefined) return undefined;
  const to = await bench.deploy(manager, [bench.user]);
  const helpers = { minter: await bench.deploy(minter, [to]), swapper: await bench.deploy(swapper, [to]) };
  for (const token of [a, b, c])
    for (const spender of Object.values(helpers))
      await bench.send({ to: token, data: encodeApprove(spender, maxUint256) });
  for (const [x, y] of [
    [a, b],
    [b, c],
    [a, c],
    [NATIVE, b],
  ] as const) {
    const key = keyOf(x, y);
    await bench.send({ to, data: call(manager.abi, "initialize", [key, PRICE]) });
    const range = { tickLower: -12_000, tickUpper: 12_000, liquidityDelta: LIQUIDITY / 100n };
    const value = x === NATIVE ? LIQUIDITY / 100n : 0n;
    const data = call(minterAbi, "modifyLiquidity", [key, { ...range, salt: `0x${"0".repeat(64)}` }, "0x"]);
    await bench.send({ to: helpers.minter, data, value });
    await warm(bench, { ...swapper, address: helpers.swapper }, key, x === NATIVE);
  }
  return { manager: to };
}

const poolKey = "(address currency0, address currency1, uint24 fee, int24 tickSpacing, address hooks)";
const minterAbi = parseAbi([
  `function modifyLiquidity(${poolKey} key, (int24 tickLower, int24 tickUpper, int256 liquidityDelta, bytes32 salt) params, bytes hookData) payable`,
]);

async function warm(
  bench: Bench,
  swapper: Build & { address: Address },
  key: object,
  native: boolean,
): Promise<void> {
  for (const zeroForOne of [true, false]) {
    const limit = zeroForOne
      ? 4_295_128_740n
      : 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_341n;
    const params = { zeroForOne, amountSpecified: -(10n ** 18n), sqrtPriceLimitX96: limit };
    const settings = { takeClaims: false, settleUsingBurn: false };
    const data = call(swapper.abi, "swap", [key, params, settings, "0x"]);
    await bench.send({ to: swapper.address, data, value: native && zeroForOne ? 10n ** 18n : 0n });
  }
}

/** extra of our v4 step. */
export function v4Extra(): Hex {
  const fee = V4_FEE.toString(16).padStart(6, "0");
  const spacing = V4_SPACING.toString(16).padStart(6, "0");
  return `0x${fee}${spacing}${NO_HOOKS.slice(2)}`;
}

/** Input of the universal router's V4_SWAP: swap along the path, settle all of the first, take all of the last. */
export function universalV4(path: readonly Address[], amount: bigint, minimum: bigint): Hex {
  const [first, ...rest] = path.map(currencyOf);
  const hops = rest.map((intermediateCurrency) => ({
    ...{
      intermediateCurrency,
      fee: V4_FEE,
      tickSpacing: V4_SPACING,
      hooks: NO_HOOKS,
      hookData: "0x" as const,
    },
  }));
  const single = path.length === 2;
  const [currency0] = sort(first!, rest[0]!);
  const swap = single
    ? encodeAbiParameters(singleParameters, [
        {
          ...{ poolKey: keyOf(path[0]!, path[1]!) as never, zeroForOne: currency0 === first },
          ...{ amountIn: amount, amountOutMinimum: minimum, hookData: "0x" },
        },
      ])
    : encodeAbiParameters(pathParameters, [
        { currencyIn: first!, path: hops, maxHopSlippage: [], amountIn: amount, amountOutMinimum: minimum },
      ]);
  const pair = [{ type: "address" }, { type: "uint256" }] as const;
  const settle = encodeAbiParameters(pair, [first!, amount]);
  const take = encodeAbiParameters(pair, [rest.at(-1)!, minimum]);
  return encodeAbiParameters(
    [{ type: "bytes" }, { type: "bytes[]" }],
    [single ? "0x060c0f" : "0x070c0f", [swap, settle, take]],
  );
}

const key = [
  { name: "currency0", type: "address" },
  { name: "currency1", type: "address" },
  { name: "fee", type: "uint24" },
  { name: "tickSpacing", type: "int24" },
  { name: "hooks", type: "address" },
] as const;

const singleParameters = [
  {
    type: "tuple",
    components: [
      { name: "poolKey", type: "tuple", components: key },
      { name: "zeroForOne", type: "bool" },
      { name: "amountIn", type: "uint128" },
      { name: "amountOutMinimum", type: "uint128" },
      { name: "hookData", type: "bytes" },
    ],
  },
] as const;

const pathParameters = [
  {
    type: "tuple",
    components: [
      { name: "currencyIn", type: "address" },
      {
        name: "path",
        type: "tuple[]",
        components: [
          { name: "intermediateCurrency", type: "address" },
          { name: "fee", type: "uint24" },
          { name: "tickSpacing", type: "int24" },
          { name: "hooks", type: "address" },
          { name: "hookData", type: "bytes" },
        ],
      },
      { name: "maxHopSlippage", type: "uint256[]" },
      { name: "amountIn", type: "uint128" },
      { name: "amountOutMinimum", type: "uint128" },
    ],
  },
] as const;
