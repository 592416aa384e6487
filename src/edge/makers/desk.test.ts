import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import pino from "pino";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RfqOrder, rfqTypedData } from "../../core/encoding/index.ts";
import { makerPool } from "../../core/rfq.ts";
import type { Address } from "../../core/types.ts";
import { createMakerDesk } from "./desk.ts";
import type { MakerSettings } from "./makers-file.ts";

const account = privateKeyToAccount(`0x${"11".repeat(32)}`);
const address = account.address.toLowerCase() as Address;
const [A, B]: readonly [Address, Address] = [`0x${"01".repeat(20)}`, `0x${"02".repeat(20)}`];
const order: RfqOrder = {
  ...{ chainId: 1, takerToken: A, takerAmount: 100n, makerToken: B, makerAmount: 300n },
  ...{ taker: undefined, nonce: 5n, expiry: 2_000 },
};

const server = createServer(async (_request, response) => {
  const signature = await account.signTypedData(rfqTypedData(order));
  response.end(JSON.stringify({ maker_amount: "300", nonce: "5", expiry: order.expiry, signature }));
});
beforeAll(() => once(server.listen(0, "127.0.0.1"), "listening"));
afterAll(() => void server.close());

function openDesk() {
  const { port } = server.address() as AddressInfo;
  const settings = (name: string): MakerSettings => ({
    ...{ id: `maker-${name.toLowerCase()}`, name, chainId: 1, address, isContract: false, secret: undefined },
    ...{ url: `http://127.0.0.1:${port}`, airSwap: undefined, pushes: false },
  });
  const nobody = () => Promise.reject(new Error("nobody is asked"));
  const desk = createMakerDesk({
    makers: [settings("Alpha"), settings("Beta")],
    market: { book: { pools: new Map() } as never, amend: () => true },
    ...{ checkSignature: nobody, checkOrder: nobody, readChain: { head: () => undefined, read: nobody } },
    ...{ monotonicMs: () => 0, log: pino({ level: "silent" }) },
  });
  const reverted = () => desk.health().map(({ orders }) => orders.reverted);
  return { desk, reverted };
}

const asked = {
  pool: makerPool("maker-alpha", { address, isContract: false }, [A, B]),
  ...{ takerToken: A, takerAmount: 100n, makerToken: B, promised: 300n },
  ...{ taker: undefined, leastExpiry: 1_000 },
};

test("of two entries with one account, the one that gave an order answers for it", async () => {
  const { desk, reverted } = openDesk();
  expect(await desk.firm(asked, 2_000)).toBeDefined();
  desk.broke({ maker: address, nonce: 5n });
  expect(reverted()).toEqual([1, 0]);
  await desk.stop();
});

test("an order that was given before a restart counts against all entries of its account", async () => {
  const { desk, reverted } = openDesk();
  desk.broke({ maker: address, nonce: 5n });
  desk.broke({ maker: B, nonce: 6n });
  expect(reverted()).toEqual([1, 1]);
  await desk.stop();
});
