import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { allowedBy } from "../../core/allowance.ts";
import type { RfqOrder } from "../../core/encoding/permits.ts";
import { inventoryId, makerPool } from "../../core/rfq.ts";
import { createEngine } from "../../core/routing/engine.ts";
import type { Address, Pool } from "../../core/types.ts";
import { protocols } from "../../protocols/index.ts";
import { type Deps, defaultServiceSettings } from "../deps.ts";
import type { ListedToken, SearchSession, ServedChain } from "../ports/ports.ts";
import type { FirmAsk } from "../ports/ports-makers.ts";
import { type PriceRequest, price } from "../pricing/price.ts";
import { makerPools, withOrders } from "./orders.ts";

const hex = (n: number): Address => `0x${n.toString(16).padStart(40, "0")}`;
const [A, B, WETH, C, MAKER] = [hex(1), hex(2), hex(3), hex(4), hex(0xaa)];
const E18 = 10n ** 18n;
const at = { blockNumber: 11, timestamp: 1_700_000_012 };
const head = { number: 10, hash: "0x10", parentHash: "0x09", timestamp: 1_700_000_000 } as const;

const ofPermit2 = makerPool("maker-m", { address: MAKER, isContract: false }, [A, B]);
const ofAirSwap = makerPool("maker-m", { address: MAKER, isContract: false, settler: hex(0xdd) }, [A, B]);
const ofRival = makerPool("maker-n", { address: hex(0xab), isContract: false }, [A, B]);
const ofSmall = makerPool("maker-m", { address: MAKER, isContract: false }, [B, C]);
const ofLarge = makerPool("maker-n", { address: hex(0xab), isContract: false }, [B, C]);
const pair: Pool = {
  ...{ id: hex(0xbb), address: hex(0xbb), protocol: "uniswap-v2", deployment: "v2", tokens: [A, B] },
  ...{ stateIds: [hex(0xbb)], facts: { feePpm: 3000 } },
};
const states = new Map<string, unknown>([
  [pair.id, { reserves: [1_000n * E18, 1_000n * E18], feePpm: 3000, taxed: false }],
  [ofPermit2.id, { levels: [[{ amountIn: 5n * E18, amountOut: 5n * E18 }], []], firm: null }],
  [ofSmall.id, { levels: [[{ amountIn: E18, amountOut: 2n * E18 }], []], firm: null }],
  [ofLarge.id, { levels: [[{ amountIn: 90n * E18, amountOut: 90n * E18 }], []], firm: null }],
  [inventoryId("maker-m"), { [B]: 100n * E18, [C]: 100n * E18 }],
  [ofRival.id, { levels: [[{ amountIn: 9n * E18, amountOut: 10n * E18 }], []], firm: null }],
  [inventoryId("maker-n"), { [B]: 100n * E18, [C]: 100n * E18 }],
]);

const token = (address: Address): ListedToken => ({
  ...{ chainId: 1, address, name: "T", symbol: "T", decimals: 18, logoUri: "" },
  ...{ isActive: true, priority: 1, isRfq: true, isListed: true },
});

const request: PriceRequest = {
  ...{ chainId: 1, tokenIn: A, tokenOut: B, amount: 8n * E18, side: "in", slippagePpm: 1_000 },
  ...{ gasPriceWei: 1n, fees: { recipient: undefined, buyPermille: 0, sellPermille: 0 } },
  ...{ withGas: false, minBlock: undefined, maxImpactPpm: undefined },
  sources: { list: "exclude", names: [], rfqOnly: false },
};

type Answer = (ask: FirmAsk) => Pick<RfqOrder, "makerAmount" | "expiry"> | undefined;

/**
 * Services over one pool and one maker that answers with `answer`; with `airSwap` it signs AirSwap orders.
 *
 * @param rivals pools of other makers
 */
