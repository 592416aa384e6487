import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import pino from "pino";
import { privateKeyToAccount } from "viem/accounts";
import { afterEach, describe, expect, test } from "vitest";
import { type RfqOrder, rfqTypedData } from "../../core/encoding/index.ts";
import { inventoryId, levelOf, makerPool } from "../../core/rfq.ts";
import type { Address, Hex, Pool } from "../../core/types.ts";
import type { FirmAsk } from "../../service/ports/ports-makers.ts";
import type { Slot } from "../market/book.ts";
import type { CheckSignature } from "./contract-signature.ts";
import type { MakerSettings } from "./makers-file.ts";
import { createSeat, type Seat } from "./seat.ts";

const account = privateKeyToAccount(`0x${"11".repeat(32)}`);
const stranger = privateKeyToAccount(`0x${"22".repeat(32)}`);
const A: Address = "0x0000000000000000000000000000000000000001";
const B: Address = "0x0000000000000000000000000000000000000002";
const address = account.address.toLowerCase() as Address;
const pool = makerPool("maker-m", { address, isContract: false }, [A, B]);

let server: Server | undefined;
let seat: Seat | undefined;
afterEach(async () => {
  seat?.close();
  server?.closeAllConnections();
  await new Promise((done) => server?.close(done));
});

/** A stub of the market that stores commits. */
function keeper() {
  const pools = new Map<string, Pool>();
  const slots = new Map<string, Slot>();
  return {
    slots,
    book: { pools } as never,
    amend(change: {
      slots: ReadonlyMap<string, Slot | undefined>;
      removed: readonly string[];
      added: readonly Pool[];
    }) {
      for (const id of change.removed) pools.delete(id);
      for (const one of change.added) pools.set(one.id, one);
      for (const [id, slot] of change.slots) slot === undefined ? slots.delete(id) : slots.set(id, slot);
      return true;
    },
  };
}

