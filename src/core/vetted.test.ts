import { expect, test } from "vitest";
import { type Address, type Chain, NATIVE } from "./types.ts";
import { vetting } from "./vetted.ts";

const address = (n: number): Address => `0x${n.toString(16).padStart(40, "0")}`;
const [WRAPPED, OWN, LISTED, OTHER] = [1, 2, 3, 4].map(address) as [Address, Address, Address, Address];

test("vetted are the coin, its wrapper, the chain's own tokens and those of the shipped lists, and no others", () => {
  const chain = { wrappedNative: WRAPPED, vettedTokens: [OWN] } as unknown as Chain;
  const isVetted = vetting(chain, [LISTED]);
  expect([NATIVE, WRAPPED, OWN, LISTED, OTHER].map(isVetted)).toEqual([true, true, true, true, false]);
  expect(vetting({ wrappedNative: WRAPPED } as unknown as Chain, [])(OWN)).toBe(false);
});
