import type { Address, Facts } from "./types.ts";

/** An address under a name that a design gives it: the design of the pools that a factory makes, say. */
export type NamedAddress = { readonly name: string; readonly address: Address };

/** Lists of addresses, or one, by name. */
export type NamedAddresses = Readonly<Record<string, Address | readonly Address[]>>;

const ENTRY = /^([a-z0-9-]+)=(0x[0-9a-f]{40})$/;

/**
 * A fact is a number or a string, since it is kept with every pool: lists of addresses are one text, `name=0x…;name=0x…`.
 * Nobody but this file reads or writes that text.
 */
export function writeNamed(lists: NamedAddresses): string {
  return Object.entries(lists)
    .flatMap(([name, addresses]) => [addresses].flat().map((address) => `${name}=${address}`))
    .join(";");
}

/**
 * What `writeNamed` wrote, in its order.
 *
 * @param fact what the record or the pool says
 * @param owner whose fact it is, and its name: for the error
 * @throws Error where the fact is missing, empty or of another form: the record is wrong
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
