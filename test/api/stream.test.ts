import { type ClientRequest, get as httpGet, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { NATIVE } from "../../src/core/types.ts";
import { noKeys } from "../../src/http/access/admission.ts";
import type { KeyPort } from "../../src/service/ports/ports-access.ts";
import { expectFailure, get, queryOf } from "./ask.ts";
import { createWorld, LONELY, live, starting, USDC, WETH } from "./world.ts";

/** Offers as server-sent events: once for all who ask the same, and again only where they change. */

type Options = Parameters<typeof createWorld>[0];
type Event = { event: string; id: string | undefined; data: Record<string, unknown> };

let api: Awaited<ReturnType<typeof createWorld>>;
let port: number;
let readers: ClientRequest[] = [];

async function open(options: Options = {}) {
  api = await createWorld(options);
  const origin = await api.app.listen({ host: "127.0.0.1", port: 0 });
  port = Number(new URL(origin).port);
}
beforeEach(() => open());
afterEach(async () => {
  for (const reader of readers) reader.destroy();
  readers = [];
  api.world.nextBlock();
  await api.app.close();
});

const pair = {
  fromTokenAddress: NATIVE,
  toTokenAddress: USDC,
  amount: "1000000000000000000",
  slippage: "10",
};

const UNLIMITED = {
  ...{ tier: "standard", perMinute: 0, perDay: 0, perAddressPerMinute: 0 },
  ...{ origins: [], fees: undefined },
};

type Reader = { readonly events: Event[]; readonly response: IncomingMessage; readonly over: Promise<void> };

function follow(query: Record<string, string> = {}, headers: Record<string, string> = {}): Promise<Reader> {
  return new Promise((resolve, reject) => {
    const path = `/v1/1/price/stream?${queryOf({ ...pair, ...query })}`;
    const request = httpGet({ host: "127.0.0.1", port, path, headers }, (response) => {
      const events: Event[] = [];
      let text = "";
      response.on("data", (data: Buffer) => {
        text += data.toString();
        const frames = text.split("\n\n");
        text = frames.pop()!;
        events.push(...frames.filter((frame) => frame.startsWith("event")).map(parse));
      });
      const over = new Promise<void>((done) => response.on("close", done));
      response.on("error", () => {});
      resolve({ events, response, over });
    });
    request.on("error", reject);
    readers.push(request);
  });
}

function parse(frame: string): Event {
  const fields = new Map(
    frame.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]),
  );
  return { event: fields.get("event")!, id: fields.get("id"), data: JSON.parse(fields.get("data")!) };
}

const seen = (reader: Reader, count: number) =>
  expect.poll(() => reader.events.length, { timeout: 20_000 }).toBe(count);

