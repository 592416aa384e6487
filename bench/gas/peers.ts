import {
  type Abi,
  concatHex,
  encodeAbiParameters,
  encodePacked,
  type Hex,
  keccak256,
  maxUint256,
  parseAbi,
} from "viem";
import { compile } from "../../scripts/contracts/build-contracts.ts";
import { encodeApprove } from "../../src/core/encoding/erc20.ts";
import { CREATE2_DEPLOYER } from "../../src/core/encoding/router-artifact.ts";
import { type Address, NATIVE } from "../../src/core/types.ts";
import { type Bench, call, readBuild, readPackageFile, requireBuild, type Transaction } from "./chain.ts";
import type { Market } from "./market.ts";
import { AMOUNT, DEADLINE, FEE_RECIPIENT, MINIMUM } from "./routes.ts";
import { universalV4, type V4Market } from "./v4.ts";

/** Another router's transactions, by the name of the case; a case that it has no way for is left out. */
export type Peer = { readonly name: string; readonly routes: Readonly<Record<string, Transaction>> };

const MIN = MINIMUM / 2n;
const HALF = AMOUNT / 2n;
const PERMIT2: Address = "0x000000000022d473030f116ddee9f6b43ac78ba3";

/** The path of v3 routers: token, fee, token, … */
function pathOf(tokens: readonly Address[], fee = tokens.length === 2 ? 500 : 3000): Hex {
  const pieces = tokens.flatMap((token, index): Hex[] =>
    index === 0 ? [token] : [encodePacked(["uint24"], [fee]), token],
  );
  return concatHex(pieces);
}

export function uniswapV2Router({ router02, a, b, c, d, w }: Market, user: Address): Peer {
  const swap = (path: readonly Address[]): Transaction => ({
    to: router02.address,
    data: call(router02.abi, "swapExactTokensForTokens", [AMOUNT, MIN, path, user, DEADLINE]),
  });
  return {
    name: "v2 Router02",
    routes: {
      v2: swap([a, b]),
      "v2 v2": swap([a, b, c]),
      "v2 v2 v2": swap([a, b, c, d]),
      "native in, v2": {
        to: router02.address,
        data: call(router02.abi, "swapExactETHForTokens", [MIN, [w, b], user, DEADLINE]),
        value: AMOUNT,
      },
      "native out, v2": {
        to: router02.address,
        data: call(router02.abi, "swapExactTokensForETH", [AMOUNT, MIN, [a, w], user, DEADLINE]),
      },
    },
  };
}

export function uniswapV3Router({ swapRouter, a, b, c, d, w }: Market, user: Address): Peer {
  const { abi, address: to } = swapRouter;
  const terms = { recipient: user, deadline: DEADLINE, amountIn: AMOUNT, amountOutMinimum: MIN };
  const single = (tokenIn: Address, tokenOut: Address, recipient = user, fee = 500) =>
    call(abi, "exactInputSingle", [{ ...terms, tokenIn, tokenOut, fee, recipient, sqrtPriceLimitX96: 0n }]);
  const hops = (tokens: readonly Address[]) => call(abi, "exactInput", [{ ...terms, path: pathOf(tokens) }]);
  return {
    name: "v3 SwapRouter",
    routes: {
      v3: { to, data: single(a, b) },
      "v3, tick moves": { to, data: single(a, b, user, 3000) },
      "v3 v3": { to, data: hops([a, b, c]) },
      "v3 v3 v3": { to, data: hops([a, b, c, d]) },
      "native in, v3": { to, data: single(w, b), value: AMOUNT },
      "native out, v3": {
        to,
        data: call(abi, "multicall", [
          [single(a, w, "0x0000000000000000000000000000000000000000"), call(abi, "unwrapWETH9", [MIN, user])],
        ]),
      },
    },
  };
}

