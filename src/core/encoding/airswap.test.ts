import { hashTypedData } from "viem/utils";
import { expect, test } from "vitest";
import type { Hex } from "../types.ts";
import { type AirSwapOrder, airSwapExtra, airSwapTypedData } from "./airswap.ts";
import { extraBytes, stepKinds } from "./kinds.ts";

const at = (digit: string): Hex => `0x${digit.repeat(40)}`;
const order: AirSwapOrder = {
  chainId: 1,
  settler: "0xd82e10b9a4107939e55fcca9b53a9ede6cf2fc46",
  signer: at("a"),
  signerToken: at("b"),
  signerAmount: 3n,
  senderToken: at("c"),
  senderAmount: 2n,
  nonce: 4n,
  expiry: 5,
  protocolFee: 7n,
};
const SIGNATURE: Hex = `0x${"ab".repeat(65)}`;

test("an AirSwap order's bytes lie where the router reads them", () => {
  const extra = airSwapExtra(order, SIGNATURE);
  expect(extra).toBe(
    [
      at("a"),
      "00000000000000000000000000000002",
      "00000000000000000000000000000003",
      "4".padStart(64, "0"),
      "0000000005",
      "ab".repeat(65),
    ].join(""),
  );
  expect((extra.length - 2) / 2).toBe(extraBytes[stepKinds.airSwap]);
});

test.each([
  ["an amount above 128 bits", { senderAmount: 1n << 128n }],
  ["an amount below zero", { signerAmount: -1n }],
  ["a nonce above 256 bits", { nonce: 1n << 256n }],
  ["an expiry above 40 bits", { expiry: 2 ** 40 }],
])("%s is no order", (_what, change) => {
  expect(() => airSwapExtra({ ...order, ...change }, SIGNATURE)).toThrow(/does not fit/);
});

test("a signature of another length is none", () => {
  expect(() => airSwapExtra(order, "0xabcd")).toThrow("a signature of 2 bytes, not 65");
});

test("every part of an order changes what its maker signs", () => {
  const digests = [
    order,
    { ...order, chainId: 2 },
    { ...order, settler: at("d") },
    { ...order, signer: at("d") },
    { ...order, signerToken: at("d") },
    { ...order, signerAmount: 9n },
    { ...order, senderToken: at("d") },
    { ...order, senderAmount: 9n },
    { ...order, nonce: 9n },
    { ...order, expiry: 9 },
    { ...order, protocolFee: 9n },
  ].map((one) => hashTypedData(airSwapTypedData(one)));
  expect(new Set(digests).size).toBe(digests.length);
});
