import { SignTypedDataVersion, TypedDataUtils } from "@metamask/eth-sig-util";
import { TypedDataEncoder, verifyTypedData, Wallet } from "ethers";
import fc from "fast-check";
import type { Hex, TypedDataDefinition } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { hashTypedData, toHex } from "viem/utils";
import { describe, expect, test } from "vitest";
import type { Address } from "../../src/core/types.ts";
import { presentPermits } from "../../src/http/schemas/permit-query.ts";
import type { Offer } from "../../src/service/pricing/offer.ts";
import type { PermitFacts } from "../../src/service/quoting/permit-tokens.ts";
import { permitOffers } from "../../src/service/quoting/permits.ts";

/** What a wallet is asked to sign, hashed and signed by the libraries that dapps use; each gets the answer as JSON. */

const KEY: Hex = `0x${"7".repeat(64)}`;
const account = privateKeyToAccount(KEY);
const addresses = fc
  .bigInt(1n, 2n ** 160n - 1n)
  .map((value): Address => `0x${value.toString(16).padStart(40, "0")}`);
const words = fc.bigInt(0n, 2n ** 256n - 1n);
const kinds = ["eip2612", "dai", "permit2"] as const;

const cases = fc.record({
  kind: fc.constantFrom(...kinds),
  token: addresses,
  spender: addresses,
  amount: words,
  nonce: words,
  deadline: fc.integer({ min: 1, max: 2 ** 32 }),
  name: fc.string({ minLength: 1, maxLength: 20, unit: "grapheme" }),
  version: fc.option(fc.constantFrom("1", "2"), { nil: undefined }),
  chainId: fc.integer({ min: 1, max: 2 ** 31 }),
});

type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never;

/** The permit of a case as the API answers it. */
function answered({ kind, token, spender, amount, nonce, deadline, name, version, chainId }: Case) {
  const bare = { name, chainId, verifyingContract: token };
  const domain = version === undefined ? bare : { ...bare, version };
  const facts: PermitFacts =
    kind === "permit2"
      ? { token: undefined, permit2: { allowance: 0n } }
      : { token: { kind, nonce, domain }, permit2: undefined };
  const head = { number: 1, hash: toHex(nonce, { size: 32 }), parentHash: "0x", timestamp: 1 };
  const offer = {
    chain: { id: chainId },
    tokenIn: { address: token },
    tokenOut: { address: spender },
    amountIn: amount,
    head,
  } as unknown as Offer;
  const owner = account.address.toLowerCase() as Address;
  const permits = presentPermits(permitOffers(facts, { offer, owner, spender, deadline }));
  return JSON.parse(JSON.stringify(permits?.[kind])) as {
    typed_data: TypedDataDefinition;
    typed_data_ethers: { domain: object; types: Parameters<typeof TypedDataEncoder.from>[0]; value: object };
  };
}

/** What MetaMask signs for eth_signTypedData_v4 with this JSON. */
const byMetaMask = (data: unknown): Hex => {
  const message = data as Parameters<typeof TypedDataUtils.eip712Hash>[0];
  return toHex(TypedDataUtils.eip712Hash(message, SignTypedDataVersion.V4));
};

describe("typed data of permits", () => {
  test("viem, MetaMask and ethers sign the same 32 bytes", () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(cases, (one) => {
        const { typed_data, typed_data_ethers: ethers } = answered(one);
        const hash = hashTypedData(typed_data);
        expect(byMetaMask(typed_data)).toBe(hash);
        expect(TypedDataEncoder.hash(ethers.domain, ethers.types, ethers.value)).toBe(hash);
        expect(TypedDataEncoder.from(ethers.types).primaryType).toBe(typed_data.primaryType);
        seen.add(one.kind);
      }),
      { numRuns: 200 },
    );
    expect([...seen].sort()).toEqual([...kinds].sort());
  });

  test.each(kinds)("a wallet of ethers signs %s as an account of viem does", async (kind) => {
    const [one] = fc.sample(
      cases.map((each) => ({ ...each, kind })),
      { numRuns: 1, seed: 5 },
    );
    const { typed_data, typed_data_ethers: ethers } = answered(one!);
    const wallet = new Wallet(KEY);
    const signature = await wallet.signTypedData(ethers.domain, ethers.types, ethers.value);
    expect(signature).toBe(await account.signTypedData(typed_data));
    expect(verifyTypedData(ethers.domain, ethers.types, ethers.value, signature)).toBe(account.address);
  });

  test("neither form does for the other's libraries, which is why there are two", () => {
    const [one] = fc.sample(cases, { numRuns: 1, seed: 5 });
    const { typed_data, typed_data_ethers: ethers } = answered(one!);
    const { types } = typed_data as unknown as { types: Parameters<typeof TypedDataEncoder.from>[0] };
    expect(() => TypedDataEncoder.from(types)).toThrow(/ambiguous primary types/);
    const bare = { ...typed_data, types: ethers.types };
    expect(byMetaMask(bare)).not.toBe(hashTypedData(typed_data));
  });
});
