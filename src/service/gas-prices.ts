import { gasLevels, servedChain } from "./chain.ts";
import type { Deps } from "./deps.ts";
import type { GasLevels } from "./ports/ports.ts";

/** The gas prices of a chain's next block, in wei. @throws BraidError UNSUPPORTED_CHAIN, STALE_STATE */
export function gasPrices(deps: Deps, chainId: number): GasLevels {
  return gasLevels(servedChain(deps, chainId));
}
