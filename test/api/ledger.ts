import { type Abi, decodeFunctionData, encodeAbiParameters, encodeErrorResult, erc20Abi } from "viem";
import artifact from "../../contracts/out/Router.json" with { type: "json" };
import { type DecodedSwap, decodeSwap, ROUTER_ADDRESS } from "../../src/core/encoding/index.ts";
import { stepKinds } from "../../src/core/encoding/kinds.ts";
import type { Registry } from "../../src/core/protocol.ts";
import type { Address, At, Hex, Pool, StateId, View } from "../../src/core/types.ts";
import { NATIVE } from "../../src/core/types.ts";
import type { SimulationResult, Transaction } from "../../src/service/ports/ports.ts";

/** What wallets hold and allow, and a small interpreter of the router's calldata over the same pool states. */
export type Ledger = {
  readonly balances: Map<string, bigint>;
  readonly allowances: Map<string, bigint>;
  /** Keys of `allowances` that were approved after the block of the offers. */
  readonly approvedSince: Set<string>;
  /** Pools that pay this many thousandths of what they quote. */
  readonly lies: Map<string, bigint>;
  /** Tokens whose approve reverts, as USDT's does from one allowance to another. */
  readonly stubborn: Set<Address>;
  /** What tokens answer to calls beyond balances and allowances: "token selector" or "token selector owner" → data. */
  readonly answers: Map<string, Hex>;
  /** Signatures, without 0x, that let the router take the token sold. */
  readonly signed: Set<string>;
};

export type Market = {
  readonly registry: Registry;
  readonly pools: readonly Pool[];
  readonly view: View;
  readonly at: At;
  readonly router: Address;
  readonly tokens: ReadonlySet<Address>;
};

export const emptyLedger = (): Ledger => ({
  balances: new Map(),
  allowances: new Map(),
  approvedSince: new Set(),
  lies: new Map(),
  stubborn: new Set(),
  answers: new Map(),
  signed: new Set(),
});

export const holding = (token: Address, owner: Address): string => `${token} ${owner}`;

const word = (value: bigint): Hex => encodeAbiParameters([{ type: "uint256" }], [value]);

/** An allowance of another spender than the router, by token, owner and spender. */
export const lent = (token: Address, owner: Address, spender: Address): string =>
  `${token} ${owner} ${spender}`;

/** balanceOf and allowance. */
const ERC20: ReadonlySet<string> = new Set(["0x70a08231", "0xdd62ed3e"]);

/** Answers balanceOf and allowance; "0x" for an address that is no token. */
export function readToken(ledger: Ledger, market: Market, to: Address, data: Hex): Hex {
  const selector = data.slice(0, 10);
  const owned = data.length === 74 ? ` 0x${data.slice(34)}` : "";
  const answer = ledger.answers.get(`${to} ${selector}${owned}`);
  if (answer !== undefined) return answer;
  if (!market.tokens.has(to) || !ERC20.has(selector)) return "0x";
  const { functionName, args } = decodeFunctionData({ abi: erc20Abi, data });
  const owner = String(args?.[0]).toLowerCase() as Address;
  if (functionName === "balanceOf") return word(ledger.balances.get(holding(to, owner)) ?? 0n);
  if (functionName === "allowance") {
    const spender = String(args[1]).toLowerCase() as Address;
    const key = spender === market.router ? holding(to, owner) : lent(to, owner, spender);
    return word(ledger.allowances.get(key) ?? 0n);
  }
  throw new Error(`not read: ${functionName}`);
}

const PERMITS: ReadonlySet<number> = new Set([stepKinds.permit, stepKinds.permit2]);
const GAS_PER_STEP = 70_000n;
const GAS_FIXED = 60_000n;

/** The ledger as it was on the block of the offers. */
export function beforeApprovals(ledger: Ledger): Ledger {
  const allowances = [...ledger.allowances].filter(([key]) => !ledger.approvedSince.has(key));
  return { ...ledger, allowances: new Map(allowances) };
}

