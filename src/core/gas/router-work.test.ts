import { expect, test } from "vitest";
import { stepKinds } from "../encoding/kinds.ts";
import { stepFlags, type WireStep } from "../encoding/layout.ts";
import { type Address, NATIVE } from "../types.ts";
import { routerWork } from "./router-work.ts";

const [A, B, C, W, MANAGER]: readonly Address[] = ["a", "b", "c", "e", "f"].map(
  (digit): Address => `0x${digit.repeat(40)}`,
);

type Kind = keyof typeof stepKinds;
type Flag = keyof typeof stepFlags;

/** A step that sells all of its token; a v4 step targets the manager. */
function step(kind: Kind, [src, dst]: readonly [number, number], ...flags: readonly Flag[]): WireStep {
  return {
    kind: stepKinds[kind],
    flags: flags.reduce((sum, flag) => sum | stepFlags[flag], 0),
    ...{ src, dst, share: 0, target: kind === "v4" ? MANAGER! : A!, extra: "0x" },
  };
}

const part = (of: WireStep): WireStep => ({ ...of, share: 2 ** 31 });

const held: readonly (readonly [string, readonly (Address | undefined)[], readonly WireStep[], number])[] = [
  ["a pool that pays the recipient", [A, B], [step("v2", [0, 1], "toRecipient")], 0],
  ["a fee on what is bought", [A, B], [step("v2", [0, 1])], 1],
  [
    "a pool that pays the next one",
    [A, B, C],
    [step("v2", [0, 1], "toNext"), step("v2", [1, 2], "prefunded", "toRecipient")],
    0,
  ],
  [
    "a token that passes through the router",
    [A, B, C],
    [step("v2", [0, 1]), step("v3", [1, 2], "toRecipient")],
    1,
  ],
  [
    "two pools that fill one balance",
    [A, B, C],
    [part(step("v2", [0, 1])), step("v3", [0, 1]), step("v3", [1, 2], "toRecipient")],
    1,
  ],
  ["a pool that takes from the router and pays it alone", [A, B], [step("curve", [0, 1])], 0],
  ["two of those in a row", [A, B, C], [step("curve", [0, 1]), step("curve", [1, 2])], -1],
  [
    "a pool that takes from the router, behind another",
    [A, B, C],
    [step("v2", [0, 1]), step("balancerV2", [1, 2], "toRecipient")],
    0,
  ],
  ["unwrapping what a pool paid", [A, W, NATIVE], [step("v2", [0, 1]), step("wrap", [1, 2])], 0],
  ["wrapping for a pool", [NATIVE, W, A], [step("wrap", [0, 1]), step("v3", [1, 2], "toRecipient")], 0],
  ["a native payout", [A, NATIVE], [step("v4", [0, 1])], 0],
];

test.each(held)("%s: balances beside those of the steps", (_what, tokens, steps, heldTokens) => {
  expect(routerWork({ tokens: tokens as Address[], steps })).toMatchObject({ heldTokens, joinedSteps: 0 });
});

test("what one v4 step leaves with the manager for the next never comes to the router", () => {
  const steps = [step("v4", [0, 1]), step("v4", [1, 2], "toRecipient")];
  expect(routerWork({ tokens: [A!, B!, C!], steps })).toMatchObject({ heldTokens: 0, joinedSteps: 1 });
  const elsewhere = [steps[0]!, { ...steps[1]!, target: A! }];
  expect(routerWork({ tokens: [A!, B!, C!], steps: elsewhere })).toMatchObject({
    heldTokens: 1,
    joinedSteps: 0,
  });
});

test("a vault that a step before has called is warm, whatever lies between", () => {
  const [first, between, again] = [
    step("balancerV2", [0, 1]),
    step("v2", [1, 2]),
    step("balancerV2", [2, 3]),
  ];
  const tokens = [A!, B!, C!, W!];
  expect(routerWork({ tokens, steps: [first, between, again] }).warmVaults).toBe(1);
  expect(routerWork({ tokens, steps: [first, between, { ...again, target: W! }] }).warmVaults).toBe(0);
  expect(routerWork({ tokens, steps: [step("v2", [0, 1]), step("v2", [1, 2])] }).warmVaults).toBe(0);
});

test("the native coin that a pool pays to the router is counted, what unwrapping pays is not", () => {
  const steps = [step("v4", [0, 1]), step("wrap", [1, 2])];
  expect(routerWork({ tokens: [A!, NATIVE, W!], steps }).heldNatives).toBe(1);
  const unwrapped = [step("wrap", [0, 1]), step("v4", [1, 2], "toRecipient")];
  expect(routerWork({ tokens: [W!, NATIVE, B!], steps: unwrapped }).heldNatives).toBe(0);
  const joint = [step("v4", [0, 1]), step("v4", [1, 2], "toRecipient")];
  expect(routerWork({ tokens: [A!, NATIVE, B!], steps: joint }).heldNatives).toBe(0);
  expect(routerWork({ tokens: [A!, NATIVE], steps: [step("v4", [0, 1], "toRecipient")] }).heldNatives).toBe(
    0,
  );
});

test("one step with ticks makes a route unsteady", () => {
  const tokens = [A!, B!, C!];
  expect(routerWork({ tokens, steps: [step("v2", [0, 1]), step("v2", [1, 2])] }).isSteady).toBe(true);
  expect(routerWork({ tokens, steps: [step("v2", [0, 1]), step("v3", [1, 2])] }).isSteady).toBe(false);
});

test.each([
  ["stable", "0x000100", true],
  ["crypto, or with bands", "0x000101", false],
  ["stable, with its base pool", "0x000102", true],
] as const)("a Curve pool, %s", (_which, extra, isSteady) => {
  const steps = [{ ...step("curve", [0, 1]), extra }];
  expect(routerWork({ tokens: [A!, B!], steps }).isSteady).toBe(isSteady);
});
