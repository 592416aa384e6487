import { encodeFunctionData, parseAbi } from "viem/utils";
import type { Address } from "../../core/types.ts";
import { BALANCER_VAULT, VAULT_SEEDER } from "./addresses.ts";
import type { SeedTransaction } from "./plan.ts";

const abi = parseAbi(["function join(address vault, address pool, address[] tokens, uint256[] amounts)"]);

/** A pool of Balancer's v2 vault, of Balancer or of another protocol. */
type VaultPool = {
  readonly address: Address;
  /** In ascending order, as in the vault. */
  readonly tokens: readonly Address[];
  readonly balances: readonly bigint[];
};

/** The first join of a registered pool, which adds tokens of the seeder. */
export function joining({ address, tokens, balances }: VaultPool): SeedTransaction {
  const args = [BALANCER_VAULT, address, tokens, balances] as const;
  return {
    to: VAULT_SEEDER,
    data: encodeFunctionData({ abi, functionName: "join", args }),
    gas: 2_000_000,
  };
}
