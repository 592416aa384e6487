import { addressAt, callData, hasWords, uintAt } from "../../core/abi.ts";
import { MAX_UINT256 } from "../../core/tokens.ts";
import type { At, Call, Hex, Pool, Refusal } from "../../core/types.ts";
import type { State } from "./state.ts";

/** gem(), dai(), pocket(), to18ConversionFactor(), tin(), tout() of the module */
const GETTERS: readonly Hex[] = [
  "0x7bd2bea7",
  "0xf4b9fa75",
  "0xcccef9e2",
  "0x4010f777",
  "0x568d4b6f",
  "0xfae036d5",
];
/** balanceOf(address), allowance(address,address) */
const BALANCE: Hex = "0x70a08231";
const ALLOWANCE: Hex = "0xdd62ed3e";

/** Two rounds: the module's settings; then its stock of DAI, and what its pocket holds and lets it pay. */
export function reads(pool: Pool, answers: readonly Hex[]): readonly Call[] {
  const to = pool.address;
  if (answers.length === 0) return GETTERS.map((data) => ({ to, data }));
  const [gem, dai] = pool.tokens as readonly [Hex, Hex];
  const named = answers[2]!;
  if (answers.length > GETTERS.length || !hasWords(named, 1)) return [];
  const [pocket, module] = [uintAt(named, 0), BigInt(to)];
  return [
    { to: dai, data: callData(BALANCE, module) },
    { to: gem, data: callData(BALANCE, pocket) },
    { to: gem, data: callData(ALLOWANCE, pocket, module) },
  ];
}

/** The state, or why the module is refused. @param at the block of the answers */
export function load(pool: Pool, answers: readonly Hex[], at: At): State | Refusal {
  if (answers.length !== GETTERS.length + 3 || !answers.every((answer) => hasWords(answer, 1)))
    return { refusal: "a setting or a balance failed" };
  const [gem, dai, pocket] = answers.slice(0, 3).map((answer) => addressAt(answer, 0));
  if (gem !== pool.tokens[0] || dai !== pool.tokens[1])
    return { refusal: "the tokens are not those on record" };
  const [rate, tin, tout, stock, pocketed, allowed] = answers
    .slice(3)
    .map((answer) => uintAt(answer, 0)) as Six;
  if (!/^10{0,18}$/.test(rate.toString())) return { refusal: "the rate is no power of ten" };
  return {
    rate,
    isOpen: [tin === 0n, tout === 0n],
    gems: pocketed,
    // A module that is its own pocket needs no allowance.
    allowed: pocket === pool.address ? MAX_UINT256 : allowed,
    dai: stock,
    readAt: at.timestamp,
  };
}

type Six = [bigint, bigint, bigint, bigint, bigint, bigint];
