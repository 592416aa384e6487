import { encodeFunctionData, hashTypedData, parseAbi } from "viem/utils";
import { decodeRevert, decodeSwap, PERMIT2_ADDRESS, rfqTypedData } from "../../core/encoding/index.ts";
import { stepKinds } from "../../core/encoding/kinds.ts";
import { stepFlags, type WireStep } from "../../core/encoding/layout.ts";
import { BraidError } from "../../core/errors.ts";
import type { Address, Hex } from "../../core/types.ts";
import type { Mined } from "../accounts/swap-outcome.ts";
import type { ArchivePort, ServedChain } from "../ports/ports.ts";
import type { Quoted } from "../ports/ports-accuracy.ts";
import type { Trial } from "../quoting/simulation.ts";
import { firstWord } from "../wallet.ts";

/**
 * A swap that was mined more than this long after its expected block is no evidence against its makers, because its
 * sender may have delayed it on purpose. Seconds of block time.
 */
const MOST_HELD_SECONDS = 20;

/** A maker's order, decoded from calldata. Amounts in smallest units. */
type Order = {
  readonly maker: Address;
  readonly takerToken: Address;
  readonly takerAmount: bigint;
  readonly makerToken: Address;
  readonly makerAmount: bigint;
  /** Whether the order names the only taker that can fill it. */
  readonly isNamed: boolean;
  readonly nonce: bigint;
  /** Unix time in seconds. */
  readonly expiry: number;
  readonly signature: Hex;
  /** The contract that transfers the maker's tokens: Permit2, or AirSwap's contract. */
  readonly settler: Address;
  readonly isAirSwap: boolean;
};

/**
 * Counts a reverted swap against a maker where only the maker can have caused the revert. The swap must also revert
 * with
 * `MakerRefused` on the state before its block, with an order that is unused and not expired, sent by the wallet that
 * it was given to. In addition the maker lacks the balance or the allowance that it signed for, or is a contract that
 * rejects its own signature.
 *
 * Only the maker controls these conditions. The sender's own possible causes are excluded: a second fill, an expiry,
 * too little gas, another sender, a recipient that the token refuses to pay.
 *
 * @param quoted the quote of this calldata
 * @param timestamp of the block that it was mined in, Unix seconds
 * @throws BraidError STALE_STATE when no node answers
 */
export async function noteRefusal(
  { makers, archive, chain }: ServedChain,
  sent: Mined,
  quoted: Quoted,
  timestamp: number,
): Promise<void> {
  const isForeign = quoted.taker !== undefined && quoted.taker !== sent.from;
  if (makers === undefined || isForeign || timestamp - quoted.at.timestamp > MOST_HELD_SECONDS) return;
  const orders = ordersOf(sent.data).filter(({ expiry }) => timestamp <= expiry);
  if (orders.length === 0) return;
  const parent = sent.receipt.blockNumber - 1;
  const again = await archive.run(sent, parent);
  if (again?.ok !== false) return;
  const { name, values } = decodeRevert(again.data);
  if (name !== "MakerRefused") return;
  const where = { archive, block: parent, chainId: chain.id, taker: sent.from };
  for (const order of orders.filter(({ maker }) => maker === values.maker)) {
    const fault = await faultOf(order, where);
    if (fault !== undefined && fault !== "used") makers.broke({ maker: order.maker, nonce: order.nonce });
  }
}

/**
 * Counts orders against their maker that cannot be filled in the very block for which they were quoted: the run of the
 * calldata reverted with `MakerRefused`, and the chain shows the maker's part in it, on that block and on the newest one:
 * a maker may have seen a newer block than the quote, in which it got what it signed for. Nobody has had such an order
 * yet, so a nonce that is used is the maker's doing too. Without this a maker whose orders always fail would never be
 * blocked, and all quotes over its prices would be made twice. Nothing is counted where no node answers.
 *
 * @param trial the run, on the state at the end of the block `head`
 * @param reverted the data of its revert; undefined where it did not revert
 */
export async function noteUnfillable(
  { makers, archive, chain }: ServedChain,
  { call, taker, head }: Pick<Trial, "call" | "taker" | "head">,
  reverted: Hex | undefined,
): Promise<void> {
  const { name, values } = decodeRevert(reverted ?? "0x");
  if (makers === undefined || name !== "MakerRefused") return;
  const known = { archive, chainId: chain.id, taker };
  const fails = async (order: Order, block: Where["block"]) =>
    (await faultOf(order, { ...known, block })) !== undefined;
  try {
    for (const order of ordersOf(call.data).filter(({ maker }) => maker === values.maker))
      if ((await fails(order, head.number)) && (await fails(order, "newest")))
        makers.broke({ maker: order.maker, nonce: order.nonce });
  } catch (error) {
    if (!(error instanceof BraidError)) throw error;
  }
}

