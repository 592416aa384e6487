import { addressAt, hasWords } from "../../core/abi.ts";
import type { Address, Deployment, Log, Pool } from "../../core/types.ts";
import { listedPools } from "../shared/pool-list.ts";

/** AddMarket(address indexed collateral, address controller, address amm, address monetary_policy, uint256 ix) */
const ADD_MARKET = "0xebbe0dfde9dde641808b7a803882653420f3a5b12bb405d238faed959e1e3aa3";
/**
 * NewVault(uint256 indexed id, address indexed collateral_token, address indexed borrowed_token, address vault, address
 * controller, address amm, address price_oracle, address monetary_policy)
 */
const NEW_VAULT = "0x2a854a597908740dff5f0846840f167547ea0d7614c43bde3ea49be2e68c07ec";

export const creationTopics = [ADD_MARKET, NEW_VAULT] as const;

/** Markets of a deployment's list. An entry has the AMM, the word `llamma`, the borrowed coin and the collateral. */
export function seeds(deployment: Deployment): readonly Pool[] {
  return listedPools(deployment, { implementations: ["llamma"], options: [] }).map(({ address, own }) =>
    poolOf(deployment, address, own),
  );
}

/**
 * The market that a controller factory or a lending factory announces.
 *
 * @throws Error if a controller factory's deployment does not name its stablecoin: the record is wrong
 */
export function discover(log: Log, deployment: Deployment): Pool | undefined {
  if (log.address !== deployment.factory) return undefined;
  if (log.topics[0] === ADD_MARKET) return crvUsdMarket(log, deployment);
  if (log.topics[0] !== NEW_VAULT || log.topics.length !== 4 || !hasWords(log.data, 3)) return undefined;
  const collateral = addressAt(log.topics[2]!, 0);
  const borrowed = addressAt(log.topics[3]!, 0);
  return poolOf(deployment, addressAt(log.data, 2), [borrowed, collateral]);
}

function crvUsdMarket(log: Log, deployment: Deployment): Pool | undefined {
  if (log.topics.length !== 2 || !hasWords(log.data, 2)) return undefined;
  const { stablecoin } = deployment.facts;
  if (typeof stablecoin !== "string" || !/^0x[0-9a-f]{40}$/.test(stablecoin))
    throw new Error(`deployment ${deployment.id}: stablecoin must be an address, not ${stablecoin}`);
  return poolOf(deployment, addressAt(log.data, 1), [stablecoin as Address, addressAt(log.topics[1]!, 0)]);
}

function poolOf(deployment: Deployment, address: Address, tokens: readonly Address[]): Pool {
  return {
    ...{ id: address, address, protocol: "curve-llamma", deployment: deployment.id },
    ...{ tokens, stateIds: [address], facts: {} },
  };
}
