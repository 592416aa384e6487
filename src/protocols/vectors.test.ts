import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { protocols } from "./index.ts";
import { NotVectors, parseVectors, type VectorSuite } from "./swapvec.ts";
import { uncovered, whyNotCovered } from "./uncovered.ts";
import { runVector, vectorSuites } from "./vectors.ts";

const folder = mkdtempSync(join(tmpdir(), "vectors-"));
afterAll(() => rmSync(folder, { recursive: true }));

const here = import.meta.dirname;
/** Designs with recorded swaps. docs/supported.md states how many each has, which a test checks. */
const recorded = [...protocols.keys()].filter((name) => existsSync(join(here, name, "vectors.json")));

const pair = {
  id: "a",
  protocol: "uniswap-v2",
  pool: {
    tokens: [{ address: "A" }, { address: "B" }],
    state: { reserves: ["1000000", 1000000], feeNum: 3, feeDen: 1000 },
  },
  swaps: [
    { kind: "exactIn", tokenIn: "a", tokenOut: "b", amountIn: 1000, amountOut: "996" },
    { kind: "exactIn", tokenIn: "B", tokenOut: "A", amountIn: "1", amountOut: "0" },
    { kind: "exactOut", tokenIn: "A", tokenOut: "B", amountIn: null, amountOut: "1000000", error: "no" },
  ],
};

function file(vectors: readonly unknown[], name = "vectors.json"): string {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify({ schema: "swapvec/1", family: "test", vectors }));
  return path;
}

function outcomes(vector: unknown): readonly (string | undefined)[] | undefined {
  const [read] = parseVectors(JSON.stringify({ schema: "swapvec/1", family: "test", vectors: [vector] }));
  return runVector(read!)?.map(({ wrong }) => wrong);
}

/**
 * A wrong answer that must be noticed. Recorded rates of buffers are rounded, so those answers are known to six
 * digits only.
 */
function justOff(name: string, answer: bigint): bigint {
  return answer + (name === "balancer-v3-buffer" ? answer / 200_000n + 5n : 1n);
}

describe.each(recorded)("%s", (name) => {
  const vectors = parseVectors(readFileSync(join(here, name, "vectors.json"), "utf8"));

  test("every recorded swap passes", () => {
    const all = vectors.flatMap((vector) => runVector(vector) ?? []);
    expect(all.filter(({ wrong }) => wrong !== undefined)).toEqual([]);
    expect(all.length).toBeGreaterThan(0);
  });

  test("a unit more or less in the answer is seen", () => {
    const answers = vectors.flatMap((vector) => vector.swaps.map((swap, k) => ({ vector, swap, k })));
    for (const { vector, swap } of answers.filter(({ swap }) => !swap.mustFail)) {
      const shifted =
        swap.kind === "exactIn"
          ? { amountOut: justOff(name, swap.amountOut!) }
          : { amountIn: justOff(name, swap.amountIn!) };
      const [outcome] = runVector({ ...vector, sequential: false, swaps: [{ ...swap, ...shifted }] }) ?? [];
      expect(outcome?.wrong).toMatch(/^expected/);
    }
  });

  test("every vector names its source", () => {
    const file = JSON.parse(readFileSync(join(here, name, "vectors.json"), "utf8"));
    for (const { source } of file.vectors)
      expect(source).toMatchObject({ repo: expect.any(String), licence: expect.any(String) });
  });
});

test("a design serves names of recorded swaps where its folder has some, and each name is one design's", async () => {
  expect(recorded.length).toBeGreaterThanOrEqual(17);
  const served = await Promise.all(
    [...protocols.keys()].map(async (name) => {
      const { suite } = (await import(`./${name}/vectors.ts`)) as { suite: VectorSuite };
      expect(suite.names.length > 0, name).toBe(recorded.includes(name));
      return suite.names;
    }),
  );
  expect(new Set(served.flat()).size).toBe(served.flat().length);
});

describe.each(uncovered)("$design, not covered", ({ design, names, why }) => {
  test("no folder and no suite takes it, and its refusal says why", () => {
    for (const name of names) {
      expect(protocols.has(name) || vectorSuites.has(name)).toBe(false);
      expect(outcomes({ ...pair, protocol: name })).toBeUndefined();
      expect(whyNotCovered(name)).toBe(`${design} is not covered: ${why}`);
    }
  });

  test("the README names it", () => {
    const page = readFileSync(join(here, "../../README.md"), "utf8");
    expect(page).toContain(design.split(",")[0]);
  });
});

