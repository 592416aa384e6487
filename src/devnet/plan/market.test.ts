import {
  domainSeparator,
  encodeFunctionData,
  erc20Abi,
  getCreate2Address,
  type Hex,
  keccak256,
  parseAbi,
  toFunctionSelector,
} from "viem";
import { mnemonicToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { routerArtifact } from "../../core/encoding/router-artifact.ts";
import type { Address } from "../../core/types.ts";
import { verify } from "../checks.ts";
import { type Devnet, startDevnet } from "../index.ts";
import { mine } from "../node/mine.ts";
import { createRpc, type Rpc } from "../rpc.ts";
import { ACCOUNTS, DAI, FEE_TOKEN, PERMIT2, USDC, USDT, WETH } from "./addresses.ts";
import { reference, sushiPairs, tokens, uniswapPairs } from "./market.ts";

const abi = parseAbi([
  "function getAmountsOut(uint256 amountIn, address[] path) view returns (uint256[])",
  "function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)",
  "function quoteExactInputSingle((address tokenIn, address tokenOut, uint256 amountIn, uint24 fee, uint160 sqrtPriceLimitX96) params) returns (uint256, uint160, uint32, uint256)",
  "function exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 deadline, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) params)",
]);

const ROUTER02 = "0x7a250d5630b4cf539739df2c5dacb4c659f2488d";
const SWAP_ROUTER = "0xe592427a0aece92de3edee1f18e0157c05861564";
const QUOTER = "0x61ffe014ba17989e743c5f6cb21bf9697530b21e";
const PAIR_CREATED = "0x0d3648bd0f6ba80134a33ba9275ac585d9d315f0ad8355cddefde31afa28d0e9";
const POOL_CREATED = "0x783cca1c0412dd0d695e784568c96da2e9c22ff989357a2e8b1d9b2b4e6b7118";
const FOREVER = 2n ** 32n;

type Log = { address: Address; topics: Hex[]; data: Hex };

describe.each([31_337, 1])("the market on chain id %i", (chainId) => {
  let devnet: Devnet;
  let rpc: Rpc;
  const account = ACCOUNTS[0]!;

  beforeAll(async () => {
    const log = () => undefined;
    devnet = await startDevnet({ chainId, port: 0, dataDir: undefined, traffic: false, blockTimeMs: 0, log });
    rpc = createRpc(devnet.url);
  });
  afterAll(() => devnet?.stop());

  const call = (to: Address, data: Hex) => rpc.call<Hex>("eth_call", [{ from: account, to, data }, "latest"]);
  const send = async (to: Address, data: Hex) => {
    const hash = await rpc.call<Hex>("eth_sendTransaction", [{ from: account, to, data, gas: "0xf4240" }]);
    await rpc.call("evm_mine");
    return rpc.call<{ status: Hex }>("eth_getTransactionReceipt", [hash]);
  };
  const approve = (token: Address, spender: Address, amount: bigint) =>
    send(token, encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [spender, amount] }));
  const balanceOf = async (token: Address, holder: Address) =>
    BigInt(
      await call(token, encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [holder] })),
    );

  test("the chain has its id, the time of the clock, a base fee and a block gas limit", async () => {
    expect(Number(await rpc.call("eth_chainId"))).toBe(chainId);
    const head = await rpc.call<Record<string, Hex>>("eth_getBlockByNumber", ["latest", false]);
    expect(Number(head.gasLimit)).toBe(36_000_000);
    expect(BigInt(head.baseFeePerGas!)).toBeGreaterThanOrEqual(10n ** 9n);
    expect(Math.abs(Number(head.timestamp) - Date.now() / 1000)).toBeLessThan(30);
    expect(devnet.chain).toMatchObject({ id: chainId, shortname: "devnet", wrappedNative: WETH });
  });

  test("every pair and pool announced itself at its CREATE2 address", async () => {
    const created = await rpc.call<Log[]>("eth_getLogs", [
      { fromBlock: "0x0", toBlock: "latest", topics: [[PAIR_CREATED, POOL_CREATED]] },
    ]);
    const announced = (factory: string) =>
      created
        .filter((log) => log.address === factory)
        .map((log) =>
          log.topics[0] === PAIR_CREATED ? `0x${log.data.slice(26, 66)}` : `0x${log.data.slice(-40)}`,
        );
    const [uniswap, sushi] = devnet.chain.deployments.filter(({ protocol }) => protocol === "uniswap-v2");
    expect(announced(uniswap!.factory)).toEqual(uniswapPairs.map(({ address }) => address));
    expect(announced(sushi!.factory)).toEqual(sushiPairs.map(({ address }) => address));
    expect(announced("0x1f98431c8ad98523631ae4a59f267346ea31f984")).toContain(
      "0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640",
    );

    const { token0, token1, address } = uniswapPairs[2]!;
    const expected = getCreate2Address({
      from: uniswap!.factory,
      salt: keccak256(`${token0}${token1.slice(2)}`),
      bytecodeHash: "0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f",
    });
    expect(expected.toLowerCase()).toBe(address);
  });

  test("tokens carry the symbols and decimals of the file", async () => {
    for (const token of [tokens[0]!, tokens[2]!, tokens[13]!, tokens.at(-1)!]) {
      const symbol = await call(token.address, encodeFunctionData({ abi: erc20Abi, functionName: "symbol" }));
      const decimals = await call(
        token.address,
        encodeFunctionData({ abi: erc20Abi, functionName: "decimals" }),
      );
      const length = Number(`0x${symbol.slice(66, 130)}`);
      expect(Buffer.from(symbol.slice(130, 130 + 2 * length), "hex").toString()).toBe(token.symbol);
      expect(Number(decimals)).toBe(token.decimals);
    }
  });

  test("signatures are over the domains that Ethereum's Permit2, USDC and DAI have, on this chain", async () => {
    const separator = toFunctionSelector("DOMAIN_SEPARATOR()");
    const domains = [
      { name: "Permit2", verifyingContract: PERMIT2 },
      { name: "USD Coin", version: "2", verifyingContract: USDC },
      { name: "Dai Stablecoin", version: "1", verifyingContract: DAI },
    ];
    for (const domain of domains) {
      const expected = domainSeparator({ domain: { ...domain, chainId } });
      expect(await call(domain.verifyingContract, separator), domain.name).toBe(expected);
    }
  });

  test("the ten accounts of the mnemonic are rich, and nothing is approved", async () => {
    const mnemonic = "test test test test test test test test test test test junk";
    const derived = ACCOUNTS.map((_, addressIndex) =>
      mnemonicToAccount(mnemonic, { addressIndex }).address.toLowerCase(),
    );
    expect(devnet.accounts).toEqual(derived);

    const usd = reference(USDC);
    for (const holder of [ACCOUNTS[0]!, ACCOUNTS[9]!]) {
      const wei = BigInt(await rpc.call<Hex>("eth_getBalance", [holder, "latest"]));
      expect(wei).toBeGreaterThanOrEqual(1000n * 10n ** 18n);
      for (const { address, symbol } of tokens.slice(0, 20)) {
        const { weth, amount } = reference(address);
        const usdc = ((await balanceOf(address, holder)) * weth * usd.amount) / (amount * usd.weth);
        expect(usdc, symbol).toBeGreaterThanOrEqual(10_000n * 10n ** 6n);
        const allowance = encodeFunctionData({
          abi: erc20Abi,
          functionName: "allowance",
          args: [holder, ROUTER02],
        });
        expect(BigInt(await call(address, allowance)), symbol).toBe(0n);
      }
    }
  });

  test("a chain that differs from its plan is named", async () => {
    const call = { to: WETH, data: "0x313ce567" } as const;
    const check = { what: "decimals of WETH", call, startsWith: "0x99" } as const;
    await expect(verify(rpc, [check])).rejects.toThrow(/decimals of WETH: expected 0x99/);
  });

  test("a transaction of the build that fails is an error", async () => {
    const factory = devnet.chain.deployments.find(({ id }) => id === "uniswap-v2")!.factory;
    await expect(mine(rpc, [{ to: factory, data: "0xdeadbeef", gas: 100_000 }])).rejects.toThrow(/failed/);
  });

  test("the router stands at its address", async () => {
    const code = await rpc.call<Hex>("eth_getCode", [routerArtifact.address, "latest"]);
    expect(keccak256(code)).toBe(routerArtifact.runtimeCodeHash);
  });

  test("Router02 pays what the pair's formula says, in a token that answers nothing", async () => {
    const amountIn = 10n ** 18n;
    await approve(WETH, ROUTER02, amountIn);
    const before = await balanceOf(USDT, account);
    const args = [amountIn, 0n, [WETH, USDT], account, FOREVER] as const;
    const receipt = await send(
      ROUTER02,
      encodeFunctionData({ abi, functionName: "swapExactTokensForTokens", args }),
    );
    expect(receipt.status).toBe("0x1");

    const pair = uniswapPairs.find(({ token0, token1 }) => token0 === WETH && token1 === USDT)!;
    const kept = amountIn * 997n;
    const paid = (kept * pair.reserve1) / (pair.reserve0 * 1000n + kept);
    expect((await balanceOf(USDT, account)) - before).toBe(paid);
  });

  test("SwapRouter pays what QuoterV2 answers, across ticks", async () => {
    const amountIn = 20_000n * 10n ** 18n;
    const pool = { tokenIn: WETH, tokenOut: USDC, fee: 500, amountIn, sqrtPriceLimitX96: 0n };
    const answer = await call(
      QUOTER,
      encodeFunctionData({ abi, functionName: "quoteExactInputSingle", args: [pool] }),
    );
    const [quoted, ticksCrossed] = [BigInt(answer.slice(0, 66)), Number(`0x${answer.slice(130, 194)}`)];
    expect(ticksCrossed).toBeGreaterThan(2);

    await approve(WETH, SWAP_ROUTER, amountIn);
    const before = await balanceOf(USDC, account);
    const params = { ...pool, recipient: account, deadline: FOREVER, amountOutMinimum: 0n };
    await send(SWAP_ROUTER, encodeFunctionData({ abi, functionName: "exactInputSingle", args: [params] }));
    expect((await balanceOf(USDC, account)) - before).toBe(quoted);
  });

  test("USDT refuses to change an allowance that is not zero; the fee token burns a hundredth", async () => {
    expect((await approve(USDT, QUOTER, 5n)).status).toBe("0x1");
    expect((await approve(USDT, QUOTER, 6n)).status).toBe("0x0");
    expect((await approve(USDT, QUOTER, 0n)).status).toBe("0x1");
    expect((await approve(USDT, QUOTER, 6n)).status).toBe("0x1");

    const transfer = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [QUOTER, 1_099n] });
    await send(FEE_TOKEN, transfer);
    expect(await balanceOf(FEE_TOKEN, QUOTER)).toBe(1_089n);
  });
});