function deps(answer: Answer, airSwap = false, rivals: readonly Pool[] = []): Deps {
  const ofMaker = airSwap ? ofAirSwap : ofPermit2;
  const engine = createEngine(protocols, { wrappedNative: WETH });
  const view = { get: (id: string) => states.get(id) };
  engine.patch({ pools: [pair, ofMaker, ...rivals], removed: [] }, view, at);
  const record = { fromBlock: 0, trusted: true, facts: {}, source: "test" };
  const served = {
    chain: {
      ...{ id: 1, wrappedNative: WETH, blockTimeMs: 12_000, native: { symbol: "ETH", decimals: 18 } },
      deployments: [
        { id: "v2", protocol: "uniswap-v2", name: "V2", factory: WETH, ...record },
        { id: "maker-m", protocol: "rfq", name: "M", factory: MAKER, ...record },
        { id: "maker-n", protocol: "rfq", name: "N", factory: MAKER, ...record },
      ],
    },
    router: hex(0xcc),
    isVetted: () => true,
    market: {
      status: () => ({ phase: "live", head, ageMs: 0 }),
      at: () => at,
      view: () => view,
      session: <T>(_caller: string, work: (session: SearchSession) => Promise<T>) =>
        work({
          ...{ head, at, view, isPreconfirmed: false },
          find: async ({ allowed, ...query }) => {
            const allows = allowedBy(allowed, query, () => true);
            return engine.find({ ...query, allows, at, now: () => 0 });
          },
        }),
      isTraded: () => true,
      nativePer: () => undefined,
      priceDepth: () => 0,
    },
    makers: {
      firm: async (ask: FirmAsk, timeoutMs: number) => {
        timeouts.push(timeoutMs);
        const given = answer(ask);
        if (given === undefined) return undefined;
        const { takerToken, takerAmount, makerToken, taker } = ask;
        const signature = `0x${"ab".repeat(65)}`;
        const common = { chainId: 1, nonce: 1n, expiry: given.expiry };
        const permit2 = { ...common, takerToken, takerAmount, makerToken, taker, ...given };
        const whole = {
          ...{ ...common, settler: hex(0xdd), signer: MAKER, signerToken: makerToken, protocolFee: 7n },
          ...{ signerAmount: given.makerAmount, senderToken: takerToken, senderAmount: takerAmount },
        };
        return { order: airSwap ? whole : permit2, signature };
      },
      prices: () => true,
      health: () => [],
    },
  } as unknown as ServedChain;
  return {
    chains: new Map([[1, served]]),
    tokens: { get: (_chain, address) => token(address), all: () => [] },
    registry: protocols,
    unixSeconds: () => head.timestamp,
    monotonicMs: () => 0,
    pause: async () => undefined,
    settings: { ...defaultServiceSettings, searchTimeoutMs: 10_000 },
  };
}

/** The timeouts, in milliseconds, that makers were given. */
const timeouts: number[] = [];

const EXPIRY = at.timestamp + 60;
const honest: Answer = ({ promised }) => ({ makerAmount: promised, expiry: EXPIRY });

async function quoted(answer: Answer, change: Partial<PriceRequest> = {}) {
  const services = deps(answer);
  const indicative = await price(services, { ...request, ...change });
  expect(makerPools(indicative.offer.route)).toEqual([ofPermit2.id]);
  return { indicative, firm: await withOrders(services, indicative, undefined) };
}

test("an order that replaces the levels pays what they promised, and the offer expires with it", async () => {
  const { indicative, firm } = await quoted(honest);
  expect(firm.offer.amountOut).toBe(indicative.offer.amountOut);
  expect([firm.expiry, indicative.expiry]).toEqual([EXPIRY, undefined]);
  const { kind, extra } = firm.wire.steps.find((step) => step.kind === 15)!;
  expect([kind, extra.endsWith("ab".repeat(65))]).toEqual([15, true]);
});

