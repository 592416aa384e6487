import { gasTable as terms } from "../../../src/core/gas/gas.ts";
import { devnetProtocols } from "../../../src/devnet/protocols.ts";
import type { GasFacts } from "./gas.ts";

/** Deployments of the devnet that are no models. */
const PUBLISHED: ReadonlySet<string> = new Set([
  ...[
    "uniswap-v2",
    "sushi-v2",
    "pancakeswap-v1",
    "trader-joe-v1",
    "uniswap-v3",
    "pancakeswap-v3",
    "uniswap-v4",
    "wrapped-native",
    "balancer-v2",
    "algebra-v1",
    "algebra-v2",
    "algebra-integral",
    "algebra-adaptive",
    "algebra-sliding",
  ],
]);

export function isPublished(deployments: readonly string[]): boolean {
  return deployments.every((id) => PUBLISHED.has(id));
}

/** The least that an estimate can be which holds for recipients that it does not know. */
const leastForNew = ({ least, saved }: GasFacts) => least + saved;

type Row = readonly [what: string, ratioOf: (one: GasFacts) => number];

/**
 * The estimate beside what it bounds: the gas of the receipt, and the least limit, which no estimate may undercut. Refunds
 * come after the transaction has needed the gas that they give back; a recipient that nobody has named may be new.
 */
export function gasTable(gas: readonly GasFacts[]): string {
  const wallet = gas.filter(({ validated }) => validated);
  const others = gas.filter(({ validated }) => !validated);
  const published = others.filter(({ deployments }) => isPublished(deployments));
  const traced = gas.filter(({ unrefunded }) => unrefunded !== undefined);
  const modelled = gas.filter(({ model }) => model !== undefined);
  const ofUsed: Row = ["estimate / gas used", ({ estimate, used }) => estimate / used];
  const ofLeast: Row = ["estimate / least limit", ({ estimate, least }) => estimate / least];
  const floor: Row = ["least limit / gas used", ({ least, used }) => least / used];
  const floorForNew: Row = ["least for any / used", (one) => leastForNew(one) / one.used];
  const refund: Row = ["unrefunded / gas used", ({ unrefunded, used }) => unrefunded! / used];
  const kept: Row = ["least limit / unrefunded", ({ unrefunded, least }) => least / unrefunded!];
  const modelOfNew: Row = ["model / least for any", (one) => one.model! / leastForNew(one)];
  return [
    ...section("with a wallet", wallet, [ofUsed, ofLeast, floor]),
    ...section("without", others, [ofUsed, ofLeast, floorForNew]),
    ...section("without, over published bytecode alone", published, [ofUsed, ofLeast, floorForNew]),
    ...section("every swap, by the model", modelled, [modelOfNew]),
    ...section("why limits are above what is used", traced, [refund, kept]),
    `with a wallet, the least limit is above ${AIM} times the gas used in ${shareAbove(wallet)} of swaps`,
    "",
    ...farthest(others),
    "",
    ...crossings(gas),
    "",
  ].join("\n");
}

/** What the estimate for a wallet should be of the gas used at most. */
const AIM = 1.15;

function shareAbove(wallet: readonly GasFacts[]): string {
  const above = wallet.filter(({ least, used }) => least > AIM * used);
  return `${((100 * above.length) / Math.max(1, wallet.length)).toFixed(0)} %`;
}

function section(title: string, facts: readonly GasFacts[], rows: readonly Row[]): string[] {
  return [`${title}: ${facts.length} swaps`, ...rows.map(([what, ratioOf]) => line(what, facts, ratioOf))];
}

function line(what: string, facts: readonly GasFacts[], ratioOf: (one: GasFacts) => number): string {
  const ratios = sorted(facts.map(ratioOf));
  const [p50, p95, most] = [0.5, 0.95, 1].map((share) => at(ratios, share).toFixed(3));
  return `  ${what.padEnd(26)}p50 ${p50}  p95 ${p95}  most ${most}  least ${at(ratios, 0).toFixed(3)}`;
}

const sorted = (values: readonly number[]) => values.toSorted((x, y) => x - y);

/** The least value that no more than this share of the ascending ones are above. */
const at = (ascending: readonly number[], share: number): number =>
  ascending[Math.max(0, Math.ceil(ascending.length * share) - 1)] ?? 0;

/** So many of the swaps without a wallet are listed. */
const FARTHEST = 10;

/** Where the estimate is farthest above the gas used, beside the least that any estimate could be of it: what to look at next. */
function farthest(others: readonly GasFacts[]): string[] {
  const ratio = ({ estimate, used }: GasFacts) => estimate / used;
  const rows = others
    .toSorted((x, y) => ratio(y) - ratio(x))
    .slice(0, FARTHEST)
    .map((one) => [ratio(one), leastForNew(one) / one.used, one.deployments] as const);
  const cells = ([far, floor, over]: (typeof rows)[number]) =>
    `  ${far.toFixed(3)}  least for any ${floor.toFixed(3)}  ${over.join(", ")}`;
  return ["without, farthest above the gas used:", ...rows.map(cells)];
}

const permilles = new Map(
  devnetProtocols.flatMap(({ deployments }) => deployments.map(({ id, gasPermille }) => [id, gasPermille])),
);

type Crossing = { readonly id: string; readonly figure: number; readonly needed: number };

/** Of a route of one step: the figure that was counted, and what the swap needed for any recipient beside all else. */
function crossingOf(one: GasFacts): Crossing[] {
  const { deployments, model, fixed } = one;
  if (deployments.length !== 1 || model === undefined || fixed === undefined) return [];
  const figure = Math.floor((model * 1000) / (1000 + terms.marginPermille) + 1e-6) - fixed;
  return [{ id: deployments[0]!, figure, needed: leastForNew(one) - fixed }];
}

/** Gas of a crossing by routes of one step, each figure of a deployment in a line of its own. */
function crossings(gas: readonly GasFacts[]): string[] {
  const found = gas.flatMap(crossingOf);
  const keys = [...new Set(found.map(({ id, figure }) => `${id} ${figure}`))].sort();
  const row = (...cells: readonly (string | number)[]) =>
    cells.map((cell, k) => (k === 0 ? String(cell).padEnd(20) : String(cell).padStart(10))).join("");
  const lines = keys.map((key) => {
    const own = found.filter(({ id, figure }) => `${id} ${figure}` === key);
    const needed = sorted(own.map((one) => one.needed));
    const { id, figure } = own[0]!;
    const design = Math.round((figure * 1000) / (permilles.get(id) ?? 1000));
    return row(id, own.length, design, figure, at(needed, 0.5), at(needed, 1));
  });
  return [row("gas of a crossing", "swaps", "design", "here", "needed", "most"), ...lines];
}
