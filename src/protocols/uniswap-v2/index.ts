import { addressAt, hasWords, packedUint, uintAt } from "../../core/abi.ts";
import { stepKinds } from "../../core/encoding/kinds.ts";
import { noJoint } from "../../core/math/sampling/joint-curves.ts";
import type { PairSource, Protocol, StepCode } from "../../core/protocol.ts";
import type { Address, At, Call, Deployment, Facts, Hex, Log, Pool, Refusal } from "../../core/types.ts";
import { quoteOwnState } from "../shared/own-state.ts";
import { askedFee, feeCalls, isFeeOld, isSource } from "./asked-fee.ts";
import { afterCamelotLog, camelotFees, camelotTopics, STABLE_SWAP } from "./camelot.ts";
import { curve, type Mirror, mirror, quoteFloat } from "./mirror.ts";
import { feeOn, GAS, MAX_RESERVE, type State, trade, withReserves } from "./quote.ts";

/** PairCreated(address indexed token0, address indexed token1, address pair, uint256) */
const PAIR_CREATED = "0x0d3648bd0f6ba80134a33ba9275ac585d9d315f0ad8355cddefde31afa28d0e9";
/** Sync(uint112 reserve0, uint112 reserve1) */
const SYNC = "0x1c411e9a96e071241c2f21f7726b17ae89e3cab4c78be50e062b03a9fffbbad1";
const stateTopics: readonly Hex[] = [SYNC, ...camelotTopics];
/** getPair(address,address) of the factory */
const GET_PAIR: Hex = "0xe6a43905";
/** getReserves() */
const GET_RESERVES: Hex = "0x0902f1ac";

/** The pair that the factory announces. @throws Error if the deployment states no fee: the record is wrong */
function discover(log: Log, deployment: Deployment): Pool | undefined {
  if (log.topics[0] !== PAIR_CREATED || log.address !== deployment.factory) return undefined;
  if (log.topics.length !== 3 || !hasWords(log.data, 1)) return undefined;
  const tokens = [addressAt(log.topics[1]!, 0), addressAt(log.topics[2]!, 0)] as const;
  return poolOf(deployment, tokens, addressAt(log.data, 0));
}

function poolOf(deployment: Deployment, tokens: readonly [Address, Address], pair: Address): Pool {
  return {
    id: pair,
    address: pair,
    protocol: "uniswap-v2",
    deployment: deployment.id,
    tokens,
    stateIds: [pair],
    facts: feeFacts(deployment),
  };
}

function byPair(deployment: Deployment): PairSource {
  return {
    target: deployment.factory,
    selector: GET_PAIR,
    hashed: false,
    numbered: true,
    word: 0,
    details: () => [],
    keys: [],
    poolOf: (tokens, named) => poolOf(deployment, tokens, addressAt(named, 0)),
  };
}

/** The fee facts of a deployment's pairs: one fee for all, "camelot" for one per token, "factory" or "pair" if that is asked. */
function feeFacts({ id, factory, facts: { feePpm, fees } }: Deployment): Facts {
  if (fees === "camelot") return { fees };
  if (isSource(fees)) return { fees, factory };
  if (typeof feePpm !== "number" || !Number.isInteger(feePpm) || feePpm < 0 || feePpm >= 1_000_000)
    throw new Error(`deployment ${id}: feePpm must be an integer of 0 … 999999, not ${feePpm}`);
  return { feePpm };
}

function reads(pool: Pool, answers: readonly Hex[]): readonly Call[] {
  if (answers.length > 0) return [];
  const asked = pool.facts.fees === "camelot" ? [GET_RESERVES, STABLE_SWAP] : [GET_RESERVES];
  const own = asked.map((data) => ({ to: pool.address, data }));
  return [...own, ...feeCalls(pool)];
}

/** The state, or why the pair is refused. An empty pair has a valid state, which its first Sync makes tradable. */
function load(pool: Pool, answers: readonly Hex[], at: At): State | Refusal {
  const [answer = "0x", second = "0x"] = answers;
  if (pool.tokens[0] === pool.tokens[1]) return { refusal: "both tokens are the same" };
  if (!hasWords(answer, 3)) return { refusal: "getReserves failed" };
  const known = feesOf(pool, [answer, second], at);
  if ("refusal" in known) return known;
  const state = { reserves: reservesIn(answer), ...known };
  if (state.reserves[0] > MAX_RESERVE || state.reserves[1] > MAX_RESERVE)
    return { refusal: "a reserve is wider than uint112" };
  return state;
}

function feesOf(
  pool: Pool,
  [reserves, second]: readonly [Hex, Hex],
  at: At,
): Omit<State, "reserves"> | Refusal {
  const { fees, feePpm } = pool.facts;
  if (fees === "camelot") return camelotFees(reserves, second);
  return isSource(fees) ? askedFee(fees, second, at) : { feePpm: feePpm as number };
}

function reservesIn(data: Hex): State["reserves"] {
  return [uintAt(data, 0), uintAt(data, 1)];
}

function apply(state: State, log: Log): State | "reload" {
  if (log.topics[0] === SYNC) return withReserves(state, reservesIn(log.data));
  return camelotTopics.includes(log.topics[0]!) ? afterCamelotLog(state, log) : state;
}

function encode(pool: Pool, state: State, i: number): StepCode {
  return {
    kind: stepKinds.v2,
    target: pool.address,
    zeroForOne: i === 0,
    extra: packedUint(feeOn(state, i), 3),
    intake: "transfer",
    paysAnyone: true,
  };
}

/** Uniswap v2 and every fork that keeps its pair's formula: they differ in factory and fee only. */
export const uniswapV2: Protocol<State, Mirror> = {
  name: "uniswap-v2",
  topics: [PAIR_CREATED, ...stateTopics],
  creations: [PAIR_CREATED],
  byPair,
  hinted: () => [],
  bitmap: () => undefined,
  seeds: () => [],
  discover,
  touches: (log) => (stateTopics.includes(log.topics[0]!) ? [log.address] : []),
  reads,
  load,
  apply,
  stale: isFeeOld,
  quote: quoteOwnState(trade),
  mirror,
  quoteFloat,
  curve,
  joint: noJoint,
  gas: () => GAS,
  encode,
};