type Contract = { readonly says: boolean | undefined; readonly asked: Parameters<CheckSignature>[0][] };
/** @param contract makes the maker's account a contract, with its answer to EIP-1271 checks */
async function open(listener: RequestListener, contract?: Contract) {
  server = createServer(listener);
  await new Promise<void>((done) => server!.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  const market = keeper();
  const clock = { ms: 0 };
  const maker: MakerSettings = {
    ...{ id: "maker-m", name: "M", chainId: 1, address, secret: "0123456789abcdef" },
    isContract: contract !== undefined,
    airSwap: undefined,
    pushes: false,
    url: `http://127.0.0.1:${port}`,
  };
  const log = pino({ level: "silent" });
  const checkSignature: CheckSignature = async (asked) => {
    if (contract === undefined) throw new Error("an account without code is not asked");
    contract.asked.push(asked);
    return contract.says;
  };
  const readChain = { head: () => undefined, read: async () => [] };
  const checkOrder = () => Promise.reject(new Error("no order of AirSwap's is asked for"));
  const asking = { checkSignature, checkOrder, readChain };
  seat = createSeat(maker, { market, monotonicMs: () => clock.ms, ...asking, log });
  return { seat, market, clock };
}

const LEVELS = {
  pairs: [{ taker_token: A, maker_token: B, levels: [["100", "300"]] }],
  inventory: { [B]: "1000" },
};

const answering =
  (value: unknown, status = 200): RequestListener =>
  (_request, response) =>
    void response.writeHead(status).end(typeof value === "string" ? value : JSON.stringify(value));

describe("levels", () => {
  test("go into the market with the inventory, and out of it when they are two seconds old", async () => {
    const { seat, market, clock } = await open(answering(LEVELS));
    await seat.poll();
    const levels = [[{ amountIn: 100n, amountOut: 300n }], []];
    expect(market.slots.get(pool.id)).toEqual({ state: { levels, firm: null } });
    expect(market.slots.get(inventoryId("maker-m"))).toEqual({ state: { [B]: 1000n } });
    expect([seat.health().phase, seat.tokens().has(A)]).toEqual(["live", true]);
    clock.ms = 1_999;
    seat.expire();
    expect(market.slots.size).toBe(2);
    clock.ms = 2_000;
    seat.expire();
    expect([market.slots.size, seat.health().phase, seat.tokens().size]).toEqual([0, "silent", 0]);
  });

  test("pairs that are no longer told leave the market", async () => {
    let told: object = LEVELS;
    const { seat, market } = await open((_request, response) => void response.end(JSON.stringify(told)));
    await seat.poll();
    told = { pairs: [], inventory: {} };
    await seat.poll();
    expect([market.slots.has(pool.id), seat.health().pairs]).toEqual([false, 0]);
  });

  const [pair] = LEVELS.pairs;
  test.each([
    [
      "a rising price",
      { pairs: [{ ...pair, levels: ["2", "3"].map((out) => ["1", out]) }], inventory: {} },
      /rises/,
    ],
    [
      "a crossed book",
      { pairs: [pair, { ...pair, taker_token: B, maker_token: A, levels: [["299", "100"]] }], inventory: {} },
      /pays more/,
    ],
    ["the same direction twice", { pairs: [pair, pair], inventory: {} }, /twice/],
    ["one token", { pairs: [{ ...pair, maker_token: A }], inventory: {} }, /the same/],
    ["numbers in the place of texts", { pairs: [{ ...pair, levels: [[1, 2]] }], inventory: {} }, /levels/],
    ["an inventory of no token", { pairs: [pair], inventory: { WETH: "1.5" } }, /^levels\/inventory/],
    [
      "lists too deep to be printed",
      `{"pairs":[${"[".repeat(60)}${"]".repeat(60)}],"inventory":{}}`,
      /^levels\/pairs\/0/,
    ],
    ["lists that are slow to parse", "[".repeat(65) + "]".repeat(65), /^levels: .* nested too deeply$/],
    [
      "more levels than a pair has",
      { pairs: [{ ...pair, levels: Array(65).fill(["1", "1"]) }], inventory: {} },
      /64/,
    ],
    ["no JSON", "<html>", /JSON/],
    ["too much", `"${"x".repeat(300_000)}"`, /over 262144 bytes/],
  ])("%s is refused whole, by name", async (_what, value, why) => {
    const { seat, market } = await open(answering(value));
    await seat.poll();
    expect(seat.health().trouble).toMatch(why);
    expect(market.slots.size).toBe(0);
  });

  test("a redirect is not followed", async () => {
    let asked = 0;
    const { seat } = await open((_request, response) => {
      asked++;
      response.writeHead(302, { location: "/elsewhere" }).end();
    });
    await seat.poll();
    expect([seat.health().trouble, asked]).toEqual(["levels: status 302", 1]);
  });
});

const WANTED: FirmAsk = {
  ...{ pool, takerToken: A, takerAmount: 100n, makerToken: B, promised: 300n },
  ...{ taker: undefined, leastExpiry: 1_000 },
};

type Told = { makerAmount?: bigint; signer?: typeof account; expiry?: number; signedAmount?: bigint };

async function orderAnswer({ makerAmount = 300n, signer = account, expiry = 2_000, signedAmount }: Told) {
  const order: RfqOrder = {
    ...{ chainId: 1, takerToken: A, takerAmount: 100n, makerToken: B },
    makerAmount: signedAmount ?? makerAmount,
    ...{ taker: undefined, nonce: 5n, expiry },
  };
  const signature: Hex = await signer.signTypedData(rfqTypedData(order));
  return { maker_amount: makerAmount.toString(), nonce: "5", expiry, signature };
}

describe("orders", () => {
  test("an order that keeps the levels is given, and asked for in a signed request", async () => {
    const headers: unknown[] = [];
    const answer = await orderAnswer({});
    const { seat } = await open((request, response) => {
      headers.push(request.headers["x-braid-signature"], request.headers["x-request-timeout"]);
      response.end(JSON.stringify(answer));
    });
    const order = await seat.firm(WANTED, 250);
    expect([order && levelOf(order.order).amountOut, order?.signature]).toEqual([300n, answer.signature]);
    expect(headers).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), "250"]);
    expect(seat.health().orders).toMatchObject({ given: 1, refused: 0 });
  });

  test("a signature that ends in the parity is given as Permit2 takes it, with 27 or 28", async () => {
    const answer = await orderAnswer({});
    const parity = answer.signature.endsWith("1b") ? "00" : "01";
    const { seat } = await open(answering({ ...answer, signature: answer.signature.slice(0, -2) + parity }));
    expect((await seat.firm(WANTED, 250))?.signature).toBe(answer.signature);
  });

  test.each<[string, Told]>([
    ["worse", { makerAmount: 299n }],
    ["invalid", { signer: stranger }],
    ["invalid", { expiry: 999 }],
    ["invalid", { makerAmount: 301n, signedAmount: 300n }],
  ])("an order that is %s is not taken, and counts: %o", async (outcome, told) => {
    const { seat } = await open(answering(await orderAnswer(told)));
    expect(await seat.firm(WANTED, 250)).toBeUndefined();
    expect(seat.health().orders).toMatchObject({ given: 0, [outcome]: 1 });
  });

  test("an order with the nonce of one that was not honoured is not taken, and each counts", async () => {
    const { seat } = await open(answering(await orderAnswer({})));
    expect(await seat.firm(WANTED, 250)).toBeDefined();
    seat.broke(5n);
    expect(await seat.firm(WANTED, 250)).toBeUndefined();
    expect(seat.health()).toMatchObject({ phase: "blocked", orders: { given: 1, reverted: 1, invalid: 1 } });
  });

  test.each([
    ["refused", 204, ""],
    ["failed", 500, ""],
    ["invalid", 200, "{}"],
    ["failed", 200, "{"],
  ])("no order is %s: status %d, body %s", async (outcome, status, body) => {
    const { seat } = await open(answering(body, status));
    expect(await seat.firm(WANTED, 250)).toBeUndefined();
    expect(seat.health().orders).toMatchObject({ [outcome]: 1 });
  });

  test.each([
    [true, { given: 1 }, true],
    [false, { given: 0, invalid: 1 }, false],
    [undefined, { given: 0, unchecked: 1 }, false],
  ])("a contract that says %s of an order that another account signed: %o", async (says, orders, isTaken) => {
    const contract: Contract = { says, asked: [] };
    const answer = await orderAnswer({ signer: stranger });
    const { seat } = await open(answering(answer), contract);
    const order = await seat.firm(WANTED, 250);
    expect(order !== undefined).toBe(isTaken);
    expect(contract.asked).toHaveLength(1);
    expect(contract.asked[0]).toMatchObject({ account: address, signature: answer.signature });
    expect(contract.asked[0]!.timeoutMs).toBeLessThanOrEqual(250);
    expect(seat.health().orders).toMatchObject(orders);
  });

  test("a contract whose signature no node can check does not fade, however often", async () => {
    const { seat } = await open(answering(await orderAnswer({})), { says: undefined, asked: [] });
    const before = seat.health().fadeRate;
    for (let k = 0; k < 5; k++) await seat.firm(WANTED, 250);
    expect([seat.health().fadeRate, seat.health().blockedForMs]).toEqual([before, 0]);
  });

  test("a refusal beyond the published inventory is no fade, until the levels show what was signed", async () => {
    const answer = await orderAnswer({});
    let left = 3;
    const { seat, clock } = await open((request, response) => {
      if (request.url!.startsWith("/levels")) return answering(LEVELS)(request, response);
      return left-- > 0 ? answering(answer)(request, response) : answering("", 204)(request, response);
    });
    await seat.poll();
    for (let k = 0; k < 3; k++) await seat.firm(WANTED, 250);
    const before = seat.health().fadeRate;
    for (let k = 0; k < 5; k++) expect(await seat.firm(WANTED, 250)).toBeUndefined();
    const { fadeRate, phase, orders } = seat.health();
    expect([fadeRate, phase, orders.given, orders.refused]).toEqual([before, "live", 3, 5]);
    clock.ms = 2_500;
    await seat.poll();
    await seat.firm(WANTED, 250);
    expect(seat.health().fadeRate).toBeGreaterThan(before);
  });

  const silent: RequestListener = (request, response) => {
    if (request.url!.startsWith("/levels")) answering(LEVELS)(request, response);
  };

  test.each([
    ["was left little time by the caller's search", [20, 20, 20, 20, 20]],
    // 32 requests hold all connections for too short a time to be fades. The others are sent when these end.
    ["gets requests late, since a caller asks for many at once", [...Array(32).fill(140), 160, 160, 160]],
  ])("a maker that %s is late, and that is no fade", async (_what, timeouts: number[]) => {
    const { seat } = await open(silent);
    const before = seat.health().fadeRate;
    await Promise.all(timeouts.map((timeoutMs) => seat.firm(WANTED, timeoutMs)));
    const { fadeRate, blockedForMs, orders } = seat.health();
    expect([fadeRate, blockedForMs, orders.late]).toEqual([before, 0, timeouts.length]);
  });

  test("a maker that never answers is late, and its second fade takes it out of the market", async () => {
    const { seat, market, clock } = await open(silent);
    await seat.poll();
    const state = () => [seat.health().phase, market.slots.size, seat.health().orders.late];
    // Those that one pause makes late are one fade.
    for (const _ of [1, 2, 3]) await seat.firm(WANTED, 200);
    expect(state()).toEqual(["live", 2, 3]);
    clock.ms = 2_000;
    await seat.firm(WANTED, 200);
    expect(state()).toEqual(["blocked", 0, 4]);
    await seat.poll();
    expect(market.slots.size).toBe(0);
  });
});
