import type { Address, Deployment, Hex } from "../../core/types.ts";
import { ADDRESS } from "./record-address.ts";

/** An entry of a deployment's list of pools. */
export type Listed = {
  readonly address: Address;
  /** Name of the contract type in the design's table. */
  readonly implementation: string;
  /** The pool's own coins, and the underlying coins. */
  readonly own: readonly Address[];
  readonly under: readonly Address[];
  readonly options: Readonly<Record<string, Address>>;
};

/**
 * The pools that a deployment lists in its fact `pools`, for designs whose contracts do not announce addresses in
 * logs.
 *
 * Entries are separated by `;`. The words of an entry are separated by spaces: address, implementation, coins joined
 * by `,`, and options `name=address`. Underlying coins follow the pool's own after a `/`. For example, a pool and a
 * metapool over it:
 *
 *   0xbebc… early 0x6b17…,0xa0b8…,0xdac1… lp=0x6c3f…; 0x0f9c… meta 0x1c48…,0x6c3f…/0x6b17…,0xa0b8…,0xdac1… base=0xbebc…
 *
 * @param allowed implementations and options that the design accepts
 * @throws Error if the list is malformed: the record is wrong
 */
export function listedPools(
  deployment: Deployment,
  allowed: { readonly implementations: readonly string[]; readonly options: readonly string[] },
): readonly Listed[] {
  const { pools } = deployment.facts;
  if (pools === undefined) return [];
  if (typeof pools !== "string") throw new Error(`deployment ${deployment.id}: pools must be a string`);
  const lines = pools
    .split(";")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  return lines.map((line) => {
    const wrong = (what: string) => badList(deployment, what, line);
    const listed = read(line);
    if (listed === undefined) throw wrong("no pool and coins");
    if (!allowed.implementations.includes(listed.implementation)) throw wrong("no such implementation");
    for (const [name, value] of Object.entries(listed.options)) {
      if (!allowed.options.includes(name)) throw wrong(`unknown option ${name}`);
      if (!ADDRESS.test(value)) throw wrong(`option ${name} is no address`);
    }
    return listed;
  });
}

/**
 * The pool identifiers that a deployment lists in its fact `hints`, separated by spaces.
 *
 * @param bytes length of an identifier
 * @throws Error if an entry is not such an identifier: the record is wrong
 */
export function readHints(deployment: Deployment, bytes: 20 | 32): readonly Hex[] {
  const { hints = "" } = deployment.facts;
  const names = String(hints)
    .split(/\s+/)
    .filter((name) => name !== "");
  for (const name of names) {
    if (!/^0x[0-9a-f]*$/.test(name) || name.length !== 2 + 2 * bytes)
      throw badList(deployment, `no name of ${bytes} bytes`, name);
  }
  return names as Hex[];
}

/** The error for a malformed entry of a deployment's list. */
export function badList(deployment: Deployment, what: string, line: string): Error {
  return new Error(`deployment ${deployment.id}: ${what} in "${line}"`);
}

function read(line: string): Listed | undefined {
  const [address, implementation = "", coins = "", ...options] = line.split(/\s+/);
  const [own = [], under = [], ...rest] = coins.split("/").map((list) => list.split(","));
  const all = [address, ...own, ...under];
  if (!all.every(isAddress) || own.length < 2 || rest.length > 0) return undefined;
  return {
    address: address as Address,
    implementation,
    own: own.filter(isAddress),
    under: under.filter(isAddress),
    options: Object.fromEntries(options.map((option) => option.split("="))),
  };
}

function isAddress(text: string | undefined): text is Address {
  return text !== undefined && ADDRESS.test(text);
}
