import { readFileSync } from "node:fs";
import { encodeFunctionData, parseAbi, toHex } from "viem/utils";
import { afterAll, beforeAll, expect, test } from "vitest";
import cryptoArtifact from "../../../contracts/devnet/out/CryptoSwap.json" with { type: "json" };
import threeArtifact from "../../../contracts/devnet/out/CryptoSwapThree.json" with { type: "json" };
import machineArtifact from "../../../contracts/devnet/out/DodoVendingMachine.json" with { type: "json" };
import ekuboArtifact from "../../../contracts/devnet/out/EkuboCore.json" with { type: "json" };
import bookArtifact from "../../../contracts/devnet/out/LiquidityBookPair.json" with { type: "json" };
import wooOracleArtifact from "../../../contracts/devnet/out/WooOracle.json" with { type: "json" };
import wooArtifact from "../../../contracts/devnet/out/WooPool.json" with { type: "json" };
import type { Address } from "../../core/types.ts";
import { asked, type Fields, integer, list, parseVectors, type Vector } from "../../protocols/swapvec.ts";
import { type ModelChain, type Opening, startModelChain, tryModels } from "./model-chain.ts";

/** Compares models with recorded swaps of the contracts that they imitate. */

const abi = parseAbi([
  "struct Parameters { uint16 baseFactor; uint16 filterPeriod; uint16 decayPeriod; uint16 reductionFactor; uint24 variableFeeControl; uint16 protocolShare; uint24 maxVolatility; }",
  "struct Volatility { uint24 accumulator; uint24 reference_; uint24 idReference; uint40 time; }",
  "struct Bin { uint128 x; uint128 y; }",
  "struct TokenInfo { uint192 reserve; uint16 feeRate; uint128 maxGamma; uint128 maxNotionalSwap; }",
  "struct Listing { uint128 price; uint64 spread; uint64 coeff; uint8 decimals; }",
  "function open(address base, address quote, uint256 i, uint256 k, uint256 lp, uint256 mt)",
  "function open(address[2] tokens, uint16 step, Parameters parameters, Volatility volatility, uint24 first, uint24 active, Bin[] bins)",
  "function open(address oracle, address[] tokens, TokenInfo[] infos)",
  "function open(address pool, uint256 staleSeconds, address[] bases, Listing[] listings)",
  "struct CryptoTerms { uint64 ann; uint64 gamma; uint64 feeGamma; uint64 allowedExtraProfit; uint32 midFee; uint32 outFee; uint64 adjustmentStep; uint32 period; uint8[3] decimals; }",
  "function open(address[2] coins, uint256 price, CryptoTerms terms)",
  "function open(address[3] coins, uint256[2] prices, CryptoTerms terms)",
  "function get_dy(uint256 i, uint256 j, uint256 dx) view returns (uint256)",
  "function querySellBase(address trader, uint256 amount) view returns (uint256 paid, uint256 mtFee)",
  "function querySellQuote(address trader, uint256 amount) view returns (uint256 paid, uint256 mtFee)",
  "function getSwapOut(uint128 amountIn, bool swapForY) view returns (uint128 left, uint128 paid, uint128 fee)",
  "struct EkuboKey { address token0; address token1; bytes32 config; }",
  "struct TickDelta { int32 number; int128 liquidityDelta; }",
  "function open(EkuboKey key, uint256 price, TickDelta[] ticks)",
  "function quote(EkuboKey key, uint256 words) returns (int256 delta0, int256 delta1)",
  "function query(address from, address to, uint256 amount) view returns (uint256)",
]);

let chain: ModelChain;

beforeAll(async () => {
  chain = await startModelChain();
});
afterAll(() => chain?.stop());

function vectorsOf(design: string, names: readonly string[]): Vector[] {
  const file = new URL(`../../protocols/${design}/vectors.json`, import.meta.url);
  return parseVectors(readFileSync(file, "utf8")).filter(({ protocol }) => names.includes(protocol));
}

const openMachine: Opening = async ({ tokens, state }, model) => {
  const [base, quote] = tokens as [Address, Address];
  await chain.place(base, 18, { holder: model, held: integer(state.B) });
  await chain.place(quote, 18, { holder: model, held: integer(state.Q) });
  await chain.put(model, machineArtifact.runtimeCode);
  const fees = [integer(state.lpFeeRate), integer(state.mtFeeRate)] as const;
  const args = [base, quote, integer(state.i), integer(state.K), ...fees] as const;
  await chain.send(model, encodeFunctionData({ abi, functionName: "open", args }));
  return async (swap) => {
    const functionName = swap.tokenIn === base ? "querySellBase" : "querySellQuote";
    const data = encodeFunctionData({ abi, functionName, args: [chain.sender, asked(swap)] });
    return (await chain.words({ to: model, data }))[0];
  };
};

