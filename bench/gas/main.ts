/**
 * `npm run gas`: gas of the router and of its peers, side by side on one chain with the same pools and tokens.
 *
 * Compares with contracts/gas.json and writes it anew; ends with 1, and leaves the file, where a figure has grown by
 * more than 1 % or is above its bar. `--accept` writes it whatever it says, `--check` never does. Peers that are not
 * installed are looked for in the folder BENCH_PEERS_DIR, laid out as node_modules is; the absent are named.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { encodeFunctionData, type Hex, keccak256 } from "viem";
import { readFlags } from "../../scripts/command-line.ts";
import { root } from "../../scripts/contracts/build-contracts.ts";
import { routerArtifact } from "../../src/core/encoding/router-artifact.ts";
import { type Bench, withBench } from "./chain.ts";
import { erc20, type Market, makeMarket, warmPools } from "./market.ts";
import { deployModels, directRoutes, ourModelledRoutes } from "./modelled.ts";
import {
  deployPermit2,
  type Peer,
  swapRouter02,
  uniswapV2Router,
  uniswapV3Router,
  universalRouter,
} from "./peers.ts";
import { FEE_RECIPIENT, ourRoutes, ourV4Routes } from "./routes.ts";
import { deployV4, type V4Market } from "./v4.ts";

const FILE = join(root, "contracts", "gas.json");
const GROWTH = 0.01;
/** A call without any router in between; it says what a router costs, and is no bar. */
const DIRECT = "the pool itself";

const NAME_WIDTH = 20;

type Row = { readonly name: string; readonly figures: readonly (number | undefined)[] };

async function peersOf(bench: Bench, market: Market, v4: V4Market | undefined): Promise<Peer[]> {
  const permit2 = await deployPermit2(bench);
  const found = [
    uniswapV2Router(market, bench.user),
    uniswapV3Router(market, bench.user),
    await swapRouter02(bench, market),
    await universalRouter(bench, market, { permit2, v4 }),
  ];
  const names = ["v2 Router02", "v3 SwapRouter", "SwapRouter02", "UniversalRouter"];
  for (const [index, peer] of found.entries())
    if (peer === undefined)
      console.log(`absent: ${names[index]} (set BENCH_PEERS_DIR to a folder that has its package)`);
  return found.filter((peer) => peer !== undefined);
}

async function measureAll(bench: Bench): Promise<{ names: readonly string[]; rows: readonly Row[] }> {
  const market = await makeMarket(bench);
  await warmPools(bench, market);
  for (const token of [market.a, market.b]) {
    const data = encodeFunctionData({
      abi: erc20,
      functionName: "transfer",
      args: [FEE_RECIPIENT, 10n ** 18n],
    });
    await bench.send({ to: token, data });
  }
  const v4 = await deployV4(bench, market);
  if (v4 === undefined)
    console.log("absent: Uniswap v4 (set BENCH_PEERS_DIR to a folder that has its package)");
  const models = await deployModels(bench, market);
  const peers = [
    ...(await peersOf(bench, market, v4)),
    { name: DIRECT, routes: directRoutes(bench.user, models, market) },
  ];
  const routes = {
    ...ourRoutes(market),
    ...ourModelledRoutes(models, market),
    ...(v4 === undefined ? {} : ourV4Routes(market, v4)),
  };
  const rows: Row[] = [];
  for (const [name, transaction] of Object.entries(routes)) {
    const figures: (number | undefined)[] = [await bench.measure(transaction)];
    for (const peer of peers) {
      const theirs = peer.routes[name];
      figures.push(
        theirs === undefined
          ? undefined
          : await bench.measure(theirs).catch((e) => {
              console.log(name, peer.name, String(e));
              return undefined;
            }),
      );
    }
    rows.push({ name, figures });
  }
  return { names: ["ours", ...peers.map((peer) => peer.name)], rows };
}

