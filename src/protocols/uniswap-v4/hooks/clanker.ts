import { addressAt, callData, hasWords, uintAt } from "../../../core/abi.ts";
import type { Address, At, Call, Hex, Pool, Refusal } from "../../../core/types.ts";
import { type Claims, claimReads, claimsOf } from "./clanker-locker.ts";
import { clankerRule } from "./clanker-rule.ts";
import { afterSales } from "./clanker-sales.ts";
import { type Found, type HookFamily, helperOf } from "./family.ts";

/**
 * Clanker's hooks with fixed fees. A pool has a fee for sales of the launched token (the "clanker") and one for sales
 * of the token that it is paired with; the hook sets the fee before each swap, and neither ever changes. On top of it
 * the hook takes a fifth of that fee in the paired token: of the input of a purchase, of the output of a sale.
 *
 * Before each swap the hook also lets the launch's locker collect the fees of its positions.
 *
 * @source clanker-devco/v4-contracts b004c2e src/hooks: ClankerHook.sol, ClankerHookV2.sol, ClankerHookStaticFee.sol,
 *   ClankerHookStaticFeeV2.sol
 */

/** Functions of (bytes32 pool id) of both versions. */
const CLANKER_FEE: Hex = "0x2c78f493";
const PAIRED_FEE: Hex = "0xf732b64e";
const MEV_MODULE_ENABLED: Hex = "0x2b887e0f";
const POOL_CREATION_TIMESTAMP: Hex = "0xee4d96cf";
/** Of the first version, and tokenDeploymentInfo(address) of its factory. */
const MEV_MODULE: Hex = "0xbdf22863";
const TOKEN_DEPLOYMENT_INFO: Hex = "0x22adcdb1";
/** Of the second version only. */
const CLANKER_IS_TOKEN_0: Hex = "0x07eda3da";
const LOCKER: Hex = "0x4468979e";
const POOL_EXTENSION: Hex = "0xac3e6ec9";

/** Number of the hook's answers: four of both versions, three of either. */
const HEAD = 7;

/** Seconds after a pool's creation in which a module against snipers may change fees or revert. */
const MEV_SECONDS = 120n;
/** Most that a launch may ask for, in parts per million. */
const MAX_FEE = 300_000;

/** Gas of the hook's two calls: fee, delta, and the transfer of the last swap's fee to the factory; see CLAIM_GAS. */
const HOOK_GAS = 85_000;

type Version = "first" | "second";

/** Which token is the clanker, and who collects the fees of its liquidity, the zero address if nobody. */
type Launch = { readonly clanker: 0 | 1; readonly locker: Address };

function ofHook({ id, facts }: Pool, selector: Hex): Call {
  return { to: facts.hooks as Address, data: callData(selector, BigInt(id)) };
}

function headOf(pool: Pool, version: Version): readonly Call[] {
  const common = [CLANKER_FEE, PAIRED_FEE, MEV_MODULE_ENABLED, POOL_CREATION_TIMESTAMP];
  if (version === "second")
    return [...common, CLANKER_IS_TOKEN_0, LOCKER, POOL_EXTENSION].map((selector) => ofHook(pool, selector));
  const factory = helperOf(pool, "clanker-factory");
  const infos = pool.tokens.map((token) => ({
    to: factory,
    data: callData(TOKEN_DEPLOYMENT_INFO, BigInt(token)),
  }));
  return [...[...common, MEV_MODULE].map((selector) => ofHook(pool, selector)), ...infos];
}

/** The launch from the three answers that depend on the version. */
function launchOf(pool: Pool, version: Version, answers: readonly Hex[]): Launch | Refusal {
  const [first, ...infos] = answers.slice(HEAD - 3) as [Hex, Hex, Hex];
  if (version === "second") {
    if (uintAt(infos[1], 0) !== 0n) return { refusal: "an extension of the pool runs after each swap" };
    return { clanker: uintAt(first, 0) === 1n ? 0 : 1, locker: addressAt(infos[0], 0) };
  }
  if (uintAt(first, 0) === 0n)
    return {
      refusal: "not opened by Clanker's factory: the hook does not tell which token it takes for new",
    };
  const launched = infos.map((info, k) => {
    return addressAt(info, 1) === pool.tokens[k] && addressAt(info, 2) === pool.facts.hooks;
  });
  if (launched[0] === launched[1]) return { refusal: "Clanker's factory names none or both of the tokens" };
  const clanker = launched[0] ? 0 : 1;
  return { clanker, locker: addressAt(infos[clanker]!, 3) };
}

/** Words that each of the version's answers has at least. */
const leastWords = { first: [1, 4, 4], second: [1, 1, 1] } as const;

function isHeadComplete(version: Version, answers: readonly Hex[]): boolean {
  const least = [1, 1, 1, 1, ...leastWords[version]];
  return least.every((count, k) => hasWords(answers[k] ?? "0x", count));
}

/** The launch, and the tokens' fees in the pool's order, or why the pool is refused. */
function headFrom(pool: Pool, version: Version, answers: readonly Hex[], at?: At): Head | Refusal {
  if (!isHeadComplete(version, answers)) return { refusal: "Clanker's hook or factory does not answer" };
  const [clankerFee, pairedFee, enabled, creation] = answers.slice(0, 4).map((answer) => uintAt(answer, 0));
  if (clankerFee! > MAX_FEE || pairedFee! > MAX_FEE)
    return { refusal: "a fee is above the most that Clanker sets" };
  if (at !== undefined && enabled === 1n && BigInt(at.timestamp) < creation! + MEV_SECONDS)
    return { refusal: "a module against snipers governs the pool's first two minutes" };
  const launch = launchOf(pool, version, answers);
  if ("refusal" in launch) return launch;
  const fees = [Number(clankerFee), Number(pairedFee)] as const;
  return { ...launch, fees: launch.clanker === 0 ? fees : [fees[1], fees[0]] };
}

type Head = Launch & { readonly fees: readonly [number, number] };

function foundOf({ clanker, fees }: Head, { gas, ages, sales }: Claims): Found {
  const rule = clankerRule(clanker, fees, HOOK_GAS + gas);
  if (sales === undefined) return { rule, ages };
  return { rule, ages, prepare: (state) => afterSales({ ...state, rule }, clanker, sales) };
}

function familyOfVersion(version: Version): HookFamily {
  return {
    reads(pool, answers) {
      if (answers.length < HEAD) return headOf(pool, version);
      const head = headFrom(pool, version, answers);
      return "refusal" in head ? [] : claimReads(pool, head, answers.slice(HEAD));
    },
    load(pool, answers, at): Found | Refusal {
      const head = headFrom(pool, version, answers, at);
      if ("refusal" in head) return head;
      const claims = claimsOf(pool, head, answers.slice(HEAD));
      if ("refusal" in claims) return claims;
      return foundOf(head, claims);
    },
  };
}

export const clankerStatic = familyOfVersion("first");
export const clankerStaticV2 = familyOfVersion("second");
