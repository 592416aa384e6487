import type { Address, Deployment } from "../../core/types.ts";

type Coins = { readonly usdc: Address; readonly usds: Address; readonly susds: Address };

/** Spark's peg stability module of a chain beyond Ethereum. @param second a source that agrees on the module */
export const sparkPsm = (factory: Address, coins: Coins, second: string): Deployment => ({
  id: "spark-psm",
  protocol: "psm3",
  name: "Spark_PSM",
  factory,
  fromBlock: undefined,
  trusted: true,
  facts: coins,
  source: `sparkdotfi/spark-address-registry \`5348de2\` (module and coins); ${second}; not checked against the chain`,
});
