import { addressAt, hasWords, packedUint, uintAt } from "../../core/abi.ts";
import { stepKinds } from "../../core/encoding/kinds.ts";
import type { Protocol, StepCode } from "../../core/protocol.ts";
import type { Deployment, Hex, Log, Pool, Refusal } from "../../core/types.ts";
import { quoteOwnState } from "../own-state.ts";
import { curve, type Mirror, mirror, quoteFloat } from "./mirror.ts";
import { GAS, MAX_RESERVE, type State, trade } from "./quote.ts";

/** PairCreated(address indexed token0, address indexed token1, address pair, uint256) */
const PAIR_CREATED = "0x0d3648bd0f6ba80134a33ba9275ac585d9d315f0ad8355cddefde31afa28d0e9";
/** Sync(uint112 reserve0, uint112 reserve1) */
const SYNC = "0x1c411e9a96e071241c2f21f7726b17ae89e3cab4c78be50e062b03a9fffbbad1";
/** getReserves() */
const GET_RESERVES: Hex = "0x0902f1ac";

/** The pair that the factory announces. @throws Error where the deployment states no fee: the record is wrong */
function discover(log: Log, deployment: Deployment): Pool | undefined {
  if (log.topics[0] !== PAIR_CREATED || log.address !== deployment.factory) return undefined;
  if (log.topics.length !== 3 || !hasWords(log.data, 1)) return undefined;
  const { feePpm } = deployment.facts;
  if (typeof feePpm !== "number" || !Number.isInteger(feePpm) || feePpm < 0 || feePpm >= 1_000_000)
    throw new Error(`deployment ${deployment.id}: feePpm must be an integer of 0 … 999999, not ${feePpm}`);
  const pair = addressAt(log.data, 0);
  return {
    id: pair,
    address: pair,
    protocol: "uniswap-v2",
    deployment: deployment.id,
    tokens: [addressAt(log.topics[1]!, 0), addressAt(log.topics[2]!, 0)],
    stateIds: [pair],
    facts: { feePpm },
  };
}

/** An empty pair is a state like any other: the first Sync makes it tradable. */
function load(pool: Pool, answers: readonly Hex[]): State | Refusal {
  const answer = answers[0] ?? "0x";
  if (pool.tokens[0] === pool.tokens[1]) return { refusal: "both tokens are the same" };
  if (!hasWords(answer, 3)) return { refusal: "getReserves failed" };
  const state = reserves(answer, pool.facts.feePpm as number);
  if (state.reserves[0] > MAX_RESERVE || state.reserves[1] > MAX_RESERVE)
    return { refusal: "a reserve is wider than uint112" };
  return state;
}

function reserves(data: Hex, feePpm: number): State {
  return { reserves: [uintAt(data, 0), uintAt(data, 1)], feePpm };
}

function encode(pool: Pool, state: State, i: number): StepCode {
  return {
    kind: stepKinds.v2,
    target: pool.address,
    zeroForOne: i === 0,
    extra: packedUint(state.feePpm, 3),
    intake: "transfer",
    paysAnyone: true,
  };
}

/** Uniswap v2 and every fork that keeps its pair contract: they differ in factory and fee only. */
export const uniswapV2: Protocol<State, Mirror> = {
  name: "uniswap-v2",
  topics: [PAIR_CREATED, SYNC],
  seeds: () => [],
  discover,
  touches: (log) => (log.topics[0] === SYNC ? [log.address] : []),
  reads: (pool, answers) => (answers.length === 0 ? [{ to: pool.address, data: GET_RESERVES }] : []),
  load,
  apply: (state, log) => (log.topics[0] === SYNC ? reserves(log.data, state.feePpm) : state),
  stale: () => false,
  quote: quoteOwnState(trade),
  mirror,
  quoteFloat,
  curve,
  gas: () => GAS,
  encode,
};
