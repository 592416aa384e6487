import { addressAt, callData, hasWords, uintAt } from "../../core/abi.ts";
import { stepKinds } from "../../core/encoding/kinds.ts";
import { ONE, type Side } from "../../core/math/pairs/dodo-math.ts";
import { noJoint } from "../../core/math/sampling/joint-curves.ts";
import { sampledCurve } from "../../core/math/sampling/sampled-curve.ts";
import type { Protocol, StepCode } from "../../core/protocol.ts";
import type { Address, At, Call, Deployment, Hex, Log, Pool, Refusal } from "../../core/types.ts";
import { quoteOwnState } from "../shared/own-state.ts";
import { type Mirror, mirror, quoteFloat } from "./mirror.ts";
import { type Kind, MAX_RESERVE, type State } from "./state.ts";
import { trade } from "./trade.ts";

/** NewDVM, NewDSP, NewDPP (address baseToken, address quoteToken, address creator, address pool) */
const births: ReadonlyMap<string, Kind> = new Map([
  ["0xaf5c5f12a80fc937520df6fcaed66262a4cc775e0f3fceaf7a7cfe476d9a751d", "dvm"],
  ["0xbc1083a2c1c5ef31e13fb436953d22b47880cf7db279c2c5666b16083afd6b9d", "dsp"],
  ["0x8494fe594cd5087021d4b11758a2bbc7be28a430e94f2b268d668e5991ed3b8a", "dpp"],
]);
/** DODOBirth(address newBorn, address baseToken, address quoteToken) */
const CLASSICAL_BIRTH = "0x5c428a2e12ecaa744a080b25b4cda8b86359c82d726575d7d747e07708071f93";

/** Logs after which the state is read again: none carries the reserves, and fees leave the pool without a log. */
const changes: ReadonlySet<string> = new Set([
  // DODOSwap, DODOFlashLoan, RChange, BuyShares, SellShares, LpFeeRateChange
  "0xc2c0245e056d5fb095f04cd6373bc770802ebd1e6c918eb78fdef843cdb37b0f",
  "0x0b82e93068db15abd9fbb2682c65462ea8a0a10582dce93a5664818e296f54eb",
  "0xdf176ad18be4f9f32efaa32f06e9d1175476504739a745f1399a6d3fa4b75917",
  "0x1c172440bdebb59cd92a7f08f4227903a3305ab6f880cb25f93eddb66843a102",
  "0x55caccde83781f39bfc1296eff45655b6496729443a7d48958b18b3b685600a5",
  "0x9950d5a2f2c7264863d40100bf993f0cdbc4711806caba6284d07e80fd500879",
  // SellBaseToken, BuyBaseToken of v1; its other changes are seen by the read in each block
  "0xd8648b6ac54162763c86fd54bf2005af8ecd2f9cb273a5775921fd7f91e17b2d",
  "0xe93ad76094f247c0dafc1c61adc2187de1ac2738f7a3b49cb20b2263420251a3",
]);

/** _I_ _K_ getVaultReserve, and for designs that store targets _BASE_TARGET_ _QUOTE_TARGET_ _RState_ */
const MODERN: readonly Hex[] = ["0xf811d692", "0xec2fd46d", "0x36223ce9"];
const TARGETS: readonly Hex[] = ["0xe539ef49", "0x77f58657", "0xbf357dae"];
const GET_USER_FEE_RATE: Hex = "0x44096609";
/** Two traders unknown to any pool: if their fees differ, the fee depends on the trader. */
const STRANGERS = [0xdead01n, 0xdead02n] as const;

/**
 * getOraclePrice _K_ _BASE_BALANCE_ _QUOTE_BALANCE_ _TARGET_BASE_TOKEN_AMOUNT_ _TARGET_QUOTE_TOKEN_AMOUNT_ _R_STATUS_
 * _LP_FEE_RATE_ _MT_FEE_RATE_ _BASE_BALANCE_LIMIT_ _QUOTE_BALANCE_LIMIT_ _TRADE_ALLOWED_ _BUYING_ALLOWED_
 * _SELLING_ALLOWED_ _CLOSED_
 */
const CLASSICAL: readonly Hex[] = [
  "0x796da7af",
  "0xec2fd46d",
  "0xeab5d20e",
  "0x7c9b8e89",
  "0xb2094fd3",
  "0x245c9685",
  "0x17be952e",
  "0xab44a7a3",
  "0xc0ffa178",
  "0x9b020fba",
  "0x1769ddaa",
  "0xdd58b41c",
  "0xa3161a56",
  "0x8ff5e742",
  "0x6ec6a58d",
];

/** Age after which other pools are read again: donations are booked, and the maintainer's fee changes, without a log. */
const MOST_AGE_SECONDS = 3600;

const SIDES: readonly Side[] = ["one", "above", "below"];

/** The pool that a factory announces, v2 or v1. */
function discover(log: Log, deployment: Deployment): Pool | undefined {
  const kind = births.get(log.topics[0]!);
  if (log.address !== deployment.factory) return undefined;
  if (kind !== undefined && hasWords(log.data, 4)) {
    const tokens = [addressAt(log.data, 0), addressAt(log.data, 1)];
    return poolOf(addressAt(log.data, 3), tokens, deployment, kind);
  }
  if (log.topics[0] !== CLASSICAL_BIRTH || !hasWords(log.data, 3)) return undefined;
  const tokens = [addressAt(log.data, 1), addressAt(log.data, 2)];
  return poolOf(addressAt(log.data, 0), tokens, deployment, "classical");
}

