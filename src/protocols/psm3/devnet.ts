import type { Hex } from "viem";
import { encodeFunctionData, parseAbi } from "viem/utils";
import artifact from "../../../contracts/devnet/out/Psm3.json" with { type: "json" };
import type { Address, Deployment } from "../../core/types.ts";
import { PYUSD, SUSDS, USDS } from "../../devnet/plan/addresses.ts";
import { planOfConverter } from "../../devnet/plan/converters.ts";
import type { DevnetProtocol } from "../../devnet/plan/plan.ts";

const MODULE: Address = "0x000000000000000000000000000000000d559503";
/** Worth of a share, and its growth per second: too slow to be worth a trade, but every second counts in the last digits. */
const CHI = 1_050_000_000_123_456_789_012_345_678n;
const GROWTH = 1_000_000_000_000_010_000_000_000_007n;

const abi = parseAbi(["function open(address usdc, address usds, address susds, uint96 ssr, uint120 chi)"]);

const deployment: Deployment = {
  id: "spark-psm",
  protocol: "psm3",
  name: "Spark_PSM",
  factory: MODULE,
  fromBlock: 0,
  trusted: true,
  gasPermille: 680,
  facts: { usdc: PYUSD, usds: USDS, susds: SUSDS },
  source: "a model: contracts/devnet/converters/Psm3.sol",
};

/** What it pays out at most: more than most orders sell. */
const stocks = [
  { name: "usdc", token: PYUSD, amount: 40_000_000n * 10n ** 6n },
  { name: "usds", token: USDS, amount: 40_000_000n * 10n ** 18n },
  { name: "susds", token: SUSDS, amount: 40_000_000n * 10n ** 18n },
] as const;

/** PYUSD in the place of USDC, which keeps the market of USDC as it is; USDS and sUSDS. */
export const devnet: DevnetProtocol = {
  deployments: [deployment],
  packages: [],
  plan: async () =>
    planOfConverter({
      address: MODULE,
      runtimeCode: artifact.runtimeCode as Hex,
      opening: encodeFunctionData({ abi, args: [PYUSD, USDS, SUSDS, GROWTH, CHI] }),
      stocks,
    }),
};
