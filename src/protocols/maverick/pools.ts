import { addressAt, callData, hasWords, intAt, uintAt } from "../../core/abi.ts";
import type { Call, Deployment, Hex, Log, Pool, Refusal } from "../../core/types.ts";
import type { Bin, State } from "./state.ts";

/** PoolCreated(address pool, uint256 fee, uint256 spacing, int32 tick, int256 lookback, uint64, address a, address b) */
const POOL_CREATED = "0x9b3fb3a17b4e94eb4d1217257372dcc712218fcd4bc1c28482bd8a6804a7c775";

/**
 * Swap, AddLiquidity, RemoveLiquidity, MigrateBinsUpStack, BinMerged, BinMoved, SetProtocolFeeRatio: none carries the
 * whole change, so the pool is read again.
 */
const stateTopics: readonly Hex[] = [
  "0x3b841dc9ab51e3104bda4f61b41e4271192d22cd19da5ee6e292dc8e2744f713",
  "0x133a027327582be2089f6ca47137e3d337be4ca2cd921e5f0b178c9c2d5b8364",
  "0x65da280c1e973a1c5884c38d63e2c2b3c2a3158a0761e76545b64035e2489dfe",
  "0x6deceb91de75f84acd021df8c6410377aa442257495a79a9e3bfc7eba745853e",
  "0x8ecf1f9da718dc4c174482cdb4e334113856b46a85e5694deeec06d512e8f772",
  "0x42e51620e75096344ac889cc1d899ab619aedbe89a4f6b230ee3cecb849c7e2f",
  "0x06e6ba2b10970ecae3ab2c29feb60ab2503358820756ef14a9827b0fa5add30f",
];
export const creations: readonly Hex[] = [POOL_CREATED];
export const topics: readonly Hex[] = [...creations, ...stateTopics];

/** fee(), getState() → activeTick, status, binCounter, protocolFeeRatio */
const FEE: Hex = "0xddca3f43";
const GET_STATE: Hex = "0x1865c57d";
/** decimals() of a token */
const DECIMALS: Hex = "0x313ce567";
/** binMap(int32 word), binPositions(int32 tick, uint256 kind) → id, getBin(uint128 id) → reserves of A and B … */
const BIN_MAP: Hex = "0xa2ba172f";
const BIN_POSITIONS: Hex = "0x83f9c632";
const GET_BIN: Hex = "0x44a185bb";

/** Number of answers of the first round: fee, state, decimals of A and B. */
const HEAD = 4;
/** Words of the bin map read on each side of the price's; each covers 64 ticks of four kinds. */
const REACH = 4;
const WORDS = 2 * REACH + 1;
const KINDS = 4;
/** The kind of bin that does not move. */
const STATIC = 0;

export function discover(log: Log, deployment: Deployment): Pool | undefined {
  if (log.topics[0] !== POOL_CREATED || log.address !== deployment.factory || !hasWords(log.data, 8))
    return undefined;
  const address = addressAt(log.data, 0);
  return {
    id: address,
    address,
    protocol: "maverick",
    deployment: deployment.id,
    tokens: [addressAt(log.data, 6), addressAt(log.data, 7)],
    stateIds: [address],
    facts: { tickSpacing: Number(uintAt(log.data, 2)) },
  };
}

export function touches(log: Log): readonly string[] {
  return stateTopics.includes(log.topics[0]!) ? [log.address] : [];
}

export function apply(state: State, log: Log): State | "reload" {
  return stateTopics.includes(log.topics[0]!) ? "reload" : state;
}

/** Four rounds: the head; words of the bin map; ids of the bins whose bit is set; the bins. */
export function reads(pool: Pool, answers: readonly Hex[]): readonly Call[] {
  const call = (data: Hex): Call => ({ to: pool.address, data });
  if (answers.length === 0)
    return [call(FEE), call(GET_STATE), ...pool.tokens.map((to) => ({ to, data: DECIMALS }))];
  const first = firstWord(answers);
  if (first === undefined) return [];
  if (answers.length === HEAD)
    return Array.from({ length: WORDS }, (_, k) => call(callData(BIN_MAP, first + k)));
  const places = placesOf(answers);
  const ids = answers.slice(HEAD + WORDS, HEAD + WORDS + places.length);
  if (answers.length === HEAD + WORDS)
    return places.map(({ tick, kind }) => call(callData(BIN_POSITIONS, tick, kind)));
  if (answers.length > HEAD + WORDS + places.length) return [];
  return ids.filter((id) => hasWords(id, 1)).map((id) => call(callData(GET_BIN, uintAt(id, 0))));
}

/** Number of the first word of the map that is read. */
function firstWord([, state = "0x"]: readonly Hex[]): number | undefined {
  return hasWords(state, 4) ? ((Number(intAt(state, 0)) * KINDS) >> 8) - REACH : undefined;
}

type Place = { readonly tick: number; readonly kind: number };

/** Ticks and kinds whose bit is set in the map, ascending. */
function placesOf(answers: readonly Hex[]): Place[] {
  const first = firstWord(answers) ?? 0;
  const places: Place[] = [];
  for (const [k, answer] of answers.slice(HEAD, HEAD + WORDS).entries()) {
    let bits = hasWords(answer, 1) ? uintAt(answer, 0) : 0n;
    for (let at = (first + k) * 256; bits > 0n; at++, bits >>= 1n)
      if ((bits & 1n) === 1n) places.push({ tick: at >> 2, kind: at & 3 });
  }
  return places;
}

/** The state, or why the pool is refused. */
export function load(pool: Pool, answers: readonly Hex[]): State | Refusal {
  if (pool.tokens[0] === pool.tokens[1]) return { refusal: "both tokens are the same" };
  const [fee = "0x", state = "0x", ...decimals] = answers.slice(0, HEAD);
  if (!hasWords(fee, 1) || !hasWords(state, 4)) return { refusal: "fee or getState failed" };
  if (uintAt(fee, 0) >= 10n ** 18n) return { refusal: "the fee takes everything" };
  if (decimals.length !== 2 || !decimals.every((answer) => hasWords(answer, 1) && uintAt(answer, 0) <= 18n))
    return { refusal: "decimals failed or over 18" };
  const [scaleA, scaleB] = decimals.map((answer) => 10n ** (18n - uintAt(answer, 0)));
  const bins = binsOf(answers);
  if ("refusal" in bins) return bins;
  return {
    fee: uintAt(fee, 0),
    protocolFeeRatio: uintAt(state, 3),
    tickSpacing: pool.facts.tickSpacing as number,
    activeTick: Number(intAt(state, 0)),
    bins,
    scales: [scaleA!, scaleB!],
    follows: placesOf(answers).some(({ kind }) => kind !== STATIC),
    isSettled: true,
  };
}

function binsOf(answers: readonly Hex[]): readonly Bin[] | Refusal {
  const words = answers.slice(HEAD, HEAD + WORDS);
  if (words.length < WORDS || !words.every((answer) => hasWords(answer, 1)))
    return { refusal: "binMap failed" };
  const places = placesOf(answers);
  const found = answers.slice(HEAD + WORDS + places.length);
  if (found.length !== places.length || !found.every((answer) => hasWords(answer, 7)))
    return { refusal: "binPositions or getBin failed" };
  return places.map(({ tick }, k) => ({ tick, a: uintAt(found[k]!, 0), b: uintAt(found[k]!, 1) }));
}
