import { addressAt, callData, hasWords, intAt, uintAt, wordsAt } from "../../core/abi.ts";
import { stepKinds } from "../../core/encoding/kinds.ts";
import { leastInput } from "../../core/math/least-input.ts";
import { readNamed } from "../../core/named-addresses.ts";
import type { HintedPool, StepCode } from "../../core/protocol.ts";
import type { Address, Call, Deployment, Facts, Hex, Log, Pool } from "../../core/types.ts";
import type { Order, Trade } from "./own-state.ts";
import { readHints } from "./pool-list.ts";

/**
 * Balancer's Vault v2. It holds the tokens of all pools, records their balances and emits their logs. This module has
 * what all designs share; what is specific to a design is in its folder.
 *
 * A deployment names the vault as its factory, and lists the accepted pool factories by design in its fact
 * `factories` (`writeNamed`). Pools of other factories are refused.
 *
 * @source balancer/balancer-v2-monorepo pkg/vault/contracts (316ded0)
 */

/** TokensRegistered(bytes32 indexed poolId, address[] tokens, address[] assetManagers) */
const TOKENS_REGISTERED = "0xf5847d3f2197b16cdcd2098ec95d0905cd1abdaf415f07bb7cef2bba8ac5dec4";
/** Swap(bytes32 indexed poolId, address indexed tokenIn, address indexed tokenOut, uint256 amountIn, uint256 amountOut) */
const SWAP = "0x2170c741c41531aec20e7c107c24eecfdd15e69c9bb0a8dd37b1840b9e0b207b";
/** PoolBalanceChanged(bytes32 indexed poolId, address indexed provider, address[] tokens, int256[] deltas, uint256[] fees) */
const POOL_BALANCE_CHANGED = "0xe5ce249087ce04f05a957192435400fd97868dba0e6a4b4c049abf8af80dae78";
/** PoolBalanceManaged(bytes32 indexed poolId, address indexed manager, address indexed token, int256 cash, int256 managed) */
const POOL_BALANCE_MANAGED = "0x6edcaf6241105b4c94c2efdbf3a6b12458eb3d07be3a0e81d24b13c44045fe7a";
/** SwapFeePercentageChanged(uint256), by a pool */
const SWAP_FEE_CHANGED = "0xa9ba3ffe0b6c366b81232caab38605a0699ad5398d6cce76f91ee809e322dafc";
/** PausedStateChanged(bool), by a pool */
const PAUSED_CHANGED = "0x9e3a5e37224532dea67b89face185703738a228a6e8a23dee546960180d3be64";

const IS_POOL_FROM_FACTORY: Hex = "0x6634b753";
const GET_POOL_TOKENS: Hex = "0xf94d4668";
const GET_PAUSED_STATE: Hex = "0x1c0de051";
const GET_SWAP_FEE: Hex = "0x55c67628";
const DECIMALS: Hex = "0x313ce567";

/** The vault stores a balance in 112 bits. */
const MAX_BALANCE = 2n ** 112n - 1n;

/** Creation logs: the vault announces a pool together with its tokens. */
export const vaultCreations: readonly Hex[] = [TOKENS_REGISTERED];

/** Topics of logs of all designs, including `TokensRegistered`. */
export const vaultTopics: readonly Hex[] = [
  TOKENS_REGISTERED,
  SWAP,
  POOL_BALANCE_CHANGED,
  POOL_BALANCE_MANAGED,
  SWAP_FEE_CHANGED,
  PAUSED_CHANGED,
];

/** Topics of a pause of the vault, which a pool emits for itself too. */
export const vaultPauses: readonly Hex[] = [PAUSED_CHANGED];

/** State that the vault and its logs give for any pool. */
export type VaultState = {
  readonly vault: Address;
  readonly tokens: readonly Address[];
  /** Smallest units of each token. */
  readonly balances: readonly bigint[];
  /** Fee on the input, 18 decimals. */
  readonly swapFee: bigint;
};

/** The accepted factories, each with the design of its pools. */
const factoriesOf = (facts: Facts, owner: string) => readNamed(facts.factories, `${owner}: factories`);

/**
 * The pool that the vault's `TokensRegistered` announces; undefined if asset managers may move its tokens elsewhere.
 */
export function discoverIn(protocol: string, log: Log, deployment: Deployment): Pool | undefined {
  if (log.topics[0] !== TOKENS_REGISTERED || log.address !== deployment.factory) return undefined;
  const poolId = log.topics[1];
  const tokens = wordsAt(log.data, 0).map((index) => addressAt(log.data, index));
  const managed = wordsAt(log.data, 1).some((index) => uintAt(log.data, index) !== 0n);
  if (poolId === undefined || tokens.length < 2 || managed) return undefined;
  return poolIn(protocol, { poolId, tokens }, deployment);
}

type Registered = { readonly poolId: Hex; readonly tokens: readonly Address[] };

