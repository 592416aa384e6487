import type { Hex } from "viem";
import { encodeFunctionData, parseAbi, toHex } from "viem/utils";
import vaultArtifact from "../../../contracts/devnet/out/Vault.json" with { type: "json" };
import type { Deployment } from "../../core/types.ts";
import { ACCOUNTS, DAI, DAI_VAULT } from "../../devnet/plan/addresses.ts";
import type { DevnetProtocol } from "../../devnet/plan/plan.ts";

const abi = parseAbi([
  "function open(address asset, string name, string symbol, address[] holders, uint256 shares)",
  "function totalAssets() view returns (uint256)",
  "function totalSupply() view returns (uint256)",
]);

/** One share is worth slightly more than one DAI. */
const ASSETS = 10n ** 25n + 7n;
/** Shares held by the vault itself, so that trades sized by a pool's balance of the token sold find a depth. */
const HOLDERS = [...ACCOUNTS, DAI_VAULT];
const SHARES_EACH = 9n * 10n ** 23n;

const deployment: Deployment = {
  id: "erc4626",
  protocol: "erc4626",
  name: "DAI_Vault",
  factory: DAI_VAULT,
  fromBlock: 0,
  trusted: true,
  gasPermille: 690,
  facts: { asset: DAI, kind: "shares" },
  source: "a model: contracts/devnet/tokens/Vault.sol",
};

const args = [DAI, "Vault of DAI", "vDAI", HOLDERS, SHARES_EACH] as const;

const shown = (functionName: "totalAssets" | "totalSupply", amount: bigint) => ({
  what: `${functionName} of the vault of DAI`,
  call: { to: DAI_VAULT, data: encodeFunctionData({ abi, functionName }) },
  startsWith: toHex(amount, { size: 32 }),
});

/** One vault, whose shares the ten accounts hold. */
export const devnet: DevnetProtocol = {
  deployments: [deployment],
  packages: [],
  plan: async () => ({
    contracts: [],
    helpers: [{ address: DAI_VAULT, runtimeCode: vaultArtifact.runtimeCode as Hex }],
    grants: [{ holder: DAI_VAULT, token: DAI, amount: ASSETS }],
    transactions: [
      { to: DAI_VAULT, data: encodeFunctionData({ abi, functionName: "open", args }), gas: 2_000_000 },
    ],
    ageing: [],
    checks: [shown("totalAssets", ASSETS), shown("totalSupply", SHARES_EACH * BigInt(HOLDERS.length))],
    venues: [],
  }),
};
