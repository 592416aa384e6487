import { Wallet as EthersWallet, JsonRpcProvider } from "ethers";
import { createWalletClient, type Hex, http, toHex } from "viem";
import { mnemonicToAccount, privateKeyToAccount } from "viem/accounts";
import { describe, expect, test } from "vitest";
import { type Braid, NATIVE, parseAmount, type SwapStage } from "../../packages/sdk/src/index.ts";
import { CHAIN, MNEMONIC, useDevnet } from "./devnet.ts";
import { batchingWallet, nodeWallet } from "./wallets.ts";

/** The SDK against the service that `npm start` runs, with the wallets that people have. */

const devnet = useDevnet();
const { address, units, rpc } = devnet;

async function balance(symbol: string, owner: string): Promise<bigint> {
  if (symbol === "ETH") return BigInt(await rpc<Hex>("eth_getBalance", [owner, "latest"]));
  const data = `0x70a08231${owner.slice(2).padStart(64, "0")}`;
  return BigInt(await rpc<Hex>("eth_call", [{ to: address(symbol), data }, "latest"]));
}

describe("endpoints", () => {
  test("each answers in the types of the OpenAPI document", async () => {
    const pair = { chainID: CHAIN, fromTokenAddress: NATIVE, toTokenAddress: address("USDC") };
    const [platforms, sources, gas, health] = await Promise.all([
      devnet.braid.platforms(),
      devnet.braid.sources(),
      devnet.braid.gasPrices({ chainID: CHAIN }),
      devnet.braid.health(),
    ]);
    expect(platforms.map(({ chainId }) => chainId)).toEqual([CHAIN]);
    expect(sources.length).toBeGreaterThan(5);
    expect(parseAmount(gas.high, 9)).toBeGreaterThan(0n);
    expect(health.status).toBe("ok");
    const offer = await devnet.braid.price({ ...pair, amount: 10n ** 18n, withGas: true });
    expect(offer.route_graph.steps[0]!.amount_in).toBeTypeOf("bigint");
    const batch = await devnet.braid.prices({
      ...pair,
      requests: [{ amount: 10n ** 18n }, { amount: 1n, side: "BUY" }],
    });
    expect(batch.prices.map(({ offer: each }) => each?.amount_in)).toEqual([10n ** 18n, expect.any(BigInt)]);
    const approval = await devnet.braid.approve({
      chainID: CHAIN,
      tokenAddress: address("USDC"),
      amount: 5n,
    });
    expect([approval.to, approval.calldata.slice(-1)]).toEqual([address("USDC"), "5"]);
    const owner = mnemonicToAccount(MNEMONIC).address;
    const allowed = await devnet.braid.allowance({
      chainID: CHAIN,
      tokenAddress: address("DAI"),
      walletAddress: owner,
    });
    expect(allowed.remaining).toBeTypeOf("bigint");
  });

  test("a failure has the service's code, reason, details and status", async () => {
    const same = { chainID: CHAIN, fromTokenAddress: NATIVE, toTokenAddress: NATIVE, amount: 1n };
    await expect(devnet.braid.price(same)).rejects.toMatchObject({
      name: "BraidError",
      code: 1004,
      reason: "SAME_TOKEN",
      status: 400,
      requestId: expect.any(String),
    });
  });

  test("watch yields once a block, and ends with its signal", async () => {
    const end = new AbortController();
    const seen: number[] = [];
    const pair = {
      chainID: CHAIN,
      fromTokenAddress: NATIVE,
      toTokenAddress: address("USDC"),
      amount: 10n ** 18n,
    };
    const watching = (async () => {
      for await (const offer of devnet.braid.watch(pair, { signal: end.signal, intervalMs: 100 })) {
        seen.push(offer.block_number);
        if (seen.length === 3) end.abort();
      }
    })();
    await expect(watching).rejects.toMatchObject({ name: "AbortError" });
    expect(new Set(seen).size).toBe(3);
  });
});

/** Swaps, and holds what the SDK says was realised to the balances. */
async function swapped(request: Parameters<Braid["swap"]>[0], owner: string, sell: string, buy: string) {
  const before = [await balance(sell, owner), await balance(buy, owner)] as const;
  const stages: SwapStage["stage"][] = [];
  const result = await devnet.braid.swap({ ...request, onStep: ({ stage }) => stages.push(stage) });
  const after = [await balance(sell, owner), await balance(buy, owner)] as const;
  expect(result.amountOut).toBeGreaterThanOrEqual(result.minimumOut);
  if (sell !== "ETH") expect(before[0] - after[0], "paid").toBe(result.amountIn);
  if (buy !== "ETH") expect(after[1] - before[1], "received").toBe(result.amountOut);
  return { ...result, stages };
}

