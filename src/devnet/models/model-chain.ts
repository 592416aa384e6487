import type { Hex } from "viem";
import { keccak256, numberToHex, pad, toHex } from "viem/utils";
import tokenArtifact from "../../../contracts/devnet/out/Token.json" with { type: "json" };
import type { Address, Call } from "../../core/types.ts";
import { asked, complaint, tokenIndex, type Vector, type VectorSwap } from "../../protocols/swapvec.ts";
import { inPrivateFolder, startAnvil } from "../node/anvil.ts";
import { claimPort } from "../node/port.ts";

const HOST = "127.0.0.1";
/** Storage slots of contracts/devnet/tokens/Ledger.sol. */
const SLOTS = { decimals: 2n, balanceOf: 4n } as const;

/** An empty chain on which models are initialised with the states of recorded swaps. */
export type ModelChain = {
  /** An unlocked account with native coins. */
  readonly sender: Address;
  /** Returns an unused address. */
  next(): Address;
  /** Sets the code of an address. */
  put(address: Address, runtimeCode: string): Promise<void>;
  store(address: Address, slot: bigint, value: bigint): Promise<void>;
  /** Deploys a token at an address and sets the balance of one holder. */
  place(token: Address, decimals: number, grant: { holder: Address; held: bigint }): Promise<void>;
  /** Mines one transaction, at an optional block timestamp. @throws Error where it reverts */
  send(to: Address, data: Hex, timestamp?: number): Promise<void>;
  /** 32-byte words of a call's return data, at an optional block timestamp; [] where the call reverts. */
  words(call: Call, timestamp?: number): Promise<bigint[]>;
  stop(): Promise<void>;
};

const word = (value: bigint) => toHex(value, { size: 32 });

/** Starts a node for a model chain. */
export async function startModelChain(): Promise<ModelChain> {
  const port = await claimPort(HOST, 0);
  const anvil = await inPrivateFolder((home) =>
    startAnvil({ host: HOST, port, arguments: ["--no-mining"] }, home),
  );
  const { rpc } = anvil;
  const [sender] = await rpc.call<Address[]>("eth_accounts");
  let serial = 0xde0000;

  const put = async (address: Address, runtimeCode: string) => {
    await rpc.call("anvil_setCode", [address, runtimeCode]);
  };
  const store = async (address: Address, slot: bigint, value: bigint) => {
    await rpc.call("anvil_setStorageAt", [address, word(slot), word(value)]);
  };
  return {
    sender: sender!,
    next: () => toHex(serial++, { size: 20 }),
    put,
    store,
    place: async (token, decimals, { holder, held }) => {
      await put(token, tokenArtifact.runtimeCode);
      await store(token, SLOTS.decimals, BigInt(decimals));
      await store(token, BigInt(keccak256(`${pad(holder)}${word(SLOTS.balanceOf).slice(2)}`)), held);
    },
    send: async (to, data, timestamp) => {
      const hash = await rpc.call<Hex>("eth_sendTransaction", [{ from: sender, to, data, gas: "0xf42400" }]);
      if (timestamp !== undefined) await rpc.call("evm_setNextBlockTimestamp", [numberToHex(timestamp)]);
      await rpc.call("evm_mine");
      const { status } = await rpc.call<{ status: Hex }>("eth_getTransactionReceipt", [hash]);
      if (status !== "0x1") throw new Error(`A transaction to ${to} failed.`);
    },
    words: async ({ to, data }, timestamp) => {
      const block = timestamp === undefined ? {} : { time: numberToHex(timestamp) };
      const call = rpc.call<Hex>("eth_call", [{ to, data }, "latest", {}, block]);
      const answer = await call.catch((): Hex => "0x");
      return (answer.slice(2).match(/.{64}/g) ?? []).map((text) => BigInt(`0x${text}`));
    },
    stop: () => anvil.kill(),
  };
}

/** Queries the model for a recorded swap: the amount that was not given; 0 or undefined where it does not fill. */
type Asker = (swap: VectorSwap) => Promise<bigint | undefined>;

/** Deploys a model at an address in the state of a vector. @returns a function that queries it */
export type Opening = (vector: Vector, model: Address) => Promise<Asker>;

/** Queries models for all swaps of the vectors. @returns the number of swaps, and the answers that differ */
export async function tryModels(
  chain: ModelChain,
  open: Opening,
  vectors: readonly Vector[],
): Promise<{ readonly count: number; readonly wrong: readonly string[] }> {
  const wrong: string[] = [];
  let count = 0;
  for (const vector of vectors) {
    const answer = await open(vector, chain.next());
    for (const swap of vector.swaps) {
      for (const token of [swap.tokenIn, swap.tokenOut]) tokenIndex(vector, token);
      const got = await answer(swap);
      const fault = complaint(swap, got ? { amountIn: got, amountOut: got } : undefined);
      if (fault !== undefined) wrong.push(`${vector.id} ${asked(swap)}: ${fault}`);
      count++;
    }
  }
  return { count, wrong };
}