function poolIn(protocol: string, { poolId, tokens }: Registered, deployment: Deployment): Pool {
  factoriesOf(deployment.facts, `deployment ${deployment.id}`);
  const id = poolOf(poolId);
  return {
    id,
    address: deployment.factory,
    protocol,
    deployment: deployment.id,
    tokens,
    stateIds: [id],
    facts: { poolId, factories: deployment.facts.factories as string },
  };
}

/**
 * The pools whose ids the record lists in its fact `hints`, separated by spaces; their tokens are read from the
 * vault. Which factory made a pool is checked when its state is read. Accepted factories create no pools with asset
 * managers.
 *
 * @throws Error if the list is malformed: the record is wrong
 */
export function hintedIn(protocol: string, deployment: Deployment): readonly HintedPool[] {
  return readHints(deployment, 32).map((poolId) => ({
    details: [tokensCall(deployment.factory, poolId)],
    poolOf: ([answer = "0x"]) => {
      const tokens = wordsAt(answer, 0).map((index) => addressAt(answer, index));
      return tokens.length < 2 ? undefined : poolIn(protocol, { poolId, tokens }, deployment);
    },
  }));
}

function tokensCall(vault: Address, poolId: Hex): Call {
  return { to: vault, data: `0x${GET_POOL_TOKENS.slice(2)}${poolId.slice(2)}` };
}

/** The pool's own contract. */
export function contractOf(pool: Pool): Address {
  return poolOf(pool.facts.poolId as Hex);
}

/** The vault's pool id begins with the pool's address. */
function poolOf(poolId: Hex): Address {
  return poolId.slice(0, 42) as Address;
}

const byVault: ReadonlySet<string> = new Set([SWAP, POOL_BALANCE_CHANGED, POOL_BALANCE_MANAGED]);

/**
 * Pools that a log may change: the one named by a log of the vault, else the emitter. `more` are topics of the
 * design.
 */
export function touchesIn(log: Log, more: ReadonlySet<string>): readonly string[] {
  const topic = log.topics[0]!;
  if (byVault.has(topic)) return log.topics[1] === undefined ? [] : [poolOf(log.topics[1])];
  return topic === SWAP_FEE_CHANGED || topic === PAUSED_CHANGED || more.has(topic) ? [log.address] : [];
}

/** The state after a log of the vault or of the pool's fee; "reload" if the log does not carry enough. */
export function applyIn<S extends VaultState>(state: S, log: Log): S | "reload" {
  const topic = log.topics[0]!;
  if (topic === SWAP_FEE_CHANGED) return { ...state, swapFee: uintAt(log.data, 0) };
  if (topic === PAUSED_CHANGED) return "reload";
  // Any contract can emit a log with the vault's topics.
  if (!byVault.has(topic) || log.address !== state.vault) return state;
  if (topic === SWAP) return swapped(state, log);
  return topic === POOL_BALANCE_CHANGED ? joined(state, log) : "reload";
}

function swapped<S extends VaultState>(state: S, log: Log): S | "reload" {
  const i = state.tokens.indexOf(addressAt(log.topics[2] ?? "0x", 0));
  const j = state.tokens.indexOf(addressAt(log.topics[3] ?? "0x", 0));
  if (i < 0 || j < 0 || !hasWords(log.data, 2)) return "reload";
  return { ...state, balances: moved(state, { i, j, in: uintAt(log.data, 0), out: uintAt(log.data, 1) }) };
}

function joined<S extends VaultState>(state: S, log: Log): S | "reload" {
  const deltas = wordsAt(log.data, 1).map((index) => intAt(log.data, index));
  const fees = wordsAt(log.data, 2).map((index) => uintAt(log.data, index));
  const count = state.balances.length;
  if (deltas.length !== count || fees.length !== count) return "reload";
  return { ...state, balances: state.balances.map((balance, k) => balance + deltas[k]! - fees[k]!) };
}

type Movement = { readonly i: number; readonly j: number; readonly in: bigint; readonly out: bigint };

/** Balances after a swap. */
function moved(state: VaultState, movement: Movement): readonly bigint[] {
  const balances = state.balances.slice();
  balances[movement.i] = balances[movement.i]! + movement.in;
  balances[movement.j] = balances[movement.j]! - movement.out;
  return balances;
}

/** A pool design: its swap formula, its state after a swap, and its gas. */
export type VaultDesign<S extends VaultState> = {
  /** The amount not given in the order, ≥ 0; undefined if the pool would revert. */
  readonly swap: (state: S, order: Order) => bigint | undefined;
  readonly after: (state: S, balances: readonly bigint[]) => S;
  readonly gas: (state: S, order: Order) => number;
};

/**
 * The vault's answer to a swap of either kind: the amount not given in the order.
 *
 * @returns undefined if the vault would revert, or the answer is 0
 */
export function vaultSwap<S extends VaultState>(design: VaultDesign<S>, state: S, order: Order) {
  const { i, j, amount, side } = order;
  if (amount <= 0n || amount > MAX_BALANCE) return undefined;
  const answer = design.swap(state, order);
  if (answer === undefined || answer <= 0n) return undefined;
  const [amountIn, amountOut] = side === "in" ? [amount, answer] : [answer, amount];
  return amountOut > state.balances[j]! || state.balances[i]! + amountIn > MAX_BALANCE ? undefined : answer;
}

