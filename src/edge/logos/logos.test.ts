import { request } from "node:https";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { BraidError } from "../../core/errors.ts";
import { type Address, type Chain, NATIVE } from "../../core/types.ts";
import type { ListedToken } from "../../service/ports/ports.ts";
import { fetchBytes } from "./fetch-bytes.ts";
import { imageTypeOf } from "./image-type.ts";
import { type LogoHost, PNG, startLogoHost } from "./logo-host.fixture.ts";
import { createLogos } from "./logos.ts";

const USDC: Address = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
const WETH: Address = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";
const RARE: Address = "0x00000000000000000000000000000000000000aa";
const LIMITS = { maxBytes: 100_000, timeoutMs: 5_000 };

let host: LogoHost;
beforeEach(async () => {
  host = await startLogoHost();
});
afterEach(() => host.close());

const chain = (id: number, symbol = "ETH") =>
  ({ id, wrappedNative: WETH, native: { symbol, name: symbol, decimals: 18 } }) as Chain;

function token(path: string, more: Partial<ListedToken> = {}): ListedToken {
  const logoUri = path === "" ? "" : `https://logos.test:${host.port}${path}`;
  const listed = { isActive: true, priority: 1, isRfq: false, isListed: true };
  return {
    chainId: 10,
    address: RARE,
    name: "Rare",
    symbol: "RARE",
    decimals: 18,
    logoUri,
    ...listed,
    ...more,
  };
}

type Turned = { monotonicMs?: () => number; fetches?: boolean; timeoutMs?: number };

function logos({ monotonicMs = () => 0, fetches = true, timeoutMs = 5_000 }: Turned = {}) {
  const { ca, lookup } = host;
  const chains = [chain(1), chain(10), chain(137, "POL"), chain(31337)];
  return createLogos({ chains, devnetId: 31337, fetches, monotonicMs, limits: { ca, lookup, timeoutMs } });
}

describe("an address that a list names cannot make the service reach its own network", () => {
  const plainly = (url: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const { ca } = host;
      request(url, { ca, agent: false, checkServerIdentity: () => undefined }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on("error", reject)
        .end();
    });

  test.each(["127.0.0.1", "localhost", "127.1", "2130706433", "0x7f.0.0.1", "[::ffff:127.0.0.1]"])(
    "%s: a plain client gets there, this one does not even connect",
    async (name) => {
      const url = `https://${name}:${host.port}/ok.png`;
      expect(await plainly(url)).toBe(200);
      expect(host.asked).toHaveLength(1);
      await expect(fetchBytes(url, { ...LIMITS, ca: host.ca })).rejects.toThrow(/public address/);
      expect(host.asked).toHaveLength(1);
    },
  );

  test.each([
    "https://10.0.0.1/x.png",
    "https://169.254.169.254/latest/meta-data",
    "https://[::1]/x.png",
    "https://[fd00::1]/x.png",
    "http://1.1.1.1/x.png",
    "https://user:secret@1.1.1.1/x.png",
    "file:///etc/passwd",
    "data:image/png;base64,AAAA",
  ])("%s is refused", async (url) => {
    await expect(fetchBytes(url, { ...LIMITS, timeoutMs: 200 })).rejects.toThrow(
      /is not a public address|only https|credentials/,
    );
  });

  test("a redirect is not followed", async () => {
    const url = `https://logos.test:${host.port}/moved.png`;
    await expect(fetchBytes(url, { ...LIMITS, ...host })).rejects.toThrow("status 302");
    expect(host.asked).toEqual(["/moved.png"]);
  });
});

describe("what is passed on", () => {
  test("is a PNG, a JPEG or a WebP by its first bytes, of at most 100,000 bytes", async () => {
    const types = async (path: string) => (await logos().of(token(path)))?.type;
    expect(await types("/ok.png")).toBe("image/png");
    expect(await types("/photo")).toBe("image/jpeg");
    expect(await types("/new")).toBe("image/webp");
    expect(await types("/most.png")).toBe("image/png");
    for (const path of ["/drawing.png", "/page.png", "/large.png", "/none.png", "/moved.png"])
      expect(await types(path), path).toBeUndefined();
    expect(imageTypeOf(new Uint8Array())).toBeUndefined();
  });

  test("is fetched once, and what failed not again for an hour", async () => {
    let now = 0;
    const port = logos({ monotonicMs: () => now });
    const [good, bad] = [token("/ok.png"), token("/drawing.png")];
    expect([port.has(good), port.has(bad)]).toEqual([true, true]);
    const first = await Promise.all([port.of(good), port.of(good), port.of(bad)]);
    expect(first.map((logo) => logo && Buffer.from(logo.bytes))).toEqual([PNG, PNG, undefined]);
    await port.of(good);
    await port.of(bad);
    expect([...host.asked].sort()).toEqual(["/drawing.png", "/ok.png"]);
    expect([port.has(good), port.has(bad)]).toEqual([true, false]);
    now = 3_600_001;
    expect(port.has(bad)).toBe(true);
  });

  test("a host that never answers costs its own logo only", async () => {
    const port = logos({ timeoutMs: 300 });
    const silent = port.of(token("/silent.png"));
    expect((await port.of(token("/ok.png")))?.type).toBe("image/png");
    expect(await silent).toBeUndefined();
  });

  test("more logos than may wait are refused for now, and have one later", async () => {
    const port = logos();
    const many = Array.from({ length: 300 }, (_, k) => token(`/ok.png?${k}`));
    const ends = await Promise.allSettled(many.map((one) => port.of(one)));
    const refused = ends.flatMap((end) => (end.status === "rejected" ? [end.reason] : []));
    expect(refused).toHaveLength(300 - 208);
    expect(refused[0]).toBeInstanceOf(BraidError);
    expect(refused[0].reason).toBe("OVERLOADED");
    expect(port.has(many.at(-1)!)).toBe(true);
  });

  test("nothing is fetched for tokens that no list names, for the devnet, or where the operator does not want it", async () => {
    const unlisted = token("/ok.png", { isListed: false });
    const devnet = token("/ok.png", { chainId: 31337 });
    for (const [port, one] of [
      [logos(), unlisted],
      [logos(), devnet],
      [logos({ fetches: false }), token("/ok.png")],
      [logos(), token("")],
      [logos(), token("", { logoUri: "ipfs://Qm" })],
    ] as const) {
      expect(port.has(one)).toBe(false);
      expect(await port.of(one)).toBeUndefined();
    }
    expect(host.asked).toEqual([]);
  });
});

test("shipped logos: by Ethereum's addresses there and on the devnet, and of the coin wherever it is ether", async () => {
  const port = logos({ fetches: false });
  const on = (chainId: number, address: Address) => port.has(token("", { chainId, address }));
  expect([on(1, USDC), on(31337, USDC), on(10, USDC)]).toEqual([true, true, false]);
  expect([on(1, NATIVE), on(10, NATIVE), on(137, NATIVE)]).toEqual([true, true, false]);
  expect((await port.of(token("", { chainId: 1, address: USDC })))?.type).toBe("image/png");
});