export async function swapRouter02(bench: Bench, market: Market): Promise<Peer | undefined> {
  const build = readBuild(
    "@uniswap/swap-router-contracts/artifacts/contracts/SwapRouter02.sol/SwapRouter02.json",
  );
  if (build === undefined) return undefined;
  const { a, b, c, w, pairs, pools } = market;
  const to = await bench.deploy(build, [pairs, pools, bench.user, w]);
  for (const token of [a, b, c, w]) await bench.send({ to: token, data: encodeApprove(to, maxUint256) });
  const v2 = (path: readonly Address[], amount = AMOUNT, least = MIN) =>
    call(build.abi, "swapExactTokensForTokens", [amount, least, path, bench.user]);
  const terms = { recipient: bench.user, sqrtPriceLimitX96: 0n };
  const v3 = (amountIn = AMOUNT, amountOutMinimum = MIN, fee = 500) =>
    call(build.abi, "exactInputSingle", [
      { ...terms, tokenIn: a, tokenOut: b, amountIn, amountOutMinimum, fee },
    ]);
  const many = (data: readonly Hex[]) =>
    call(parseAbi(["function multicall(uint256 deadline, bytes[] data)"]), "multicall", [DEADLINE, data]);
  const hops = { path: pathOf([a, b, c]), recipient: bench.user, amountIn: AMOUNT, amountOutMinimum: MIN };
  return {
    name: "SwapRouter02",
    routes: {
      v2: { to, data: many([v2([a, b])]) },
      v3: { to, data: many([v3()]) },
      "v3, tick moves": { to, data: many([v3(AMOUNT, MIN, 3000)]) },
      "v2 v2": { to, data: many([v2([a, b, c])]) },
      "v3 v3": { to, data: many([call(build.abi, "exactInput", [hops])]) },
      "split v2 + v3": { to, data: many([v2([a, b], HALF, MIN / 2n), v3(HALF, MIN / 2n)]) },
      "split v3 + v3": { to, data: many([v3(HALF, MIN / 2n, 3000), v3(HALF, MIN / 2n)]) },
    },
  };
}

/** Permit2 where it lies on every chain; where no package has its code a leaner contract, which flatters the peer. */
export async function deployPermit2(bench: Bench): Promise<Address> {
  const file = "@uniswap/uniswapx-sdk/dist/esm/src/contracts/factories/Permit2__factory.js";
  const code = readPackageFile(file)?.match(/_bytecode = "(0x[0-9a-f]+)"/)?.[1] as Hex | undefined;
  if (code === undefined) {
    const { abi, initCode } = compile("bench/AllowanceTransfer.sol", "AllowanceTransfer");
    return bench.deploy({ abi: abi as Abi, bytecode: initCode });
  }
  const salt = "0x0000000000000000000000000000000000000000d3af2663da51c10215000000";
  await bench.send({ to: CREATE2_DEPLOYER, data: concatHex([salt, code]) });
  return PERMIT2;
}

const command = {
  v3: "00",
  take: "02",
  sweep: "04",
  payPortion: "06",
  v2: "08",
  wrap: "0b",
  unwrap: "0c",
  v4: "10",
} as const;

const ROUTER_ITSELF: Address = "0x0000000000000000000000000000000000000002";
const SENDER: Address = "0x0000000000000000000000000000000000000001";

type Part = readonly [keyof typeof command, Hex];

function words(types: readonly string[], values: readonly unknown[]): Hex {
  return encodeAbiParameters(
    types.map((type) => ({ type })),
    [...values],
  );
}

/** Inputs of one swap command: recipient, amount, minimum, path, payer is the user. */
type Swap = { to?: Address; amount?: bigint; min?: bigint; fromUser?: boolean };

const v2Part = (
  path: readonly Address[],
  { to = SENDER, amount = AMOUNT, min = MIN, fromUser = true }: Swap = {},
): Part => [
  "v2",
  words(["address", "uint256", "uint256", "address[]", "bool"], [to, amount, min, path, fromUser]),
];

const v3Part = (path: Hex, { to = SENDER, amount = AMOUNT, min = MIN, fromUser = true }: Swap = {}): Part => [
  "v3",
  words(["address", "uint256", "uint256", "bytes", "bool"], [to, amount, min, path, fromUser]),
];

/** Means "all that the router holds" to it. */
const BALANCE = 2n ** 255n;

