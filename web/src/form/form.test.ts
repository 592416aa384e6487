import { describe, expect, test } from "vitest";
import { NATIVE, type Token } from "../api.ts";
import {
  FIRST_FORM,
  type Form,
  feesOf,
  firstTokens,
  hasFault,
  inverted,
  missingToken,
  requestOf,
  tokensOfForm,
  withToken,
} from "./form.ts";

const token = (address: string, symbol: string, decimals = 18): Token => ({
  chainId: 1,
  address,
  symbol,
  name: symbol,
  decimals,
  is_active: true,
  priority: 2,
});
const weth = token("0xc0", "WETH");
const eth = token(NATIVE, "ETH");
const usdt = token("0xda", "USDT", 6);
const usdc = token("0xa0", "USDC", 6);
const shelf = (...tokens: Token[]) => new Map(tokens.map((one) => [one.address, one]));
const form: Form = { ...FIRST_FORM, amount: "1.5", slippage: "0.25" };

describe("firstTokens", () => {
  const first = (given: Form, ...tokens: Token[]) => firstTokens(given, tokens, shelf(...tokens));

  test("the native coin against a familiar dollar, whatever their order", () => {
    expect(first(form, weth, usdt, usdc, eth)).toEqual({ sell: NATIVE, buy: usdc.address });
  });

  test("what the person chose stays, and the other side is filled around it", () => {
    expect(first({ ...form, sell: usdc.address }, eth, usdt, usdc)).toEqual({
      sell: usdc.address,
      buy: usdt.address,
    });
    expect(first({ ...form, buy: NATIVE }, eth, weth)).toEqual({ sell: weth.address, buy: NATIVE });
  });

  test("a token that a link names and nobody knows stays named, and is no other token", () => {
    const linked = { ...form, sell: "0xdead", buy: usdc.address };
    expect(first(linked, eth, usdc)).toEqual({ sell: "0xdead", buy: usdc.address });
    expect(tokensOfForm(linked, shelf(eth, usdc)).sell).toBeUndefined();
    expect(missingToken("0xdead", undefined, new Set())).toContain("0xdead");
    const address = `0x${"ab".repeat(20)}`;
    expect(missingToken(address, undefined, new Set([address]))).toContain("0xabab…abab");
    expect(missingToken(address, undefined, new Set())).toBeUndefined();
  });

  test("a symbol names the one token that bears it, and none where two do", () => {
    const linked = { ...form, sell: "weth", buy: "USDC" };
    expect(first(linked, eth, weth, usdc)).toEqual({ sell: weth.address, buy: usdc.address });
    const twin = token("0xc1", "WETH");
    expect(tokensOfForm(linked, shelf(weth, twin, usdc)).sell).toBeUndefined();
  });

  test("with one token or none there is no pair", () => {
    expect(first(form, eth)).toEqual({ sell: NATIVE, buy: undefined });
    expect(first(form)).toEqual({ sell: undefined, buy: undefined });
  });
});

test("picking the other side's token turns the pair around", () => {
  const pair = { ...form, sell: "0xa", buy: "0xb" };
  expect(withToken(pair, "sell", "0xb")).toEqual({ sell: "0xb", buy: "0xa", side: "BUY" });
  expect(withToken(pair, "buy", "0xc")).toEqual({ sell: "0xa", buy: "0xc" });
  expect(withToken(pair, "sell", "0xa")).toEqual({ sell: "0xa", buy: "0xb" });
});

test("a typed amount stays with its token when the pair is turned around", () => {
  const bought: Form = { ...form, sell: "0xa", buy: "0xb", side: "BUY", amount: "1000" };
  expect({ ...bought, ...inverted(bought) }).toEqual({ ...bought, sell: "0xb", buy: "0xa", side: "SELL" });
  const sold = { ...bought, ...inverted(bought) };
  expect({ ...sold, ...inverted(sold) }).toEqual(bought);
});

describe("requestOf", () => {
  const known = shelf(usdc, eth);
  const full: Form = { ...form, sell: usdc.address, buy: NATIVE };
  const asked = (given: Form, chainId: number | undefined = 1) =>
    requestOf(chainId, given, tokensOfForm(given, known));

  test("a complete form asks in smallest units and thousandths", () => {
    expect(asked(full)).toEqual({
      chainId: 1,
      tokenIn: usdc.address,
      tokenOut: NATIVE,
      side: "SELL",
      amount: 1_500_000n,
      slippage: "2.5",
      withGas: true,
      fees: undefined,
    });
  });

  test("an amount to be bought counts in the decimals of what is bought", () => {
    expect(asked({ ...full, side: "BUY" })).toMatchObject({ side: "BUY", amount: 15n * 10n ** 17n });
    expect(asked({ ...full, side: "BUY", amount: "0.0000001" })?.amount).toBe(10n ** 11n);
  });

  test("fees go along in thousandths, and are asked for with a wallet to go to only", () => {
    const wallet = `0x${"aB".repeat(20)}`;
    const fees = { ...full, buyFee: "1.5", feeRecipient: ` ${wallet} ` };
    expect(asked(fees)?.fees).toEqual({ recipient: wallet.toLowerCase(), buy: "15", sell: "0" });
    expect(asked({ ...full, feeRecipient: wallet })?.fees).toBeUndefined();
    expect(asked({ ...full, sellFee: "0", feeRecipient: "nonsense" })).toBeDefined();
  });

  test.each([
    ["no amount", { ...full, amount: "" }],
    ["more digits than the token has", { ...full, amount: "1.0000001" }],
    ["no slippage", { ...full, slippage: "" }],
    ["an unknown token", { ...full, buy: "0xdead" }],
    ["the same token on both sides", { ...full, buy: full.sell }],
    ["a fee without a wallet", { ...full, sellFee: "1" }],
    ["a fee for nobody", { ...full, sellFee: "1", feeRecipient: `0x${"0".repeat(40)}` }],
    ["a fee above half", { ...full, buyFee: "50.1", feeRecipient: `0x${"a".repeat(40)}` }],
  ])("%s asks nothing", (_, given) => {
    expect(asked(given)).toBeUndefined();
  });

  test("no chain asks nothing", () => {
    expect(requestOf(undefined, full, tokensOfForm(full, known))).toBeUndefined();
  });
});

test("what is wrong is told from what is missing", () => {
  const pair = { sell: usdc, buy: eth };
  expect(hasFault(form, pair)).toBe(false);
  expect(hasFault({ ...form, amount: "" }, pair)).toBe(false);
  for (const wrong of [{ amount: "x" }, { slippage: "90" }, { buyFee: "1" }])
    expect(hasFault({ ...form, ...wrong }, pair)).toBe(true);
  expect(hasFault(form, { sell: eth, buy: eth })).toBe(true);
  expect(hasFault(form, { sell: undefined, buy: undefined })).toBe(false);
});

test("a bad fee is told in words", () => {
  expect(feesOf({ ...form, buyFee: "0.05" })).toMatchObject({
    kind: "bad",
    text: expect.stringContaining("steps of 0.1"),
  });
  expect(feesOf({ ...form, buyFee: "2" })).toMatchObject({
    kind: "bad",
    text: expect.stringContaining("wallet"),
  });
});