function poolOf(id: Address, tokens: Address[], deployment: Deployment, kind: Kind): Pool {
  return {
    id,
    address: id,
    protocol: "dodo",
    deployment: deployment.id,
    tokens,
    stateIds: [id],
    facts: { kind },
  };
}

function reads(pool: Pool, answers: readonly Hex[]): readonly Call[] {
  if (answers.length > 0) return [];
  const { kind } = pool.facts;
  const fees = STRANGERS.map((trader) => callData(GET_USER_FEE_RATE, trader));
  const modern = [...MODERN, ...fees, ...(kind === "dvm" ? [] : TARGETS)];
  return (kind === "classical" ? CLASSICAL : modern).map((data) => ({ to: pool.address, data }));
}

function load(pool: Pool, answers: readonly Hex[], at: At): State | Refusal {
  if (pool.tokens[0] === pool.tokens[1]) return { refusal: "both tokens are the same" };
  if (!answers.every((answer) => hasWords(answer, 1))) return { refusal: "a read of the pool failed" };
  const state = pool.facts.kind === "classical" ? loadClassical(answers, at) : loadModern(pool, answers, at);
  if ("refusal" in state) return state;
  if (state.i === 0n) return { refusal: "a price of 0" };
  const mostK = state.kind === "classical" ? ONE - 1n : ONE;
  if (state.k > mostK || (state.kind === "classical" && state.k === 0n))
    return { refusal: "k is out of range" };
  return state.lpFee + state.mtFee < ONE ? state : { refusal: "fees take all" };
}

function loadModern(pool: Pool, answers: readonly Hex[], at: At): State | Refusal {
  const reserves = answers[2]!;
  const fees = answers[3]!;
  const others = answers[4]!;
  if (!hasWords(reserves, 2) || !hasWords(fees, 2)) return { refusal: "a read of the pool failed" };
  if (fees !== others) return { refusal: "the fee depends on the trader" };
  const [baseTarget = 0n, quoteTarget = 0n, side = 1n] = answers.slice(5).map((answer) => uintAt(answer, 0));
  if (side > 2n) return { refusal: "a side that is not known" };
  return {
    kind: pool.facts.kind as Kind,
    i: uintAt(answers[0]!, 0),
    k: uintAt(answers[1]!, 0),
    base: uintAt(reserves, 0),
    quote: uintAt(reserves, 1),
    baseTarget,
    quoteTarget,
    side: SIDES[Number(side)]!,
    lpFee: uintAt(fees, 0),
    mtFee: uintAt(fees, 1),
    limits: [MAX_RESERVE, MAX_RESERVE],
    open: true,
    readFor: at.blockNumber,
    readAt: at.timestamp,
  };
}

function loadClassical(answers: readonly Hex[], at: At): State | Refusal {
  const values = answers.map((answer) => uintAt(answer, 0));
  const [i, k, base, quote, baseTarget, quoteTarget] = values as [
    bigint,
    bigint,
    bigint,
    bigint,
    bigint,
    bigint,
  ];
  const [side, lpFee, mtFee, baseLimit, quoteLimit] = values.slice(6) as [
    bigint,
    bigint,
    bigint,
    bigint,
    bigint,
  ];
  const [trading, , selling, closed] = values.slice(11).map((value) => value !== 0n);
  if (closed) return { refusal: "closed" };
  if (side > 2n) return { refusal: "a side that is not known" };
  return {
    kind: "classical",
    ...{ i, k, base, quote, baseTarget, quoteTarget },
    side: SIDES[Number(side)]!,
    lpFee,
    mtFee,
    limits: [baseLimit, quoteLimit],
    // Routes only sell base to such a pool, which either flag disables.
    open: trading! && selling!,
    readFor: at.blockNumber,
    readAt: at.timestamp,
  };
}

function encode(pool: Pool, state: State, i: number): StepCode {
  const isClassical = state.kind === "classical";
  return {
    kind: isClassical ? stepKinds.dodoV1 : stepKinds.dodoV2,
    target: pool.address,
    zeroForOne: i === 0,
    extra: "0x",
    intake: isClassical ? "approval" : "transfer",
    paysAnyone: !isClassical,
  };
}

/** Owners and oracles change classical and private pools without a log, so these are read every block. */
function isStale({ kind, readFor, readAt }: State, { blockNumber, timestamp }: At): boolean {
  if (kind === "classical" || kind === "dpp") return readFor !== blockNumber;
  return timestamp - readAt > MOST_AGE_SECONDS;
}

/** DODO: classical pools (v1); vending machines, private pools and stable pools (v2). */
export const dodo: Protocol<State, Mirror> = {
  name: "dodo",
  topics: [...births.keys(), CLASSICAL_BIRTH, ...changes] as Hex[],
  creations: [...births.keys(), CLASSICAL_BIRTH] as Hex[],
  byPair: () => undefined,
  hinted: () => [],
  bitmap: () => undefined,
  seeds: () => [],
  discover,
  touches: (log) => (changes.has(log.topics[0]!) ? [log.address] : []),
  reads,
  load,
  apply: (state, log) => (changes.has(log.topics[0]!) ? "reload" : state),
  stale: isStale,
  quote: quoteOwnState(trade),
  mirror,
  quoteFloat,
  curve: (mirror, i, j) => sampledCurve((x) => quoteFloat(mirror, i, j, x)),
  joint: noJoint,
  gas: (pool) => pool.gas,
  encode,
};
