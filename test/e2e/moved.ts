import type { Hex } from "viem";
import { decodeErrorResult, numberToHex, toFunctionSelector } from "viem/utils";
import type { Offer } from "./api.ts";
import { type Case, describeCase } from "./cases.ts";
import { approve, fundPayer } from "./paying.ts";
import { chooseAmount, type Outcome, priceOf, request, transaction, type World } from "./swap.ts";

/** Trades of a rival, each a hundred times the swap that they are to spoil. */
const MAX_ROUNDS = 8;
/** What the swap itself may move the price: neither the same trade nor a hundred such may empty a pool. */
const SMALL_IMPACT_BPS = 10;

/** What pools say that hold no more within their range, so that a trade of any price ends there. */
const RANGE_ENDS: readonly Hex[] = [toFunctionSelector("AssetBoundsExceeded()")];

const errorAbi = [{ type: "error", name: "Error", inputs: [{ name: "message", type: "string" }] }] as const;

/**
 * A block moves the pools between quote and execution: another wallet makes the same trade first.
 * Within the slippage the swap pays at least the minimum; beyond it, it reverts with the words `min return`.
 */
export async function runMovedCase(world: World, base: Case, beyond: boolean): Promise<Outcome | undefined> {
  const { chain } = world;
  const one: Case = {
    ...base,
    slippage: beyond ? "1" : "500",
    otherRecipient: false,
    sellFee: 0,
    buyFee: 0,
    depthShare: 0.001,
    walletIndex: 0,
    validated: true,
  };
  const drawn = await chooseAmount(world, one);
  const amount = await smallAmount(world, one, drawn);
  if (amount === undefined) return undefined;
  const payer = chain.wallet(0);
  await fundPayer(world, one, payer, amount);
  const waiting = await approve(world, one, payer, amount);
  const offer = await quote(world, one, amount, payer.address);
  const sent = transaction(offer);
  const include = beyond ? sourcesOf(offer) : undefined;
  const rival = { ...one, walletIndex: 9, slippage: "500", ...(include && { include }) };
  let revert: Hex | undefined;
  // A larger amount may go mostly elsewhere, even among the same sources: the rival trades on until these pools have moved.
  for (let round = 0; round === 0 || (beyond && revert === undefined && round < MAX_ROUNDS); round++) {
    if (!(await makeRival(world, rival, beyond ? amount * 100n : amount))) break;
    revert = await revertData(world, { ...sent, from: payer.address });
  }
  // A price that is fixed, or a market too deep for the rival: nothing to see.
  if (beyond && revert === undefined) return undefined;
  // The rival took what a pool had left within its range: that pool refuses every price, and the router never sees an amount.
  if (revert !== undefined && RANGE_ENDS.includes(revert.slice(0, 10) as Hex)) return undefined;
  const received = await chain.balanceOf(one.tokenOut.address, payer.address);
  const needed = await neededGas(world, { ...sent, from: payer.address });
  const hash = await chain.send(payer, sent, waiting.length);
  await chain.mine();
  const receipt = await chain.receipt(hash);
  const gasPaid =
    one.tokenOut.symbol === "ETH" ? BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice) : 0n;
  const gained = (await chain.balanceOf(one.tokenOut.address, payer.address)) - received + gasPaid;
  const why = revert === undefined ? `gas: ${needed} needed, ${sent.gas} given` : `revert data ${revert}`;
  const reason = `${why}; over ${sourcesOf(offer).join(", ")}`;
  const faults = beyond
    ? beyondFaults(receipt.status, revert)
    : withinFaults(receipt.status, gained, { minimum: BigInt(offer.min_amount_out), reason });
  return {
    text: `${beyond ? "beyond" : "within"} slippage: ${describeCase(one, amount)}`,
    faults,
    sources: [],
    isSplit: false,
  };
}

async function quote(world: World, one: Case, amount: bigint, taker: Hex): Promise<Offer> {
  return world.api<Offer>(`/v1/${world.chain.chainId}/quote`, {
    ...request(one, amount),
    takerAddress: taker,
    min_block: await world.chain.blockNumber(),
  });
}

/** An amount that leaves the price almost where it was: what a source holds may be far more than its market takes. */
async function smallAmount(world: World, one: Case, drawn: bigint | undefined): Promise<bigint | undefined> {
  for (let amount = drawn ?? 0n; amount > 0n; amount /= 4n) {
    const offer = await priceOf(world, one, amount);
    if (offer !== undefined && (offer.price_impact_bps ?? 0) <= SMALL_IMPACT_BPS) return amount;
  }
  return undefined;
}

function sourcesOf(offer: Offer): string[] {
  const used = offer.route_graph.steps.map(({ deployment }) => deployment);
  return [...new Set(used)].filter((id) => id !== "wrapped-native");
}

/** @returns false where the pools no longer take this much: they cannot be moved on */
async function makeRival(world: World, rival: Case, amount: bigint): Promise<boolean> {
  if ((await priceOf(world, rival, amount)) === undefined) return false;
  const payer = world.chain.wallet(rival.walletIndex);
  await fundPayer(world, rival, payer, amount);
  const waiting = await approve(world, rival, payer, amount);
  const offer = await quote(world, rival, amount, payer.address);
  const hash = await world.chain.send(payer, transaction(offer), waiting.length);
  await world.chain.mine();
  if ((await world.chain.receipt(hash)).status !== "0x1")
    throw new Error("The swap that should move the pools reverted.");
  return true;
}

async function revertData(
  world: World,
  sent: { from: Hex; to: Hex; data: Hex; value: bigint },
): Promise<Hex | undefined> {
  try {
    const { from, to, data, value } = sent;
    await world.chain.rpc("eth_call", [{ from, to, data, value: numberToHex(value) }, "latest"]);
    return undefined;
  } catch (error) {
    return (error as { data?: Hex }).data ?? "0x";
  }
}

/** The least gas limit that is enough now; undefined where none is. */
async function neededGas(
  world: World,
  sent: { from: Hex; to: Hex; data: Hex; value: bigint },
): Promise<bigint | undefined> {
  const { from, to, data, value } = sent;
  const call = { from, to, data, value: numberToHex(value) };
  const estimate = await world.chain.rpc<Hex>("eth_estimateGas", [call, "latest"]).catch(() => undefined);
  return estimate === undefined ? undefined : BigInt(estimate);
}

function beyondFaults(status: Hex, revert: Hex | undefined): string[] {
  if (status === "0x1" || revert === undefined)
    return ["went through though the price had moved beyond the slippage"];
  try {
    const { args } = decodeErrorResult({ abi: errorAbi, data: revert });
    return args[0].includes("min return")
      ? []
      : [`reverted with "${args[0]}", expected the words "min return"`];
  } catch {
    return [`reverted with ${revert.slice(0, 10)}…, expected Error(string) with "min return"`];
  }
}

function withinFaults(
  status: Hex,
  gained: bigint,
  { minimum, reason }: { minimum: bigint; reason: string },
): string[] {
  if (status !== "0x1") return [`reverted though the price was within the slippage; ${reason}`];
  return gained >= minimum ? [] : [`paid ${gained}, less than the minimum ${minimum}`];
}
