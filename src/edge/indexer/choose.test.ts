import { expect, test } from "vitest";
import type { Hex } from "../../core/types.ts";
import type { EndpointHead } from "../node/node.ts";
import type { Header } from "../node/types.ts";
import { choose } from "./choose.ts";
import type { Ring } from "./ring.ts";

const header = (number: number, fork = "a"): Header => ({
  number,
  hash: `0x${fork}${number}` as Hex,
  parentHash: `0x${fork}${number - 1}` as Hex,
  timestamp: number,
  logsBloom: "0x",
  baseFeeWei: undefined,
  nextBaseFeeWei: undefined,
  receiptsRoot: undefined,
  isSealed: false,
});
const ring: Ring = Array.from({ length: 11 }, (_, k) => ({
  header: header(k + 10),
  before: new Map(),
  unknown: new Set<string>(),
  added: [],
  touched: new Set(),
  trust: "proven" as const,
}));
const head = (number: number, fork = "a", highest = number, at = 1): EndpointHead => ({
  label: `${fork}${number}`,
  head: header(number, fork),
  highest,
  at,
  isBelieved: true,
});

test.each([
  ["nobody answers", [], { kind: "unknown" }],
  ["the held block is the newest", [head(20)], { kind: "confirmed", seenAt: 1 }],
  [
    "the latest report counts",
    [head(20, "a", 20, 1), head(20, "a", 20, 5)],
    { kind: "confirmed", seenAt: 5 },
  ],
  ["a higher block", [head(20), head(21)], { kind: "go", target: { header: header(21) } }],
  [
    "another block of the same height, and nobody has ours",
    [head(20, "b")],
    { kind: "go", target: { header: header(20, "b") } },
  ],
  [
    "another block of the same height, and somebody has ours",
    [head(20, "b"), head(20)],
    { kind: "confirmed" },
  ],
  ["a node that lags on our fork", [head(15, "a", 15)], { kind: "unknown" }],
  ["a node that went back on our fork", [head(15, "a", 20)], { kind: "unknown" }],
  ["a node that lags on another fork", [head(15, "b", 15)], { kind: "unknown" }],
  [
    "a node that left our fork for a lower height",
    [head(15, "b", 20)],
    { kind: "lower", target: { header: header(15, "b") } },
  ],
  ["a node far below everything that is held", [head(3, "b", 20)], { kind: "unknown" }],
  [
    "a node far below everything that is held, whose block is younger than the tip",
    [{ ...head(3, "b", 3), head: { ...header(3, "b"), timestamp: 21 } }],
    { kind: "lower", target: { header: { number: 3 } } },
  ],
  [
    "the same beside a node that has the tip",
    [{ ...head(3, "b", 3), head: { ...header(3, "b"), timestamp: 21 } }, head(20)],
    { kind: "confirmed" },
  ],
])("%s", (_what, heads, expected) => {
  expect(choose(heads, ring, 1_000)).toMatchObject(expected);
});

test.each([
  ["the present", 1_000, "lower"],
  ["long ago", 900, "unknown"],
])("below a tip of the far future, a block of %s", (_when, timestamp, kind) => {
  const future = ring.map((record) => ({ ...record, header: { ...record.header, timestamp: 2 ** 40 } }));
  const low = { ...head(3, "b", 3), head: { ...header(3, "b"), timestamp } };
  expect(choose([low], future, 1_000).kind).toBe(kind);
});

test("with an empty ring the highest head is the target", () => {
  expect(choose([head(3), head(5)], [])).toMatchObject({ kind: "go", target: { header: header(5) } });
});
