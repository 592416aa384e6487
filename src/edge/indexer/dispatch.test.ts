import { expect, test } from "vitest";
import { CREATED, counter, counterChain, deployment, FACTORY, poolOf } from "../../../test/faults/counter.ts";
import { silent } from "../../../test/faults/follow.ts";
import type { Protocol } from "../../core/protocol.ts";
import type { Deployment, Log } from "../../core/types.ts";
import { createDispatch } from "./dispatch.ts";

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
