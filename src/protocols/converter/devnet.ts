import type { Hex } from "viem";
import { encodeFunctionData, parseAbi } from "viem/utils";
import artifact from "../../../contracts/devnet/out/DaiUsds.json" with { type: "json" };
import type { Address, Deployment } from "../../core/types.ts";
import { DAI, USDS } from "../../devnet/plan/addresses.ts";
import { planOfConverter } from "../../devnet/plan/converters.ts";
import type { DevnetProtocol } from "../../devnet/plan/plan.ts";

const CONVERTER: Address = "0x00000000000000000000000000000000da105d50";
/** More than the supply of either token. */
const STOCK = 10n ** 28n;

const abi = parseAbi(["function open(address dai, address usds)"]);

const deployment: Deployment = {
  id: "dai-usds",
  protocol: "converter",
  name: "DAI_USDS",
  factory: CONVERTER,
  fromBlock: 0,
  trusted: true,
  gasPermille: 530,
  facts: { kind: "daiUsds", token0: DAI, token1: USDS },
  source: "a model: contracts/devnet/converters/DaiUsds.sol",
};

/** DAI for USDS and back, one for one. */
export const devnet: DevnetProtocol = {
  deployments: [deployment],
  packages: [],
  plan: async () =>
    planOfConverter({
      address: CONVERTER,
      runtimeCode: artifact.runtimeCode as Hex,
      opening: encodeFunctionData({ abi, args: [DAI, USDS] }),
      stocks: [
        { name: "dai", token: DAI, amount: STOCK },
        { name: "usds", token: USDS, amount: STOCK },
      ],
    }),
};
