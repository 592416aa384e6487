import type { Hex } from "viem";
import { encodeFunctionData, parseAbi, toHex } from "viem/utils";
import managerArtifact from "../../../contracts/devnet/out/InfinityBinManager.json" with { type: "json" };
import { binPrice } from "../../core/math/bins/bin-math.ts";
import type { Address, Deployment } from "../../core/types.ts";
import { USDC, USDT, WETH } from "../../devnet/plan/addresses.ts";
import { idOf, keyOf, POOL_KEY, vaultAndManager } from "../../devnet/plan/infinity.ts";
import { reference, worth } from "../../devnet/plan/market.ts";
import { type DevnetProtocol, planOfModels, type SeedTransaction } from "../../devnet/plan/plan.ts";

const VAULT: Address = "0x00000000000000000000000000000000b1000001";
const MANAGER: Address = "0x00000000000000000000000000000000b1000002";

const abi = parseAbi([
  POOL_KEY,
  "struct Bin { uint128 x; uint128 y; }",
  "function create(PoolKey key, uint24 first, uint24 activeId, uint24 protocolFee, Bin[] bins)",
  "function getBin(bytes32 id, uint24 binId) view returns (uint128, uint128, uint256, uint256)",
]);

const deployment: Deployment = {
  id: "pancake-infinity-bin",
  protocol: "pancake-infinity-bin",
  name: "PancakeSwap_Infinity_Bin",
  factory: MANAGER,
  fromBlock: 0,
  trusted: true,
  gasPermille: 950,
  facts: {},
  source: "a model: contracts/devnet/pancake-infinity/InfinityVault.sol and InfinityBinManager.sol",
};

/** The bin whose price is 1. */
const REAL_ID = 2 ** 23;
/** Number of bins with reserves on each side of the active one. */
const SIDE = 30;

type BinPool = {
  readonly tokens: readonly [Address, Address];
  readonly spacing: number;
  /** At least half a step in parts per million: the active bin's price is that near to the market's. */
  readonly fee: number;
  /** Parts per million in each direction. */
  readonly protocolFees: readonly [number, number];
  /** Smallest units of Y per smallest unit of X. */
  readonly price: number;
  /** Worth of a bin in smallest units of Y. */
  readonly depth: bigint;
};

const pools: readonly BinPool[] = [
  {
    tokens: [WETH, USDC],
    spacing: 20,
    fee: 3000,
    protocolFees: [1000, 500],
    price: Number(worth(10n ** 24n, WETH, USDC)) / 1e24,
    depth: reference(USDC).amount / 500n,
  },
  {
    tokens: [USDC, USDT],
    spacing: 1,
    fee: 200,
    protocolFees: [0, 0],
    price: 1,
    depth: 100_000n * 10n ** 6n,
  },
];

/** All bins have the same worth: Y below the active bin, X above it, half of each in it. */
function layout({ price, spacing, depth }: BinPool) {
  const active = REAL_ID + Math.round(Math.log(price) / Math.log1p(spacing / 10_000));
  const bins = Array.from({ length: 2 * SIDE + 1 }, (_, k) => {
    const inX = (depth << 128n) / binPrice(active - SIDE + k, spacing)!;
    if (k === SIDE) return { x: inX / 2n, y: depth / 2n };
    return k < SIDE ? { x: 0n, y: depth } : { x: inX, y: 0n };
  });
  const total = (side: "x" | "y") => bins.reduce((sum, bin) => sum + bin[side], 0n);
  return { active, bins, totals: [total("x"), total("y")] as const };
}

function create(pool: BinPool): SeedTransaction {
  const { active, bins } = layout(pool);
  const [down, up] = pool.protocolFees;
  const args = [keyOf(MANAGER, pool.tokens, pool), active - SIDE, active, up * 2 ** 12 + down, bins] as const;
  return { to: MANAGER, data: encodeFunctionData({ abi, functionName: "create", args }), gas: 3_000_000 };
}

/** Two pools of bins, one of them of the native coin. */
export const devnet: DevnetProtocol = {
  deployments: [deployment],
  packages: [],
  plan: async () => {
    const manager = { address: MANAGER, runtimeCode: managerArtifact.runtimeCode as Hex };
    const held = pools.flatMap((pool) =>
      layout(pool).totals.map((amount, k) => ({ token: pool.tokens[k]!, amount })),
    );
    const { helpers, grants, transactions } = vaultAndManager(VAULT, manager, held);
    return planOfModels({
      helpers,
      grants,
      transactions: [...transactions, ...pools.map(create)],
      checks: pools.map((pool) => {
        const { active, bins } = layout(pool);
        const args = [idOf(keyOf(MANAGER, pool.tokens, pool)), active] as const;
        return {
          what: `active bin of the Infinity pool ${args[0]}`,
          call: { to: MANAGER, data: encodeFunctionData({ abi, functionName: "getBin", args }) },
          startsWith: toHex(bins[SIDE]!.x, { size: 32 }),
        };
      }),
    });
  },
};
