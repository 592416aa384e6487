import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { decodeFunctionData, erc20Abi, parseAbi } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterEach, expect, test } from "vitest";
import {
  type AirSwapOrder,
  airSwapTypedData,
  ROUTER_ADDRESS,
  SWAP_ERC20_ADDRESS,
} from "../../../core/encoding/index.ts";
import { makerPool } from "../../../core/rfq.ts";
import type { Address, Call, Head, Hex } from "../../../core/types.ts";
import type { FirmAsk } from "../../../service/ports/ports-makers.ts";
import type { CheckSignature } from "../contract-signature.ts";
import { openAirSwapDoor } from "./door.ts";
import type { AirSwapMaker, ReadChain } from "./facts.ts";

const account = privateKeyToAccount(`0x${"11".repeat(32)}`);
const stranger = privateKeyToAccount(`0x${"22".repeat(32)}`);
const address = account.address.toLowerCase() as Address;
const A: Address = "0x0000000000000000000000000000000000000001";
const B: Address = "0x0000000000000000000000000000000000000002";
const settler = SWAP_ERC20_ADDRESS;
const pool = makerPool("maker-m", { address, isContract: false, settler }, [A, B]);

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

const word = (value: bigint | number): Hex => `0x${value.toString(16).padStart(64, "0")}`;
const head: Head = { number: 7, hash: word(7), parentHash: word(6), timestamp: 9 };
const abi = [
  ...erc20Abi,
  ...parseAbi([
    "function protocolFee() view returns (uint256)",
    "function authorized(address signer) view returns (address)",
  ]),
];

/** What the contracts answer; `reads` counts how often they are read. */
type World = { fee: bigint; authorized: Address; held: bigint; allowed: bigint; reads: number; hash: Hex };

const newWorld = (): World => ({
  ...{ fee: 7n, authorized: "0x0000000000000000000000000000000000000000" },
  ...{ held: 10_007n, allowed: 2n ** 255n, reads: 0, hash: head.hash },
});

function chainOf(world: World): ReadChain {
  const answers: Record<string, () => bigint> = {
    protocolFee: () => world.fee,
    authorized: () => BigInt(world.authorized),
    balanceOf: () => world.held,
    allowance: () => world.allowed,
    decimals: () => 6n,
  };
  const answer = ({ data }: Call): Hex => word(answers[decodeFunctionData({ abi, data }).functionName]!());
  return {
    head: () => ({ ...head, hash: world.hash }),
    async read(calls) {
      world.reads++;
      return calls.map(answer);
    },
  };
}

type Options = { world?: World; checkSignature?: CheckSignature; isContract?: boolean };
type Rpc = { id: unknown; method: string; params: Record<string, unknown> };

/** A door to a server that answers each call by `answer`; what it is asked is kept in `calls`. */
async function open(answer: (call: Rpc) => unknown, options: Options = {}) {
  const calls: Rpc[] = [];
  const listener: RequestListener = async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
    const call = JSON.parse(Buffer.concat(parts).toString()) as Rpc;
    calls.push(call);
    const made = await answer(call);
    if (made !== undefined)
      response.end(JSON.stringify({ jsonrpc: "2.0", id: call.id, ...(made as object) }));
  };
  const server: Server = createServer(listener);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const maker: AirSwapMaker = {
    ...{ id: "maker-m", name: "M", chainId: 1, address, isContract: options.isContract ?? false },
    ...{
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      secret: undefined,
      pushes: false,
    },
    airSwap: { settler, pairs: [[A, B]] },
  };
  const nobody: CheckSignature = () => Promise.reject(new Error("nobody is asked"));
  const readChain = chainOf(options.world ?? newWorld());
  const door = openAirSwapDoor(maker, { readChain, checkSignature: options.checkSignature ?? nobody });
  cleanups.push(() => {
    door.close();
    server.closeAllConnections();
    return new Promise((done) => server.close(done));
  });
  return { door, calls };
}

const PRICING = [{ baseToken: A, quoteToken: B, bid: [["1", "3"]], ask: [["1", "4"]] }];
const WANTED: FirmAsk = {
  ...{ pool, takerToken: A, takerAmount: 100n, makerToken: B, promised: 300n },
  ...{ taker: undefined, leastExpiry: 2_000_000_000 },
};