function universalRoutes({ a, b, c, d, w, pair }: Market): Readonly<Record<string, readonly Part[]>> {
  const wrap: Part = ["wrap", words(["address", "uint256"], [ROUTER_ITSELF, AMOUNT])];
  const unwrap: Part = ["unwrap", words(["address", "uint256"], [SENDER, MIN])];
  const held = { to: ROUTER_ITSELF, min: 0n };
  const portion: Part = ["payPortion", words(["address", "address", "uint256"], [b, FEE_RECIPIENT, 100n])];
  const sellFee = AMOUNT / 100n;
  const take: Part = ["take", words(["address", "address", "uint160"], [a, FEE_RECIPIENT, sellFee])];
  const rest = { amount: AMOUNT - sellFee };
  const sweep: Part = ["sweep", words(["address", "address", "uint256"], [b, SENDER, MIN])];
  const half = { amount: HALF, min: MIN / 2n };
  const fromRouter = { amount: BALANCE, fromUser: false };
  return {
    v2: [v2Part([a, b])],
    v3: [v3Part(pathOf([a, b]))],
    "v3, tick moves": [v3Part(pathOf([a, b], 3000))],
    "v2 v2": [v2Part([a, b, c])],
    "v3 v3": [v3Part(pathOf([a, b, c]))],
    "v2 v2 v2": [v2Part([a, b, c, d])],
    "v3 v3 v3": [v3Part(pathOf([a, b, c, d]))],
    "v2 v3": [v2Part([a, b], held), v3Part(pathOf([b, c], 3000), fromRouter)],
    "v3 v2": [
      v3Part(pathOf([a, b], 3000), { to: pair(b, c), min: 0n }),
      v2Part([b, c], { amount: 0n, fromUser: false }),
    ],
    "split v2 + v3": [v2Part([a, b], half), v3Part(pathOf([a, b]), half)],
    "split v3 + v3": [v3Part(pathOf([a, b], 3000), half), v3Part(pathOf([a, b]), half)],
    "native in, v2": [wrap, v2Part([w, b], { fromUser: false })],
    "native in, v3": [wrap, v3Part(pathOf([w, b]), { fromUser: false })],
    "native out, v2": [v2Part([a, w], held), unwrap],
    "native out, v3": [v3Part(pathOf([a, w]), held), unwrap],
    "v3, buy fee": [v3Part(pathOf([a, b]), held), portion, sweep],
    "v3, sell fee": [take, v3Part(pathOf([a, b]), rest)],
    "v3, both fees": [take, v3Part(pathOf([a, b]), { ...rest, ...held }), portion, sweep],
  };
}

function universalV4Routes({ a, b, c }: Market): Readonly<Record<string, readonly Part[]>> {
  return {
    v4: [["v4", universalV4([a, b], AMOUNT, MIN)]],
    "v4 v4": [["v4", universalV4([a, b, c], AMOUNT, MIN)]],
    "native in, v4": [["v4", universalV4([NATIVE, b], AMOUNT, MIN)]],
    "native out, v4": [["v4", universalV4([b, NATIVE], AMOUNT, MIN)]],
  };
}

export async function universalRouter(
  bench: Bench,
  market: Market,
  { permit2, v4 }: { permit2: Address; v4: V4Market | undefined },
): Promise<Peer | undefined> {
  const build = readBuild(
    "@uniswap/universal-router/artifacts/contracts/UniversalRouter.sol/UniversalRouter.json",
  );
  if (build === undefined) return undefined;
  const { pairs, pools, w, a, b, c, d } = market;
  const parameters = {
    ...{ permit2, weth9: w, v2Factory: pairs, v3Factory: pools, v4PoolManager: v4?.manager ?? bench.user },
    pairInitCodeHash: keccak256(requireBuild("@uniswap/v2-core/build/UniswapV2Pair.json").bytecode),
    poolInitCodeHash: keccak256(
      requireBuild("@uniswap/v3-core/artifacts/contracts/UniswapV3Pool.sol/UniswapV3Pool.json").bytecode,
    ),
    ...{ v3NFTPositionManager: bench.user, v4PositionManager: bench.user, spokePool: bench.user },
  };
  const to = await bench.deploy(build, [parameters]);
  const approve = parseAbi([
    "function approve(address token, address spender, uint160 amount, uint48 expiration)",
  ]);
  for (const token of [a, b, c, d, w]) {
    await bench.send({ to: token, data: encodeApprove(permit2, maxUint256) });
    const args = [token, to, 2n ** 160n - 1n, Number(DEADLINE)];
    await bench.send({ to: permit2, data: call(approve, "approve", args) });
  }
  const execute = parseAbi(["function execute(bytes commands, bytes[] inputs, uint256 deadline) payable"]);
  const parts = { ...universalRoutes(market), ...(v4 === undefined ? {} : universalV4Routes(market)) };
  const routes = Object.entries(parts).map(([name, parts]): [string, Transaction] => {
    const commands: Hex = `0x${parts.map(([kind]) => command[kind]).join("")}`;
    const inputs = parts.map(([, input]) => input);
    const value = name.startsWith("native in") ? AMOUNT : 0n;
    return [name, { to, data: call(execute, "execute", [commands, inputs, DEADLINE]), value }];
  });
  return { name: "UniversalRouter", routes: Object.fromEntries(routes) };
}
