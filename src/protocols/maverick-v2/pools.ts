import { addressAt, callData, hasWords, intAt, uintAt } from "../../core/abi.ts";
import type { Address, At, Call, Deployment, Hex, Log, Pool, Refusal } from "../../core/types.ts";
import { isEmpty, type Mover, type State, type Tick } from "./state.ts";
import { swap } from "./swap.ts";

/**
 * PoolCreated(address pool, uint8 protocolFeeRatio, uint256 feeAIn, uint256 feeBIn, uint256 tickSpacing,
 * uint256 lookback, int32 activeTick, address tokenA, address tokenB, uint8 kinds, address accessor)
 */
const POOL_CREATED = "0x848331e408557f4b7eb6561ca1c18a3ac43004fbe64b8b5bce613855cfdf22d2";
/** PoolSwap(address, address, (uint256 amount, bool tokenAIn, bool exactOutput, int32 limit), uint256 in, uint256 out) */
const POOL_SWAP = "0x103ed084e94a44c8f5f6ba8e3011507c41063177e29949083c439777d8d63f60";
/** PoolSetProtocolFeeRatio(uint256) */
const SET_RATIO = "0x8c315eec9a54adc4a7ff999f8b5230281cd9cf25054c184cc427e60bd02368f6";
/** PoolAddLiquidity and PoolRemoveLiquidity. These logs do not state the reserves of the ticks, so the pool is read again. */
const LIQUIDITY: readonly Hex[] = [
  "0x16768f4ecc93786618270641524e6209d40480302598062adee1bf55a3e7da29",
  "0x022484d9ab07e2ea8d2f868574c16404cf7fc639be80032dc1e9a1641bdd2eb1",
];
const stateTopics: readonly Hex[] = [POOL_SWAP, SET_RATIO, ...LIQUIDITY];
export const creations: readonly Hex[] = [POOL_CREATED];
export const topics: readonly Hex[] = [...creations, ...stateTopics];

/**
 * getState() → reserves of A and B, weighted position, position, time, active tick, is locked, number of bins, protocol
 * fee ratio
 */
const GET_STATE: Hex = "0x1865c57d";
const STATE_WORDS = 9;
/** fee(bool tokenAIn), tokenAScale(), tokenBScale() */
const FEE: Hex = "0x2d9d1ca6";
const SCALES: readonly Hex[] = ["0x3ab72c10", "0x21272d4c"];
/** getTick(int32) → reserves of A and B, shares, ids of bins by kind; getBin(uint32) → … shares of the tick, own shares … */
const GET_TICK: Hex = "0x3256cfa9";
const TICK_WORDS = 7;
const GET_BIN: Hex = "0x22cd85a8";
const BIN_WORDS = 6;

/** Number of answers of the first round. */
const HEAD = 5;
/** Ticks read on each side of the active one, and how near the price may come to the end of them. */
const REACH = 64;
const NEAR = 16;
const COUNT = 2 * REACH + 1;
const KINDS = [1, 2, 3] as const;
const NOBODY: Address = "0x0000000000000000000000000000000000000000";
const ONE = 10n ** 18n;

export function discover(log: Log, deployment: Deployment): Pool | undefined {
  if (log.topics[0] !== POOL_CREATED || log.address !== deployment.factory || !hasWords(log.data, 11))
    return undefined;
  const address = addressAt(log.data, 0);
  const facts = {
    tickSpacing: Number(uintAt(log.data, 4)),
    lookback: Number(uintAt(log.data, 5)),
    accessor: addressAt(log.data, 10),
  };
  return {
    id: address,
    address,
    protocol: "maverick-v2",
    deployment: deployment.id,
    tokens: [addressAt(log.data, 7), addressAt(log.data, 8)],
    stateIds: [address],
    facts,
  };
}

export function touches(log: Log): readonly string[] {
  return stateTopics.includes(log.topics[0]!) ? [log.address] : [];
}

/** The state after a swap, which is computed, its amounts being those of the log, or after a change of the protocol fee. */
export function apply(state: State, log: Log, at: At): State | "reload" {
  if (log.topics[0] === SET_RATIO && hasWords(log.data, 1))
    return { ...state, protocolFeeRatio: uintAt(log.data, 0) };
  if (log.topics[0] === POOL_SWAP && hasWords(log.data, 8)) return afterSwap(state, log.data, at);
  return stateTopics.includes(log.topics[0]!) ? "reload" : state;
}

function afterSwap(state: State, data: Hex, { timestamp }: At): State | "reload" {
  const asked = {
    amount: uintAt(data, 2),
    sellsA: uintAt(data, 3) === 1n,
    isOutput: uintAt(data, 4) === 1n,
    tickLimit: Number(intAt(data, 5)),
  };
  const done = swap(state, asked, timestamp);
  if (done?.amountIn !== uintAt(data, 6) || done.amountOut !== uintAt(data, 7)) return "reload";
  const { next } = done;
  const isNear = next.activeTick - next.first < NEAR || next.last - next.activeTick < NEAR;
  return next.isSettled && !isNear ? next : "reload";
}

