import { encodeFunctionData, parseAbi } from "viem";
import type { Address } from "../../core/types.ts";
import { BALANCER_VAULT, VAULT_SEEDER } from "./addresses.ts";
import type { SeedTransaction } from "./plan.ts";

const abi = parseAbi(["function join(address vault, address pool, address[] tokens, uint256[] amounts)"]);

/** A pool of Balancer's second vault, whoever's design it is. */
type VaultPool = {
  readonly address: Address;
  /** As the vault lists them: in ascending order. */
  readonly tokens: readonly Address[];
  readonly balances: readonly bigint[];
};

/** The first join of a pool that the vault knows, with what the seeder holds. */
export function joining({ address, tokens, balances }: VaultPool): SeedTransaction {
  const args = [BALANCER_VAULT, address, tokens, balances] as const;
  return {
    to: VAULT_SEEDER,
    data: encodeFunctionData({ abi, functionName: "join", args }),
    gas: 2_000_000,
  };
}
