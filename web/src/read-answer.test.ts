import { expect, test } from "vitest";
import { platformsIn, readOffer, tokensIn } from "./read-answer.ts";

const offer = {
  amount_out_total: "508688686",
  estimate_gas_total: "257325",
  token_in: "0xaa",
  token_out: "0xbb",
  gas_price: "2937988281",
  routes: [{ type: "dex", protocol_name: "Sushi_V2", percent: 100, pools: ["0x1"] }],
};
const full = {
  ...offer,
  block_number: 100,
  price_impact_bps: null,
  net_out: "-5",
  gas_usd: "0.159",
  route_graph: { tokens: [{ address: "0xaa" }], steps: [] },
  optimality: { gap_bps: 0.4, reason: null },
  unknown_to_the_page: { of: "a later version" },
};

test("an offer as the API says is read as it is", () => {
  expect(readOffer(full)).toEqual(full);
});

test.each([
  null,
  5,
  [],
  {},
  { error: "from a proxy" },
  { ...offer, amount_out_total: null },
  { ...offer, amount_out_total: "1e5" },
  { ...offer, estimate_gas_total: 257325 },
  { ...offer, gas_price: "" },
  { ...offer, routes: undefined },
  { ...offer, routes: [null] },
])("%j is no offer", (answer) => {
  expect(readOffer(answer)).toBeUndefined();
});

test.each([
  { min_amount_out: "x" },
  { block_number: {} },
  { gas_usd: 5 },
  { amount_out_usd: "1e9" },
  { price_impact_bps: "<b>5</b>" },
  { optimality: null },
  { optimality: { reason: {} } },
  { warnings: "one" },
  { route_graph: { tokens: null, steps: [] } },
  { route_graph: { tokens: [{ address: "0xaa", decimals: 1e9 }], steps: [] } },
  { route_graph: { tokens: [], steps: [{}] } },
])("the optional field of %j is left out", (field) => {
  expect(readOffer({ ...offer, ...field })).toEqual(offer);
});

test("tokens and chains that cannot be shown are left out", () => {
  const token = { chainId: 1, address: `0x${"aB".repeat(20)}`, name: "", symbol: "A", decimals: 18 };
  const broken = [{ decimals: 1e9 }, { decimals: -1 }, { symbol: null }, { address: "0x1" }].map((field) => ({
    ...token,
    ...field,
  }));
  expect(tokensIn({ tokens: [null, ...broken, token] })).toEqual([
    { ...token, address: token.address.toLowerCase() },
  ]);
  const chain = { chainId: 1, name: "Ethereum" };
  expect(platformsIn({ platforms: [{ ...chain, name: null }, chain] })).toEqual([chain]);
  const odd = {
    block_time_ms: "fast",
    explorer_url: {},
    devnet_rpc_url: 5,
    gas_unit: [],
    native_symbol: null,
  };
  expect(platformsIn({ platforms: [{ ...chain, ...odd }] })).toEqual([chain]);
  for (const answer of [null, [], {}, { tokens: {}, platforms: 5 }]) {
    expect(tokensIn(answer)).toEqual([]);
    expect(platformsIn(answer)).toEqual([]);
  }
});