/** Whether one address may set the pool's fees, or alone may swap. */
const isPermissioned = ({ facts }: Pool): boolean => facts.accessor !== NOBODY;

/** Three rounds: the head; ticks around the active one; bins of theirs that follow the price. */
export function reads(pool: Pool, answers: readonly Hex[]): readonly Call[] {
  const call = (data: Hex): Call => ({ to: pool.address, data });
  if (isPermissioned(pool)) return [];
  if (answers.length === 0) {
    const heads = [GET_STATE, callData(FEE, 1), callData(FEE, 0), ...SCALES];
    return heads.map(call);
  }
  const first = firstTick(answers);
  if (first === undefined) return [];
  if (answers.length === HEAD)
    return Array.from({ length: COUNT }, (_, k) => call(callData(GET_TICK, first + k)));
  if (answers.length > HEAD + COUNT) return [];
  return moversOf(answers).map(({ id }) => call(callData(GET_BIN, id)));
}

/** The first tick that is read. */
function firstTick([state = "0x"]: readonly Hex[]): number | undefined {
  return hasWords(state, STATE_WORDS) ? Number(intAt(state, 5)) - REACH : undefined;
}

type Place = { readonly tick: number; readonly kind: number; readonly id: bigint };

/** Bins that follow the price, ascending by tick and kind. */
function moversOf(answers: readonly Hex[]): Place[] {
  const first = firstTick(answers) ?? 0;
  return answers
    .slice(HEAD, HEAD + COUNT)
    .flatMap((answer, k) =>
      KINDS.map((kind) => ({
        tick: first + k,
        kind,
        id: hasWords(answer, TICK_WORDS) ? uintAt(answer, 3 + kind) : 0n,
      })),
    )
    .filter(({ id }) => id > 0n);
}

/** The state, or why the pool is refused. */
export function load(pool: Pool, answers: readonly Hex[]): State | Refusal {
  if (isPermissioned(pool)) return { refusal: "permissioned: one address sets its fees, or alone may swap" };
  if (pool.tokens[0] === pool.tokens[1]) return { refusal: "both tokens are the same" };
  const [state = "0x", ...rest] = answers.slice(0, HEAD);
  if (!hasWords(state, STATE_WORDS) || rest.length !== HEAD - 1 || !rest.every((one) => hasWords(one, 1)))
    return { refusal: "getState, fee or a token's scale failed" };
  const [feeA, feeB, scaleA, scaleB] = rest.map((one) => uintAt(one, 0)) as [bigint, bigint, bigint, bigint];
  if (feeA >= ONE || feeB >= ONE) return { refusal: "the fee takes everything" };
  if ([scaleA, scaleB].some((scale) => scale < 1n || scale > ONE))
    return { refusal: "a token's scale is out of range" };
  const first = firstTick(answers)!;
  const ticks = ticksOf(answers, first);
  if ("refusal" in ticks) return ticks;
  const { tickSpacing, lookback } = pool.facts as { tickSpacing: number; lookback: number };
  return {
    ...{ fees: [feeA, feeB], protocolFeeRatio: uintAt(state, 8), tickSpacing, lookback: BigInt(lookback) },
    ...{ scales: [scaleA, scaleB], activeTick: Number(intAt(state, 5)), ticks },
    ...{ first, last: first + COUNT - 1 },
    ...{ weighted: intAt(state, 2), position: intAt(state, 3), time: Number(uintAt(state, 4)) },
    isSettled: true,
  };
}

function ticksOf(answers: readonly Hex[], first: number): readonly Tick[] | Refusal {
  const found = answers.slice(HEAD, HEAD + COUNT);
  if (found.length < COUNT || !found.every((answer) => hasWords(answer, TICK_WORDS)))
    return { refusal: "getTick failed" };
  const places = moversOf(answers);
  const bins = answers.slice(HEAD + COUNT);
  if (bins.length !== places.length || !bins.every((answer) => hasWords(answer, BIN_WORDS)))
    return { refusal: "getBin failed" };
  const movers = places.map((place, k) => ({ ...place, bin: bins[k]! }));
  return found.map((answer, k) => tickOf(answer, first + k, movers)).filter((tick) => !isEmpty(tick));
}

function tickOf(answer: Hex, tick: number, movers: readonly (Place & { readonly bin: Hex })[]): Tick {
  const own = movers.filter((mover) => mover.tick === tick);
  return {
    tick,
    a: uintAt(answer, 0),
    b: uintAt(answer, 1),
    supply: uintAt(answer, 2),
    movers: own.map(
      ({ id, kind, bin }): Mover => ({
        id: Number(id),
        kind,
        balance: uintAt(bin, 1),
        supply: uintAt(bin, 2),
      }),
    ),
  };
}
