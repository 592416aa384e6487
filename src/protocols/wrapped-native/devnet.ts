import type { Deployment } from "../../core/types.ts";
import { WETH } from "../../devnet/plan/addresses.ts";
import { creationCode } from "../../devnet/plan/packages.ts";
import type { DevnetProtocol } from "../../devnet/plan/plan.ts";

const deployment: Deployment = {
  id: "wrapped-native",
  protocol: "wrapped-native",
  name: "WETH",
  factory: WETH,
  fromBlock: 0,
  trusted: true,
  facts: {},
  source: "built by the devnet at Ethereum's address, bytecode of @uniswap/v2-periphery",
};

/** WETH9. The genesis block sets its balances and backs them. */
export const devnet: DevnetProtocol = {
  deployments: [deployment],
  packages: ["@uniswap/v2-periphery"],
  plan: async () => ({
    contracts: [
      { address: WETH, creationCode: await creationCode("@uniswap/v2-periphery/build/WETH9.json") },
    ],
    helpers: [],
    grants: [],
    transactions: [],
    ageing: [],
    checks: [
      {
        what: "WETH decimals",
        call: { to: WETH, data: "0x313ce567" },
        startsWith: `0x${"12".padStart(64, "0")}`,
      },
    ],
    venues: [],
  }),
};