test.each([
  [0, 235],
  [35, 200],
  [500, 50],
])(
  "after a search of %d ms makers have %d ms, so that they add at most 250 ms to the quote",
  async (ms, leftMs) => {
    const services = deps(honest);
    const found = await price(services, request);
    const searches = found.searches.map(({ allowed, result }) => ({
      ...{ allowed, result: { ...result, search: { complete: true, ms, settleMs: 0 } } },
    }));
    timeouts.length = 0;
    await withOrders(services, { ...found, searches: searches as typeof found.searches }, undefined);
    expect(timeouts).toEqual([leftMs]);
  },
);

test("the user receives the whole surplus of an order that is better than the levels", async () => {
  const better: Answer = ({ promised }) => ({ makerAmount: promised + 77n, expiry: EXPIRY });
  const { indicative, firm } = await quoted(better);
  expect(firm.offer.amountOut).toBe(indicative.offer.amountOut + 77n);
});

test("a leg that sells the first token requests exactly its amount, valid for at least 30 s", async () => {
  const asked: FirmAsk[] = [];
  const { indicative } = await quoted((ask) => {
    asked.push(ask);
    return honest(ask);
  });
  const leg = indicative.offer.route.steps.find(({ pool }) => pool.id === ofPermit2.id)!;
  expect(asked).toHaveLength(1);
  expect([asked[0]!.takerAmount, asked[0]!.promised]).toEqual([leg.amountIn, leg.amountOut]);
  expect(asked[0]!.leastExpiry).toBe(at.timestamp + 30);
});

test.each<[string, Answer]>([
  ["gives no order", () => undefined],
  ["signs so little that pools alone pay more", () => ({ makerAmount: 1n, expiry: EXPIRY })],
])("where a maker %s, the offer uses pools only", async (_what, answer) => {
  const { firm } = await quoted(answer);
  expect([makerPools(firm.offer.route), firm.expiry]).toEqual([[], undefined]);
  const pools = { list: "exclude", names: ["M"], rfqOnly: false } as const;
  const without = await price(deps(answer), { ...request, sources: pools });
  expect(firm.offer.amountOut).toBe(without.offer.amountOut);
});

test("a maker that signs nothing does not keep out the others: they are asked in the time that is left", async () => {
  const asked: string[] = [];
  const signsOf = (ids: readonly string[]) =>
    deps(
      (ask) => {
        asked.push(ask.pool.deployment);
        return ids.includes(ask.pool.deployment) ? honest(ask) : undefined;
      },
      false,
      [ofRival],
    );
  const services = signsOf(["maker-m"]);
  const firm = await withOrders(services, await price(services, request), undefined);
  expect(asked).toEqual(["maker-n", "maker-m"]);
  expect([makerPools(firm.offer.route), firm.expiry]).toEqual([[ofPermit2.id], EXPIRY]);
  expect(firm.refused).toMatchObject([{ kind: "maker", id: ofRival.id }]);
  const nobody = signsOf([]);
  const plain = await withOrders(nobody, await price(nobody, request), undefined);
  expect(asked).toEqual(["maker-n", "maker-m", "maker-n", "maker-m"]);
  expect(plain.refused).toMatchObject([{ id: ofRival.id }, { id: ofPermit2.id }]);
  expect(plain.offer.amountOut < firm.offer.amountOut).toBe(true);
});

test("a maker whose levels leave no room for its leg does not keep out the others", async () => {
  // The route takes all of the small maker's level, behind a pool: an order for one percent more does not fit.
  const asked: string[] = [];
  const answer: Answer = (ask) => {
    asked.push(ask.pool.deployment);
    return honest(ask);
  };
  const services = deps(answer, false, [ofSmall, ofLarge]);
  const avoided = { kind: "pool", id: ofPermit2.id, reason: "avoided" } as const;
  const indicative = await price(services, { ...request, tokenOut: C }, [avoided]);
  expect(makerPools(indicative.offer.route).toSorted()).toEqual([ofSmall.id, ofLarge.id].toSorted());
  const firm = await withOrders(services, indicative, undefined);
  expect([makerPools(firm.offer.route), asked]).toEqual([[ofLarge.id], ["maker-n"]]);
  expect(firm.refused).toMatchObject([avoided, { kind: "maker", id: ofSmall.id, reason: /cannot/ }]);
});

