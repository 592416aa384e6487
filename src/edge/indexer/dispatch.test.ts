import { expect, test } from "vitest";
import {
  CHANGED,
  CREATED,
  counter,
  counterChain,
  deployment,
  FACTORY,
  poolOf,
  SET,
} from "../../../test/faults/counter.ts";
import { silent } from "../../../test/faults/follow.ts";
import type { Protocol } from "../../core/protocol.ts";
import type { Address, Deployment, Log } from "../../core/types.ts";
import { createDispatch, maySpeakOf } from "./dispatch.ts";

const POOL = "0x00000000000000000000000000000000000000c1";
const log: Log = { address: FACTORY, topics: [CREATED], data: "0x" };

/** The test design under another name, with its own `discover`. */
function named(name: string, discover: Protocol["discover"]): Protocol {
  return { ...counter(), name, discover } as Protocol;
}

const ofDesign = (name: string): Deployment => ({ ...deployment, id: name, protocol: name });
const claims = (name: string) =>
  named(name, (_log, { id }) => ({ ...poolOf(POOL), id: `${name}:${POOL}`, protocol: name, deployment: id }));

test("a creation log goes to every record of its factory, even if other designs ignore it or throw", () => {
  const designs = [
    claims("one"),
    named("none", () => undefined),
    named("broken", () => {
      throw new Error("broken");
    }),
    claims("two"),
  ];
  const registry = new Map(designs.map((design) => [design.name, design]));
  const chain = { ...counterChain(), deployments: designs.map(({ name }) => ofDesign(name)) };
  const dispatch = createDispatch(chain, registry, silent);
  expect(dispatch.discover(log).map(({ id }) => id)).toEqual([`one:${POOL}`, `two:${POOL}`]);
  expect(dispatch.discover({ ...log, address: POOL })).toEqual([]);
});

test("a log counts if the pool's record names its emitter, or its topic counts from anyone", () => {
  const [manager, hook, stranger] = ["d1", "d2", "d3"].map(
    (end): Address => `0x${end.padStart(40, "0")}`,
  ) as [Address, Address, Address];
  const pool = { ...poolOf(POOL), id: `own:${POOL}`, address: manager, facts: { hook, fee: 1 } };
  const design = { ...counter(), fromAnyone: [SET] } as Protocol;
  const speaks = (address: Address, topic: typeof SET) =>
    maySpeakOf(pool, { address, topics: [topic], data: "0x" }, design);
  expect([POOL, manager, hook, stranger].map((one) => speaks(one as Address, CHANGED))).toEqual([
    true,
    true,
    true,
    false,
  ]);
  expect(speaks(stranger, SET)).toBe(true);
});