const small = (fields: unknown, name: string) => Number(integer((fields as Fields)[name]));

const openBook: Opening = async ({ tokens, state, pool }, model) => {
  const [x, y] = tokens as [Address, Address];
  const { staticFeeParams: fixed, variableFeeParams: moving } = state;
  const bins = list(state.bins) as Fields[];
  const ids = bins.map((bin) => small(bin, "id"));
  const first = Math.min(...ids);
  const all = Array.from({ length: Math.max(...ids) - first + 1 }, () => ({ x: 0n, y: 0n }));
  bins.forEach((bin, k) => {
    all[ids[k]! - first] = { x: integer(bin.reserveX), y: integer(bin.reserveY) };
  });
  const names = [
    "baseFactor",
    "filterPeriod",
    "decayPeriod",
    "reductionFactor",
    "variableFeeControl",
  ] as const;
  const parameters = {
    ...(Object.fromEntries(names.map((name) => [name, small(fixed, name)])) as Record<
      (typeof names)[number],
      number
    >),
    protocolShare: small(fixed, "protocolShare"),
    maxVolatility: small(fixed, "maxVolatilityAccumulator"),
  };
  const volatility = {
    accumulator: small(moving, "volatilityAccumulator"),
    reference_: small(moving, "volatilityReference"),
    idReference: small(moving, "idReference"),
    time: small(moving, "timeOfLastUpdate"),
  };
  await chain.place(x, 18, { holder: model, held: 0n });
  await chain.place(y, 18, { holder: model, held: 0n });
  await chain.put(model, bookArtifact.runtimeCode);
  const active = small(state, "activeBinId") - first;
  const args = [[x, y], small(state, "binStep"), parameters, volatility, first, active, all] as const;
  await chain.send(model, encodeFunctionData({ abi, functionName: "open", args }));
  return async (swap) => {
    const question = [asked(swap), swap.tokenIn === x] as const;
    const data = encodeFunctionData({ abi, functionName: "getSwapOut", args: question });
    const [left, paid] = await chain.words({ to: model, data }, small(pool, "timestamp"));
    return left === 0n ? paid : undefined;
  };
};

const openWoo: Opening = async ({ protocol, tokens, state, pool }, model) => {
  const oracle = chain.next();
  const quote = String(state.quoteToken).toLowerCase();
  const sorted = [quote, ...tokens.filter((token) => token !== quote)] as Address[];
  const of = (table: unknown, token: string) =>
    Object.entries(table as Fields).find(([key]) => key.toLowerCase() === token)![1] as Fields;
  const infos = sorted.map((token) => of(state.tokenInfos, token));
  for (const [k, token] of sorted.entries()) {
    const { decimals } = list(pool.tokens)[tokens.indexOf(token)] as Fields;
    await chain.place(token, Number(integer(decimals)), { holder: model, held: integer(infos[k]!.Reserve) });
  }
  await chain.put(model, wooArtifact.runtimeCode);
  await chain.put(oracle, wooOracleArtifact.runtimeCode);
  // WOOFi v2 has no limits on a trade, so its limits never bind.
  const limits = protocol === "woofi-v2" ? { MaxGamma: 10n ** 18n, MaxNotionalSwap: 2n ** 127n } : {};
  const limit = (info: Fields, name: "MaxGamma" | "MaxNotionalSwap") => limits[name] ?? integer(info[name]);
  const given = infos.map((info) => ({
    reserve: 0n,
    feeRate: small(info, "FeeRate"),
    maxGamma: limit(info, "MaxGamma"),
    maxNotionalSwap: limit(info, "MaxNotionalSwap"),
  }));
  const { States, Decimals } = state.wooracle as Fields;
  const listings = sorted.map((token) => {
    const { Price, Spread, Coeff } = of(States, token);
    const decimals = Number(integer(of(Decimals, token)));
    return { price: integer(Price), spread: integer(Spread), coeff: integer(Coeff), decimals };
  });
  await chain.send(model, encodeFunctionData({ abi, functionName: "open", args: [oracle, sorted, given] }));
  const feed = [model, 10_000n, sorted, listings] as const;
  await chain.send(oracle, encodeFunctionData({ abi, functionName: "open", args: feed }));
  return async (swap) => {
    const args = [swap.tokenIn as Address, swap.tokenOut as Address, asked(swap)] as const;
    return (
      await chain.words({ to: model, data: encodeFunctionData({ abi, functionName: "query", args }) })
    )[0];
  };
};

/** Storage slot of D. A recorded D is stored, because it can differ from the D of the balances. */
const SLOT_OF_D = 0n;

