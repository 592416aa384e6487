import { parseUnits } from "viem/utils";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MAX_UINT256 } from "../../src/core/tokens.ts";
import { NATIVE } from "../../src/core/types.ts";
import { holding } from "./ledger.ts";
import { ALICE, createWorld, USDC, WETH } from "./world.ts";

/**
 * Clients of this interface that exist in public, as they behave: over real sockets, with the habits that the wire
 * contract lists. None of them may have to change.
 */

type TestWorld = Awaited<ReturnType<typeof createWorld>>;
type Json = Record<string, unknown>;

let api: TestWorld;
let base: string;
beforeAll(async () => {
  api = await createWorld({ http: { rateLimitPerMinute: 6_000 } });
  base = await api.app.listen({ host: "127.0.0.1", port: 0 });
  const { ledger } = api.world;
  ledger.balances.set(holding(WETH, ALICE), 10n ** 21n);
});
afterAll(() => api.app.close());

/** Case by chance, always the same: what clients do to addresses on the way. */
function randomCase(address: string, seed: number): string {
  return [...address]
    .map((char, index) => ((index * seed) % 3 === 1 && index > 1 ? char.toUpperCase() : char))
    .join("");
}

async function json(response: Response): Promise<Json> {
  expect(response.headers.get("content-type")).toContain("application/json");
  return (await response.json()) as Json;
}

describe("a TypeScript swap SDK", () => {
  /** It spreads one parameter object over path and query, so chainID comes twice, and adds a JSON content type. */
  async function call(path: string, parameters: Record<string, unknown>): Promise<Json> {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(parameters)) {
      if (value === undefined || value === null) continue;
      if (Array.isArray(value)) for (const each of value) query.append(`${name}[]`, String(each));
      else query.append(name, String(value));
    }
    const url = `${base}/v1/${parameters.chainID}${path}?${query}`;
    const response = await fetch(url, { headers: { "content-type": "application/json", "x-api-key": "" } });
    const body = await json(response);
    if (!response.ok) throw new Error(String(body.message));
    return body;
  }

  const parameters = {
    chainID: 1,
    fromTokenAddress: randomCase(WETH, 7),
    toTokenAddress: randomCase(USDC, 5),
    amount: "2000000000000000000",
    slippage: 11.000000000000002,
    gasPrice: undefined,
    rfqOnly: false,
    withGas: true,
    excludeAggregator: ["sushiswap"],
  };

  test("price, then quote, then approve: the spender, the minimum and the amounts agree", async () => {
    const price = await call("/price", parameters);
    const quote = await call("/quote", { ...parameters, takerAddress: randomCase(ALICE, 4) });
    expect(quote.amount_out_total).toBe(price.amount_out_total);
    const minimum = (BigInt(quote.amount_out_total as string) * 989n) / 1000n;
    expect(BigInt(quote.min_amount_out as string)).toBe(minimum);
    const { remaining } = await call("/transaction/allowance", {
      chainID: 1,
      tokenAddress: parameters.fromTokenAddress,
      walletAddress: ALICE,
    });
    expect(remaining).toBe("0");
    const approve = await call("/transaction/approve", {
      chainID: 1,
      tokenAddress: parameters.fromTokenAddress,
    });
    expect(approve.calldata).toContain(String(quote.to).slice(2));
    const estimate = Number.parseInt(quote.estimate_gas_total as string, 10);
    expect(estimate).toBeGreaterThan(21_000);
    const gasprices = await call("/gasprices", { chainID: 1 });
    expect(parseUnits(gasprices.high as string, 9)).toBe(BigInt(quote.gas_price as string));
  });

  test("its error is the text of `message`", async () => {
    await expect(call("/price", { ...parameters, amount: "2e18" })).rejects.toThrow(/amount/);
    await expect(call("/price", { ...parameters, chainID: 5 })).rejects.toThrow(/not served/);
  });
});

