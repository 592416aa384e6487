import type { Hex } from "viem";
import { encodeFunctionData, pad, parseAbi } from "viem/utils";
import artifact from "../../../contracts/devnet/out/DaiUsds.json" with { type: "json" };
import type { Address, Deployment } from "../../core/types.ts";
import { DAI, USDS } from "../../devnet/plan/addresses.ts";
import { type DevnetProtocol, planOfModels } from "../../devnet/plan/plan.ts";

const CONVERTER: Address = "0x00000000000000000000000000000000da105d50";
/** More than the supply of either token. */
const STOCK = 10n ** 28n;

const abi = parseAbi([
  "function open(address dai, address usds)",
  "function dai() view returns (address)",
  "function usds() view returns (address)",
]);

const deployment: Deployment = {
  id: "dai-usds",
  protocol: "converter",
  name: "DAI_USDS",
  factory: CONVERTER,
  fromBlock: 0,
  trusted: true,
  gasPermille: 530,
  facts: { kind: "daiUsds", token0: DAI, token1: USDS },
  source: "a model: contracts/devnet/DaiUsds.sol",
};

const tokens = [
  ["dai", DAI],
  ["usds", USDS],
] as const;

/** DAI for USDS and back, one for one. */
export const devnet: DevnetProtocol = {
  deployments: [deployment],
  packages: [],
  plan: async () =>
    planOfModels({
      helpers: [{ address: CONVERTER, runtimeCode: artifact.runtimeCode as Hex }],
      grants: tokens.map(([, token]) => ({ holder: CONVERTER, token, amount: STOCK })),
      transactions: [
        {
          to: CONVERTER,
          data: encodeFunctionData({ abi, functionName: "open", args: [DAI, USDS] }),
          gas: 200_000,
        },
      ],
      checks: tokens.map(([functionName, token]) => ({
        what: `${functionName} of the converter`,
        call: { to: CONVERTER, data: encodeFunctionData({ abi, functionName }) },
        startsWith: pad(token),
      })),
    }),
};
