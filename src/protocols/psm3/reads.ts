import { addressAt, callData, hasWords, uintAt } from "../../core/abi.ts";
import { isSavingsRate } from "../../core/math/ray.ts";
import { MAX_UINT256 } from "../../core/tokens.ts";
import type { At, Call, Hex, Pool, Refusal } from "../../core/types.ts";
import { type Coins, type State, savingsRate } from "./state.ts";

/** usdc(), usds(), susds(), rateProvider(), pocket() of the module */
const GETTERS: readonly Hex[] = ["0x3e413bee", "0x4cf282fb", "0x58b8f19c", "0x949db658", "0xcccef9e2"];
/** getSUSDSData() → factor per second, worth of a share at a second, that second; getConversionRate() */
const ORACLE: readonly Hex[] = ["0x4a159379", "0xf36089ec"];
/** decimals(), balanceOf(address), allowance(address,address) */
const DECIMALS: Hex = "0x313ce567";
const BALANCE: Hex = "0x70a08231";
const ALLOWANCE: Hex = "0xdd62ed3e";

const HEAD = GETTERS.length;
/** Answers of the second round. */
const MORE = ORACLE.length + 3 + 4;
const MOST_DECIMALS = 18n;
/** The oracle may answer for a second beside that of the block: it must agree to one part in this many. */
const AGREEMENT = 1_000_000n;

/** Two rounds: the module's settings; its oracle, the coins' decimals, its stocks and what its pocket lets it pay. */
export function reads(pool: Pool, answers: readonly Hex[]): readonly Call[] {
  const to = pool.address;
  if (answers.length === 0) return GETTERS.map((data) => ({ to, data }));
  if (answers.length > HEAD || !answers.every((answer) => hasWords(answer, 1))) return [];
  const [oracle, pocket] = [addressAt(answers[3]!, 0), uintAt(answers[4]!, 0)];
  const module = BigInt(to);
  const [usdc, usds, susds] = pool.tokens as Coins<Hex>;
  return [
    ...ORACLE.map((data) => ({ to: oracle, data })),
    ...pool.tokens.map((token) => ({ to: token, data: DECIMALS })),
    { to: usdc, data: callData(BALANCE, pocket) },
    { to: usds, data: callData(BALANCE, module) },
    { to: susds, data: callData(BALANCE, module) },
    { to: usdc, data: callData(ALLOWANCE, pocket, module) },
  ];
}

/** The state, or why the module is refused. @param at the block of the answers */
export function load(pool: Pool, answers: readonly Hex[], at: At): State | Refusal {
  if (answers.length !== HEAD + MORE || !answers.every((answer) => hasWords(answer, 1)))
    return { refusal: "a setting, the oracle or a balance failed" };
  if (pool.tokens.some((token, k) => addressAt(answers[k]!, 0) !== token))
    return { refusal: "the tokens are not those on record" };
  const [data, answered, ...rest] = answers.slice(HEAD) as [Hex, Hex, ...Hex[]];
  if (!hasWords(data, 3)) return { refusal: "the rate provider is no oracle of the savings rate" };
  const [d0, d1, d2, ...held] = rest.map((answer) => uintAt(answer, 0)) as Seven;
  if ([d0, d1, d2].some((decimals) => decimals > MOST_DECIMALS))
    return { refusal: "a coin of more than 18 decimals" };
  const [pocketed, usds, susds, allowed] = held;
  // A module that is its own pocket needs no allowance.
  const isPocket = addressAt(answers[4]!, 0) === pool.address;
  const state: State = {
    ...{ rate: uintAt(data, 0), chi: uintAt(data, 1), rho: Number(uintAt(data, 2)), readAt: at.timestamp },
    units: [10n ** d0, 10n ** d1, 10n ** d2],
    balances: [pocketed, usds, susds],
    allowed: isPocket ? MAX_UINT256 : allowed,
  };
  return agrees(state, uintAt(answered, 0), at)
    ? state
    : { refusal: "the rate provider is no oracle of the savings rate" };
}

type Seven = [bigint, bigint, bigint, bigint, bigint, bigint, bigint];

function agrees(state: State, answered: bigint, { timestamp }: At): boolean {
  if (!isSavingsRate(state.rate) || state.chi === 0n || state.rho > timestamp) return false;
  const computed = savingsRate(state, timestamp);
  const gap = computed > answered ? computed - answered : answered - computed;
  return gap * AGREEMENT <= computed;
}