describe("swaps", () => {
  test("a provider sells the native coin, and the next price is not from before its receipt", async () => {
    const wallet = nodeWallet(devnet.rpcUrl, 0);
    const owner = mnemonicToAccount(MNEMONIC).address;
    const order = { wallet, sell: NATIVE, buy: address("USDC"), amount: units("1.5", "ETH") };
    for (let round = 0; round < 3; round++) {
      const result = await swapped(order, owner, "ETH", "USDC");
      expect(result).toMatchObject({ allowedBy: "native", amountIn: 15n * 10n ** 17n });
      expect(result.amountOut).toBe(result.quotedOut);
      const pair = { chainID: CHAIN, fromTokenAddress: NATIVE, toTokenAddress: address("USDC") };
      const next = await devnet.braid.price({ ...pair, amount: order.amount });
      expect(next.block_number).toBeGreaterThanOrEqual(result.blockNumber);
    }
  });

  test("a viem WalletClient pays by the token's own permit, and the native coin that it gets is told to the unit", async () => {
    const account = mnemonicToAccount(MNEMONIC, { addressIndex: 1 });
    const wallet = createWalletClient({ account, transport: http(devnet.rpcUrl) });
    const order = { wallet, sell: address("USDC"), buy: NATIVE, amount: units("250", "USDC") };
    const before = await balance("ETH", account.address);
    const result = await swapped(order, account.address, "USDC", "ETH");
    expect(result.allowedBy).toBe("eip2612");
    expect(result.stages).toEqual(["quoted", "signing", "sending", "sent"]);
    expect((await balance("ETH", account.address)) - before).toBe(result.amountOut! - result.gasPaid);
    expect(result.amountOut).toBe(result.quotedOut);
  });

  test("an ethers Signer approves the exact amount where nothing can be signed, and nothing is left of it", async () => {
    const provider = new JsonRpcProvider(devnet.rpcUrl, undefined, { cacheTimeout: -1 });
    try {
      const { address: owner } = mnemonicToAccount(MNEMONIC, { addressIndex: 2 });
      const key = toHex(mnemonicToAccount(MNEMONIC, { addressIndex: 2 }).getHdKey().privateKey!);
      const wallet = new EthersWallet(key, provider);
      const order = { wallet, sell: address("WETH"), buy: address("DAI"), amount: units("0.25", "WETH") };
      const result = await swapped(order, owner, "WETH", "DAI");
      expect(result.allowedBy).toBe("approval");
      const left = await devnet.braid.allowance({
        chainID: CHAIN,
        tokenAddress: address("WETH"),
        walletAddress: owner,
      });
      expect(left.remaining).toBe(0n);
      const signed = { ...order, sell: address("USDC"), buy: address("WETH"), amount: units("90", "USDC") };
      expect((await swapped(signed, owner, "USDC", "WETH")).allowedBy).toBe("eip2612");
    } finally {
      provider.destroy();
    }
  });

  test("USDT, which changes an allowance only from 0, is reset first; a standing allowance is used", async () => {
    const account = mnemonicToAccount(MNEMONIC, { addressIndex: 3 });
    const wallet = createWalletClient({ account, transport: http(devnet.rpcUrl) });
    const order = { wallet, sell: address("USDT"), buy: address("WETH"), amount: units("100", "USDT") };
    const approval = await devnet.braid.approve({
      chainID: CHAIN,
      tokenAddress: address("USDT"),
      amount: 7n,
    });
    const hash = await wallet.sendTransaction({ chain: null, to: approval.to, data: approval.calldata });
    while ((await rpc("eth_getTransactionReceipt", [hash])) === null);
    const result = await swapped(order, account.address, "USDT", "WETH");
    expect(result.allowedBy).toBe("approval");
    expect(result.stages.filter((stage) => stage === "sent").length).toBe(3);
    const all = await devnet.braid.approve({ chainID: CHAIN, tokenAddress: address("USDT") });
    const allowing = await wallet.sendTransaction({ chain: null, to: all.to, data: all.calldata });
    while ((await rpc("eth_getTransactionReceipt", [allowing])) === null);
    expect((await swapped(order, account.address, "USDT", "WETH")).allowedBy).toBe("allowance");
    const permit2 = {
      to: address("USDT"),
      data: `0x095ea7b3${"000000000022d473030f116ddee9f6b43ac78ba3".padStart(64, "0")}${"f".repeat(64)}`,
    } as const;
    const other = mnemonicToAccount(MNEMONIC, { addressIndex: 4 });
    const signer = createWalletClient({ account: other, transport: http(devnet.rpcUrl) });
    const ready = await signer.sendTransaction({ chain: null, ...permit2 });
    while ((await rpc("eth_getTransactionReceipt", [ready])) === null);
    expect((await swapped({ ...order, wallet: signer }, other.address, "USDT", "WETH")).allowedBy).toBe(
      "permit2",
    );
  });

  test("a wallet that sends calls together approves and swaps in one go", async () => {
    const account = mnemonicToAccount(MNEMONIC, { addressIndex: 5 });
    const wallet = batchingWallet(devnet.rpcUrl, account);
    const order = { wallet, sell: address("DAI"), buy: address("USDC"), amount: units("40", "DAI") };
    const result = await swapped(order, account.address, "DAI", "USDC");
    expect(result.allowedBy).toBe("batch");
    const dai = { ...order, wallet: nodeWallet(devnet.rpcUrl, 5), approval: "signature" } as const;
    expect((await swapped(dai, account.address, "DAI", "USDC")).allowedBy).toBe("dai");
  });

  test("an exact amount is bought, for another recipient, with fees", async () => {
    const account = mnemonicToAccount(MNEMONIC, { addressIndex: 6 });
    const wallet = createWalletClient({ account, transport: http(devnet.rpcUrl) });
    const recipient = privateKeyToAccount(toHex(0xb0bn, { size: 32 })).address;
    const collector = privateKeyToAccount(toHex(0xfee5n, { size: 32 })).address;
    const approving: bigint[] = [];
    const result = await devnet.braid.swap({
      onStep(step) {
        if (step.stage === "approving") approving.push(step.amount);
      },
      ...{ wallet, sell: address("USDC"), buy: address("WETH"), amount: units("0.05", "WETH"), side: "BUY" },
      ...{ recipient, fee: { recipient: collector, sellPermille: 5, buyPermille: 3 }, approval: "approve" },
      maxIn: units("1000", "USDC"),
    });
    // What is approved is told with the slippage that it has: the price may rise until the swap.
    const left = await devnet.braid.allowance({
      chainID: CHAIN,
      tokenAddress: address("USDC"),
      walletAddress: account.address,
    });
    expect(approving).toEqual([result.amountIn + left.remaining]);
    expect(await balance("WETH", recipient)).toBe(result.amountOut);
    expect(result.amountOut).toBeGreaterThanOrEqual(units("0.05", "WETH"));
    expect(await balance("USDC", collector)).toBe((result.amountIn * 5n) / 1000n);
    expect(await balance("WETH", collector)).toBe(result.quote.fee_recipient_amount);
  });
});