export function run(ledger: Ledger, market: Market, transaction: Transaction): SimulationResult {
  if (transaction.to !== market.router) return runApprove(ledger, transaction);
  const swap = decodeSwap(transaction.data);
  try {
    const paid = execute(ledger, market, transaction, swap);
    const gasUsed = GAS_FIXED + GAS_PER_STEP * BigInt(swap.route.steps.length);
    return { ok: true, gasUsed, data: word(paid) };
  } catch (error) {
    if (!(error instanceof Reverted)) throw error;
    return { ok: false, gasUsed: GAS_FIXED, data: error.data };
  }
}

function runApprove(ledger: Ledger, { to, from, data }: Transaction): SimulationResult {
  const [spender, amount] = decodeFunctionData({ abi: erc20Abi, data }).args as [string, bigint];
  const allowed = spender.toLowerCase() === ROUTER_ADDRESS && ledger.allowances.get(holding(to, from));
  if (ledger.stubborn.has(to) && amount > 0n && allowed) return { ok: false, gasUsed: 0n, data: "0x" };
  return { ok: true, gasUsed: 46_000n, data: word(1n) };
}

class Reverted extends Error {
  readonly data: Hex;
  constructor(data: Hex) {
    super(data);
    this.data = data;
  }
}

const textAbi = [{ type: "error", name: "Error", inputs: [{ name: "reason", type: "string" }] }] as const;

function revertWith(reason: string): Hex {
  return encodeErrorResult({ abi: textAbi, errorName: "Error", args: [reason] });
}

function refuse(errorName: string, args: readonly unknown[]): never {
  throw new Reverted(encodeErrorResult({ abi: artifact.abi as Abi, errorName, args: [...args] }));
}

function execute(ledger: Ledger, market: Market, { from, value }: Transaction, swap: DecodedSwap): bigint {
  const { tokens } = swap.route;
  const sold = tokens[0]!;
  if (market.at.timestamp > swap.deadline) {
    refuse("Expired", [BigInt(swap.deadline), BigInt(market.at.timestamp)]);
  }
  if (value !== (sold === NATIVE ? swap.amountIn : 0n)) refuse("WrongValue", [value, swap.amountIn]);
  const { balances, allowances } = ledger;
  const funded = (balances.get(holding(sold, from)) ?? 0n) >= swap.amountIn;
  const permit = swap.route.steps.find(({ kind }) => PERMITS.has(kind));
  const signed = permit !== undefined && ledger.signed.has(permit.extra.slice(-130));
  const allowed = signed || sold === NATIVE || (allowances.get(holding(sold, from)) ?? 0n) >= swap.amountIn;
  if (!funded || !allowed) throw new Reverted(revertWith("ERC20: transfer amount exceeds allowance"));

  const registers = tokens.map(() => 0n);
  registers[0] = swap.amountIn - (swap.amountIn * BigInt(swap.sellFeeBps)) / 10_000n;
  steps(ledger, market, swap, registers);
  const gross = registers.at(-1)!;
  const paid = gross - (gross * BigInt(swap.buyFeeBps)) / 10_000n;
  if (paid < swap.minimumOut) throw new Reverted(revertWith("min return not reached"));
  return paid;
}

function steps(ledger: Ledger, market: Market, swap: DecodedSwap, registers: bigint[]): void {
  const writes = new Map<StateId, unknown>();
  const view: View = { get: (id) => (writes.has(id) ? writes.get(id) : market.view.get(id)) };
  for (const step of swap.route.steps) {
    if (PERMITS.has(step.kind)) continue;
    const pool = market.pools.find((each) => each.address === step.target)!;
    const left = registers[step.src]!;
    const amount = step.share === 0 ? left : (left * BigInt(step.share)) / 2n ** 32n;
    const [i, j] = [step.src, step.dst].map((index) => pool.tokens.indexOf(swap.route.tokens[index]!));
    const protocol = market.registry.get(pool.protocol)!;
    const fill = protocol.quote(view, pool, i!, j!, amount, "in", market.at);
    if (fill === undefined) refuse("BadAnswer", [pool.address]);
    for (const [id, state] of fill.writes) writes.set(id, state);
    registers[step.src] = left - amount;
    registers[step.dst]! += (fill.amountOut * (ledger.lies.get(pool.id) ?? 1_000n)) / 1_000n;
  }
}
