import type { Hex } from "viem";
import { encodeFunctionData, parseAbi } from "viem/utils";
import artifact from "../../../contracts/devnet/out/Psm.json" with { type: "json" };
import type { Address, Deployment } from "../../core/types.ts";
import { DAI, PYUSD } from "../../devnet/plan/addresses.ts";
import { planOfConverter } from "../../devnet/plan/converters.ts";
import type { DevnetProtocol } from "../../devnet/plan/plan.ts";

const MODULE: Address = "0x0000000000000000000000000000000000d55950";
const RATE = 10n ** 12n;

const abi = parseAbi(["function open(address gem, address dai, uint256 factor)"]);

const deployment: Deployment = {
  id: "lite-psm",
  protocol: "psm",
  name: "Lite_PSM",
  factory: MODULE,
  fromBlock: 0,
  trusted: true,
  gasPermille: 550,
  facts: { gem: PYUSD, dai: DAI },
  source: "a model: contracts/devnet/converters/Psm.sol",
};

/** What it pays out at most: more than most orders sell. */
const stocks = [
  { name: "gem", token: PYUSD, amount: 40_000_000n * 10n ** 6n },
  { name: "dai", token: DAI, amount: 40_000_000n * 10n ** 18n },
] as const;

/** PYUSD for DAI and back, one for one. */
export const devnet: DevnetProtocol = {
  deployments: [deployment],
  packages: [],
  plan: async () =>
    planOfConverter({
      address: MODULE,
      runtimeCode: artifact.runtimeCode as Hex,
      opening: encodeFunctionData({ abi, args: [PYUSD, DAI, RATE] }),
      stocks,
    }),
};
