import { connect } from "node:net";
import pino from "pino";
import { afterEach, describe, expect, test, vi } from "vitest";
import { inventoryId, makerPool, type RfqState } from "../../../core/rfq.ts";
import type { Address, Pool } from "../../../core/types.ts";
import type { Slot } from "../../market/book.ts";
import { createMakerDesk } from "../desk.ts";
import type { MakerSettings } from "../makers-file.ts";
import { signRequest } from "../wire/signed-request.ts";
import { openPushListener, type PushListener } from "./listener.ts";

const hex = (n: number): Address => `0x${n.toString(16).padStart(40, "0")}`;
const [A, B] = [hex(1), hex(2)];
const log = pino({ level: "silent" });
const SECRETS = { Alpha: "the secret of Alpha", Beta: "the secret of Beta" };
type Name = keyof typeof SECRETS;

const settings = (name: Name): MakerSettings => ({
  ...{ id: `maker-${name.toLowerCase()}`, name, chainId: 1, address: hex(0xaa), isContract: false },
  ...{ url: "https://maker.example", airSwap: undefined, pushes: true, secret: SECRETS[name] },
});
const poolOf = (name: Name): string =>
  makerPool(settings(name).id, { address: hex(0xaa), isContract: false }, [A, B]).id;

let listener: PushListener | undefined;
afterEach(() => listener?.close());

/** Two makers in one market, behind one listener; the clocks move only by `pass` or by assignment. */
async function open({ isReady = true } = {}) {
  const pools = new Map<string, Pool>();
  const slots = new Map<string, Slot>();
  const clock = { unixMs: 1_700_000_000_000, monotonicMs: 50_000 };
  const market = {
    book: { pools } as never,
    amend(change: {
      slots: ReadonlyMap<string, Slot | undefined>;
      removed: readonly string[];
      added: readonly Pool[];
    }) {
      if (!isReady) return false;
      for (const id of change.removed) pools.delete(id);
      for (const one of change.added) pools.set(one.id, one);
      for (const [id, slot] of change.slots) slot === undefined ? slots.delete(id) : slots.set(id, slot);
      return true;
    },
  };
  const nobody = () => Promise.reject(new Error("nobody is asked"));
  const desk = createMakerDesk({
    ...{
      makers: [settings("Alpha"), settings("Beta")],
      market,
      log,
      checkSignature: nobody,
      checkOrder: nobody,
    },
    readChain: { head: () => undefined, read: nobody },
    monotonicMs: () => clock.monotonicMs,
  });
  listener = await openPushListener({
    ...{ host: "127.0.0.1", port: 0, pushers: desk.pushers, log },
    unixMs: () => clock.unixMs,
    monotonicMs: () => clock.monotonicMs,
  });
  const pass = (ms: number) => {
    clock.unixMs += ms;
    clock.monotonicMs += ms;
  };
  return { desk, slots, clock, pass, url: `http://127.0.0.1:${listener.port}/levels` };
}

type World = Awaited<ReturnType<typeof open>>;

const levels = (out: string) => ({
  pairs: [{ taker_token: A, maker_token: B, levels: [["100", out]] }],
  inventory: { [B]: "1000" },
});

type Sent = {
  name?: string;
  secret?: string;
  /** How long ago the push was signed, milliseconds; negative = in the future. */
  lateMs?: number;
  body?: string;
  /** A body that is sent in the place of the signed one. */
  altered?: string;
  headers?: Record<string, string>;
};

async function send(world: World, maker: Name, sent: Sent = {}) {
  const body = sent.body ?? JSON.stringify(levels("300"));
  const timestamp = String(world.clock.unixMs - (sent.lateMs ?? 0));
  const secret = sent.secret ?? SECRETS[maker];
  const signature = signRequest({ secret, timestamp, line: "POST /levels", body });
  const signed = { "x-braid-timestamp": timestamp, "x-braid-signature": signature };
  const headers = { "x-braid-maker": sent.name ?? maker, ...signed, ...sent.headers };
  const answer = await fetch(world.url, { method: "POST", headers, body: sent.altered ?? body });
  const text = await answer.text();
  return {
    status: answer.status,
    why: text === "" ? undefined : (JSON.parse(text) as { error: string }).error,
  };
}

const stateOf = ({ slots }: World, id: string): unknown => {
  const slot = slots.get(id);
  return slot !== undefined && "state" in slot ? slot.state : undefined;
};
/** The amount that a maker's first level pays; undefined where the maker has no levels in the market. */
const paid = (world: World, maker: Name): bigint | undefined =>
  (stateOf(world, poolOf(maker)) as RfqState | undefined)?.levels[0][0]?.amountOut;

