import type { Hex } from "viem";
import { encodeFunctionData, parseAbi, toHex } from "viem/utils";
import factoryArtifact from "../../../contracts/devnet/out/DodoFactory.json" with { type: "json" };
import poolArtifact from "../../../contracts/devnet/out/DodoVendingMachine.json" with { type: "json" };
import { ONE } from "../../core/math/pairs/dodo-math.ts";
import type { Address, Deployment } from "../../core/types.ts";
import { DAI, USDC, WETH } from "../../devnet/plan/addresses.ts";
import { reference, worth } from "../../devnet/plan/market.ts";
import { type DevnetProtocol, type Grant, planOfModels } from "../../devnet/plan/plan.ts";

const FACTORY: Address = "0x00000000000000000000000000000000d0d00000";

const abi = parseAbi([
  "function announce(address pool, address base, address quote, uint256 i, uint256 k, uint256 lp, uint256 mt)",
  "function getVaultReserve() view returns (uint256 base, uint256 quote)",
]);

const deployment: Deployment = {
  id: "dodo",
  protocol: "dodo",
  name: "DODO_V2",
  factory: FACTORY,
  fromBlock: 0,
  trusted: true,
  gasPermille: 735,
  facts: {},
  source: "a model: contracts/devnet/dodo/DodoFactory.sol and DodoVendingMachine.sol",
};

type Machine = {
  readonly address: Address;
  readonly base: Address;
  readonly quote: Address;
  readonly i: bigint;
  readonly k: bigint;
  readonly reserves: readonly [bigint, bigint];
};

/** 0.08 % stays in the pool, 0.02 % leaves it. */
const LP_FEE = (ONE * 8n) / 10_000n;
const MT_FEE = (ONE * 2n) / 10_000n;

/**
 * A DVM that has sold half of its base target. Its price is then i·(1 + 3k), and its quote is the proceeds of that
 * half, i·base·(1 + k).
 */
function machine(
  address: Address,
  [base, quote]: readonly [Address, Address],
  k: bigint,
  held: bigint,
): Machine {
  const price = worth(ONE * ONE, base, quote) / ONE;
  const i = (price * ONE) / (ONE + 3n * k);
  return { address, base, quote, i, k, reserves: [held, (((i * held) / ONE) * (ONE + k)) / ONE] };
}

const machines: readonly Machine[] = [
  machine(
    "0x00000000000000000000000000000000d0d00001",
    [WETH, USDC],
    (ONE * 8n) / 10n,
    reference(USDC).weth / 12n,
  ),
  // Two dollar tokens are worth the same, whatever their pairs' prices.
  {
    ...machine("0x00000000000000000000000000000000d0d00002", [DAI, USDC], 0n, 0n),
    ...{ i: 10n ** 6n, k: ONE / 5000n, reserves: [6n * 10n ** 24n, 6n * 10n ** 12n] },
  },
];

/** A unit held by the factory, so that the first fee of each token does not pay for a fresh slot. */
function grants({ address, base, quote, reserves }: Machine): Grant[] {
  return [
    { holder: address, token: base, amount: reserves[0] },
    { holder: address, token: quote, amount: reserves[1] },
    { holder: FACTORY, token: base, amount: 1n },
    { holder: FACTORY, token: quote, amount: 1n },
  ];
}

/** Two DVMs: one around the price of WETH, one for dollars. */
export const devnet: DevnetProtocol = {
  deployments: [deployment],
  packages: [],
  plan: async () =>
    planOfModels({
      helpers: [
        { address: FACTORY, runtimeCode: factoryArtifact.runtimeCode as Hex },
        ...machines.map(({ address }) => ({ address, runtimeCode: poolArtifact.runtimeCode as Hex })),
      ],
      grants: machines.flatMap(grants),
      transactions: machines.map(({ address, base, quote, i, k }) => ({
        to: FACTORY,
        data: encodeFunctionData({
          abi,
          functionName: "announce",
          args: [address, base, quote, i, k, LP_FEE, MT_FEE],
        }),
        gas: 1_000_000,
      })),
      checks: machines.map(({ address, reserves }) => ({
        what: `reserves of the vending machine ${address}`,
        call: { to: address, data: encodeFunctionData({ abi, functionName: "getVaultReserve" }) },
        startsWith: `0x${reserves.map((amount) => toHex(amount, { size: 32 }).slice(2)).join("")}`,
      })),
    }),
};
