import type { Hex } from "viem";
import { encodeAbiParameters, encodeFunctionData, pad, parseAbi, toHex } from "viem/utils";
import seederArtifact from "../../../contracts/devnet/out/PairSeeder.json" with { type: "json" };
import type { Address, Deployment } from "../../core/types.ts";
import { DAI, DEPLOYER, PAIR_SEEDER, USDC, USDT, WBTC, WETH } from "../../devnet/plan/addresses.ts";
import { sushiPairs, uniswapPairs } from "../../devnet/plan/market.ts";
import { creationCode } from "../../devnet/plan/packages.ts";
import { designPairs, type PairMaker } from "../../devnet/plan/pair-design.ts";
import type {
  Check,
  DevnetProtocol,
  Grant,
  PlacedContract,
  SeedTransaction,
  Venue,
} from "../../devnet/plan/plan.ts";
import type { PairRecord } from "../../devnet/plan/searcher/recorded.ts";

/** A Uniswap v2 factory on the devnet. A further fork is one more record. */
type Fork = {
  readonly deployment: Deployment;
  readonly factoryFile: string;
  /**
   * Router used by the devnet's trader; undefined if the package has none, and then pairs do not move until a user
   * trades.
   */
  readonly router: { readonly address: Address; readonly file: string } | undefined;
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

/** Four creations use less than the 16.7 million gas allowed per transaction on Ethereum. */
const PAIRS_PER_TRANSACTION = 4;
const GAS_PER_PAIR = 4_000_000;

/** Init code hash of this build's pairs; those on BNB Smart Chain were compiled differently. */
const PANCAKE: PairMaker = {
  factory: "0xbcfccbde45ce874adcb698cc183debcf17952812",
  initCodeHash: "0xc5950761a20eb44628c29e94156a05fa21ff1b0975c251e5cf19723e8bd17ca8",
};
const JOE: PairMaker = {
  factory: "0x9ad6c38be94206ca50bb0d90783181662f0cfa10",
  initCodeHash: "0x0bbca9af0511ad1a1da383135cf3a8d2ac620e549ef9f6ae3a4c33c2fed0af91",
};

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
    router: {
      address: "0x7a250d5630b4cf539739df2c5dacb4c659f2488d",
      file: "@uniswap/v2-periphery/build/UniswapV2Router02.json",
    },
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
    router: {
      address: "0xd9e1ce17f2641f24ae83637ab66a2cca9c378b9f",
      file: "@sushiswap/core/deployments/bsc/UniswapV2Router02.json",
    },
    pairs: sushiPairs,
  },
  {
    deployment: {
      id: "pancakeswap-v1",
      protocol: "uniswap-v2",
      name: "PancakeSwap_V1",
      factory: PANCAKE.factory,
      fromBlock: 0,
      trusted: true,
      facts: { feePpm: 2000 },
      source:
        "built by the devnet at BNB Smart Chain's address, bytecode of @pancakeswap-libs/pancake-swap-core, whose pairs take the first version's 0.2 %",
    },
    factoryFile: "@pancakeswap-libs/pancake-swap-core/build/PancakeFactory.json",
    router: undefined,
    pairs: designPairs(PANCAKE, [
      [USDC, WETH, 6n],
      [WBTC, WETH, 5n],
      [DAI, WETH, 8n],
      [USDC, USDT, 4n],
    ]),
  },
  {
    deployment: {
      id: "trader-joe-v1",
      protocol: "uniswap-v2",
      name: "TraderJoe_V1",
      factory: JOE.factory,
      fromBlock: 0,
      trusted: true,
      facts: { feePpm: 3000 },
      source: "built by the devnet at Avalanche's address, bytecode of @traderjoe-xyz/core as deployed there",
    },
    factoryFile: "@traderjoe-xyz/core/deployments/avalanche/JoeFactory.json",
    router: {
      address: "0x60ae616a2155ee3d9a68541ba4544862310933d4",
      file: "@traderjoe-xyz/core/deployments/avalanche/JoeRouter02.json",
    },
    pairs: designPairs(JOE, [
      [USDC, WETH, 7n],
      [WETH, USDT, 9n],
      [WBTC, USDC, 4n],
      [DAI, USDC, 5n],
    ]),
  },
];

/**
 * Uniswap v2 and SushiSwap with recorded pairs as a searcher leaves them; PancakeSwap v1 and Trader Joe with invented
 * pairs.
 */
export const devnet: DevnetProtocol = {
  deployments: forks.map(({ deployment }) => deployment),
  packages: [
    "@uniswap/v2-core",
    "@sushiswap/core",
    "@pancakeswap-libs/pancake-swap-core",
    "@traderjoe-xyz/core",
  ],
  plan: async () => ({
    contracts: (await Promise.all(forks.map(contracts))).flat(),
    helpers: [{ address: PAIR_SEEDER, runtimeCode: seederArtifact.runtimeCode as Hex }],
    grants: forks.flatMap(({ pairs }) => pairs.flatMap(grants)),
    transactions: forks.flatMap(transactions),
    ageing: forks.flatMap(({ pairs }) => pairs.map(sync)),
    checks: forks.flatMap((fork) => fork.pairs.flatMap((pair) => checks(fork, pair))),
    venues: forks.flatMap((fork) => venues(fork)),
  }),
};

async function contracts(fork: Fork): Promise<PlacedContract[]> {
  const { factory } = fork.deployment;
  const feeToSetter = encodeAbiParameters([{ type: "address" }], [DEPLOYER]);
  const made = [{ address: factory, creationCode: await creationCode(fork.factoryFile, feeToSetter) }];
  if (fork.router === undefined) return made;
  const { address, file } = fork.router;
  const routerArguments = encodeAbiParameters([{ type: "address" }, { type: "address" }], [factory, WETH]);
  return [...made, { address, creationCode: await creationCode(file, routerArguments) }];
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

/** Makes the price accumulators nonzero, as in a used pair, so that the first swap does not pay for fresh slots. */
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

function venues({ router, pairs }: Fork): Venue[] {
  return router === undefined ? [] : pairs.map((pair) => venue(router.address, pair));
}

function venue(router: Address, pair: PairRecord): Venue {
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