describe("pushed levels", () => {
  test("are in the market until two seconds after they were signed", async () => {
    const world = await open();
    expect(await send(world, "Alpha", { lateMs: 400 })).toEqual({ status: 204, why: undefined });
    expect([paid(world, "Alpha"), stateOf(world, inventoryId("maker-alpha"))]).toEqual([
      300n,
      { [B]: 1000n },
    ]);
    world.desk.start();
    world.pass(1_600);
    await vi.waitFor(() => expect(world.slots.size).toBe(0));
    await world.desk.stop();
  });

  test("are replaced by the maker's own next ones, and by nobody else's", async () => {
    const world = await open();
    await send(world, "Alpha");
    await send(world, "Beta", { body: JSON.stringify(levels("200")) });
    world.pass(1);
    expect(await send(world, "Beta", { body: JSON.stringify({ pairs: [], inventory: {} }) })).toMatchObject({
      status: 204,
    });
    expect([paid(world, "Alpha"), paid(world, "Beta")]).toEqual([300n, undefined]);
    world.pass(1);
    expect(await send(world, "Alpha", { body: JSON.stringify(levels("250")) })).toMatchObject({
      status: 204,
    });
    expect(paid(world, "Alpha")).toBe(250n);
  });

  test.each<[string, Sent]>([
    ["with another maker's secret", { secret: SECRETS.Beta }],
    ["in another maker's name", { name: "Beta" }],
    ["of a maker that is not known", { name: "Gamma" }],
    ["that was altered on the way", { altered: JSON.stringify(levels("900")) }],
    ["without a signature", { headers: { "x-braid-signature": "" } }],
    ["with a signature that is no hex", { headers: { "x-braid-signature": "zz" } }],
    ["with another timestamp than was signed", { headers: { "x-braid-timestamp": "1700000000001" } }],
  ])("one %s is a 401 that tells no more, and changes nothing", async (_what, sent) => {
    const world = await open();
    expect(await send(world, "Alpha", sent)).toEqual({
      status: 401,
      why: `x-braid-maker: "${sent.name ?? "Alpha"}": no maker that pushes levels has this name, or x-braid-signature is not its own`,
    });
    expect(world.slots.size).toBe(0);
  });

  test.each<[string, Sent, number, RegExp]>([
    ["two seconds old", { lateMs: 2_000 }, 400, /2000 ms ago, where levels are used for 2000 ms/],
    ["ahead of the clock", { lateMs: -2_001 }, 400, /2001 ms ahead of this server's clock/],
    ["no JSON", { body: "{" }, 400, /^body: "{" is no JSON/],
    ["of slow lists", { body: "[".repeat(65) + "]".repeat(65) }, 400, /^body: is nested too deeply/],
    ["of another form", { body: "{}" }, 400, /^levels: {}: must have required properties pairs/],
    [
      "rising",
      { body: JSON.stringify(rising()) },
      400,
      /^levels\/pairs\/0\/levels\/1: \[1, 3\]: a price that rises/,
    ],
    ["too large", { body: `"${"x".repeat(300_000)}"` }, 413, /^body: 300002 bytes, more than 262144/],
  ])("ones that are %s are refused in words", async (_what, sent, status, why) => {
    const world = await open();
    const answer = await send(world, "Alpha", sent);
    expect([answer.status, world.slots.size]).toEqual([status, 0]);
    expect(answer.why).toMatch(why);
  });

  test("a push that was made before is refused, and so is one that is older", async () => {
    const world = await open();
    await send(world, "Alpha");
    expect(await send(world, "Alpha")).toMatchObject({
      status: 400,
      why: /not above that of the push before/,
    });
    expect(await send(world, "Alpha", { lateMs: 1 })).toMatchObject({ status: 400 });
    world.pass(1);
    expect(await send(world, "Alpha")).toMatchObject({ status: 204 });
  });

  test("a clock that is set back by an hour does not refuse a maker for an hour", async () => {
    const world = await open();
    await send(world, "Alpha");
    world.clock.unixMs -= 3_600_000;
    expect(await send(world, "Alpha")).toMatchObject({ status: 204 });
    expect(await send(world, "Alpha")).toMatchObject({ status: 400 });
  });

  test("a maker's fifth push in a second is a 429, and another maker's is taken", async () => {
    const world = await open();
    const statuses: number[] = [];
    for (let push = 0; push < 5; push++) {
      world.pass(10);
      statuses.push((await send(world, "Alpha")).status);
    }
    expect(statuses).toEqual([204, 204, 204, 204, 429]);
    expect(await send(world, "Beta")).toMatchObject({ status: 204 });
    world.pass(960);
    expect(await send(world, "Alpha")).toMatchObject({ status: 204 });
  });

  test("pushes that are not signed use up nothing of a maker's second", async () => {
    const world = await open();
    for (let push = 0; push < 20; push++) await send(world, "Alpha", { secret: "somebody else's secret" });
    expect(await send(world, "Alpha")).toMatchObject({ status: 204 });
  });

  test("before the chain is followed they are a 503", async () => {
    const world = await open({ isReady: false });
    expect(await send(world, "Alpha")).toEqual({
      status: 503,
      why: "chain_id: 1: the chain is not followed yet",
    });
  });
});

function rising() {
  const list = [
    ["1", "2"],
    ["1", "3"],
  ];
  return { pairs: [{ taker_token: A, maker_token: B, levels: list }], inventory: {} };
}

test("other paths and methods are named", async () => {
  const { url } = await open();
  const got = await fetch(url);
  expect([got.status, await got.json()]).toEqual([
    405,
    { error: 'method: "GET": levels are pushed by POST' },
  ]);
  const other = await fetch(url.replace("levels", "firm"), { method: "POST" });
  expect([other.status, await other.json()]).toEqual([
    404,
    { error: 'path: "/firm" is not here, only /levels is' },
  ]);
});

test("who is not known is answered before a word of the body is read", async () => {
  const { url } = await open();
  const { port, hostname } = new URL(url);
  const said = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(
        "POST /levels HTTP/1.1\r\nhost: x\r\nx-braid-maker: Gamma\r\ncontent-length: 200000\r\n\r\n{",
      );
    });
    let text = "";
    socket.on("data", (part) => (text += part));
    socket.on("error", reject);
    socket.on("end", () => {
      socket.destroy();
      resolve(text);
    });
  });
  expect(said).toMatch(/^HTTP\/1.1 401 [\s\S]*connection: close/i);
});

test("an address that is taken is an error of the start", async () => {
  await open();
  const again = { host: "127.0.0.1", port: listener!.port, pushers: [], log };
  const opening = openPushListener({ ...again, unixMs: () => 0, monotonicMs: () => 0 });
  await expect(opening).rejects.toThrow(/EADDRINUSE/);
});
