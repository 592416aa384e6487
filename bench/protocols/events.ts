import { word } from "../../src/core/abi.ts";
import type { Protocol } from "../../src/core/protocol.ts";
import type { Hex, Log } from "../../src/core/types.ts";
import { protocols } from "../../src/protocols/index.ts";
import type { Case } from "./cases.ts";
import type { Loop } from "./clock.ts";

/** Topics of the logs that an aggregator sees most. */
const SYNC = "0x1c411e9a96e071241c2f21f7726b17ae89e3cab4c78be50e062b03a9fffbbad1";
const SWAP = "0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67";
const MINT = "0x7a53080ba414158be7ec69b987b5fb7d07dee101fe85488f0853ae16239d0bde";
const BURN = "0x0c396cd989a39f4459b5fa1aed6a9a8dcdbc45908acfd67e028cd568da98982c";

type Happening = { readonly state: unknown; readonly log: Log };

function hex(...words: readonly (bigint | number)[]): Hex {
  return `0x${words.map(word).join("")}`;
}

function topic(value: number): Hex {
  return `0x${word(value)}`;
}

const emitter = "0x00000000000000000000000000000000000000aa";
const someone = topic(0);

type Pair = { readonly reserves: readonly [bigint, bigint] };
type Ticked = { readonly sqrtPriceX96: bigint; readonly liquidity: bigint; readonly tick: number };
type Range = { readonly ticks: readonly number[]; readonly tickSpacing: number };

function sync({ reserves }: Pair): Log[] {
  return [{ address: emitter, topics: [SYNC], data: hex(...reserves) }];
}

function swapped({ sqrtPriceX96, liquidity, tick }: Ticked): Log[] {
  const data = hex(10n ** 18n, -(10n ** 18n), sqrtPriceX96, liquidity, tick);
  return [{ address: emitter, topics: [SWAP, someone, someone], data }];
}

/** A position over the whole table, put in and taken out again. */
function positions({ ticks, tickSpacing }: Range): Log[] {
  if (ticks.length < 2) return [];
  const topics = [someone, topic(ticks[0]!), topic(ticks[ticks.length - 1]! + tickSpacing)] as const;
  const amounts = [10n ** 15n, 10n ** 18n, 10n ** 18n] as const;
  return [
    { address: emitter, topics: [MINT, ...topics], data: hex(0n, ...amounts) },
    { address: emitter, topics: [BURN, ...topics], data: hex(0n, ...amounts.slice(1)) },
  ];
}

function happenings<S>(cases: readonly Case[], logs: (state: S) => Log[]): Happening[] {
  return cases.flatMap(({ subject }) => {
    const state = subject.states.get(subject.pool.stateIds[0]) as S;
    return logs(state).map((log) => ({ state, log }));
  });
}

function applied(protocol: Protocol, all: readonly Happening[]): Loop {
  const at = { blockNumber: 1, timestamp: 1 };
  return {
    count: all.length,
    run: () => {
      let changed = 0;
      for (const { state, log } of all) if (protocol.apply(state, log, at) !== state) changed++;
      return changed;
    },
  };
}

/** Logs decoded and applied. */
export function eventLoop(name: "Sync" | "Swap" | "Mint, Burn", cases: readonly Case[]): Loop {
  if (name === "Sync") return applied(protocols.get("uniswap-v2")!, happenings(cases, sync));
  const v3 = protocols.get("uniswap-v3")!;
  return applied(v3, name === "Swap" ? happenings(cases, swapped) : happenings(cases, positions));
}
