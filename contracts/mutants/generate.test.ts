import { expect, test } from "vitest";
import { generate } from "./generate.ts";
import { parseSources } from "./tree.ts";

const source = (body: string) => ({
  "A.sol": `// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;
/// A character of two bytes: ·
contract A {
    error No(address who);
    uint256 private kept;
    function act(address run, uint256 left) external {
        ${body}
    }
}
`,
});

/** What is changed into what, by rule. */
function changesOf(body: string): readonly string[] {
  return generate(source(body)).map(({ name }) => name.replace("A.sol act: ", ""));
}

test("a statement is dropped, and the file is whole but for it", () => {
  const [mutant, ...more] = generate(source("kept = left;"));
  expect(more).toEqual([]);
  expect(mutant).toMatchObject({ line: 8, change: "kept = left -> true" });
  expect(mutant!.changed["A.sol"]).toBe(source("true;")["A.sol"]);
});

test("a check is dropped by its condition, and its comparison flipped; the revert within is no statement of its own", () => {
  expect(changesOf("if (left < 3) revert No(run);")).toEqual([
    "drop a check: left < 3 -> false",
    "flip a comparison: left < 3 -> left <= 3",
  ]);
});

test("what stands beside another statement, or has an else, is dropped by itself", () => {
  expect(changesOf("if (left < 3) { kept = 1; kept = 2; }")).toContain("drop a statement: kept = 2 -> true");
  expect(changesOf("if (left == 3) kept = 1; else kept = 2;")).toEqual([
    "drop a check: left == 3 -> false",
    "flip a comparison: left == 3 -> left != 3",
    "drop a statement: kept = 2 -> true",
    "drop a statement: kept = 1 -> true",
  ]);
});

test("parties are put in each other's place", () => {
  expect(changesOf("kept = uint160(msg.sender);")).toEqual([
    "drop a statement: kept = uint160(msg.sender) -> true",
    "swap caller and recipient: msg.sender -> run.recipient()",
    "swap caller and recipient: msg.sender -> address(this)",
  ]);
});

test("assembly has the same rules", () => {
  expect(changesOf("assembly { if iszero(eq(left, 1)) { revert(0, 0) } sstore(0, caller()) }")).toEqual([
    "drop a check: iszero(eq(left, 1)) -> 0",
    "flip a comparison: iszero(eq(left, 1)) -> eq(left, 1)",
    "flip a comparison: eq(left, 1) -> iszero(eq(left, 1))",
    "drop a statement: sstore(0, caller()) -> nothing",
    "swap caller and recipient: caller() -> address()",
  ]);
});

test("what is made of assembly is code: a mutant that does not compile tells nothing of the tests", () => {
  const body =
    "assembly { if iszero(lt(left, 1)) { sstore(0, mul(caller(), iszero(run))) } left := sgt(left, iszero(iszero(left))) }";
  const mutants = generate(source(body));
  expect(mutants.length).toBeGreaterThan(8);
  for (const { name, changed } of mutants) expect(() => parseSources(changed), name).not.toThrow();
});

test("the same change twice in a function has two names", () => {
  expect(changesOf("kept = 1; kept = 1;")).toEqual([
    "drop a statement: kept = 1 -> true",
    "drop a statement: kept = 1 -> true #2",
  ]);
});

test("a source that does not parse is a bug", () => {
  expect(() => generate({ "A.sol": "contract {" })).toThrow(/ParserError/);
});
