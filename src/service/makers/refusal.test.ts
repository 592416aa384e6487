import type { Hex } from "viem";
import {
  encodeErrorResult,
  encodeFunctionData,
  hashTypedData,
  parseAbi,
  toFunctionSelector,
} from "viem/utils";
import { expect, test } from "vitest";
import {
  airSwapExtra,
  PERMIT2_ADDRESS,
  ROUTER_ADDRESS,
  rfqExtra,
  rfqTypedData,
} from "../../core/encoding/index.ts";
import { stepKinds } from "../../core/encoding/kinds.ts";
import { packRoute } from "../../core/encoding/layout.ts";
import { swapAbi } from "../../core/encoding/swap.ts";
import type { Address, Head } from "../../core/types.ts";
import type { Mined } from "../accounts/swap-outcome.ts";
import type { ServedChain, Transaction } from "../ports/ports.ts";
import type { Quoted } from "../ports/ports-accuracy.ts";
import { noteRefusal, noteUnfillable } from "./refusal.ts";

const address = (n: number): Address => `0x${n.toString(16).padStart(40, "0")}`;
const hash = (n: number): Hex => `0x${n.toString(16).padStart(64, "0")}`;
const [MAKER, TAKER, STRANGER, SOLD, BOUGHT, SETTLER] = [1, 2, 3, 4, 5, 6].map((n) =>
  address(0xa000 + n),
) as [Address, Address, Address, Address, Address, Address];
const [HEAD, EXPIRY, NONCE] = [100, 1_060, 0x1234n];
const SIGNATURE: Hex = `0x${"5a".repeat(65)}`;
const MAGIC: Hex = `0x1626ba7e${"00".repeat(28)}`;
const named = { takerToken: SOLD, takerAmount: 500n, makerToken: BOUGHT, makerAmount: 1_000n };
const common = { chainId: 1, nonce: NONCE, expiry: EXPIRY };
const airSwap = {
  ...{ ...common, settler: SETTLER, signer: MAKER, signerToken: BOUGHT, signerAmount: 1_000n },
  ...{ senderToken: SOLD, senderAmount: 500n, protocolFee: 0n },
};

/** Digest of the order that the maker signed for the named taker. */
const DIGEST = hashTypedData(rfqTypedData({ ...common, ...named, taker: TAKER }));

function calldata(isAirSwap: boolean): Hex {
  const kind = isAirSwap ? stepKinds.airSwap : stepKinds.rfq;
  const extra = isAirSwap
    ? airSwapExtra(airSwap, SIGNATURE)
    : rfqExtra({ ...common, ...named, taker: TAKER }, SIGNATURE);
  const step = { kind, flags: isAirSwap ? 0 : 1, src: 0, dst: 1, share: 0, extra };
  const route = packRoute({
    tokens: [SOLD, BOUGHT],
    steps: [{ ...step, target: isAirSwap ? SETTLER : MAKER }],
  });
  return encodeFunctionData({ abi: swapAbi, args: [500n, 900n, address(0), 0n, route] });
}

const errors = parseAbi(["error MakerRefused(address maker, bytes4 reason)"]);
const refused = (maker: Address): Hex =>
  encodeErrorResult({ abi: errors, errorName: "MakerRefused", args: [maker, "0x08c379a0"] });

const misfilled = encodeErrorResult({
  abi: parseAbi(["error BadFill(address maker, uint256 amount, uint256 takerAmount)"]),
  args: [MAKER, 501n, 500n],
});

/** The state of the parent block, and how the transaction was sent. */
type Case = {
  readonly isAirSwap?: boolean;
  /** Revert data of the second run; undefined = it succeeds. */
  readonly revert?: Hex | undefined;
  readonly isKept?: boolean;
  readonly balance?: bigint;
  readonly allowance?: bigint;
  readonly isUsed?: boolean;
  /** Answer of the maker's contract to its signature; undefined = the maker has no code. */
  readonly verdict?: Hex | "reverts";
  readonly from?: Address;
  readonly timestamp?: number;
  /** Timestamp of the block that was expected to execute it. */
  readonly expectedAt?: number;
  /** Whether the quote's own run reverted, before anybody had its calldata. */
  readonly isUnsent?: boolean;
  /** Whether the maker holds and allows plenty on the newest block, which is one after HEAD. */
  readonly isPaidSince?: boolean;
};

const SELECTORS = {
  balance: toFunctionSelector("balanceOf(address)"),
  allowance: toFunctionSelector("allowance(address,address)"),
  bitmap: toFunctionSelector("nonceBitmap(address,uint256)"),
  used: toFunctionSelector("nonceUsed(address,uint256)"),
  signature: toFunctionSelector("isValidSignature(bytes32,bytes)"),
};

