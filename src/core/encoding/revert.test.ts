import type { Abi } from "viem";
import { encodeErrorResult, getAddress } from "viem/utils";
import { describe, expect, test } from "vitest";
import artifact from "../../../contracts/out/Router.json" with { type: "json" };
import { decodeRevert, explainedErrorNames, routerErrorNames } from "./revert.ts";

const sample: Readonly<Record<string, unknown>> = {
  address: getAddress("0xabcdef0000000000000000000000000000000001"),
  uint256: 12345678901234567890n,
  bytes4: "0x12345678",
};

describe.each(routerErrorNames)("%s", (name) => {
  test("is read with its values and a sentence of its own", () => {
    const { inputs } = artifact.abi.find((item) => item.name === name)!;
    const data = encodeErrorResult({
      abi: artifact.abi as Abi,
      errorName: name,
      args: inputs!.map((input) => sample[input.type]),
    });
    const revert = decodeRevert(data);
    expect(revert.name).toBe(name);
    expect(revert.text).toMatch(/^[A-Z].* .*\.$/);
    expect(revert.values).toEqual(
      Object.fromEntries(inputs!.map((input) => [input.name, String(sample[input.type]).toLowerCase()])),
    );
  });
});

test("every error of the artifact is explained, and none that it does not have", () => {
  expect([...explainedErrorNames].sort()).toEqual([...routerErrorNames].sort());
});

test("the router has errors to read", () => {
  expect(routerErrorNames.length).toBeGreaterThan(15);
});

const standard = [
  { type: "error", name: "Error", inputs: [{ name: "reason", type: "string" }] },
  { type: "error", name: "Panic", inputs: [{ name: "code", type: "uint256" }] },
  { type: "error", name: "InsufficientBalance", inputs: [{ name: "wanted", type: "uint256" }] },
] as const satisfies Abi;

test("a reason of a token or a pool is passed through as it is", () => {
  const data = encodeErrorResult({
    abi: standard,
    errorName: "Error",
    args: ["ERC20: transfer amount Too High"],
  });
  expect(decodeRevert(data)).toEqual({
    name: "Error",
    text: "ERC20: transfer amount Too High",
    values: { reason: "ERC20: transfer amount Too High" },
  });
});

test("a panic is named", () => {
  const data = encodeErrorResult({ abi: standard, errorName: "Panic", args: [17n] });
  expect(decodeRevert(data)).toEqual({
    name: "Panic",
    text: "The call failed: an amount overflowed.",
    values: { code: "17" },
  });
});

test.each([
  [
    "0x815e1d64",
    "InvalidSigner",
    "The signature for Permit2 is not of the sender, or not of what the swap takes.",
  ],
  ["0x756688fe", "InvalidNonce", "The signature for Permit2 was used before, or its nonce was revoked."],
  [`0xcd21db4f${"0".repeat(63)}5`, "SignatureExpired", "The signature for Permit2 has expired."],
  [
    `0xe450d38c${"0".repeat(24)}${"a".repeat(40)}${"0".repeat(63)}1${"0".repeat(63)}2`,
    "ERC20InsufficientBalance",
    "A transfer takes more of a token than its sender has.",
  ],
] as const)("%s of Permit2 or of a token is told in words", (data, name, text) => {
  expect(decodeRevert(data)).toMatchObject({ name, text });
});

test("nothing at all, and what nobody knows, have names too", () => {
  expect(decodeRevert("0x").name).toBe("Empty");
  expect(decodeRevert("0x1234").name).toBe("Unknown");
  const data = encodeErrorResult({ abi: standard, errorName: "InsufficientBalance", args: [1n] });
  expect(decodeRevert(data)).toMatchObject({ name: "Unknown", values: { data } });
});
