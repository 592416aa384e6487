import { expect, test } from "vitest";
import { NATIVE, type Offer } from "../api.ts";
import { factsOf, warningsOf } from "./offer-facts.ts";

const names = {
  sold: { address: "0xe", symbol: "ETH", decimals: 18 },
  bought: { address: "0xa", symbol: "USDC", decimals: 6 },
  native: { symbol: "ETH", decimals: 18 },
  gasUnit: "gwei",
};
const offer: Offer = {
  amount_out_total: "3512080000",
  estimate_gas_total: "142000",
  gas_price: "14200000000",
  token_in: "0xe",
  token_out: "0xa",
  routes: [],
};
const ONE = 10n ** 18n;
const lines = (given: Offer) => factsOf(given, ONE, names).map((fact) => `${fact.name}: ${fact.text}`);

test("without additive fields: price both ways and gas", () => {
  expect(lines(offer)).toEqual(["Price: 1 ETH = 3,512.08 USDC", "Network fee: 0.002016 ETH"]);
  const [price, gas] = factsOf(offer, ONE, names);
  expect(price!.more).toBe("1 USDC = 0.000284732 ETH");
  expect(gas!.more).toBe("142,000 gas at 14.2 gwei");
  expect(gas!.exact).toBe("0.0020164 ETH");
});

test("with them: the minimum, the impact, the block", () => {
  const full = {
    ...offer,
    min_amount_out: "3494519600",
    price_impact_bps: 37,
    optimality: { gap_bps: 2 },
    block_number: 10977000,
  };
  expect(lines(full)).toEqual([
    "Price: 1 ETH = 3,512.08 USDC",
    "At least: 3,494.519 USDC",
    "Price impact: 0.37 %",
    "Route: within 2 bp of the best possible",
    "Network fee: 0.002016 ETH",
    "Block: 10,977,000",
  ]);
});

test("a route that only wraps is 1:1 exactly: no minimum, no impact and no proof", () => {
  const step = {
    pool: "0xc",
    protocol: "WETH",
    deployment: "wrapped-native",
    amount_in: "1",
    amount_out: "1",
  };
  const wrapping = {
    ...offer,
    amount_out_total: String(ONE),
    min_amount_out: String((ONE * 995n) / 1000n),
    price_impact_bps: 0,
    optimality: { gap_bps: 0 },
    route_graph: { tokens: [], steps: [{ ...step, token_in: NATIVE, token_out: "0xc" }] },
  };
  const bought = { address: "0xc", symbol: "WETH", decimals: 18 };
  const told = (given: Offer) =>
    factsOf(given, ONE, { ...names, bought }).map(({ name, text }) => [name, text]);
  expect(told(wrapping).slice(1)).toEqual([
    ["Exactly", "1 WETH"],
    ["Route", "Wrap, 1:1 exactly"],
    ["Network fee", "0.002016 ETH"],
  ]);
  const pooled = {
    ...step,
    protocol: "Uniswap_V2",
    deployment: "uniswap-v2",
    token_in: "0xc",
    token_out: "0xa",
  };
  const steps = [...wrapping.route_graph.steps, pooled];
  const both = told({ ...wrapping, route_graph: { tokens: [], steps } });
  expect(both[1]).toEqual(["At least", "0.995 WETH"]);
});

test("what gas costs in dollars, and what is left after it", () => {
  const facts = (given: Partial<Offer>) => factsOf({ ...offer, ...given }, ONE, names);
  const [, gas, net] = facts({ gas_usd: "7.08", net_out: "3505000000" });
  expect(gas!.more).toBe("$7.08: 142,000 gas at 14.2 gwei");
  expect([net!.name, net!.text, net!.exact]).toEqual(["Net of gas", "3,505 USDC", "3505 USDC"]);
  const [, unpriced, none] = facts({ gas_usd: null, net_out: null });
  expect([unpriced!.more, none]).toEqual(["142,000 gas at 14.2 gwei", undefined]);
  const [, , eaten] = facts({ net_out: "-1" });
  expect([eaten!.text, eaten!.tone]).toEqual(["nothing: the gas costs more than you get", "danger"]);
});

test.each([
  [0, "plain"],
  [99, "plain"],
  [100, "caution"],
  [499, "caution"],
  [500, "danger"],
])("an impact of %i basis points is %s", (bps, tone) => {
  const facts = factsOf({ ...offer, price_impact_bps: bps }, ONE, names);
  expect(facts.find((fact) => fact.name === "Price impact")!.tone).toBe(tone);
});

test.each([
  [{ gap_bps: 0 }, ["within 0.1 bp of the best possible"]],
  [{ gap_bps: 0.21 }, ["within 0.3 bp of the best possible"]],
  [{ gap_bps: 0.3 }, ["within 0.3 bp of the best possible"]],
  [{ gap_bps: 17.04 }, ["within 17.1 bp of the best possible"]],
  [{ gap_bps: 320.4 }, ["the best one found"]],
  [{ gap_bps: 3, gap_net_bps: 0.4, gap_legs: 0.1, gas_price: "5" }, ["within 0.4 bp of the best possible"]],
  [
    { gap_bps: null, gap_net_bps: null, gap_legs: 0.42, gas_price: "5" },
    ["within the gas of 0.5 pools of the best possible"],
  ],
  [
    { gap_bps: 2670.1, gap_net_bps: 2670.2, gap_legs: 1_490_094_767.7, gas_price: "5" },
    ["the best one found"],
  ],
  [{ gap_bps: null, reason: "the market holds arbitrage" }, ["the best one found"]],
  [undefined, []],
])("a proof of %o reads %j", (optimality, texts) => {
  const proven = optimality === undefined ? offer : { ...offer, optimality };
  const facts = factsOf(proven, ONE, names);
  expect(facts.filter((fact) => fact.name === "Route").map((fact) => fact.text)).toEqual(texts);
});

test("gas is counted in the chain's own unit", () => {
  const facts = factsOf(offer, ONE, { ...names, gasUnit: "nAVAX" });
  expect(facts.find((fact) => fact.name === "Network fee")!.more).toBe("142,000 gas at 14.2 nAVAX");
});

test.each([
  [{ fee_recipient_amount: "0", sell_fee_amount: "0" }, undefined],
  [{ fee_recipient_amount: "1500000" }, "1.5 USDC"],
  [{ fee_recipient_amount: "1500000", sell_fee_amount: "10000000000000000" }, "0.01 ETH and 1.5 USDC"],
])("fees of %o read %j", (fees, text) => {
  const facts = factsOf({ ...offer, ...fees }, ONE, names);
  expect(facts.find((fact) => fact.name === "Fees")?.text).toBe(text);
});

test("an offer of nothing has a price one way", () => {
  expect(factsOf({ ...offer, amount_out_total: "0" }, ONE, names)[0]!.more).toBeUndefined();
});

test("warnings are text, or objects that carry it", () => {
  expect(
    warningsOf({ ...offer, warnings: ["a", { message: "b" }, { text: "c" }, {}, null as never] }),
  ).toEqual(["a", "b", "c"]);
  expect(warningsOf(offer)).toEqual([]);
});
