import type { LookupAddress } from "node:dns";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { type LogoHost, startLogoHost } from "../../logos/logo-host.fixture.ts";
import { createLookup, isPublicAddress } from "../../public-addresses.ts";
import { connectMaker, LateError } from "./request.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function startHost(where?: { host: string; port: number }): Promise<LogoHost> {
  const host = await startLogoHost(where);
  cleanups.push(host.close);
  return host;
}

type Names = {
  /** Addresses to which the name is resolved, for each lookup in turn; the last entry repeats. */
  readonly answers: readonly string[][];
  readonly isAllowed?: (address: string) => boolean;
};

/** A connection to a maker by host name, and the number of lookups of the name. */
function connect(host: LogoHost, { answers, isAllowed = isPublicAddress }: Names) {
  const resolved = { times: 0 };
  const lookup = createLookup(isAllowed, (_name, _options, done) => {
    const addresses = answers[Math.min(resolved.times++, answers.length - 1)]!;
    done(
      null,
      addresses.map((address): LookupAddress => ({ address, family: 4 })),
    );
  });
  const settings = { url: `https://logos.test:${host.port}`, secret: undefined };
  const maker = connectMaker(settings, { lookup, ca: host.ca });
  cleanups.push(maker.close);
  return { resolved, ask: (path: string) => maker.ask({ path, timeoutMs: 2_000 }) };
}

test.each([
  ["the loopback", ["127.0.0.1"]],
  ["a private network", ["10.0.0.7"]],
  ["a link-local address, where clouds keep credentials", ["169.254.169.254"]],
  ["a public address and the loopback", ["1.1.1.1", "127.0.0.1"]],
])("a name of %s is not connected to", async (_what, addresses) => {
  const host = await startHost();
  await expect(connect(host, { answers: [addresses] }).ask("/ok.png")).rejects.toThrow(
    "logos.test has no public address",
  );
  expect(host.asked).toEqual([]);
});

test("the address that was checked is the one that is connected to, whatever the name answers next", async () => {
  const open = await startHost({ host: "127.0.0.2", port: 0 });
  const closed = await startHost({ host: "127.0.0.1", port: open.port });
  const isAllowed = (address: string) => address === "127.0.0.2";
  const { ask, resolved } = connect(open, { answers: [["127.0.0.2"], ["127.0.0.1"]], isAllowed });
  expect((await ask("/none")).status).toBe(404);
  expect([resolved.times, open.asked, closed.asked]).toEqual([1, ["/none"], []]);
  // The server closes the connection, so that the next request resolves the name again.
  await open.close();
  await expect(ask("/none")).rejects.toThrow();
  await expect(ask("/none")).rejects.toThrow("logos.test has no public address");
  expect(closed.asked).toEqual([]);
});

test("a redirect is an answer like any other: what it names is not asked", async () => {
  const host = await startHost();
  const { ask } = connect(host, { answers: [["127.0.0.1"]], isAllowed: () => true });
  expect(await ask("/moved.png")).toEqual({ status: 302, json: undefined });
  expect(host.asked).toEqual(["/moved.png"]);
});

test("a certificate of another name is refused before anything is said", async () => {
  const host = await startHost();
  const lookup = createLookup(
    () => true,
    (_name, _options, done) => done(null, [{ address: "127.0.0.1", family: 4 }]),
  );
  const settings = { url: `https://maker.example:${host.port}`, secret: undefined };
  const maker = connectMaker(settings, { lookup, ca: host.ca });
  cleanups.push(maker.close);
  await expect(maker.ask({ path: "/ok.png", timeoutMs: 2_000 })).rejects.toThrow(/altnames/);
  expect(host.asked).toEqual([]);
});

/** Starts a server that plays a maker. `serve` handles the socket of each connection, which are counted from 1. */
async function startMaker(serve: (socket: Socket, connection: number) => void) {
  let connections = 0;
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    serve(socket, ++connections);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  cleanups.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  const maker = connectMaker({ url: `http://127.0.0.1:${port}`, secret: undefined });
  cleanups.push(maker.close);
  return { maker, connections: () => connections };
}

/** A maker that answers each request with this text as it stands, and keeps the connection open. */
async function saying(text: string) {
  const { maker } = await startMaker((socket) => socket.once("data", () => socket.write(text)));
  return maker;
}

test("a maker that answers with another protocol has failed, and nobody waits for it", async () => {
  const switched = "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n";
  const { ask } = await saying(switched);
  await expect(ask({ path: "/firm", body: {}, timeoutMs: 1_000 })).rejects.toThrow("status 101");
});

test("an answer that has begun and does not end by the deadline is late", async () => {
  const { ask } = await saying('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"maker_amount":');
  await expect(ask({ path: "/firm", body: {}, timeoutMs: 60 })).rejects.toThrow(LateError);
});

const EMPTY = "HTTP/1.1 204 None\r\nconnection: keep-alive\r\n\r\n";

test("a connection that the maker closes as it is used again is no failure: a new one is used, once", async () => {
  const { maker, connections } = await startMaker((socket, connection) => {
    let requests = 0;
    socket.on("data", () => {
      requests++;
      if (requests === 1 && connection < 3) socket.write(EMPTY);
      else socket.resetAndDestroy();
    });
  });
  const ask = () => maker.ask({ path: "/order", body: {}, timeoutMs: 2_000 });
  expect(await ask()).toEqual({ status: 204, json: undefined });
  expect(await ask()).toEqual({ status: 204, json: undefined });
  expect(connections()).toBe(2);
  // A connection that the maker has not closed before is not tried twice.
  await expect(ask()).rejects.toThrow();
  expect(connections()).toBe(3);
});
