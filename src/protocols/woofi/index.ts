import { addressAt, callData, hasWords, uintAt } from "../../core/abi.ts";
import { stepKinds } from "../../core/encoding/kinds.ts";
import { sampledCurve } from "../../core/math/sampling/sampled-curve.ts";
import type { Protocol } from "../../core/protocol.ts";
import { MAX_UINT256 } from "../../core/tokens.ts";
import type { Address, At, Call, Deployment, Hex, Pool, Refusal } from "../../core/types.ts";
import { quoteOwnState } from "../shared/own-state.ts";
import { joint, type Mirror, mirror, quoteFloat } from "./mirror.ts";
import { type Listing, ONE, type State } from "./state.ts";
import { gasOf, trade } from "./swap.ts";

/** WooSwap, Deposit, Withdraw, Migrate, Paused, Unpaused */
const topics: readonly Hex[] = [
  "0x0e8e403c2d36126272b08c75823e988381d9dc47f2f0a9a080d95f891d95c469",
  "0x5548c837ab068cf56a2c2479df0882a4922fd203edb7517321831d95078c5f62",
  "0x9b1bfa7fa9ee420a16e124f794c35ac9f90472acc99140eb2f6447c714cad8eb",
  "0x18df02dcc52b9c494f391df09661519c0069bd8540141946280399408205ca1a",
  "0x62e78cea01bee320cd4e420270b5ea74000d11b0c9f74754ebdbfc544b05a258",
  "0x5db9ee0a495bf2e6ff9c91a7834c1ba4fdd244a5e8aa4e537bd38aeae4b073aa",
];

const PAUSED: Hex = "0x5c975abb";
const QUOTE_TOKEN: Hex = "0x217a4b70";
const WOORACLE: Hex = "0xbc8530f9";
const TOKEN_INFOS: Hex = "0xba46ae72";
const TOKEN_DECIMALS: Hex = "0x313ce567";
const ORACLE_TIMESTAMP: Hex = "0xb80777ea";
const ORACLE_STALE_DURATION: Hex = "0xcc6864b1";
const ORACLE_STATE: Hex = "0x31e658a5";
const ORACLE_DECIMALS: Hex = "0xd449a832";

/** Numbers of reads of the pool, of the oracle, and per token. */
const HEAD = 3;
const CLOCK = 2;
const PER_TOKEN = 4;

/** Largest number of decimals accepted: the contract keeps 10^decimals in 64 bits, and reverts from 20 on. */
const MOST_DECIMALS = 18n;

/** @throws Error if the record does not list the tokens, or names no version: it is wrong */
function seeds(deployment: Deployment): readonly Pool[] {
  const { tokens, version } = deployment.facts;
  const listed = typeof tokens === "string" ? tokens.split(",") : [];
  if (listed.length < 2 || !listed.every((token) => /^0x[0-9a-f]{40}$/.test(token)))
    throw new Error(
      `deployment ${deployment.id}: tokens must be addresses, the quote token first, not ${tokens}`,
    );
  if (version !== "v2" && version !== "v2.1")
    throw new Error(`deployment ${deployment.id}: version must be v2 or v2.1, not ${version}`);
  const id = deployment.factory;
  return [
    {
      id,
      address: id,
      protocol: "woofi",
      deployment: deployment.id,
      tokens: listed as Address[],
      stateIds: [id],
      facts: { version },
    },
  ];
}

function reads(pool: Pool, answers: readonly Hex[]): readonly Call[] {
  const to = pool.address;
  if (answers.length === 0) return [PAUSED, QUOTE_TOKEN, WOORACLE].map((data) => ({ to, data }));
  if (answers.length > HEAD || !hasWords(answers[2]!, 1)) return [];
  const oracle = addressAt(answers[2]!, 0);
  return [
    { to: oracle, data: ORACLE_TIMESTAMP },
    { to: oracle, data: ORACLE_STALE_DURATION },
    ...pool.tokens.flatMap((token) => [
      { to, data: callData(TOKEN_INFOS, BigInt(token)) },
      { to: token, data: TOKEN_DECIMALS },
      { to: oracle, data: callData(ORACLE_STATE, BigInt(token)) },
      { to: oracle, data: callData(ORACLE_DECIMALS, BigInt(token)) },
    ]),
  ];
}