type Change = Partial<AirSwapOrder> & { signer?: never };

/** @param told what the answer says other than what was signed */
async function orderAnswer(change: Change = {}, told: object = {}, by = account) {
  const order: AirSwapOrder = {
    ...{ chainId: 1, settler, protocolFee: 7n, nonce: 5n, expiry: 2_000_000_030 },
    ...{ signerToken: B, signerAmount: 300n, senderToken: A, senderAmount: 100n },
    ...change,
    signer: address,
  };
  const signature = await by.signTypedData(airSwapTypedData(order));
  const { nonce, expiry, signerAmount, senderAmount, protocolFee } = order;
  const numbers = { nonce, expiry, signerAmount, senderAmount, protocolFee };
  const texts = Object.entries(numbers).map(([name, value]) => [name, value.toString()]);
  const rest = {
    signerWallet: account.address,
    signerToken: order.signerToken,
    senderToken: order.senderToken,
  };
  const parts = { v: "27", r: signature.slice(0, 66), s: `0x${signature.slice(66, 130)}` };
  const v = Number(`0x${signature.slice(130)}`).toString();
  return { signature, result: { ...Object.fromEntries(texts), ...rest, ...parts, v, ...told } };
}

async function asked(answer: unknown, options: Options = {}, wanted: Partial<FirmAsk> = {}) {
  const made = await open(
    ({ method }) => (method === "getPricingERC20" ? { result: PRICING } : answer),
    options,
  );
  await made.door.levels(500);
  return { ...made, judged: await made.door.firm({ ...WANTED, ...wanted }, 250) };
}

test("prices are asked for both ways round, and what can be paid is what is held less the fee on top", async () => {
  const { door, calls } = await open(() => ({ result: PRICING }));
  const prices = await door.levels(500);
  if (typeof prices === "string") throw new Error(prices);
  expect(calls.map(({ method, params }) => [method, params])).toEqual([
    [
      "getPricingERC20",
      {
        pairs: [
          { baseToken: A, quoteToken: B },
          { baseToken: B, quoteToken: A },
        ],
      },
    ],
  ]);
  expect(prices.pools).toMatchObject([{ id: pool.id, address: settler, facts: { whole: 1 } }]);
  // 10,000 and a fee of 7 parts in 10,000 are 10,007.
  expect(prices.states.get("maker-m:inventory")).toEqual({ [A]: 10_000n, [B]: 10_000n });
});

test("contracts are read once a block, and an allowance bounds what can be paid", async () => {
  const world = { ...newWorld(), allowed: 5_003n };
  const { door } = await open(() => ({ result: PRICING }), { world });
  await door.levels(500);
  const again = await door.levels(500);
  expect([world.reads, typeof again === "string" ? again : again.states.get("maker-m:inventory")]).toEqual([
    1,
    { [A]: 4_999n, [B]: 4_999n },
  ]);
  world.hash = word(8);
  world.held = 0n;
  const later = await door.levels(500);
  expect([world.reads, typeof later === "string" ? later : later.states.get("maker-m:inventory")]).toEqual([
    2,
    { [A]: 0n, [B]: 0n },
  ]);
});

test("a server that knows only the other way to ask for prices is asked that way", async () => {
  const known = { result: PRICING };
  const unknown = { error: { code: -33603, message: "Invalid method" } };
  const { door, calls } = await open(({ method }) => (method === "getAllPricingERC20" ? known : unknown));
  expect(await door.levels(500)).toBe("levels: getPricingERC20: Invalid method");
  expect(await door.levels(500)).toMatchObject({ pools: [{ id: pool.id }] });
  expect(await door.levels(500)).toMatchObject({ pools: [{ id: pool.id }] });
  expect(calls.map(({ method }) => method)).toEqual([
    "getPricingERC20",
    "getAllPricingERC20",
    "getAllPricingERC20",
  ]);
});

