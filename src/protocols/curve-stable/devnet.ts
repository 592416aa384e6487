import type { Hex } from "viem";
import { encodeFunctionData, parseAbi, toHex } from "viem/utils";
import poolArtifact from "../../../contracts/devnet/out/StableSwap.json" with { type: "json" };
import type { Address, Deployment } from "../../core/types.ts";
import { CURVE_POOL, DAI, USDC, USDT } from "../../devnet/plan/addresses.ts";
import type { DevnetProtocol } from "../../devnet/plan/plan.ts";

const abi = parseAbi([
  "function open(address[] coins, uint256 amp, uint256 fee, uint256 adminFee)",
  "function balances(uint256 k) view returns (uint256)",
]);

const MILLION = 10n ** 6n;

/** Coins with reserves in smallest units. Reserves are unequal, so that all directions have different prices. */
const coins: readonly { readonly token: Address; readonly reserve: bigint }[] = [
  { token: DAI, reserve: 22n * MILLION * 10n ** 18n },
  { token: USDC, reserve: 20n * MILLION * 10n ** 6n },
  { token: USDT, reserve: 21n * MILLION * 10n ** 6n },
];

/** A = 2000 in units of 1/100; a fee of 0.04 % of the output, half of it for the admin. */
const AMP = 200_000n;
const FEE = 4_000_000n;
const ADMIN_FEE = 5_000_000_000n;

const deployment: Deployment = {
  id: "curve-stable",
  protocol: "curve-stable",
  name: "Curve",
  factory: CURVE_POOL,
  fromBlock: 0,
  trusted: true,
  gasPermille: 950,
  facts: { pools: `${CURVE_POOL} base ${coins.map(({ token }) => token).join(",")}` },
  source: "a model: contracts/devnet/curve/StableSwap.sol",
};

/** One plain pool of three dollar coins. */
export const devnet: DevnetProtocol = {
  deployments: [deployment],
  packages: [],
  plan: async () => ({
    contracts: [],
    helpers: [{ address: CURVE_POOL, runtimeCode: poolArtifact.runtimeCode as Hex }],
    grants: coins.map(({ token, reserve }) => ({ holder: CURVE_POOL, token, amount: reserve })),
    transactions: [
      {
        to: CURVE_POOL,
        data: encodeFunctionData({
          abi,
          functionName: "open",
          args: [coins.map(({ token }) => token), AMP, FEE, ADMIN_FEE],
        }),
        gas: 2_000_000,
      },
    ],
    ageing: [],
    checks: coins.map(({ token, reserve }, k) => ({
      what: `balance of ${token} in the Curve pool`,
      call: {
        to: CURVE_POOL,
        data: encodeFunctionData({ abi, functionName: "balances", args: [BigInt(k)] }),
      },
      startsWith: toHex(reserve, { size: 32 }),
    })),
    venues: [],
  }),
};