describe("a stream", () => {
  test("tells an id under which everybody can read how the offer came about, one for all who follow the same", async () => {
    const readers = [await follow(), await follow()];
    for (const reader of readers) await seen(reader, 1);
    const [id, other] = readers.map(({ events }) => String(events[0]!.data.quote_id));
    expect(other).toBe(id);
    const { status, json } = await get(api, `/v1/1/quotes/${id}`);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      kind: "price",
      amount_out_total: readers[0]!.events[0]!.data.amount_out_total,
      request: { amount: pair.amount },
    });
  });

  test("ends when its API key is revoked, and not when another one is", async () => {
    const revoked = new Set<string>();
    const keys: KeyPort = {
      ...noKeys,
      inUse: () => true,
      find: (id) => ({ ...UNLIMITED, id }),
      isValid: (id) => !revoked.has(id),
    };
    await api.app.close();
    await open({ keys });
    const [one, other] = [
      await follow({}, { "x-api-key": "one" }),
      await follow({}, { "x-api-key": "other" }),
    ];
    await seen(one, 1);
    revoked.add("one");
    await one.over;
    expect(one.events.at(-1)).toMatchObject({ event: "end", data: { reason: "the API key was revoked" } });
    await seen(other, 1);
    expect(other.events[0]!.event).toBe("offer");
    expect(other.response.complete).toBe(false);
  });

  test("begins with what price answers, and says more only where a block changes it", async () => {
    const reader = await follow();
    expect(reader.response.headers).toMatchObject({
      "content-type": "text/event-stream; charset=utf-8",
      "access-control-allow-origin": "*",
      "cache-control": "no-store",
    });
    await seen(reader, 1);
    const { json } = await get(api, "/v1/1/price", pair);
    expect(reader.events[0]).toMatchObject({
      event: "offer",
      data: { amount_out_total: json.amount_out_total },
    });
    expect(Object.keys(reader.events[0]!.data).sort()).toEqual(Object.keys(json).sort());
    const searches = countSearches();
    api.world.nextBlock();
    await expect.poll(searches).toBe(1);
    api.world.excluded = true;
    api.world.nextBlock();
    await seen(reader, 2);
    expect(reader.events[1]!.data.amount_out_total).not.toBe(json.amount_out_total);
    expect(reader.events[1]!.id).not.toBe(reader.events[0]!.id);
  });

  test("is searched for once for all who ask the same", async () => {
    const first = await follow();
    await seen(first, 1);
    const searches = countSearches();
    const others = await Promise.all(Array.from({ length: 20 }, () => follow()));
    for (const other of others) await seen(other, 1);
    expect(searches()).toBe(0);
    api.world.excluded = true;
    api.world.nextBlock();
    for (const reader of [first, ...others]) await seen(reader, 2);
    expect(searches()).toBe(1);
  });

  test("a reader who comes back is told only what is new", async () => {
    const reader = await follow();
    await seen(reader, 1);
    const again = await follow({}, { "last-event-id": reader.events[0]!.id! });
    api.world.excluded = true;
    api.world.nextBlock();
    await seen(again, 1);
    expect(again.events[0]!.id).not.toBe(reader.events[0]!.id);
  });

  test("tells why there is no offer, once, and goes on when there is one", async () => {
    const reader = await follow({ toTokenAddress: LONELY });
    await seen(reader, 1);
    expect(reader.events[0]).toMatchObject({ event: "failed", data: { code: 2000, reason: "NO_ROUTE" } });
    const other = await follow();
    await seen(other, 1);
    api.world.searchFails = new Error("secret");
    api.world.nextBlock();
    await seen(other, 2);
    expect(other.events[1]).toMatchObject({ event: "failed", data: { reason: "INTERNAL" } });
    expect(JSON.stringify(other.events[1])).not.toContain("secret");
    expect(api.world.log.some((line) => line.includes("secret"))).toBe(true);
    api.world.searchFails = undefined;
    api.world.nextBlock();
    await seen(other, 3);
    expect(other.events[2]!.event).toBe("offer");
  });

  test("ends with a last word when the service ends", async () => {
    const reader = await follow();
    await seen(reader, 1);
    const closed = api.app.close();
    await reader.over;
    expect(reader.events.at(-1)).toEqual({
      event: "end",
      id: undefined,
      data: { reason: "the service is ending" },
    });
    await closed;
  });

  test("a reader who does not read is given up, and nobody else notices", async () => {
    const good = await follow();
    await seen(good, 1);
    const socket = connect(port, "127.0.0.1");
    socket.pause();
    socket.on("error", () => {});
    socket.write(`GET /v1/1/price/stream?${queryOf(pair)} HTTP/1.1\r\nHost: x\r\n\r\n`);
    const closed = new Promise((done) => socket.on("close", done));
    await expect
      .poll(
        async () => {
          for (let k = 0; k < 50; k++) {
            api.world.excluded = !api.world.excluded;
            const before = good.events.length;
            api.world.nextBlock();
            await expect.poll(() => good.events.length, { interval: 1 }).toBe(before + 1);
          }
          return new Promise<number>((done) => api.app.server.getConnections((_error, count) => done(count)));
        },
        { timeout: 200_000, interval: 1 },
      )
      .toBe(1);
    socket.resume();
    await closed;
  });
});

describe("a stream is refused", () => {
  test("as price is, before it begins", async () => {
    const stream = (query: object) => get(api, "/v1/1/price/stream", { ...pair, ...query });
    expectFailure(await stream({ amount: "x" }), 400, "VALIDATION");
    expectFailure(await stream({ toTokenAddress: NATIVE }), 400, "SAME_TOKEN");
    expectFailure(await get(api, "/v1/2/price/stream", pair), 400, "UNSUPPORTED_CHAIN");
    api.world.status = starting;
    expectFailure(await stream({}), 503, "STALE_STATE");
    api.world.status = live;
  });

  test("where too many are open, of all or of one caller; one that ended makes room", async () => {
    await api.app.close();
    await open({ http: { maxStreams: 2, maxStreamsPerCaller: 1 } });
    const reader = await follow();
    const refused = await get(api, "/v1/1/price/stream", pair);
    expect(expectFailure(refused, 503, "OVERLOADED").error).toContain("streams of 127.0.0.1");
    expect(refused.headers["retry-after"]).toBe("10");
    reader.response.destroy();
    await expect.poll(async () => (await follow({ toTokenAddress: WETH })).response.statusCode).toBe(200);
  });

  test("where all are taken, and the newest of the caller with the most gives way to callers with fewer", async () => {
    await api.app.close();
    await open({ http: { maxStreams: 3, trustedProxies: 1 } });
    const from = (address: string) => follow({}, { "x-forwarded-for": address });
    const many = [await from("10.0.0.1"), await from("10.0.0.1"), await from("10.0.0.1")];
    const other = await from("10.0.0.2");
    expect(other.response.statusCode).toBe(200);
    await many[2]!.over;
    expect(many[2]!.events.at(-1)).toMatchObject({ event: "end" });
    await seen(other, 1);
    for (const reader of many.slice(0, 2)) expect(reader.response.complete).toBe(false);
    for (const address of ["10.0.0.1", "10.0.0.2"])
      expect((await from(address)).response.statusCode).toBe(503);
  });
});

function countSearches(): () => number {
  let count = 0;
  api.world.onSearch = () => {
    count += 1;
  };
  return () => count;
}
