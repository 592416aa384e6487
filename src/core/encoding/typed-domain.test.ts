import { getTypesForEIP712Domain, domainSeparator as libraryDomainSeparator } from "viem";
import { expect, test } from "vitest";
import { domainFields, domainSeparator } from "./typed-domain.ts";

const verifyingContract = `0x${"ab".repeat(20)}` as const;
const salt = `0x${"12".repeat(32)}` as const;

test.each([
  {},
  { name: "Permit2", chainId: 1, verifyingContract },
  { name: "USD Coin", version: "2", chainId: 1, verifyingContract },
  { name: "", chainId: 137n, verifyingContract },
  { name: "Salted", version: "1", verifyingContract, salt },
])("fields and separator of %o are those of a library of wallets", (domain) => {
  expect(domainFields(domain)).toEqual(getTypesForEIP712Domain({ domain }));
  expect(domainSeparator(domain)).toBe(libraryDomainSeparator({ domain }));
});

test("an empty version is a version: the contract's type of the domain has the field", () => {
  const bare = { name: "Token", chainId: 1, verifyingContract };
  expect(domainFields({ ...bare, version: "" }).map(({ name }) => name)).toContain("version");
  expect(domainSeparator({ ...bare, version: "" })).not.toBe(domainSeparator(bare));
});
