import { encodeAbiParameters } from "viem/utils";
import { SWAP_ERC20_ADDRESS } from "../../core/encoding/index.ts";
import { DEPLOYER } from "../../devnet/plan/addresses.ts";
import { creationCode } from "../../devnet/plan/packages.ts";
import { type DevnetProtocol, planOfModels } from "../../devnet/plan/plan.ts";

const FILE = "@airswap/swap-erc20/build/contracts/SwapERC20.sol/SwapERC20.json";
/** The fee as on Ethereum, in basis points, and a bonus for stakers, which nobody gets as no token is staked. */
const [FEE, LIGHT_FEE, BONUS_SCALE, MOST_BONUS] = [7n, 7n, 10n, 100n];

/**
 * Makers come from the configuration (`npm run maker` runs one). Their orders settle by Permit2, which the devnet has
 * anyway, or by AirSwap's contract at its usual address.
 */
export const devnet: DevnetProtocol = {
  deployments: [],
  packages: ["@airswap/swap-erc20"],
  plan: async () => {
    const types = ["uint256", "uint256", "address", "uint256", "uint256"].map((type) => ({ type }));
    const given = encodeAbiParameters(types, [FEE, LIGHT_FEE, DEPLOYER, BONUS_SCALE, MOST_BONUS]);
    return {
      ...planOfModels({ helpers: [], grants: [], transactions: [], checks: [] }),
      contracts: [{ address: SWAP_ERC20_ADDRESS, creationCode: await creationCode(FILE, given) }],
    };
  },
};