function load(pool: Pool, answers: readonly Hex[], at: At): State | Refusal {
  const clock = answers.slice(HEAD, HEAD + CLOCK);
  const head = [...answers.slice(0, HEAD), ...clock];
  if (head.length < HEAD + CLOCK || !head.every((answer) => hasWords(answer, 1)))
    return { refusal: "a read of the pool failed" };
  if (addressAt(answers[1]!, 0) !== pool.tokens[0])
    return { refusal: "the quote token is not the one on record" };
  const isPaused = uintAt(answers[0]!, 0) !== 0n;
  const listings = pool.tokens.map((_, k) => {
    const start = HEAD + CLOCK + k * PER_TOKEN;
    return listingOf(answers.slice(start, start + PER_TOKEN), pool.facts.version === "v2");
  });
  if (listings.includes(undefined)) return { refusal: "a read of a token failed" };
  // A price confirmed by the fallback feed only has no known expiry: it counts as expired.
  const expires = isPaused ? 0 : Number(uintAt(clock[0]!, 0) + uintAt(clock[1]!, 0));
  return { listings: listings as Listing[], expires, readFor: at.blockNumber };
}

function listingOf(answers: readonly Hex[], isFirst: boolean): Listing | undefined {
  const [info, decimals, oracle, priceDecimals] = answers as [Hex, Hex, Hex, Hex];
  if (!hasWords(info, isFirst ? 2 : 4) || !hasWords(decimals, 1) || !hasWords(priceDecimals, 1))
    return undefined;
  const digits = uintAt(decimals, 0);
  const priceDigits = uintAt(priceDecimals, 0);
  if (digits > MOST_DECIMALS || priceDigits > MOST_DECIMALS) return undefined;
  return {
    reserve: uintAt(info, 0),
    feeRate: uintAt(info, 1),
    unit: 10n ** digits,
    priceUnit: 10n ** priceDigits,
    ...pricesOf(oracle),
    ...limitsOf(info, isFirst),
  };
}

/**
 * The oracle's terms of a token. It reverts if the price is outside its guard's range: that token is then not traded.
 */
function pricesOf(oracle: Hex): Pick<Listing, "price" | "spread" | "coeff"> {
  const isPriced = hasWords(oracle, 4) && uintAt(oracle, 3) !== 0n;
  if (!isPriced) return { price: 0n, spread: 0n, coeff: 0n };
  return { price: uintAt(oracle, 0), spread: uintAt(oracle, 1), coeff: uintAt(oracle, 2) };
}

/** Limits of a swap; v2 has none. */
function limitsOf(info: Hex, isFirst: boolean): Pick<Listing, "maxGamma" | "maxNotional" | "cap"> {
  if (isFirst) return { maxGamma: ONE, maxNotional: MAX_UINT256, cap: capOf(info, 2) };
  return { maxGamma: uintAt(info, 2), maxNotional: uintAt(info, 3), cap: capOf(info, 4) };
}

/**
 * The cap on the pool's balance of a token, which later builds of either version return after the other words;
 * earlier builds have none.
 *
 * @source woonetwork/WooPoolV2 f5fe28a contracts/WooPPV2.sol TokenInfo.capBal
 */
function capOf(info: Hex, word: number): bigint {
  return hasWords(info, word + 1) ? uintAt(info, word) : MAX_UINT256;
}

/** WOOFi: a pool of one quote token and several base tokens that follows its own oracle's prices. */
export const woofi: Protocol<State, Mirror> = {
  name: "woofi",
  topics,
  creations: [],
  byPair: () => undefined,
  hinted: () => [],
  bitmap: () => undefined,
  seeds,
  discover: () => undefined,
  touches: (log) => (topics.includes(log.topics[0]!) ? [log.address] : []),
  reads,
  load,
  apply: (state, log) => (topics.includes(log.topics[0]!) ? "reload" : state),
  // Posts to the oracle emit no log.
  stale: (state, at) => state.readFor !== at.blockNumber,
  quote: quoteOwnState(trade),
  mirror: (state, _pool, at) => mirror(state, at.timestamp),
  quoteFloat,
  curve: (mirror, i, j) => sampledCurve((x) => quoteFloat(mirror, i, j, x)),
  joint,
  gas: (_rows, i, j) => gasOf(i, j),
  encode: (pool, _state, i) => ({
    kind: stepKinds.wooFi,
    target: pool.address,
    zeroForOne: i === 0,
    extra: "0x",
    intake: "transfer",
    paysAnyone: true,
  }),
};
