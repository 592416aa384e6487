import type { TypedData, TypedDataDomain } from "viem";
import { hashStruct } from "viem/utils";
import type { Hex } from "../types.ts";

type DomainField = { readonly name: keyof TypedDataDomain; readonly type: string };

/**
 * Fields of a domain in the order of EIP-712; a domain has those that are defined. Written here because the library
 * has it only in its main module, whose further parts nothing else of the service needs and which takes 0.15 s to load.
 */
const FIELDS: readonly DomainField[] = [
  { name: "name", type: "string" },
  { name: "version", type: "string" },
  { name: "chainId", type: "uint256" },
  { name: "verifyingContract", type: "address" },
  { name: "salt", type: "bytes32" },
];

/** The type `EIP712Domain` of a domain. @source EIP-712, definition of domainSeparator */
export function domainFields(domain: TypedDataDomain): DomainField[] {
  return FIELDS.filter(({ name }) => domain[name] !== undefined);
}

/** What a contract of this domain hashes into every signature. */
export function domainSeparator(domain: TypedDataDomain): Hex {
  const types: TypedData = { EIP712Domain: domainFields(domain) };
  return hashStruct({ data: { ...domain }, primaryType: "EIP712Domain", types });
}
