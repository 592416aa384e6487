import { expect, test } from "vitest";
import type { Hex } from "../../core/types.ts";
import type { ChainReader, Header } from "../node/types.ts";
import { planTo } from "./plan.ts";
import { floorAt, type Ring } from "./ring.ts";

const header = (number: number, name: string, parent: string): Header => ({
  number,
  hash: `0x${name}` as Hex,
  parentHash: `0x${parent}` as Hex,
  timestamp: number,
  logsBloom: "0x",
  baseFeeWei: undefined,
  nextBaseFeeWei: undefined,
  receiptsRoot: undefined,
  isSealed: false,
});

const ring: Ring = [10, 11, 12].map((number) => floorAt(header(number, `a${number}`, `a${number - 1}`)));

const readerOf = (headers: readonly Header[]): ChainReader => ({
  headerByHash: async (hash) => headers.find((one) => one.hash === hash),
  headersByNumber: async (first, last) => headers.filter(({ number }) => number >= first && number <= last),
  logsOf: () => Promise.reject(new Error("no logs are asked for")),
  logsIn: () => expect.fail("no logs are asked for"),
  logsBefore: () => expect.fail("no logs are asked for"),
  read: () => Promise.reject(new Error("nothing is read")),
});

test("blocks between the ring and the target are linked by their parents", async () => {
  const between = [header(13, "a13", "a12"), header(14, "a14", "a13")];
  const target = header(15, "a15", "a14");
  const plan = await planTo(target, ring, readerOf(between));
  expect(plan).toEqual({ kind: "extend", keep: 3, headers: [...between, target] });
});

test.each([
  ["that name each other as parents", [header(13, "b13", "b14"), header(14, "b14", "b13")]],
  ["of which one is its own parent", [header(13, "b13", "b13"), header(14, "b14", "b13")]],
  ["with their numbers exchanged", [header(14, "b13", "a12"), header(13, "b14", "b13")]],
])("blocks %s are refused", async (_what, between) => {
  const planned = planTo(header(15, "b15", "b14"), ring, readerOf(between));
  await expect(planned).rejects.toMatchObject({ kind: "refused" });
});