describe("a widget with loaders on its server", () => {
  test("its token loader posts text/plain, and never meets a null", async () => {
    const post = async (body: unknown) => {
      const init = { method: "POST", body: JSON.stringify(body) };
      return (await json(await fetch(`${base}/v2/tokens/list`, init))).tokens;
    };
    const page = await post({
      filter: { chain_ids: [1], is_active: null },
      paging: { page: 1, page_size: 100 },
    });
    expect((page as unknown[]).length).toBe(7);
    expect(await post({ filter: { names: ["nothing like it"] } })).toEqual([]);
  });

  test("its chain loader and its source loader read what they need", async () => {
    const platforms = await json(await fetch(`${base}/v1/platforms`));
    expect((platforms.platforms as { chainId: number }[])[0]!.chainId).toBe(1);
    const { sources } = await json(await fetch(`${base}/v1/sources`));
    for (const source of sources as Json[]) {
      expect(typeof source.logo).toBe("string");
      expect(String(source.name).toLowerCase()).not.toBe("");
    }
  });

  test("it asks with every optional parameter empty", async () => {
    const query = `fromTokenAddress=${NATIVE}&toTokenAddress=${USDC}&amount=1000000000000000000&slippage=10`;
    const empty = "&gasPrice=&feeRecipient=&buyTokenPercentageFee=&takerAddress=&includeAggregator=&withGas=";
    const body = await json(await fetch(`${base}/v1/1/quote?${query}${empty}`));
    expect(body.value).toBe("1000000000000000000");
  });

  test("before a wallet is connected it sends the zero address as the taker", async () => {
    const zero = "0x0000000000000000000000000000000000000000";
    const query = `fromTokenAddress=${WETH}&toTokenAddress=${USDC}&amount=1000000000000000&slippage=10&takerAddress=${zero}`;
    expect((await fetch(`${base}/v1/1/quote?${query}`)).status).toBe(200);
  });
});

describe("a browser dapp", () => {
  test("another origin may ask with a key and read the limits", async () => {
    const asked = await fetch(`${base}/v1/1/price`, {
      method: "OPTIONS",
      headers: {
        origin: "http://localhost:3000",
        "access-control-request-headers": "X-Api-Key, Content-Type",
      },
    });
    expect(asked.ok).toBe(true);
    const query = `fromTokenAddress=${WETH}&toTokenAddress=${USDC}&amount=1000000000&slippage=5`;
    const headers = { origin: "http://localhost:3000", "x-api-key": "demo", authorization: "Bearer demo" };
    const response = await fetch(`${base}/v1/1/price?${query}`, { headers });
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(Number(response.headers.get("ratelimit-remaining"))).toBeGreaterThan(0);
  });

  test("it looks icons up by the lower case of protocol_name and shows whole percents", async () => {
    const query = `fromTokenAddress=${WETH}&toTokenAddress=${USDC}&amount=${10n ** 21n}&slippage=5`;
    const { routes } = await json(await fetch(`${base}/v1/1/price?${query}`));
    const entries = routes as { protocol_name: string; percent: number; type: string }[];
    expect(entries.map((entry) => entry.protocol_name.toLowerCase())).toEqual(["uniswap_v2", "sushiswap"]);
    expect(entries.reduce((sum, { percent }) => sum + percent, 0)).toBe(100);
  });

  test("it tells a slippage failure by the words min return", async () => {
    const { ledger } = api.world;
    ledger.allowances.set(holding(WETH, ALICE), MAX_UINT256);
    for (const pool of ["501", "502"]) ledger.lies.set(`0x${pool.padStart(40, "0")}`, 500n);
    api.world.simulatedOn = undefined;
    const query = `fromTokenAddress=${WETH}&toTokenAddress=${USDC}&amount=1000000000000000000&slippage=5`;
    const url = `${base}/v1/1/quote?${query}&takerAddress=${ALICE}&skipValidation=false`;
    const response = await fetch(url);
    expect([response.status, ((await json(response)).error as string).includes("min return")]).toEqual([
      422,
      true,
    ]);
    ledger.lies.clear();
    ledger.allowances.clear();
  });
});

describe("a Python script", () => {
  test("booleans are True and False, the slippage is a float, the list is repeated", async () => {
    const query = [
      `fromTokenAddress=${WETH.toUpperCase().replace("0X", "0x")}`,
      `toTokenAddress=${USDC}`,
      "amount=1000000000000000000",
      "slippage=10.0",
      "withGas=True",
      "rfqOnly=False",
      "skipValidation=True",
      "excludeAggregator=A&excludeAggregator=B",
      "chainId=1",
    ].join("&");
    const response = await fetch(`${base}/v1/1/quote?${query}`, {
      headers: { "user-agent": "python-requests/2.31" },
    });
    const body = await json(response);
    for (const field of ["amount_out_total", "estimate_gas_total", "gas_price"]) {
      expect(BigInt(body[field] as string)).toBeGreaterThan(0n);
    }
    expect(body.calldata).toMatch(/^0x[0-9a-f]+$/);
  });

  test("an unlimited approval by default, amounts as integers in texts", async () => {
    const body = await json(await fetch(`${base}/v1/1/transaction/approve?tokenAddress=${USDC}`));
    expect(String(body.calldata).endsWith("f".repeat(64))).toBe(true);
    expect(body.gas_price).toMatch(/^[0-9]+$/);
    expect(body.estimate_gas).toMatch(/^[0-9]+$/);
  });
});
