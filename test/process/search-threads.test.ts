import { get } from "node:http";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { asked } from "../support/asked.ts";
import { type Stack, startStack } from "../support/stack.ts";

const NATIVE = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";
const USDC = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";

type Answer = { readonly status: number; readonly body: Record<string, unknown> };

async function price(stack: Stack, more = ""): Promise<Answer> {
  const pair = `fromTokenAddress=${NATIVE}&toTokenAddress=${USDC}`;
  const amount = 10n ** 18n + BigInt(Math.floor(Math.random() * 1e9));
  const answer = await fetch(`${stack.url}/v1/31337/price?${pair}&amount=${amount}${more}`);
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

describe.each([1, 2, 8])("with %i search threads", (workers) => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack({ ROUTE_WORKERS: String(workers), DEVNET_TRAFFIC: "1" });
  });
  afterAll(async () => {
    await stack?.stop();
  });

  test("prices are of no older block than was asked for, exact outputs and batches too", async () => {
    const { body } = await price(stack);
    const block = Number(body.block_number);
    const later = await Promise.all(Array.from({ length: 8 }, () => price(stack, `&min_block=${block + 1}`)));
    for (const { status, body: one } of later) {
      expect([200, 503]).toContain(status);
      if (status === 200) expect(one.block_number).toBeGreaterThan(block);
    }
    // Over pools of one design: where pools round differently, the least input of a split may pay a unit more.
    const bought = `fromTokenAddress=${NATIVE}&toTokenAddress=${USDC}&side=BUY&amount=100000000&includeAggregator=Uniswap_V2`;
    const buy = await fetch(`${stack.url}/v1/31337/price?${bought}`);
    expect(await buy.json()).toMatchObject({ amount_out_total: "100000000" });
    const requests = Array.from({ length: 24 }, (_, k) => ({
      fromTokenAddress: NATIVE,
      toTokenAddress: USDC,
      amount: String(10n ** 18n + BigInt(k)),
    }));
    const batch = await fetch(`${stack.url}/v1/31337/prices`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ requests }),
    });
    const { prices, block_hash } = (await batch.json()) as {
      prices: { offer: { block_hash: string } }[];
      block_hash: string;
    };
    expect(prices).toHaveLength(24);
    for (const { offer } of prices) expect(offer.block_hash).toBe(block_hash);
  });

  test("who asks without a pause, over new connections, is answered until the port is closed, and never cut off", async () => {
    const seen = Array.from({ length: 8 }, () => untilRefused(stack));
    while (seen.some(({ answers }) => answers() < 2)) await setTimeout(20);
    const [code, ...outcomes] = await Promise.all([stack.stop(), ...seen.map(({ outcome }) => outcome)]);
    expect(code).toBe(0);
    for (const { error, statuses } of outcomes) {
      expect(error).toBe("ECONNREFUSED");
      for (const status of statuses) expect([200, 503]).toContain(status);
    }
  });
});

test("requests in flight are answered when the process is asked to end", async () => {
  const stack = await startStack({ ROUTE_WORKERS: "2", DEVNET_TRAFFIC: "1" });
  const pair = `fromTokenAddress=${NATIVE}&toTokenAddress=${USDC}`;
  const requests = Array.from({ length: 12 }, (_, k) =>
    asked(`${stack.url}/v1/31337/price?${pair}&amount=${10n ** 21n + BigInt(k)}`),
  );
  await Promise.all(requests.map(({ taken }) => taken));
  const [code, ...settled] = await Promise.all([stack.stop(), ...requests.map(({ answer }) => answer)]);
  expect(code).toBe(0);
  for (const { status } of settled) expect(status).toBe(200);
});

/** A client that asks for prices one after the other, each over a connection of its own, until one is not answered. */
function untilRefused({ url }: Stack) {
  const statuses: number[] = [];
  const pair = `fromTokenAddress=${NATIVE}&toTokenAddress=${USDC}`;
  const ask = () =>
    new Promise<number>((resolve, reject) => {
      const amount = 10n ** 18n + BigInt(Math.floor(Math.random() * 1e9));
      get(`${url}/v1/31337/price?${pair}&amount=${amount}`, { agent: false }, (response) => {
        response.resume();
        response.once("end", () => resolve(response.statusCode!));
        response.once("error", reject);
      }).once("error", reject);
    });
  const run = async () => {
    try {
      for (;;) statuses.push(await ask());
    } catch (error) {
      return { error: (error as NodeJS.ErrnoException).code, statuses };
    }
  };
  return { answers: () => statuses.length, outcome: run() };
}
