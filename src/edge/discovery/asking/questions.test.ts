import fc from "fast-check";
import { expect, test } from "vitest";
import { type Answer, createQuestions } from "./questions.ts";

const answer = (...pools: string[]): Answer => ({ at: 0, pools });

test("one caller that asks for 10,000 tokens displaces no pools that others asked for", () => {
  const questions = createQuestions({ mostPools: 400, mostAnswers: 1_000 });
  const others = Array.from({ length: 20 }, (_, k) => `pair of ${k}`);
  for (const [k, pair] of others.entries())
    expect(questions.put(`caller ${k}`, pair, answer(`${pair}, pool 1`, `${pair}, pool 2`))).toEqual([]);
  const freed = new Set<string>();
  for (let k = 0; k < 10_000; k++) {
    for (const id of questions.put("greedy", `token ${k}`, answer(`pool ${k} a`, `pool ${k} b`)))
      freed.add(id);
    expect(questions.pools()).toBeLessThanOrEqual(400);
  }
  expect(freed.size).toBe(20_000 + 40 - 400);
  expect([...freed].filter((id) => id.startsWith("pair"))).toEqual([]);
  for (const [k, pair] of others.entries()) expect(questions.use(`caller ${k}`, pair)).toBeDefined();
});

test("answers without pools are bounded too, and the caller with most answers loses them first", () => {
  const questions = createQuestions({ mostPools: 10, mostAnswers: 50 });
  questions.put("other", "pair", answer());
  for (let k = 0; k < 1_000; k++) questions.put("greedy", `nothing ${k}`, answer());
  expect(questions.use("other", "pair")).toBeDefined();
  expect(questions.use("greedy", "nothing 0")).toBeUndefined();
  expect(questions.use("greedy", "nothing 999")).toBeDefined();
});

test("the answer that a caller used least recently goes first", () => {
  const questions = createQuestions({ mostPools: 3, mostAnswers: 100 });
  for (const pair of ["a", "b", "c"]) questions.put("caller", pair, answer(pair));
  questions.use("caller", "a");
  expect(questions.put("caller", "d", answer("d"))).toEqual(["b"]);
  expect(questions.use("caller", "a")).toBeDefined();
});

test("a pool goes only when no answer holds it, and an answer only when no caller holds it", () => {
  const questions = createQuestions({ mostPools: 3, mostAnswers: 100 });
  questions.put("greedy", "a", answer("shared", "own"));
  questions.put("other", "b", answer("shared"));
  questions.use("other", "a");
  expect(questions.put("greedy", "c", answer("x", "y"))).toEqual(["x", "y"]);
  expect(questions.use("other", "a")).toBeDefined();
});

test("an answer that is replaced frees the pools that it no longer has", () => {
  const questions = createQuestions({ mostPools: 10, mostAnswers: 10 });
  questions.put("a", "pair", answer("old", "kept"));
  expect(questions.put("b", "pair", answer("kept", "new"))).toEqual(["old"]);
});

test("for any sequence of uses and answers the bounds hold, and no pool is freed that an answer still holds", () => {
  const deed = fc.record({
    caller: fc.constantFrom("a", "b", "c", "d"),
    pair: fc.integer({ min: 0, max: 12 }).map(String),
    pools: fc.uniqueArray(fc.integer({ min: 0, max: 20 }).map(String), { maxLength: 5 }),
    puts: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(deed, { maxLength: 80 }), (deeds) => {
      const questions = createQuestions({ mostPools: 8, mostAnswers: 10 });
      const held = new Map<string, readonly string[]>();
      for (const { caller, pair, pools, puts } of deeds) {
        if (!puts) {
          expect(questions.use(caller, pair)?.pools).toEqual(held.get(pair));
          continue;
        }
        const freed = questions.put(caller, pair, answer(...pools));
        held.set(pair, pools);
        // Removes from the model the answers that were dropped.
        for (const other of [...held.keys()])
          if (questions.use(caller, other) === undefined) held.delete(other);
        const left = new Set([...held.values()].flat());
        expect(questions.pools()).toBe(left.size);
        expect(left.size).toBeLessThanOrEqual(8);
        for (const id of freed) expect(left).not.toContain(id);
      }
    }),
  );
});
