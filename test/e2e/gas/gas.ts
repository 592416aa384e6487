import { numberToHex } from "viem/utils";
import type { Receipt, TestChain, Transaction } from "../chain.ts";

/** What a swap took of the limit that it was given. */
export type GasFacts = {
  readonly estimate: number;
  /** By the receipt: refunds taken off. */
  readonly used: number;
  /** The least limit with which it goes through in its block, up to `PRECISION` too high. */
  readonly least: number;
  /** What the receipt would say if nothing were refunded; of some swaps only, since it takes a trace. */
  readonly unrefunded?: number;
  /** Whether the service had run the calldata. */
  readonly validated: boolean;
  /** What the estimate is, or would be, where nothing was run; undefined where that was not asked for. */
  readonly model: number | undefined;
  /** All of the model but the steps' figures and the headroom; undefined where a signature pays. */
  readonly fixed: number | undefined;
  /** Of each step, in order. */
  readonly deployments: readonly string[];
  /** Gas that was saved since recipients, of the payout or of fees, held some of it already: an estimate cannot know. */
  readonly saved: number;
};

/** A transaction that was mined, with those of its sender that its block took first. */
type Mined = {
  readonly sent: Transaction;
  readonly receipt: Receipt;
  readonly from: `0x${string}`;
  readonly earlier: readonly Transaction[];
};

const PRECISION = 100;

type Simulated = readonly { readonly calls: readonly { readonly status: string }[] }[];

/**
 * Finds the least limit by running the transaction again, in its own block and on the state before it.
 *
 * @throws Error where it fails there with the limit that it was mined with
 */
async function leastLimit({ rpc }: TestChain, mined: Mined): Promise<number> {
  const { sent, receipt, from, earlier } = mined;
  const block = await rpc<{ timestamp: string; parentHash: string }>("eth_getBlockByNumber", [
    receipt.blockNumber,
    false,
  ]);
  const parent = numberToHex(BigInt(receipt.blockNumber) - 1n);
  const asCall = ({ to, data, value, gas }: Transaction) => ({
    ...{ from, to, data, value: numberToHex(value), gas: numberToHex(gas) },
  });
  const passes = async (gas: number): Promise<boolean> => {
    const calls = [...earlier, { ...sent, gas: BigInt(gas) }].map(asCall);
    const state = { blockStateCalls: [{ blockOverrides: { time: block.timestamp }, calls }] };
    const [answer] = await rpc<Simulated>("eth_simulateV1", [state, parent]);
    return answer!.calls.at(-1)!.status === "0x1";
  };
  let enough = Number(sent.gas);
  if (!(await passes(enough))) throw new Error("A swap that was mined fails when it is run again.");
  let short = Number(receipt.gasUsed) - 1;
  while (enough - short > PRECISION) {
    const middle = Math.floor((enough + short) / 2);
    if (await passes(middle)) enough = middle;
    else short = middle;
  }
  return enough;
}

/** One swap of so many is traced. */
const TRACED = 5;

/** Nothing of a swap that reverted. */
export async function gasFacts(
  chain: TestChain,
  mined: Mined,
  about: Pick<GasFacts, "validated" | "model" | "fixed" | "deployments" | "saved">,
): Promise<{ gas?: GasFacts }> {
  if (mined.receipt.status !== "0x1") return {};
  const used = Number(mined.receipt.gasUsed);
  const isTraced = about.validated && used % TRACED === 0;
  return {
    gas: {
      estimate: Number(mined.sent.gas),
      used,
      least: await leastLimit(chain, mined),
      ...(isTraced ? { unrefunded: await unrefundedGas(chain, mined) } : {}),
      ...about,
    },
  };
}

type Step = { readonly gas: number; readonly gasCost: number };

/** Gas of a transaction that its block took first, by what its last step has left; every opcode is listed for that. */
async function unrefundedGas({ rpc }: TestChain, { sent, receipt, from }: Mined): Promise<number> {
  const { timestamp } = await rpc<{ timestamp: string }>("eth_getBlockByNumber", [
    receipt.blockNumber,
    false,
  ]);
  const { to, data, value, gas } = sent;
  const call = { from, to, data, value: numberToHex(value), gas: numberToHex(gas) };
  const brief = { disableStack: true, disableMemory: true, disableStorage: true };
  const parent = numberToHex(BigInt(receipt.blockNumber) - 1n);
  const options = { ...brief, blockOverrides: { time: timestamp } };
  const { structLogs } = await rpc<{ structLogs: readonly Step[] }>("debug_traceCall", [
    call,
    parent,
    options,
  ]);
  const last = structLogs.at(-1)!;
  return Number(gas) - (last.gas - last.gasCost);
}

/** What it costs to pay somebody for the first time over the second: a slot that was zero, an account that was not there. */
export function newHolderGas(isNative: boolean): number {
  return isNative ? 25_000 : 17_100;
}