function ordersOf(data: Hex): Order[] {
  const { tokens, steps } = decodeSwap(data).route;
  return steps.flatMap((step): Order[] => {
    const isAirSwap = step.kind === stepKinds.airSwap;
    if (!isAirSwap && step.kind !== stepKinds.rfq) return [];
    const terms = isAirSwap ? step.extra.slice(42) : step.extra.slice(2);
    return [
      {
        maker: isAirSwap ? `0x${step.extra.slice(2, 42)}` : step.target,
        ...{ takerToken: tokens[step.src]!, makerToken: tokens[step.dst]! },
        ...termsOf(terms),
        settler: isAirSwap ? step.target : PERMIT2_ADDRESS,
        ...{ isAirSwap, isNamed: hasTaker(step) },
      },
    ];
  });
}

const hasTaker = ({ flags }: WireStep): boolean => (flags & stepFlags.zeroForOne) !== 0;

/** @param text taker amount u128 | maker amount u128 | nonce u256 | expiry u40 | signature 65 B, hex without 0x */
function termsOf(text: string) {
  const number = (from: number, bytes: number) => BigInt(`0x${text.slice(2 * from, 2 * (from + bytes))}`);
  return {
    takerAmount: number(0, 16),
    makerAmount: number(16, 16),
    nonce: number(32, 32),
    expiry: Number(number(64, 5)),
    signature: `0x${text.slice(138)}` as Hex,
  };
}

type Where = {
  readonly archive: ArchivePort;
  /** The block at whose end the state is read. */
  readonly block: number | "newest";
  readonly chainId: number;
  readonly taker: Address;
};

const abi = parseAbi([
  "function balanceOf(address) view returns (uint256)",
  "function allowance(address, address) view returns (uint256)",
  "function nonceBitmap(address, uint256) view returns (uint256)",
  "function nonceUsed(address, uint256) view returns (bool)",
  "function isValidSignature(bytes32, bytes) view returns (bytes4)",
]);

/** What keeps an order from being filled: its nonce is used, its maker has too little, or disowns its signature. */
type Fault = "used" | "short" | "disowned";

/** @returns undefined where the maker's part is in order, or no node answers for it */
async function faultOf(order: Order, where: Where): Promise<Fault | undefined> {
  const { maker, makerToken, makerAmount, nonce, settler, isAirSwap } = order;
  const functionName = isAirSwap ? "nonceUsed" : "nonceBitmap";
  const slot = isAirSwap ? nonce : nonce >> 8n;
  const [used, balance, allowance] = await Promise.all([
    read(where, settler, encodeFunctionData({ abi, functionName, args: [maker, slot] })),
    read(where, makerToken, encodeFunctionData({ abi, functionName: "balanceOf", args: [maker] })),
    read(where, makerToken, encodeFunctionData({ abi, functionName: "allowance", args: [maker, settler] })),
  ]);
  if (used === undefined || balance === undefined || allowance === undefined) return undefined;
  const isUsed = isAirSwap ? used !== 0n : ((used >> (nonce & 255n)) & 1n) === 1n;
  if (isUsed) return "used";
  if (balance < makerAmount || allowance < makerAmount) return "short";
  return !isAirSwap && (await isDisowned(order, where)) ? "disowned" : undefined;
}

async function read({ archive, block }: Where, to: Address, data: Hex): Promise<bigint | undefined> {
  const answer = await archive.run({ from: PERMIT2_ADDRESS, to, data, value: 0n }, block);
  return answer?.ok === true ? firstWord(answer.data) : undefined;
}

/** The ERC-1271 return value of `isValidSignature` for a valid signature. */
const MAGIC = BigInt("0x1626ba7e") << 224n;

/** Whether the maker is a contract that rejects the signature. A call to an account without code returns no data. */
async function isDisowned(order: Order, { archive, block, chainId, taker }: Where): Promise<boolean> {
  const digest = hashTypedData(rfqTypedData({ ...order, chainId, taker: order.isNamed ? taker : undefined }));
  const data = encodeFunctionData({ abi, functionName: "isValidSignature", args: [digest, order.signature] });
  const call = { from: PERMIT2_ADDRESS, to: order.maker, data, value: 0n };
  const answer = await archive.run(call, block);
  if (answer === undefined || (answer.ok && answer.data === "0x")) return false;
  return !answer.ok || firstWord(answer.data) !== MAGIC;
}