const openCrypto: Opening = async ({ tokens, state }, model) => {
  const balances = list(state.balances).map(integer);
  const digits = list(state.precisions).map((precision) => 19 - String(precision).length);
  const held = tokens.map((_, k) => ({ holder: model, held: balances[k]! }));
  for (const [k, token] of tokens.entries()) await chain.place(token as Address, digits[k]!, held[k]!);
  await chain.put(model, (tokens.length === 2 ? cryptoArtifact : threeArtifact).runtimeCode);
  const terms = {
    ann: integer(state.A),
    gamma: integer(state.gamma),
    feeGamma: integer(state.feeGamma),
    midFee: small(state, "midFee"),
    outFee: small(state, "outFee"),
    ...{ allowedExtraProfit: 0n, adjustmentStep: 0n, period: 1, decimals: [0, 0, 0] as const },
  };
  const [price, other] = list(state.priceScale).map(integer) as [bigint, bigint?];
  const coins = tokens as Address[];
  const data =
    other === undefined
      ? encodeFunctionData({ abi, functionName: "open", args: [[coins[0]!, coins[1]!], price, terms] })
      : encodeFunctionData({
          abi,
          functionName: "open",
          args: [[coins[0]!, coins[1]!, coins[2]!], [price, other], terms],
        });
  await chain.send(model, data);
  await chain.store(model, SLOT_OF_D, integer(state.D));
  return async (swap) => {
    const [i, j] = [swap.tokenIn, swap.tokenOut].map((token) => BigInt(tokens.indexOf(token)));
    const data = encodeFunctionData({ abi, functionName: "get_dy", args: [i!, j!, asked(swap)] });
    return (await chain.words({ to: model, data }))[0];
  };
};

/** A pool without extension. A pool over all prices has its ends for ticks. */
const openEkubo: Opening = async ({ state, tokens }, model) => {
  const liquidity = integer(state.liquidity);
  const whole = [
    { index: -88_722_835, liquidityDelta: liquidity.toString() },
    { index: 88_722_835, liquidityDelta: (-liquidity).toString() },
  ];
  const ticks = list(state.ticks ?? whole).map((tick) => {
    const { liquidityDelta } = tick as Fields;
    return { number: small(tick, "index"), liquidityDelta: integer(liquidityDelta) };
  });
  await chain.put(model, ekuboArtifact.runtimeCode);
  const fee = integer(state.fee) << 32n;
  const [token0, token1] = [toHex(1n, { size: 20 }), toHex(2n, { size: 20 })];
  const key = { token0, token1, config: toHex(fee, { size: 32 }) };
  const price = integer(state.sqrtRatio);
  await chain.send(model, encodeFunctionData({ abi, functionName: "open", args: [key, price, ticks] }));
  return async (swap) => {
    const isToken1 = tokens.indexOf(swap.tokenIn) === 1;
    const amount = integer(swap.fields.amountSpecified ?? asked(swap).toString());
    const words = (amount << 32n) | (isToken1 ? 2n ** 31n : 0n);
    const data = encodeFunctionData({ abi, functionName: "quote", args: [key, words] });
    const paid = (await chain.words({ to: model, data }))[isToken1 ? 0 : 1];
    return paid === undefined ? undefined : -BigInt.asIntN(256, paid);
  };
};

/** The vectors of pools without a change of amounts; one has a tick at its very price, below which it is. */
const ekuboVectors = vectorsOf("ekubo", ["ekubo-v2", "ekubo-v3"]).filter(
  ({ id, state }) => /^(concentrated|full-range)/.test(String(state.poolKind)) && !id.endsWith("9854f4"),
);

/** Vectors by model, with the least number of swaps that they must have. */
const designs: readonly (readonly [name: string, Opening, least: number, readonly Vector[]])[] = [
  ["a DODO vending machine", openMachine, 7, vectorsOf("dodo", ["dodo-v2-dvm"])],
  ["a Liquidity Book pair", openBook, 3, vectorsOf("liquidity-book", ["traderjoe-lb-v21"])],
  ["Ekubo's core", openEkubo, 33, ekuboVectors],
  ["a WOOFi pool", openWoo, 4, vectorsOf("woofi", ["woofi-v2", "woofi-v2.1"])],
  [
    "a Curve pool of two unlike coins",
    openCrypto,
    8,
    vectorsOf("curve-crypto", ["curve-twocrypto-ng"]).map(ofTheView),
  ],
  [
    "a Curve pool of three unlike coins",
    openCrypto,
    20,
    vectorsOf("curve-crypto", ["curve-tricrypto-ng"]).map(ofTheView),
  ],
];

/** Drops swaps that failed with ErrLoss: the view answers them, and only the exchange refuses them. */
function ofTheView(vector: Vector): Vector {
  return { ...vector, swaps: vector.swaps.filter(({ fields }) => fields.error !== "ErrLoss") };
}

test.each(designs)("%s answers recorded swaps to the unit", async (_name, open, least, vectors) => {
  const { count, wrong } = await tryModels(chain, open, vectors);
  expect(wrong).toEqual([]);
  expect(count).toBeGreaterThanOrEqual(least);
});