describe("swaps that do not happen", () => {
  test("the caller's own limits, the wallet's balance, its chain and its owner's no are heeded before anything is sent", async () => {
    const poor = privateKeyToAccount(toHex(0xdeadn, { size: 32 }));
    const wallet = createWalletClient({ account: poor, transport: http(devnet.rpcUrl) });
    const order = { wallet, sell: NATIVE, buy: address("USDC"), amount: 10n ** 18n };
    await expect(devnet.braid.swap(order)).rejects.toMatchObject({
      reason: "INSUFFICIENT_BALANCE",
      message: expect.stringMatching(/^The wallet holds 0 [A-Z]+, the swap takes [\d.]+ [A-Z]+\.$/),
    });
    await expect(devnet.braid.swap({ ...order, minOut: 10n ** 30n })).rejects.toMatchObject({
      reason: "QUOTE_MISMATCH",
    });
    await expect(devnet.braid.swap({ ...order, chainID: 1 })).rejects.toMatchObject({
      reason: "WRONG_CHAIN",
    });
    const rich = nodeWallet(devnet.rpcUrl, 7);
    const no = { ...order, wallet: rich, confirm: () => false };
    await expect(devnet.braid.swap(no)).rejects.toMatchObject({ reason: "WALLET_REFUSED" });
    const refusing = {
      request: async ({ method, params }: { method: string; params?: unknown }) => {
        if (method === "eth_sendTransaction") throw Object.assign(new Error("User rejected"), { code: 4001 });
        return rich.request({ method, params });
      },
    };
    await expect(devnet.braid.swap({ ...order, wallet: refusing })).rejects.toMatchObject({
      reason: "WALLET_REFUSED",
    });
  });
});
