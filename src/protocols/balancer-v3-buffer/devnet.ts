import type { Hex } from "viem";
import { encodeFunctionData, parseAbi, toHex } from "viem/utils";
import wrapperArtifact from "../../../contracts/devnet/out/Vault.json" with { type: "json" };
import { writeNamed } from "../../core/named-addresses.ts";
import type { Deployment } from "../../core/types.ts";
import { ACCOUNTS, BALANCER_V3_VAULT, USDC, USDC_WRAPPER } from "../../devnet/plan/addresses.ts";
import { type DevnetProtocol, planOfModels } from "../../devnet/plan/plan.ts";

const abi = parseAbi([
  "function open(address asset, string name, string symbol, address[] holders, uint256 shares)",
  "function openBuffer(address wrappedToken, uint256 underlying, uint256 wrapped)",
  "function getBufferBalance(address wrappedToken) view returns (uint256 underlying, uint256 wrapped)",
]);

/** One share is worth slightly more than one dollar. */
const ASSETS = 10n ** 13n + 7n;
const HOLDERS = [...ACCOUNTS, USDC_WRAPPER, BALANCER_V3_VAULT];
const SHARES_EACH = 7n * 10n ** 11n;

const deployment: Deployment = {
  id: "balancer-v3-buffer",
  protocol: "balancer-v3-buffer",
  name: "Balancer_V3_Buffers",
  factory: BALANCER_V3_VAULT,
  fromBlock: 0,
  trusted: true,
  facts: { buffers: writeNamed({ [USDC_WRAPPER]: USDC }) },
  gasPermille: 690,
  source: "a model: contracts/devnet/balancer-v3/BalancerV3Buffers.sol, its wrapper Vault.sol",
};

const wrapping = [USDC, "Wrapped USDC", "wUSDC", HOLDERS, SHARES_EACH] as const;

/** One buffer that starts with shares only: the first unwrap makes the vault fill it. */
export const devnet: DevnetProtocol = {
  deployments: [deployment],
  packages: [],
  plan: async () =>
    planOfModels({
      helpers: [{ address: USDC_WRAPPER, runtimeCode: wrapperArtifact.runtimeCode as Hex }],
      grants: [{ holder: USDC_WRAPPER, token: USDC, amount: ASSETS }],
      transactions: [
        {
          to: USDC_WRAPPER,
          data: encodeFunctionData({ abi, functionName: "open", args: wrapping }),
          gas: 2_000_000,
        },
        {
          to: BALANCER_V3_VAULT,
          data: encodeFunctionData({
            abi,
            functionName: "openBuffer",
            args: [USDC_WRAPPER, 0n, SHARES_EACH],
          }),
          gas: 300_000,
        },
      ],
      checks: [
        {
          what: "stocks of the buffer of wrapped USDC",
          call: {
            to: BALANCER_V3_VAULT,
            data: encodeFunctionData({ abi, functionName: "getBufferBalance", args: [USDC_WRAPPER] }),
          },
          startsWith: `0x${toHex(0n, { size: 32 }).slice(2)}${toHex(SHARES_EACH, { size: 32 }).slice(2)}`,
        },
      ],
    }),
};