test("an order is asked for as the protocol has it, and one that is as asked is given", async () => {
  const { signature, result } = await orderAnswer();
  const { calls, judged } = await asked({ result }, {}, { taker: B });
  const { minExpiry, ...params } = calls.at(-1)!.params;
  expect([calls.at(-1)!.method, params]).toEqual([
    "getSignerSideOrderERC20",
    {
      ...{ chainId: "1", swapContract: "0xD82E10B9A4107939e55fCCa9B53A9ede6CF2fC46", senderAmount: "100" },
      ...{ signerToken: B, senderToken: A, senderWallet: ROUTER_ADDRESS, proxyingFor: B },
    },
  ]);
  expect(minExpiry).toMatch(/^[1-9][0-9]*$/);
  expect(judged.outcome).toBe("given");
  expect(judged.order).toEqual({
    order: {
      ...{ chainId: 1, settler, signer: address, protocolFee: 7n, nonce: 5n, expiry: 2_000_000_030 },
      ...{ signerToken: B, signerAmount: 300n, senderToken: A, senderAmount: 100n },
    },
    signature,
  });
});

test.each<[string, string, Change, object]>([
  ["worse", "that pays a unit less", { signerAmount: 299n }, {}],
  ["invalid", "over another amount than it tells", { signerAmount: 300n }, { signerAmount: "301" }],
  ["invalid", "of another amount sold", { senderAmount: 99n }, {}],
  ["invalid", "that tells another amount sold", {}, { senderAmount: "101" }],
  ["invalid", "with another fee", { protocolFee: 8n }, {}],
  ["invalid", "signed over another fee than it tells", { protocolFee: 8n }, { protocolFee: "7" }],
  ["invalid", "that tells another fee than it is signed over", {}, { protocolFee: "8" }],
  ["invalid", "for another sender", {}, { senderWallet: B }],
  ["invalid", "of another signer", {}, { signerWallet: B }],
  ["invalid", "of another token", { signerToken: A }, {}],
  ["invalid", "that lapses too soon", { expiry: 1_999_999_999 }, {}],
  ["invalid", "of more than the maker can pay with the fee", { signerAmount: 10_001n }, {}],
  ["invalid", "without a signature", {}, { v: undefined }],
])("an order is %s %s", async (outcome, _what, change, told) => {
  const { result } = await orderAnswer(change, told);
  expect((await asked({ result })).judged).toEqual({ outcome, order: undefined });
});

test("an order of a server that tells neither fee nor sender is given, as both are signed", async () => {
  const { result } = await orderAnswer({}, { protocolFee: undefined });
  expect((await asked({ result })).judged.outcome).toBe("given");
});

test("only the maker's signature is good, or that of the account that it has authorized", async () => {
  const { result } = await orderAnswer({}, {}, stranger);
  expect((await asked({ result })).judged.outcome).toBe("invalid");
  const world = { ...newWorld(), authorized: stranger.address.toLowerCase() as Address };
  expect((await asked({ result }, { world })).judged.outcome).toBe("given");
  const own = await orderAnswer();
  expect((await asked({ result: own.result }, { world })).judged.outcome).toBe("invalid");
});

test.each([
  [true, "given"],
  [false, "invalid"],
  [undefined, "unchecked"],
])(
  "a contract that says %s of a signature: %s, and AirSwap's contract is who asks",
  async (says, outcome) => {
    const { result } = await orderAnswer({}, {}, stranger);
    const askers: Hex[] = [];
    const checkSignature: CheckSignature = async ({ asker, account: checked }) => {
      askers.push(asker, checked);
      return says;
    };
    expect((await asked({ result }, { isContract: true, checkSignature })).judged.outcome).toBe(outcome);
    expect(askers).toEqual([settler, address]);
  },
);

test.each<[string, unknown]>([
  ["refused", { error: { code: -33604, message: "no" } }],
  ["invalid", { result: {} }],
  ["failed", {}],
  ["late", undefined],
])("no order is %s", async (outcome, answer) => {
  expect((await asked(answer)).judged).toEqual({ outcome, order: undefined });
});

test("before the contracts were read nobody is asked for an order", async () => {
  const { door, calls } = await open(() => ({ result: {} }));
  expect(await door.firm(WANTED, 250)).toEqual({ outcome: "unchecked", order: undefined });
  expect(calls).toEqual([]);
});
