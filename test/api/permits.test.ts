import {
  domainSeparator,
  encodeAbiParameters,
  keccak256,
  stringToHex,
  type TypedDataDomain,
  toHex,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { decodeSwap, PERMIT2_ADDRESS } from "../../src/core/encoding/index.ts";
import { stepKinds } from "../../src/core/encoding/kinds.ts";
import { MAX_UINT256 } from "../../src/core/tokens.ts";
import { type Address, type Hex, NATIVE } from "../../src/core/types.ts";
import { expectFailure, type Got, get } from "./ask.ts";
import { holding, lent } from "./ledger.ts";
import { createWorld, DAI, ROUTER, USDC, WETH } from "./world.ts";

/** A signature in the place of an approval. */

type TestWorld = Awaited<ReturnType<typeof createWorld>>;

const payer = privateKeyToAccount(`0x${"7".repeat(64)}`);
const PAYER = payer.address.toLowerCase() as Address;
const AMOUNT = 1_000_000_000n;
const sale = { fromTokenAddress: USDC, toTokenAddress: WETH, amount: AMOUNT.toString(), slippage: "10" };

let api: TestWorld;
beforeAll(async () => {
  api = await createWorld();
});
afterAll(() => api.app.close());
beforeEach(() => {
  const { balances, allowances, answers, signed } = api.world.ledger;
  for (const part of [balances, allowances, answers, signed]) part.clear();
  for (const token of [USDC, DAI, NATIVE]) balances.set(holding(token, PAYER), 10n ** 24n);
  api.world.nodeDown = false;
  answers.set(`${PERMIT2_ADDRESS} 0x3644e515`, domainSeparator({ domain: permit2Domain }));
});

const permit2Domain = { name: "Permit2", chainId: 1, verifyingContract: PERMIT2_ADDRESS } as const;
const text = (value: string) => encodeAbiParameters([{ type: "string" }], [value]);
const word = (value: bigint) => toHex(value, { size: 32 });
const typehash = (type: string) => keccak256(stringToHex(type));
const DAI_TYPE = "Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)";

const STANDARD_TYPE = "Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)";

/** Makes a token answer as one with permits. */
function giveDomain(token: Address, domain: TypedDataDomain, more: Record<string, Hex> = {}): void {
  const answers = {
    "0x3644e515": domainSeparator({ domain }),
    "0x06fdde03": text(String(domain.name)),
    [`0x7ecebe00 ${PAYER}`]: word(5n),
    ...more,
  };
  for (const [call, data] of Object.entries(answers)) api.world.ledger.answers.set(`${token} ${call}`, data);
}

const usdcDomain = { name: "USD Coin", version: "2", chainId: 1, verifyingContract: USDC } as const;
const quote = (query = {}) => get(api, "/v1/1/quote", { ...sale, takerAddress: PAYER, ...query });
const sign = (typedData: unknown) =>
  payer.signTypedData(typedData as Parameters<typeof payer.signTypedData>[0]);

/** The quote, with the offered permit of this kind signed and sent back. */
async function signed(first: Got, kind: string, query = {}) {
  const { typed_data, permit_nonce, permit_deadline } = first.json.permit[kind];
  const permit_signature = await sign(typed_data);
  api.world.ledger.signed.add(permit_signature.slice(2));
  const permit = { permit_kind: kind, permit_signature, permit_nonce, permit_deadline };
  return { permit_signature, got: await quote({ ...permit, ...query }) };
}

const permitStep = (calldata: Hex) => {
  const [step] = decodeSwap(calldata).route.steps;
  return { ...step!, extra: step!.extra.slice(2) };
};

describe("what can be signed", () => {
  test("EIP-2612: the domain is the one that hashes to the token's own separator", async () => {
    giveDomain(USDC, usdcDomain, { "0x54fd4d50": text("2"), "0x30adf81f": typehash(STANDARD_TYPE) });
    const { permit, valid_until, amount_in } = (await quote()).json;
    const { typed_data_ethers, ...rest } = permit.eip2612;
    expect(rest).toEqual({
      typed_data: {
        types: {
          EIP712Domain: [
            { name: "name", type: "string" },
            { name: "version", type: "string" },
            { name: "chainId", type: "uint256" },
            { name: "verifyingContract", type: "address" },
          ],
          Permit: [
            "owner address",
            "spender address",
            "value uint256",
            "nonce uint256",
            "deadline uint256",
          ].map((field) => ({ name: field.split(" ")[0], type: field.split(" ")[1] })),
        },
        primaryType: "Permit",
        domain: usdcDomain,
        message: {
          owner: PAYER,
          spender: ROUTER,
          value: amount_in,
          nonce: "5",
          deadline: String(valid_until),
        },
      },
      permit_nonce: "5",
      permit_deadline: valid_until,
      ready: true,
    });
  });

  test.each([
    ["a version that it does not tell", { ...usdcDomain, version: "1" }, true],
    ["no version in it", { name: "USD Coin", chainId: 1, verifyingContract: USDC }, true],
    ["another chain's id", { ...usdcDomain, chainId: 137 }, false],
    ["a salt for the chain", { ...usdcDomain, salt: word(1n) }, false],
    ["a version that nobody could know", { ...usdcDomain, version: "7" }, false],
  ])("a domain with %s", async (_what, domain, isOffered) => {
    giveDomain(USDC, domain as TypedDataDomain);
    expect((await quote()).json.permit.eip2612?.typed_data.domain).toEqual(isOffered ? domain : undefined);
  });

  test("a token that changes its domain, as an upgrade may, is read again", async () => {
    giveDomain(USDC, usdcDomain);
    expect((await quote()).json.permit.eip2612.typed_data.domain.version).toBe("2");
    giveDomain(USDC, { ...usdcDomain, version: "1" });
    expect((await quote()).json.permit.eip2612.typed_data.domain.version).toBe("1");
  });

  test("DAI signs its own form; a token with yet another one is offered none", async () => {
    const domain = { name: "Dai Stablecoin", version: "1", chainId: 1, verifyingContract: DAI } as const;
    giveDomain(DAI, domain, { "0x30adf81f": typehash(DAI_TYPE) });
    const ask = async () =>
      (await quote({ fromTokenAddress: DAI, amount: (10n ** 21n).toString() })).json.permit;
    const permit = await ask();
    expect(Object.keys(permit)).toEqual(["dai", "permit2"]);
    expect(permit.dai.typed_data.message).toMatchObject({ holder: PAYER, nonce: "5", allowed: true });
    giveDomain(DAI, { ...domain, version: "2" }, { "0x30adf81f": typehash("Permit(address other)") });
    expect(Object.keys(await ask())).toEqual(["permit2"]);
  });

  test("a token without nonces or separator: Permit2 alone; whether it is approved is read", async () => {
    const { permit } = (await quote()).json;
    expect(Object.keys(permit)).toEqual(["permit2"]);
    expect([permit.permit2.ready, permit.permit2.approve]).toEqual(
      [true, PERMIT2_ADDRESS].map((x, i) => (i ? x : false)),
    );
    api.world.ledger.allowances.set(lent(USDC, PAYER, PERMIT2_ADDRESS), AMOUNT);
    expect((await quote()).json.permit.permit2.ready).toBe(true);
    expect(permit.permit2.typed_data).toMatchObject({
      domain: permit2Domain,
      primaryType: "PermitTransferFrom",
      message: { permitted: { token: USDC, amount: AMOUNT.toString() }, spender: ROUTER },
    });
  });

  test("nothing where nothing can be: no wallet, the native coin, a chain without Permit2, no node", async () => {
    expect((await quote({ takerAddress: undefined })).json).not.toHaveProperty("permit");
    expect((await quote({ fromTokenAddress: NATIVE })).json).not.toHaveProperty("permit");
    api.world.ledger.answers.clear();
    expect((await quote()).json).not.toHaveProperty("permit");
    api.world.nodeDown = true;
    const down = await quote();
    expect([down.status, down.json.permit]).toEqual([200, undefined]);
  });

  test("nonces of Permit2 differ between swaps and are the same for one", async () => {
    const nonce = async (query = {}) => (await quote(query)).json.permit.permit2.permit_nonce;
    const all = [await nonce(), await nonce({ amount: "5000000" }), await nonce({ toTokenAddress: DAI })];
    expect(new Set(all).size).toBe(3);
    expect(await nonce()).toBe(all[0]);
    expect(BigInt(all[0])).toBeLessThanOrEqual(MAX_UINT256);
  });
});

describe("a signature that comes back", () => {
  test.each(["eip2612", "permit2"] as const)(
    "%s: it is in the calldata, which runs without an approval",
    async (kind) => {
      giveDomain(USDC, usdcDomain);
      const first = await quote();
      expect(first.json.simulated).toBe(false);
      const { got, permit_signature } = await signed(first, kind, { skipValidation: "false" });
      expect(got.status, got.text).toBe(200);
      expect([got.json.simulated, got.json.approve_amount, got.json.permit]).toEqual([true, "0", undefined]);
      const { kind: step, extra } = permitStep(got.json.calldata);
      expect(step).toBe(kind === "permit2" ? stepKinds.permit2 : stepKinds.permit);
      const nonce = BigInt(first.json.permit[kind].permit_nonce);
      expect(BigInt(`0x${extra.slice(0, 64)}`)).toBe(kind === "permit2" ? nonce : AMOUNT);
      expect(Number(`0x${extra.slice(64, 74)}`)).toBe(first.json.permit[kind].permit_deadline);
      expect(`0x${extra.slice(74)}`).toBe(permit_signature);
      expect(decodeSwap(got.json.calldata).amountIn).toBe(AMOUNT);
    },
  );

  test("dai: the nonce stands in the place of the amount", async () => {
    const domain = { name: "Dai Stablecoin", version: "1", chainId: 1, verifyingContract: DAI } as const;
    giveDomain(DAI, domain, { "0x30adf81f": typehash(DAI_TYPE) });
    const first = await quote({ fromTokenAddress: DAI, amount: (10n ** 21n).toString() });
    const { got } = await signed(first, "dai", { fromTokenAddress: DAI, amount: (10n ** 21n).toString() });
    expect(got.json.simulated).toBe(true);
    expect(BigInt(`0x${permitStep(got.json.calldata).extra.slice(0, 64)}`)).toBe(5n);
  });

  test("without a wallet named, the estimate has room for the permit", async () => {
    const first = await quote();
    const { got } = await signed(first, "permit2", { takerAddress: undefined });
    const added = BigInt(got.json.estimate_gas_total) - BigInt(first.json.estimate_gas_total);
    expect(added).toBeGreaterThanOrEqual(80_000n);
  });

  test("a last byte of 0 or 1 becomes 27 or 28", async () => {
    const query = {
      permit_kind: "permit2",
      permit_nonce: "1",
      permit_deadline: "1700001000",
      takerAddress: undefined,
    };
    for (const [given, sent] of [
      ["00", "1b"],
      ["01", "1c"],
      ["1b", "1b"],
      ["1C", "1c"],
    ] as const) {
      const { json } = await quote({ ...query, permit_signature: `0x${"ab".repeat(64)}${given}` });
      expect(permitStep(json.calldata).extra.slice(-2)).toBe(sent);
    }
  });

  test("a quote is valid no longer than its signature, unless the request names another deadline", async () => {
    const signature = `0x${"ab".repeat(65)}`;
    const permit = { permit_kind: "permit2", permit_nonce: "1", permit_signature: signature };
    const until = async (query: Record<string, string>) => (await quote(query)).json.valid_until;
    expect(await until({ ...permit, permit_deadline: "1700000300" })).toBe(1_700_000_300);
    expect(await until({ ...permit, permit_deadline: "1700009000" })).toBe(1_700_001_200);
    expect(await until({ ...permit, permit_deadline: "1700000300", deadline: "1700000600" })).toBe(
      1_700_000_600,
    );
  });

  test("one that does not let the router take the tokens is told of, and refused where asked for", async () => {
    const permit = { permit_kind: "permit2", permit_nonce: "1", permit_deadline: "1700001000" };
    const bad = { ...permit, permit_signature: `0x${"11".repeat(65)}` };
    const { json } = await quote(bad);
    expect(json.warnings.join()).toContain("reverts when it is run now");
    expect(json.warnings.join()).toContain("The signature must be takerAddress's");
    expectFailure(await quote({ ...bad, skipValidation: "false" }), 422, "SIMULATION_FAILED");
    expect(api.world.reported).toEqual([]);
  });

  test.each(["eip2612", "permit2"])(
    "a signature of kind %s that has expired is refused by its deadline",
    async (kind) => {
      const got = await quote({
        permit_kind: kind,
        permit_nonce: "1",
        permit_deadline: "1600000000",
        permit_signature: `0x${"11".repeat(65)}`,
      });
      const { details } = expectFailure(got, 400, "VALIDATION");
      expect(details).toMatchObject([{ field: "permit_deadline", value: 1_600_000_000 }]);
    },
  );

  test.each([
    [{ permit_kind: "permit3" }, ["permit_kind", "permit_signature", "permit_deadline", "permit_nonce"]],
    [{ permit_kind: "permit2" }, ["permit_signature", "permit_deadline", "permit_nonce"]],
    [{ permit_signature: "0x12" }, ["permit_signature", "permit_kind", "permit_deadline", "permit_nonce"]],
    [{ permit_kind: "eip2612", permit_nonce: "-1" }, ["permit_nonce", "permit_signature", "permit_deadline"]],
  ])("%j is refused, every fault named", async (query, fields) => {
    const got = await quote(query);
    expectFailure(got, 400, "VALIDATION");
    expect(got.json.details.map(({ field }: { field: string }) => field)).toEqual(fields);
  });

  test("neither for an amount bought nor for the native coin", async () => {
    const permit = {
      permit_kind: "permit2",
      permit_nonce: "1",
      permit_deadline: "1700001000",
      permit_signature: `0x${"11".repeat(65)}`,
    };
    const got = await quote({ ...permit, side: "BUY", fromTokenAddress: NATIVE });
    const { details } = expectFailure(got, 400, "VALIDATION");
    expect(details.map(({ field }) => field)).toEqual(["side", "permit_kind"]);
  });
});