/**
 * The exact input, or the least input that pays an exact output. Where a pool refuses so large an output, a sale may
 * still pay it, so the search then starts from a balance.
 */
function inputOf<S extends VaultState>(design: VaultDesign<S>, state: S, order: Order): bigint | undefined {
  const { i, j, amount, side } = order;
  if (side === "in") return amount;
  if (amount <= 0n || amount >= state.balances[j]!) return undefined;
  const sell = (amountIn: bigint) => vaultSwap(design, state, { ...order, side: "in", amount: amountIn });
  return leastInput(sell, amount, vaultSwap(design, state, order) ?? state.balances[i]!);
}

/**
 * Quotes a trade as the router executes it, which only sells exact amounts. An exact output therefore costs the least
 * input that pays it: the vault's own answer for an exact output may cost slightly more, and may exceed the limit on
 * inputs.
 */
export function vaultTrade<S extends VaultState>(design: VaultDesign<S>) {
  return (state: S, order: Order): Trade<S> | undefined => {
    const { i, j, amount, side } = order;
    const amountIn = inputOf(design, state, order);
    const paid =
      amountIn === undefined
        ? undefined
        : vaultSwap(design, state, { ...order, side: "in", amount: amountIn });
    if (amountIn === undefined || paid === undefined) return undefined;
    const next = design.after(state, moved(state, { i, j, in: amountIn, out: paid }));
    return { amountIn, amountOut: side === "in" ? paid : amount, gas: design.gas(state, order), next };
  };
}

/** First round of reads: which of the listed factories created the pool. */
export function factoryReads(pool: Pool): readonly Call[] {
  return factoriesOf(pool.facts, pool.id).map(({ address }) => ({
    to: address,
    data: callData(IS_POOL_FROM_FACTORY, BigInt(contractOf(pool))),
  }));
}

/** The design of the factory that created the pool, from the answers of the first round. */
export function designIn(pool: Pool, answers: readonly Hex[]): string | undefined {
  const factories = factoriesOf(pool.facts, pool.id);
  return factories.find((_, k) => hasWords(answers[k] ?? "0x", 1) && uintAt(answers[k]!, 0) === 1n)?.name;
}

/** Number of answers of the first round. */
export function factoryCount(pool: Pool): number {
  return factoriesOf(pool.facts, pool.id).length;
}

/** Calls of the second round that all designs share; `readVault` decodes the answers. */
export function vaultReads(pool: Pool): readonly Call[] {
  const contract = contractOf(pool);
  return [
    tokensCall(pool.address, pool.facts.poolId as Hex),
    { to: pool.address, data: GET_PAUSED_STATE },
    { to: contract, data: GET_PAUSED_STATE },
    { to: contract, data: GET_SWAP_FEE },
    // No call for the pool's own token: it has 18 decimals, and a pool may not answer while it is being read.
    ...pool.tokens.map((token) => ({ to: token, data: DECIMALS })),
  ];
}

/** Decoded answers of `vaultReads`: the state, and 10^(18 - decimals) of each token. */
export type VaultAnswer = { readonly state: VaultState; readonly scaling: readonly bigint[] };

/** @param answers of `vaultReads`, in its order; @returns a string if the pool is refused: the reason */
export function readVault(pool: Pool, answers: readonly Hex[]): VaultAnswer | string {
  const [held = "0x", vaultPaused = "0x", paused = "0x", fee = "0x", ...decimals] = answers;
  const tokens = wordsAt(held, 0).map((index) => addressAt(held, index));
  const balances = wordsAt(held, 1).map((index) => uintAt(held, index));
  if (balances.length !== pool.tokens.length) return "getPoolTokens failed";
  if (tokens.some((token, k) => token !== pool.tokens[k])) return "the vault lists other tokens";
  if (!hasWords(vaultPaused, 1) || uintAt(vaultPaused, 0) !== 0n) return "the vault is paused";
  if (!hasWords(paused, 1) || uintAt(paused, 0) !== 0n) return "the pool is paused";
  if (!hasWords(fee, 1)) return "getSwapFeePercentage failed";
  const digits = pool.tokens.map((_, k) =>
    hasWords(decimals[k] ?? "0x", 1) ? uintAt(decimals[k]!, 0) : 99n,
  );
  if (digits.some((count) => count > 18n)) return "decimals failed, or more than 18";
  return {
    state: { vault: pool.address, tokens, balances, swapFee: uintAt(fee, 0) },
    scaling: digits.map((count) => 10n ** (18n - count)),
  };
}

/** The on-chain step: a swap of the vault, which identifies the pool by its id. */
export function vaultStep(pool: Pool): StepCode {
  return {
    kind: stepKinds.balancerV2,
    target: pool.address,
    zeroForOne: false,
    extra: pool.facts.poolId as Hex,
    intake: "approval",
    paysAnyone: true,
  };
}
