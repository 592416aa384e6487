import type { Address, Deployment } from "../../core/types.ts";

/** A lower-case address, alone. */
export const ADDRESS = /^0x[0-9a-f]{40}$/;

/**
 * The address that a deployment's record states as a fact.
 *
 * @throws Error if it states none, or not in lower case: the record is wrong
 */
export function addressFact({ id, facts }: Deployment, name: string): Address {
  const value = facts[name];
  if (typeof value !== "string" || !ADDRESS.test(value))
    throw new Error(`deployment ${id}: ${name} must be a lower-case address, not ${value}`);
  return value as Address;
}
