import { addressAt, callData, hasWords, packedUint, uintAt } from "../../core/abi.ts";
import { converterFunctions, stepKinds } from "../../core/encoding/kinds.ts";
import { noJoint } from "../../core/math/sampling/joint-curves.ts";
import type { Curve, Protocol } from "../../core/protocol.ts";
import { MAX_UINT256 } from "../../core/tokens.ts";
import type { Call, Deployment, Hex, Pool, Refusal } from "../../core/types.ts";
import { type Order, quoteOwnState, type Trade } from "../shared/own-state.ts";
import { addressFact } from "../shared/record-address.ts";

/** Units of token 1 per unit of token 0; a converter's rate never changes. */
export type State = { readonly rate: bigint };
type Mirror = { readonly rate: number };

/** Gas units through the router. */
const GAS = 150_000;

const RATE: Hex = "0x2c4e722e";
const FEE: Hex = "0xddca3f43";
const WARDS: Hex = "0xbf353dbb";

/** Getters of both tokens by kind of converter: dai() and usds(), mkr() and sky(). */
const getters = {
  daiUsds: ["0xf4b9fa75", "0x4cf282fb"],
  mkrSky: ["0x7e992cb8", "0x69231804"],
} as const;

type Kind = keyof typeof getters;

function kindOf(pool: Pool): Kind {
  return pool.facts.kind as Kind;
}

/** @throws Error if the record does not name two tokens and a known kind: it is wrong */
function seeds(deployment: Deployment): readonly Pool[] {
  const { kind } = deployment.facts;
  const tokens = ["token0", "token1"].map((name) => addressFact(deployment, name));
  if (typeof kind !== "string" || !Object.hasOwn(getters, kind))
    throw new Error(`deployment ${deployment.id}: kind must be daiUsds or mkrSky, not ${kind}`);
  const id = deployment.factory;
  return [
    {
      id,
      address: id,
      protocol: "converter",
      deployment: deployment.id,
      tokens,
      stateIds: [id],
      facts: { kind },
    },
  ];
}

/** Reads the tokens and, for a kind with a rate, the rate, the fee, and the converter's permission to mint token 1. */
function reads(pool: Pool, answers: readonly Hex[]): readonly Call[] {
  if (answers.length > 0) return [];
  const to = pool.address;
  const tokens = getters[kindOf(pool)].map((data) => ({ to, data }));
  if (kindOf(pool) === "daiUsds") return tokens;
  const right = { to: pool.tokens[1]!, data: callData(WARDS, BigInt(pool.address)) };
  return [...tokens, { to, data: RATE }, { to, data: FEE }, right];
}

function load(pool: Pool, answers: readonly Hex[]): State | Refusal {
  const [token0, token1, rate = "0x", fee = "0x", right = "0x"] = answers as readonly [Hex, Hex, ...Hex[]];
  const isOnRecord = [token0, token1].every(
    (answer, k) => hasWords(answer, 1) && addressAt(answer, 0) === pool.tokens[k],
  );
  if (!isOnRecord) return { refusal: "the tokens are not those on record" };
  if (kindOf(pool) === "daiUsds") return { rate: 1n };
  if (hasWords(fee, 1)) return { refusal: "a version that takes a fee" };
  if (!hasWords(rate, 1) || uintAt(rate, 0) === 0n) return { refusal: "rate failed" };
  if (!hasWords(right, 1) || uintAt(right, 0) === 0n) return { refusal: "its right to convert is withdrawn" };
  return { rate: uintAt(rate, 0) };
}

/**
 * Token 0 to token 1 multiplies by the rate, exactly; the other direction divides and rounds down. An exact output
 * costs the least input that pays it.
 */
function trade(state: State, { i, amount, side }: Order): Trade<State> | undefined {
  if (amount <= 0n || amount > MAX_UINT256) return undefined;
  const [give, take] = i === 0 ? [state.rate, 1n] : [1n, state.rate];
  const amountIn = side === "in" ? amount : (amount * take + give - 1n) / give;
  const amountOut = side === "in" ? (amount * give) / take : amount;
  if (amountOut === 0n || (amountIn * give) / take > MAX_UINT256 || amountIn > MAX_UINT256) return undefined;
  return { amountIn, amountOut, gas: GAS, next: state };
}

function slope({ rate }: Mirror, i: number): number {
  return i === 0 ? rate : 1 / rate;
}

/** Largest input: the product with the rate must fit 256 bits too. */
function endOf({ rate }: Mirror, i: number): number {
  return i === 0 ? Number(MAX_UINT256) / rate : Number(MAX_UINT256);
}

function curve(mirror: Mirror, i: number): Curve {
  return {
    x: [0],
    y: [0],
    m: [slope(mirror, i)],
    c: [0],
    end: endOf(mirror, i),
  };
}

/**
 * Contracts that convert one token into another at an immutable rate.
 *
 * @source makerdao/usds src/DaiUsds.sol; makerdao/sky src/MkrSky.sol
 */
export const converter: Protocol<State, Mirror> = {
  name: "converter",
  topics: [],
  creations: [],
  byPair: () => undefined,
  hinted: () => [],
  bitmap: () => undefined,
  seeds,
  discover: () => undefined,
  touches: () => [],
  reads,
  load,
  apply: (state) => state,
  stale: () => false,
  quote: quoteOwnState(trade),
  mirror: ({ rate }) => ({ rate: Number(rate) }),
  quoteFloat: (mirror, i, _j, x) => (x > 0 && x <= endOf(mirror, i) ? x * slope(mirror, i) : 0),
  curve: (mirror, i) => curve(mirror, i),
  joint: noJoint,
  gas: () => GAS,
  encode: (pool, _state, i) => ({
    kind: stepKinds.converter,
    target: pool.address,
    zeroForOne: i === 0,
    extra: packedUint(converterFunctions[kindOf(pool)], 1),
    intake: "approval",
    paysAnyone: true,
  }),
};