describe("how swaps are judged", () => {
  test("a refusal equals an answer of 0, and what must fail passes by failing", () => {
    expect(outcomes(pair)).toEqual([undefined, undefined, undefined]);
  });

  test("a swap that must fail and does not has failed", () => {
    const swaps = [{ ...pair.swaps[0], amountOut: null, error: "K" }];
    expect(outcomes({ ...pair, swaps })).toEqual(["must fail: K"]);
  });

  test("sequential swaps meet the changed state, and fail after a failed one", () => {
    const first = pair.swaps[0];
    const second = { ...first, amountOut: "994" };
    expect(outcomes({ ...pair, sequential: true, swaps: [first, second] })).toEqual([undefined, undefined]);
    expect(outcomes({ ...pair, sequential: false, swaps: [first, second] })).toEqual([
      undefined,
      "expected 994, got 996",
    ]);
    const broken = outcomes({ ...pair, sequential: true, swaps: [{ ...first, amountOut: 5 }, second] });
    expect(broken).toEqual(["expected 5, got 996", "after a failed swap: expected 5, got 996"]);
  });

  test.each([
    ["an unknown field", { reserves: [1, 1], feeNum: 3, feeDen: 1000, hooks: "0x" }, "unknown: hooks"],
    ["a missing field", { reserves: [1, 1], feeNum: 3 }, "missing: feeDen"],
    ["a fee between two ppm", { reserves: [1, 1], feeNum: 1, feeDen: 3 }, "fee 1/3 is no whole number"],
    ["three reserves", { reserves: [1, 1, 1], feeNum: 3, feeDen: 1000 }, "reserves are not two"],
    ["a fraction", { reserves: [1.5, 1], feeNum: 3, feeDen: 1000 }, "not an integer: 1.5"],
  ])("%s of a known protocol fails every swap", (_name, state, reason) => {
    const all = outcomes({ ...pair, pool: { ...pair.pool, state } });
    expect(all).toHaveLength(3);
    for (const wrong of all ?? []) expect(wrong).toContain(`not understood: ${reason}`);
  });

  test("integers keep every digit, as numbers and as strings", () => {
    const text = `{"schema":"swapvec/1","family":"t","vectors":[{"id":"a","protocol":"uniswap-v2","pool":{"tokens":[],"state":{}},
      "swaps":[{"kind":"exactIn","amountIn":100000000000000000000001,"amountOut":"100000000000000000000002"}]}]}`;
    const [swap] = parseVectors(text)[0]!.swaps;
    expect([swap!.amountIn, swap!.amountOut]).toEqual([100000000000000000000001n, 100000000000000000000002n]);
  });

  test("a protocol without a folder is not run", () => {
    expect(outcomes({ ...pair, protocol: "someone-elses" })).toBeUndefined();
  });

  test("another schema, and what is no vector, is refused", () => {
    expect(() => parseVectors("{")).toThrow(NotVectors);
    expect(() => parseVectors('{"schema":"swapvec/2","vectors":[]}')).toThrow(NotVectors);
    expect(() => parseVectors('{"schema":"swapvec/1","vectors":[{}]}')).toThrow(NotVectors);
  });
});

describe("npm run vectors", () => {
  const run = (...files: string[]) => {
    const { stdout, stderr, status } = spawnSync(process.execPath, ["scripts/vectors.ts", ...files], {
      encoding: "utf8",
    });
    return { lines: stdout.trim().split("\n"), stderr, status };
  };

  test("a line a protocol, what must fail, then the sum; what is skipped is named", () => {
    const { lines, status } = run(
      file([pair, { ...pair, protocol: "someone-elses" }]),
      file([pair], "more.json"),
    );
    expect(lines).toEqual([
      "uniswap-v2 6/0/0",
      "someone-elses 0/0/3",
      "must fail: 2 refused, 0 wrong answers, 1 skipped",
      "6 passed, 0 failed, 3 skipped",
    ]);
    expect(status).toBe(0);
  });

  test("swaps of a design that is not covered are refused by name, and one of no name at all", () => {
    const asked = [{ ...pair, protocol: "bancor-v3" }, { ...pair, protocol: "someone-elses" }, pair];
    const { lines, stderr } = run(file(asked));
    expect(lines.slice(0, 2)).toEqual(["bancor-v3 0/0/3", "someone-elses 0/0/3"]);
    expect(stderr.trim().split("\n")).toEqual([
      expect.stringMatching(/^bancor-v3: Bancor v3 is not covered: .*not verified/),
      "someone-elses: no design of this name is known",
    ]);
  });

  test("exit 2 where no file has a swap", () => {
    const { stderr, status } = run(file([]));
    expect(stderr).toMatch(/^there is no swap in /);
    expect(status).toBe(2);
  });

  test("exit 1 where a swap failed, and stderr says which", () => {
    const wrong = { ...pair, swaps: [{ ...pair.swaps[0], amountOut: 1 }] };
    const { lines, stderr, status } = run(file([wrong]));
    expect(lines).toEqual([
      "uniswap-v2 0/1/0",
      "must fail: 0 refused, 0 wrong answers, 0 skipped",
      "0 passed, 1 failed, 0 skipped",
    ]);
    expect(stderr).toBe("a swap 0: expected 1, got 996\n");
    expect(status).toBe(1);
  });

  test("an answer to a swap that must fail is counted as a wrong one", () => {
    const answered = { ...pair, swaps: [{ ...pair.swaps[0], amountOut: null, error: "K" }] };
    const { lines, status } = run(file([answered]));
    expect(lines.at(-2)).toBe("must fail: 0 refused, 1 wrong answers, 0 skipped");
    expect(status).toBe(1);
  });

  test("exit 2 for a file that is not there, of another schema, or not named", () => {
    const other = join(folder, "other.json");
    writeFileSync(other, '{"schema":"market/1"}');
    expect([run(join(folder, "none.json")), run(other), run()].map(({ status }) => status)).toEqual([
      2, 2, 2,
    ]);
  });
});
