import { numberToHex } from "viem";
import type { Receipt, TestChain, Transaction } from "./chain.ts";
import { isAlone } from "./tally.ts";

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

/** Deployments of the devnet that are no models. */
const PUBLISHED: ReadonlySet<string> = new Set([
  ...[
    "uniswap-v2",
    "sushi-v2",
    "pancakeswap-v1",
    "trader-joe-v1",
    "uniswap-v3",
    "pancakeswap-v3",
    "uniswap-v4",
    "wrapped-native",
    "balancer-v2",
    "algebra-v1",
    "algebra-v2",
    "algebra-integral",
  ],
]);

export function isPublished(deployments: readonly string[]): boolean {
  return deployments.every((id) => PUBLISHED.has(id));
}

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
  about: Pick<GasFacts, "validated" | "deployments" | "saved">,
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

/** The least that an estimate can be which holds for recipients that it does not know. */
const leastForNew = ({ least, saved }: GasFacts) => least + saved;

/**
 * The estimate beside what it bounds: the gas of the receipt, and the least limit, which no estimate may undercut. Refunds
 * come after the transaction has needed the gas that they give back; a recipient that nobody has named may be new.
 */
export function gasTable(gas: readonly GasFacts[]): string {
  const wallet = gas.filter(({ validated }) => validated);
  const others = gas.filter(({ validated }) => !validated);
  const published = others.filter(({ deployments }) => isPublished(deployments));
  const traced = gas.filter(({ unrefunded }) => unrefunded !== undefined);
  const ofUsed = ({ estimate, used }: GasFacts) => estimate / used;
  const ofLeast = ({ estimate, least }: GasFacts) => estimate / least;
  const floor = ({ least, used }: GasFacts) => least / used;
  const floorForNew = (one: GasFacts) => leastForNew(one) / one.used;
  return [
    line("estimate / gas used, with a wallet", wallet, ofUsed),
    line("  the least that it could be", wallet, floor),
    line("estimate / least limit, with a wallet", wallet, ofLeast),
    line("estimate / gas unrefunded, with", traced, ({ estimate, unrefunded }) => estimate / unrefunded!),
    line("estimate / gas used, without", others, ofUsed),
    line("  the least, for any recipient", others, floorForNew),
    line("  of these over published bytecode", published, ofUsed),
    line("  the least, for any recipient", published, floorForNew),
    line("estimate / least limit, without", others, ofLeast),
    line("least limit / gas used, all", gas, floor),
    "",
    ...alone(others),
    "",
  ].join("\n");
}

/** Of each deployment that some route crossed alone, what the model says over what the swap needed for any recipient. */
function alone(gas: readonly GasFacts[]): string[] {
  const ids = [...new Set(gas.flatMap(({ deployments }) => deployments))].sort();
  return ids.flatMap((id) => {
    const own = gas.filter(({ deployments }) => isAlone(deployments, id));
    if (own.length === 0) return [];
    return [line(`estimate / least for any, ${id}`, own, (one) => one.estimate / leastForNew(one))];
  });
}

function line(what: string, facts: readonly GasFacts[], ratioOf: (one: GasFacts) => number): string {
  const ratios = facts.map(ratioOf).sort((x, y) => x - y);
  const at = (share: number) => (ratios[Math.ceil(ratios.length * share) - 1] ?? 0).toFixed(3);
  const figures = `p50 ${at(0.5)}  p95 ${at(0.95)}  most ${at(1)}  least ${(ratios[0] ?? 0).toFixed(3)}`;
  return `${what.padEnd(40)}${String(facts.length).padStart(4)} swaps  ${figures}`;
}
