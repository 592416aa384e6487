import { encodeAbiParameters, encodeFunctionData, type Hex, pad, parseAbi, toHex } from "viem";
import seederArtifact from "../../../contracts/devnet/out/PairSeeder.json" with { type: "json" };
import type { Address, Deployment } from "../../core/types.ts";
import { DEPLOYER, PAIR_SEEDER, WETH } from "../../devnet/addresses.ts";
import { type PairRecord, sushiPairs, uniswapPairs } from "../../devnet/market.ts";
import { creationCode } from "../../devnet/packages.ts";
import type {
  Check,
  DevnetProtocol,
  Grant,
  PlacedContract,
  SeedTransaction,
  Venue,
} from "../../devnet/plan.ts";

/** A factory of the pair design on the devnet: adding a fork is one more of these. */
type Fork = {
  readonly deployment: Deployment;
  readonly factoryFile: string;
  readonly routerFile: string;
  readonly router: Address;
  readonly pairs: readonly PairRecord[];
};

const abi = parseAbi([
  "struct Pair { address token0; address token1; uint112 reserve0; uint112 reserve1; }",
  "function seed(address factory, Pair[] pairs)",
  "function getPair(address token0, address token1) view returns (address)",
  "function getReserves() view returns (uint112, uint112, uint32)",
  "function sync()",
  "function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)",
]);

/** Four creations stay below the 16.7 million gas that a transaction may use on Ethereum. */
const PAIRS_PER_TRANSACTION = 4;
const GAS_PER_PAIR = 4_000_000;

const forks: readonly Fork[] = [
  {
    deployment: {
      id: "uniswap-v2",
      protocol: "uniswap-v2",
      name: "Uniswap_V2",
      factory: "0x5c69bee701ef814a2b6a3edd4b1652cb9cc5aa6f",
      fromBlock: 0,
      trusted: true,
      facts: { feePpm: 3000 },
      source: "built by the devnet at Ethereum's address, bytecode of @uniswap/v2-core",
    },
    factoryFile: "@uniswap/v2-core/build/UniswapV2Factory.json",
    routerFile: "@uniswap/v2-periphery/build/UniswapV2Router02.json",
    router: "0x7a250d5630b4cf539739df2c5dacb4c659f2488d",
    pairs: uniswapPairs,
  },
  {
    deployment: {
      id: "sushi-v2",
      protocol: "uniswap-v2",
      name: "Sushi_V2",
      factory: "0xc0aee478e3658e2610c5f7a4a2e1777ce9e4f2ac",
      fromBlock: 0,
      trusted: true,
      facts: { feePpm: 3000 },
      source: "built by the devnet at Ethereum's address, bytecode of @sushiswap/core",
    },
    factoryFile: "@sushiswap/core/deployments/bsc/UniswapV2Factory.json",
    routerFile: "@sushiswap/core/deployments/bsc/UniswapV2Router02.json",
    router: "0xd9e1ce17f2641f24ae83637ab66a2cca9c378b9f",
    pairs: sushiPairs,
  },
];

/** Uniswap v2 and SushiSwap with their real pairs. */
export const uniswapV2Devnet: DevnetProtocol = {
  deployments: forks.map(({ deployment }) => deployment),
  packages: ["@uniswap/v2-core", "@sushiswap/core"],
  plan: async () => ({
    contracts: (await Promise.all(forks.map(contracts))).flat(),
    helpers: [{ address: PAIR_SEEDER, runtimeCode: seederArtifact.runtimeCode as Hex }],
    grants: forks.flatMap(({ pairs }) => pairs.flatMap(grants)),
    transactions: forks.flatMap(transactions),
    ageing: forks.flatMap(({ pairs }) => pairs.map(sync)),
    checks: forks.flatMap((fork) => fork.pairs.flatMap((pair) => checks(fork, pair))),
    venues: forks.flatMap((fork) => fork.pairs.map((pair) => venue(fork, pair))),
  }),
};

async function contracts(fork: Fork): Promise<PlacedContract[]> {
  const { factory } = fork.deployment;
  const feeToSetter = encodeAbiParameters([{ type: "address" }], [DEPLOYER]);
  const routerArguments = encodeAbiParameters([{ type: "address" }, { type: "address" }], [factory, WETH]);
  return [
    { address: factory, creationCode: await creationCode(fork.factoryFile, feeToSetter) },
    { address: fork.router, creationCode: await creationCode(fork.routerFile, routerArguments) },
  ];
}

function grants({ token0, token1, reserve0, reserve1 }: PairRecord): Grant[] {
  return [
    { holder: PAIR_SEEDER, token: token0, amount: reserve0 },
    { holder: PAIR_SEEDER, token: token1, amount: reserve1 },
  ];
}

function transactions({ deployment, pairs }: Fork): SeedTransaction[] {
  const seeds: SeedTransaction[] = [];
  for (let start = 0; start < pairs.length; start += PAIRS_PER_TRANSACTION) {
    const chunk = pairs.slice(start, start + PAIRS_PER_TRANSACTION);
    const data = encodeFunctionData({ abi, functionName: "seed", args: [deployment.factory, chunk] });
    seeds.push({ to: PAIR_SEEDER, data, gas: chunk.length * GAS_PER_PAIR });
  }
  return seeds;
}

/** The price accumulators of a used pair are not zero, and its first swap need not pay for fresh slots. */
function sync({ address }: PairRecord): SeedTransaction {
  return { to: address, data: encodeFunctionData({ abi, functionName: "sync" }), gas: 150_000 };
}

function checks({ deployment }: Fork, pair: PairRecord): Check[] {
  const { address, token0, token1, reserve0, reserve1 } = pair;
  return [
    {
      what: `address of ${deployment.name} pair ${token0} ${token1}`,
      call: {
        to: deployment.factory,
        data: encodeFunctionData({ abi, functionName: "getPair", args: [token0, token1] }),
      },
      startsWith: pad(address),
    },
    {
      what: `reserves of ${deployment.name} pair ${address}`,
      call: { to: address, data: encodeFunctionData({ abi, functionName: "getReserves" }) },
      startsWith: `${toHex(reserve0, { size: 32 })}${toHex(reserve1, { size: 32 }).slice(2)}` as Hex,
    },
  ];
}

function venue({ router }: Fork, pair: PairRecord): Venue {
  const tokens = [pair.token0, pair.token1] as const;
  return {
    address: pair.address,
    tokens,
    depth: [pair.reserve0, pair.reserve1],
    price: Number(pair.reserve1) / Number(pair.reserve0),
    spender: router,
    read: { to: pair.address, data: encodeFunctionData({ abi, functionName: "getReserves" }) },
    priceOf: (answer) => Number(`0x${answer.slice(66, 130)}`) / Number(answer.slice(0, 66)),
    trade: (i, amountIn, trader) => {
      const path = [tokens[i], tokens[1 - i]!];
      const args = [amountIn, 0n, path, trader, 2n ** 32n] as const;
      return {
        to: router,
        data: encodeFunctionData({ abi, functionName: "swapExactTokensForTokens", args }),
      };
    },
  };
}
