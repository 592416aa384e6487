import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { decodeFunctionData, erc20Abi, parseAbi } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { type AirSwapOrder, airSwapTypedData, SWAP_ERC20_ADDRESS } from "../../../core/encoding/index.ts";
import { makerPool } from "../../../core/rfq.ts";
import type { Address, Call, Head, Hex } from "../../../core/types.ts";
import type { FirmAsk } from "../../../service/ports/ports-makers.ts";
import { NodeFailure } from "../../node/transport/failure.ts";
import type { AskHead, CallFrom } from "../ask-head.ts";
import { openAirSwapDoor } from "./door.ts";
import type { AirSwapMaker, ReadChain } from "./facts.ts";
import { createOrderCheck } from "./order-facts.ts";

export const account = privateKeyToAccount(`0x${"11".repeat(32)}`);
export const stranger = privateKeyToAccount(`0x${"22".repeat(32)}`);
export const address = account.address.toLowerCase() as Address;
export const A: Address = "0x0000000000000000000000000000000000000001";
export const B: Address = "0x0000000000000000000000000000000000000002";
export const settler = SWAP_ERC20_ADDRESS;
export const pool = makerPool("maker-m", { address, isContract: false, settler }, [A, B]);

const cleanups: (() => unknown)[] = [];

/** Closes what the tests opened: doors and servers. */
export async function closeAll(): Promise<void> {
  for (const cleanup of cleanups.splice(0)) await cleanup();
}

export const word = (value: bigint | number): Hex => `0x${value.toString(16).padStart(64, "0")}`;
const head: Head = { number: 7, hash: word(7), parentHash: word(6), timestamp: 9 };
export const abi = [
  ...erc20Abi,
  ...parseAbi([
    "function protocolFee() view returns (uint256)",
    "function authorized(address signer) view returns (address)",
    "function nonceUsed(address signer, uint256 nonce) view returns (bool)",
    "function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)",
  ]),
];

/** State of the contracts, and a record of the reads. */
export type World = {
  fee: bigint;
  authorized: Address;
  held: bigint;
  allowed: bigint;
  /** How often facts were read. */
  reads: number;
  hash: Hex;
  /** Used nonces. */
  used: bigint[];
  /** Whether a contract accepts a signature; undefined = no node answers. */
  isOwned: boolean | undefined;
  /** Whether no node answers checks of orders. */
  isSilent: boolean;
  /** The calls of each check of an order. */
  orderReads: (readonly CallFrom[])[];
};

export const newWorld = (): World => ({
  ...{ fee: 7n, authorized: "0x0000000000000000000000000000000000000000" },
  ...{ held: 10_007n, allowed: 2n ** 255n, reads: 0, hash: head.hash },
  ...{ used: [], isOwned: undefined, isSilent: false, orderReads: [] },
});

export function chainOf(world: World): { readChain: ReadChain; askHead: AskHead } {
  const answers: Record<string, (args: readonly unknown[]) => bigint> = {
    protocolFee: () => world.fee,
    authorized: () => BigInt(world.authorized),
    balanceOf: () => world.held,
    allowance: () => world.allowed,
    decimals: () => 6n,
    nonceUsed: ([, nonce]) => (world.used.includes(nonce as bigint) ? 1n : 0n),
    isValidSignature: () => (world.isOwned === true ? BigInt("0x1626ba7e") << 224n : 0n),
  };
  const answer = ({ data }: Call): Hex => {
    const { functionName, args = [] } = decodeFunctionData({ abi, data });
    return word(answers[functionName]!(args));
  };
  const isUnanswered = ({ data }: Call) =>
    world.isOwned === undefined && decodeFunctionData({ abi, data }).functionName === "isValidSignature";
  return {
    readChain: {
      head: () => ({ ...head, hash: world.hash }),
      async read(calls) {
        world.reads++;
        return calls.map(answer);
      },
    },
    async askHead(calls) {
      world.orderReads.push(calls);
      if (world.isSilent) return undefined;
      return calls.map((call) =>
        isUnanswered(call)
          ? { ok: false, failure: new NodeFailure("transport", "x") }
          : { ok: true, result: answer(call) },
      );
    },
  };
}

export type Options = {
  world?: World;
  isContract?: boolean;
  /** HTTP status with which every request is answered, with a body that is not JSON. */
  status?: number;
};

export const makerAt = (url: string, isContract: boolean): AirSwapMaker => ({
  ...{ id: "maker-m", name: "M", chainId: 1, address, isContract, url },
  ...{ secret: undefined, pushes: false, airSwap: { settler, pairs: [[A, B]] } },
});

type Rpc = { id: unknown; method: string; params: Record<string, unknown> };

/** A client of a server that answers each call by `answer` and records it in `calls`. */
export async function open(answer: (call: Rpc) => unknown, options: Options = {}) {
  const calls: Rpc[] = [];
  const listener: RequestListener = async (request, response) => {
    if (options.status !== undefined) return void response.writeHead(options.status).end("in words");
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
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const maker = makerAt(url, options.isContract ?? false);
  const { readChain, askHead } = chainOf(options.world ?? newWorld());
  const door = openAirSwapDoor(maker, { readChain, checkOrder: createOrderCheck(askHead) });
  cleanups.push(() => {
    door.close();
    server.closeAllConnections();
    return new Promise((done) => server.close(done));
  });
  return { door, calls };
}

export const PRICING = [{ baseToken: A, quoteToken: B, bid: [["1", "3"]], ask: [["1", "4"]] }];
export const WANTED: FirmAsk = {
  ...{ pool, takerToken: A, takerAmount: 100n, makerToken: B, promised: 300n },
  ...{ taker: undefined, leastExpiry: 2_000_000_000 },
};

export type Change = Partial<AirSwapOrder> & { signer?: never };

/**
 * An order as a maker's server answers it.
 *
 * @param change terms of the signed order
 * @param told fields of the answer that differ from the signed order
 * @param by the account that signs
 */
export async function orderAnswer(change: Change = {}, told: object = {}, by = account) {
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

export async function asked(answer: unknown, options: Options = {}, wanted: Partial<FirmAsk> = {}) {
  const made = await open(
    ({ method }) => (method === "getPricingERC20" ? { result: PRICING } : answer),
    options,
  );
  await made.door.levels(500);
  return { ...made, judged: await made.door.firm({ ...WANTED, ...wanted }, 2_000) };
}