test("two orders of one account with one nonce make no offer: the second could never be filled", async () => {
  // Every order here has the nonce 1, and the best route crosses two pairs of one maker.
  const services = deps(honest, false, [ofSmall, ofLarge]);
  const onward = await price(services, { ...request, tokenOut: C, amount: E18 / 2n });
  expect(makerPools(onward.offer.route)).toEqual([ofPermit2.id, ofSmall.id]);
  const firm = await withOrders(services, onward, undefined);
  expect(makerPools(firm.offer.route)).toEqual([ofLarge.id]);
  expect(firm.refused).toMatchObject([ofPermit2, ofSmall].map(({ id }) => ({ id, reason: /one nonce/ })));
});

test("a bug while makers are asked fails the request, also where the route without makers is found later", async () => {
  let isAsked = false;
  const services = deps(() => {
    isAsked = true;
    throw new Error("a bug");
  });
  const indicative = await price(services, request);
  const { market } = services.chains.get(1)!;
  const { session } = market;
  const later: typeof session = async (...given) => {
    while (!isAsked) await setImmediate();
    await setImmediate();
    return session(...given);
  };
  Object.assign(market, { session: later });
  const unheard: unknown[] = [];
  const note = (error: unknown) => void unheard.push(error);
  process.on("unhandledRejection", note);
  await expect(withOrders(services, indicative, undefined)).rejects.toThrow("a bug");
  process.off("unhandledRejection", note);
  expect(unheard).toEqual([]);
});

test("an exact amount bought is not reduced by an order that pays less", async () => {
  const short: Answer = ({ promised }) => ({ makerAmount: promised - 1n, expiry: EXPIRY });
  const { firm } = await quoted(short, { side: "out", amount: 7n * E18 });
  expect(makerPools(firm.offer.route)).toEqual([]);
  expect(firm.offer.amountOut >= 7n * E18).toBe(true);
});

test("with rfqOnly, makers that sign nothing lead to NO_ROUTE", async () => {
  const rfqOnly = { list: "exclude", names: [], rfqOnly: true } as const;
  const asked = quoted(() => undefined, { amount: 4n * E18, sources: rfqOnly });
  await expect(asked).rejects.toMatchObject({ reason: "NO_ROUTE", message: /no maker gave an order/ });
});

test("a maker whose orders can only be filled whole is asked for exactly the amount of its leg", async () => {
  const asks: FirmAsk[] = [];
  const services = deps((ask) => {
    asks.push(ask);
    return honest(ask);
  }, true);
  const firm = await withOrders(services, await price(services, request), undefined);
  const { steps } = firm.offer.route;
  const leg = steps.find(({ pool }) => pool.id === ofAirSwap.id)!;
  expect(steps).toHaveLength(2);
  expect(asks.map(({ takerAmount }) => takerAmount)).toEqual([leg.amountIn]);
  const step = firm.wire.steps.find(({ kind }) => kind === 19)!;
  expect([step.target, firm.expiry]).toEqual([hex(0xdd), EXPIRY]);
  expect(BigInt(`0x${step.extra.slice(42, 74)}`)).toBe(leg.amountIn);
});

test("where a maker of whole orders gives none or pays less than pools, the offer uses pools only", async () => {
  const without = deps(() => undefined, true);
  const plain = await withOrders(without, await price(without, request), undefined);
  expect([makerPools(plain.offer.route), plain.expiry, plain.refused.length]).toEqual([[], undefined, 1]);
  const stingy = deps(({ promised }) => ({ makerAmount: promised / 2n, expiry: EXPIRY }), true);
  const other = await withOrders(stingy, await price(stingy, request), undefined);
  expect([makerPools(other.offer.route), other.offer.amountOut]).toEqual([[], plain.offer.amountOut]);
});
