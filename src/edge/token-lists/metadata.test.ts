import fc from "fast-check";
import { encodeAbiParameters, stringToHex } from "viem/utils";
import { expect, test } from "vitest";
import type { Address, Hex } from "../../core/types.ts";
import { cleanText, MAX_NAME, MAX_SYMBOL, metadataCalls, readMetadata } from "./metadata.ts";

const TOKEN: Address = "0x6b175474e89094c44da98b954eedeac495271d0f";
const text = (value: string): Hex => encodeAbiParameters([{ type: "string" }], [value]);
const uint = (value: bigint): Hex => encodeAbiParameters([{ type: "uint256" }], [value]);
const read = (name: Hex, symbol: Hex, decimals: Hex = uint(18n)) =>
  readMetadata(TOKEN, [name, symbol, decimals]);

test("metadata is decoded as the ABI encodes it", () => {
  expect(metadataCalls(TOKEN).map(({ data }) => data)).toEqual(["0x06fdde03", "0x95d89b41", "0x313ce567"]);
  expect(read(text("Dai Stablecoin"), text("DAI"))).toEqual({
    address: TOKEN,
    name: "Dai Stablecoin",
    symbol: "DAI",
    decimals: 18,
  });
});

test("names in bytes32 are decoded, as old tokens have them", () => {
  const name = stringToHex("Maker", { size: 32 });
  expect(read(name, stringToHex("MKR", { size: 32 }))).toMatchObject({ name: "Maker", symbol: "MKR" });
  const full = `0x${"41".repeat(32)}` as Hex;
  expect(read(full, full)?.symbol).toBe("A".repeat(32));
});

test.each([
  ["no decimals", "0x", undefined],
  ["more decimals than a word has", uint(78n), undefined],
  ["a word that is no uint8", uint(2n ** 255n), undefined],
  ["none", uint(0n), 0],
  ["the most", uint(77n), 77],
] as const)("decimals: %s", (_what, answer, expected) => {
  expect(read(text("T"), text("T"), answer)?.decimals).toBe(expected);
});

test("a token without name and symbol is named by its address", () => {
  expect(read("0x", "0x")).toMatchObject({ name: "0x6b17…1d0f", symbol: "0x6b17…1d0f" });
  expect(read("0x", text("DAI"))).toMatchObject({ name: "DAI", symbol: "DAI" });
});

test.each([
  ["direction marks", "\u202eCDSU\u202c", "CDSU"],
  ["control characters", "US\u0000D\u001b[31mC", "USD[31mC"],
  ["zero width", "U\u200bS\u200dD\ufeffC", "USDC"],
  ["lines", "USD\n\n  C", "USD C"],
  ["only invisible ones", "\u200b\u2063", "0x6b17…1d0f"],
])("hostile texts: %s", (_what, symbol, expected) => {
  expect(read(text("x"), text(symbol))?.symbol).toBe(expected);
});

test("texts are bounded by characters, whatever their length on the chain", () => {
  const metadata = read(text("🦄".repeat(5000)), text("S".repeat(5000)));
  expect([...(metadata?.name ?? "")]).toHaveLength(MAX_NAME);
  expect(metadata?.symbol).toHaveLength(MAX_SYMBOL);
});

test("no answer makes the decoder throw, and every text that it returns can be shown", () => {
  const bytes = fc
    .uint8Array({ maxLength: 200 })
    .map((array): Hex => `0x${Buffer.from(array).toString("hex")}`);
  fc.assert(
    fc.property(bytes, bytes, fc.string({ unit: "binary", maxLength: 300 }), (name, symbol, wild) => {
      for (const one of [read(name, symbol), read(text(wild), text(wild))]) {
        expect(one?.name ?? "").not.toMatch(/[\p{C}\u2028\u2029]/u);
        expect(one?.symbol.length).toBeGreaterThan(0);
      }
    }),
  );
});

test("cleaning twice changes nothing", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (wild) => {
      const once = cleanText(wild, 20);
      expect(cleanText(once, 20)).toBe(once);
    }),
  );
});
