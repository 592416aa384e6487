import type { Address, Facts } from "./types.ts";

/** An address with a name whose meaning is the protocol's, such as the design of the pools that a factory creates. */
export type NamedAddress = { readonly name: string; readonly address: Address };

/** One address or a list of addresses per name. */
export type NamedAddresses = Readonly<Record<string, Address | readonly Address[]>>;

const ENTRY = /^([a-z0-9-]+)=(0x[0-9a-f]{40})$/;

/**
 * Encodes lists of addresses as one text, `name=0x…;name=0x…`, since a fact is a number or a string. Only this module
 * knows the format.
 */
export function writeNamed(lists: NamedAddresses): string {
  return Object.entries(lists)
    .flatMap(([name, addresses]) => [addresses].flat().map((address) => `${name}=${address}`))
    .join(";");
}

/**
 * Decodes the text of `writeNamed`, in its order.
 *
 * @param fact value from a deployment record or a pool
 * @param owner owner and name of the fact, for the error message
 * @throws Error if the fact is missing, empty or malformed: the record is wrong
 */
export function readNamed(fact: Facts[string] | undefined, owner: string): readonly NamedAddress[] {
  if (typeof fact !== "string") throw new Error(`${owner} must list name=address`);
  return fact.split(";").map((entry) => {
    const [, name, address] = ENTRY.exec(entry) ?? [];
    if (name === undefined || address === undefined)
      throw new Error(`${owner}: "${entry}" is not name=address`);
    return { name, address: address as Address };
  });
}