async function broken(given: Case): Promise<readonly { maker: Address; nonce: bigint }[]> {
  const { isAirSwap = false, balance = 10_000n, allowance = 10_000n, isUsed = false, isKept = true } = given;
  const { verdict, from = TAKER, timestamp = 1_012, expectedAt = 1_000 } = given;
  const revert = "revert" in given ? given.revert : refused(MAKER);
  const noted: { maker: Address; nonce: bigint }[] = [];
  const run = async ({ to, data, from: sender }: Transaction, block: number | "newest") => {
    expect(block === "newest" ? given.isUnsent : block === HEAD).toBe(true);
    if (!isKept) return undefined;
    const selector = data.slice(0, 10);
    const isMoney = selector === SELECTORS.balance || selector === SELECTORS.allowance;
    if (isMoney && block === "newest" && given.isPaidSince) return { ok: true, data: hash(10_000) };
    if (to === ROUTER_ADDRESS) return revert ? { ok: false, data: revert } : { ok: true, data: hash(1_000) };
    expect(sender).toBe(PERMIT2_ADDRESS);
    const bit = 1n << (NONCE & 255n);
    if (selector === SELECTORS.balance) return { ok: true, data: hash(Number(balance)) };
    if (selector === SELECTORS.allowance) return { ok: true, data: hash(Number(allowance)) };
    if (selector === SELECTORS.bitmap && to === PERMIT2_ADDRESS && data.includes((NONCE >> 8n).toString(16)))
      return { ok: true, data: hash(isUsed ? Number(bit) : 0) };
    if (selector === SELECTORS.used && to === SETTLER) return { ok: true, data: hash(isUsed ? 1 : 0) };
    expect([selector, to]).toEqual([SELECTORS.signature, MAKER]);
    expect(data).toContain(DIGEST.slice(2));
    if (verdict === "reverts") return { ok: false, data: "0x" as Hex };
    return { ok: true, data: verdict ?? ("0x" as Hex) };
  };
  const served = {
    chain: { id: 1 },
    archive: { run },
    makers: { broke: (one: (typeof noted)[number]) => void noted.push(one) },
  } as unknown as ServedChain;
  if (given.isUnsent) {
    const call = { to: ROUTER_ADDRESS, data: calldata(isAirSwap), value: 0n };
    await noteUnfillable(served, { call, taker: from, head: { number: HEAD } as Head }, revert);
    return noted;
  }
  const receipt = { succeeded: false, blockNumber: HEAD + 1, blockHash: hash(101) };
  const sent = {
    from,
    to: ROUTER_ADDRESS,
    data: calldata(isAirSwap),
    value: 0n,
    receipt,
  } as unknown as Mined;
  const quoted = { taker: TAKER, at: { blockNumber: HEAD + 1, timestamp: expectedAt } } as Quoted;
  await noteRefusal(served, sent, quoted, timestamp);
  return noted;
}

const CAUSES: readonly (readonly [string, Case])[] = [
  ["does not hold what it signed", { balance: 999n }],
  ["does not let it be taken", { allowance: 999n }],
  ["is a contract that disowns its signature", { verdict: hash(0) }],
  ["is a contract that fails when it is asked", { verdict: "reverts" }],
  ["is one of AirSwap's that does not hold it", { isAirSwap: true, balance: 0n }],
];

test.each(CAUSES)("a revert counts against a maker that %s", async (_title, given) => {
  expect(await broken(given)).toEqual([{ maker: MAKER, nonce: NONCE }]);
});

const EMPTY = { balance: 0n, allowance: 0n };
const NOBODYS: readonly (readonly [string, Case])[] = [
  [
    "a second sending of what was filled already, though the maker holds less since",
    { ...EMPTY, isUsed: true },
  ],
  ["the same of AirSwap's, which anyone may fill", { ...EMPTY, isUsed: true, isAirSwap: true }],
  ["too little gas: with enough it succeeds", { ...EMPTY, revert: undefined }],
  ["an order that has lapsed", { ...EMPTY, timestamp: EXPIRY + 1, expectedAt: EXPIRY - 5 }],
  ["an order that was held for more than 20 s", { ...EMPTY, timestamp: 1_021 }],
  ["another sender than the taker that it was given to", { ...EMPTY, from: STRANGER }],
  ["a recipient whom the token refuses to pay", {}],
  ["a contract that calls its signature its own", { verdict: MAGIC }],
  ["a reason of the caller's own", { ...EMPTY, revert: "0x08c379a0" }],
  ["an amount that the order does not take", { ...EMPTY, revert: misfilled }],
  ["another maker than the one that refused", { ...EMPTY, revert: refused(STRANGER) }],
  ["a state that no node has kept", { ...EMPTY, isKept: false }],
];

test.each(NOBODYS)("a revert counts against no maker: %s", async (_title, given) => {
  expect(await broken(given)).toEqual([]);
});

test.each<readonly [string, Case]>([...CAUSES, ["signed a nonce that was used before", { isUsed: true }]])(
  "an order that fails before it is given to anybody counts against a maker that %s",
  async (_title, given) => {
    expect(await broken({ ...given, isUnsent: true })).toEqual([{ maker: MAKER, nonce: NONCE }]);
  },
);

test.each<readonly [string, Case]>([
  ["a recipient whom the token refuses to pay", {}],
  ["a run that did not revert", { ...EMPTY, revert: undefined }],
  ["a reason of a token's own", { ...EMPTY, revert: "0x08c379a0" }],
  ["another maker than the one that refused", { ...EMPTY, revert: refused(STRANGER) }],
  ["a state that no node has kept", { ...EMPTY, isKept: false }],
  [
    "a maker that has seen a newer block, in which it got what it signed for",
    { ...EMPTY, isPaidSince: true },
  ],
])("an order that fails before it is given to anybody counts against no maker: %s", async (_title, given) => {
  expect(await broken({ ...given, isUnsent: true })).toEqual([]);
});

test("a swap that was mined exactly 20 s late still counts", async () => {
  expect(await broken({ ...EMPTY, timestamp: 1_020 })).toHaveLength(1);
});