function print(names: readonly string[], rows: readonly Row[]): void {
  console.log(["route".padEnd(NAME_WIDTH), ...names.map((name) => name.padStart(18))].join(""));
  for (const { name, figures } of rows) {
    const [mine] = figures;
    const cells = figures.map((figure, index) => {
      if (figure === undefined) return "-".padStart(18);
      const ratio = index === 0 ? "" : ` ${(((mine! - figure) / figure) * 100).toFixed(1)}%`;
      return `${figure}${ratio}`.padStart(18);
    });
    console.log([name.padEnd(NAME_WIDTH), ...cells].join(""));
  }
}

function grown(rows: readonly Row[]): string[] {
  if (!existsSync(FILE)) return [];
  const before = JSON.parse(readFileSync(FILE, "utf8")) as Record<string, number>;
  return rows.flatMap(({ name, figures }) => {
    const old = before[name];
    const now = figures[0]!;
    return old !== undefined && now > old * (1 + GROWTH) ? [`${name}: ${old} -> ${now}`] : [];
  });
}

/** Bars that hold whatever the file says, in gas; and how far below each peer a route must stay, in parts of its gas. */
const BARS: Readonly<Record<string, number>> = {
  ...{ v2: 94_500, v3: 96_500, v4: 100_500 },
  ...{ "v2 v2": 145_500, "v3 v3": 168_500, "split v2 + v3": 148_500 },
};

function marginOf(peer: string, route: string): number {
  if (peer === DIRECT) return Number.NEGATIVE_INFINITY;
  if (peer !== "UniversalRouter" || route === "v2" || route === "v3") return 0;
  if (route.startsWith("split")) return 0.09;
  return route.startsWith("native in") ? 0.03 : 0.06;
}

function aboveBars(names: readonly string[], rows: readonly Row[]): string[] {
  return rows.flatMap(({ name, figures: [mine, ...theirs] }) => {
    const limits = theirs.map((gas, index) => [
      names[index + 1]!,
      gas === undefined ? Number.POSITIVE_INFINITY : gas * (1 - marginOf(names[index + 1]!, name)),
    ]) as [string, number][];
    return [["its bar", BARS[name] ?? Number.POSITIVE_INFINITY] as const, ...limits]
      .filter(([, limit]) => mine! > limit)
      .map(([what, limit]) => `${name}: ${mine} is above ${limit.toFixed(0)} (${what})`);
  });
}

/** A chain refuses code above 24,576 bytes; what is left of that is for a repair. */
const MAX_RUNTIME_BYTES = 24_000;

/** Of the code that a call runs, which the init code ends with. */
function runtimeBytes(): number {
  const { initCode, runtimeCodeHash } = routerArtifact;
  const runtimeCode: Hex = `0x${initCode.slice(initCode.indexOf("fe") + 2)}`;
  if (keccak256(runtimeCode) !== runtimeCodeHash) throw new Error("the artifact's init code has another end");
  return runtimeCode.length / 2 - 1;
}

const { values } = readFlags({
  options: { accept: { type: "boolean", default: false }, check: { type: "boolean", default: false } },
});
const { names, rows } = await withBench(measureAll);
print(names, rows);
const bytes = runtimeBytes();
console.log(`\nThe router's runtime code: ${bytes} bytes of at most ${MAX_RUNTIME_BYTES}.`);
const tooLarge = bytes > MAX_RUNTIME_BYTES ? [`${bytes} bytes of runtime code`] : [];
const worse = [...grown(rows), ...aboveBars(names, rows), ...tooLarge];
if (worse.length > 0)
  console.log(`\nGrown by more than ${GROWTH * 100} %, or above a bar:\n${worse.join("\n")}`);
if (values.check) {
  process.exitCode = worse.length > 0 ? 1 : 0;
} else if (worse.length > 0 && !values.accept) {
  process.exitCode = 1;
} else {
  // Cases that could not be run here keep their figures.
  const kept = existsSync(FILE) ? (JSON.parse(readFileSync(FILE, "utf8")) as Record<string, number>) : {};
  const figures = { ...kept, ...Object.fromEntries(rows.map(({ name, figures: [mine] }) => [name, mine])) };
  writeFileSync(FILE, `${JSON.stringify(figures, undefined, 2)}\n`);
}
