import { expect, test } from "vitest";
import { calldataGas, estimateGas, type GasShape } from "./gas.ts";

const V2 = 54_000;
const WRAP = 20_000;
const UNWRAP = 31_000;

const plain: GasShape = {
  stepsGas: V2,
  calldataGas: 2_600,
  ...{
    sellFee: false,
    buyFee: false,
    nativeIn: false,
    nativeOut: false,
    otherRecipient: false,
    heldTokens: 0,
    heldNatives: 0,
    joinedSteps: 0,
    warmVaults: 0,
  },
};

/**
 * Swaps on the devnet: the least gas limit with which each succeeded (eth_estimateGas on the block before), with
 * plain tokens. `fresh` = the recipient had never held the token.
 */
const measured: readonly (readonly [string, Partial<GasShape>, number, { fresh: boolean }])[] = [
  ["v2", {}, 102_794, { fresh: false }],
  ["v2, sell fee", { sellFee: true }, 129_998, { fresh: false }],
  ["v2, buy fee", { buyFee: true, heldTokens: 1 }, 152_917, { fresh: false }],
  ["v2, buy fee", { buyFee: true, heldTokens: 1 }, 169_919, { fresh: true }],
  ["v2, both fees", { sellFee: true, buyFee: true, heldTokens: 1 }, 196_127, { fresh: true }],
  ["v2 v2", { stepsGas: 2 * V2, calldataGas: 3_000 }, 156_776, { fresh: false }],
  ["v2 v2", { stepsGas: 2 * V2, calldataGas: 3_000 }, 174_411, { fresh: true }],
  [
    "v2 v2, both fees",
    { stepsGas: 2 * V2, calldataGas: 3_000, heldTokens: 1, sellFee: true, buyFee: true },
    252_340,
    { fresh: true },
  ],
  ["native in, v2", { stepsGas: WRAP + V2, calldataGas: 3_000 }, 124_279, { fresh: false }],
  [
    "native in, v2, buy fee",
    { stepsGas: WRAP + V2, calldataGas: 3_000, buyFee: true, heldTokens: 1 },
    191_742,
    { fresh: true },
  ],
  [
    "wrap, sell fee to a new account",
    { stepsGas: WRAP, nativeIn: true, sellFee: true },
    120_803,
    { fresh: true },
  ],
  ["wrap", { stepsGas: WRAP }, 68_168, { fresh: false }],
  ["wrap", { stepsGas: WRAP }, 85_508, { fresh: true }],
  ["unwrap", { stepsGas: UNWRAP, nativeOut: true }, 82_545, { fresh: false }],
  ["unwrap", { stepsGas: UNWRAP, nativeOut: true, otherRecipient: true }, 110_285, { fresh: true }],
  [
    "v2, native out",
    { stepsGas: V2 + UNWRAP, calldataGas: 3_000, nativeOut: true },
    136_725,
    { fresh: false },
  ],
];

test.each(measured)("%s: the limit is enough, and not far above it", (_name, shape, needed, { fresh }) => {
  const limit = estimateGas({ ...plain, ...shape });
  expect(limit).toBeGreaterThanOrEqual(needed);
  expect(limit).toBeLessThan(needed * (fresh ? 1.2 : 1.35));
});

test("zero bytes of calldata cost a quarter of the others", () => {
  expect(calldataGas("0x")).toBe(0);
  expect(calldataGas("0x00ff0100a0")).toBe(2 * 4 + 3 * 16);
});
