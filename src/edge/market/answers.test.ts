import { describe, expect, test } from "vitest";
import { ALLOW_ALL } from "../../core/allowance.ts";
import type { RouteResult } from "../../core/routing/types.ts";
import type { FindRequest, SearchSession } from "../../service/ports/ports.ts";
import { createAnswers } from "./answers.ts";

const [SOLD, BOUGHT] = [`0x${"1".repeat(40)}`, `0x${"2".repeat(40)}`] as const;
const BLOCK = {} as Omit<SearchSession, "find">;

const asked: FindRequest = {
  tokenIn: SOLD,
  tokenOut: BOUGHT,
  amount: 1000n,
  side: "in",
  gasPriceWei: 5n,
  allowed: ALLOW_ALL,
  maxHops: 4,
  maxLegs: 16,
  timeoutMs: 100,
};

/** A cache over searches that are counted; `gas` of a result is the number of the search that it came from. */
function searching(complete = true) {
  const answers = createAnswers();
  let searches = 0;
  const find = async () =>
    ({ kind: "found", gas: ++searches, search: { complete, ms: 1 } }) as unknown as RouteResult;
  const ask = async (request: FindRequest) => {
    const work = (session: SearchSession) => session.find(request);
    return (
      (await answers.recall(BLOCK, work))?.value ?? (await answers.keeping({ ...BLOCK, find }).find(request))
    );
  };
  return { answers, ask, searches: () => searches };
}

describe("an answer is searched once for a state", () => {
  test("however long it may take, and in whatever order its sources are named", async () => {
    const { ask, searches } = searching();
    const named = (...deployments: string[]) => ({ ...asked, allowed: { ...ALLOW_ALL, deployments } });
    const first = await ask(named("one", "other"));
    expect(await ask({ ...named("other", "one"), timeoutMs: 7 })).toBe(first);
    expect(searches()).toBe(1);
  });

  test.each<[string, Partial<FindRequest>]>([
    ["amount", { amount: 1001n }],
    ["side", { side: "out" }],
    ["direction", { tokenIn: BOUGHT, tokenOut: SOLD }],
    ["gas price", { gasPriceWei: 6n }],
    ["no gas price", { gasPriceWei: undefined }],
    ["hops", { maxHops: 3 }],
    ["legs", { maxLegs: 15 }],
    ["sources", { allowed: { ...ALLOW_ALL, deployments: [] } }],
    ["avoided pools", { allowed: { ...ALLOW_ALL, avoided: ["a pool"] } }],
    ["vetting", { allowed: { ...ALLOW_ALL, vetted: "two" } }],
    ["account", { wantsAccount: true }],
  ])("another %s is another request", async (_, change) => {
    const { ask, searches } = searching();
    await ask(asked);
    await ask({ ...asked, ...change });
    expect(searches()).toBe(2);
  });

  test("a change of the state forgets it, also one that comes during the search", async () => {
    const { answers, ask, searches } = searching();
    await ask(asked);
    answers.forget();
    await ask(asked);
    expect(searches()).toBe(2);
    const late = answers.keeping({
      ...BLOCK,
      find: async () => {
        answers.forget();
        return { kind: "found", search: { complete: true } } as never;
      },
    });
    await late.find({ ...asked, amount: 5n });
    await ask({ ...asked, amount: 5n });
    expect(searches()).toBe(3);
  });

  test("one that ran out of time is searched again", async () => {
    const { ask, searches } = searching(false);
    await ask(asked);
    await ask(asked);
    expect(searches()).toBe(2);
  });

  test("a caller with many requests pushes out old answers, and no more is kept than fits", async () => {
    const { ask, searches } = searching();
    for (let k = 0; k < 1000; k++) await ask({ ...asked, amount: BigInt(k) });
    await ask({ ...asked, amount: 999n });
    expect(searches()).toBe(1000);
    await ask({ ...asked, amount: 0n });
    expect(searches()).toBe(1001);
  });
});

test("work that fails for another reason on known answers fails", async () => {
  const { answers, ask } = searching();
  await ask(asked);
  const work = async (session: SearchSession) => {
    await session.find(asked);
    throw new Error("the offer cannot be made");
  };
  await expect(answers.recall(BLOCK, work)).rejects.toThrow("cannot be made");
});
