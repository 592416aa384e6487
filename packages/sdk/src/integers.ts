import { refuse } from "./error.ts";

/** 2^256 - 1 has 78 digits. Amounts net of gas can be negative. */
const DIGITS = /^-?[0-9]{1,78}$/;

type Tree = Record<string, unknown>;

/**
 * Converts decimal integers in an answer to bigints, in place.
 *
 * @param paths field names joined by dots; `[]` after the name of a list selects all of its elements
 * @throws BraidError BAD_ANSWER where a field is present and not a decimal integer
 */
export function readIntegers(answer: unknown, paths: readonly string[]): void {
  for (const path of paths) walk(answer, path.split("."), path);
}

function walk(node: unknown, [first = "", ...rest]: readonly string[], path: string): void {
  if (typeof node !== "object" || node === null) return;
  const isList = first.endsWith("[]");
  const name = isList ? first.slice(0, -2) : first;
  const value = (node as Tree)[name];
  if (value === undefined || value === null) return;
  if (isList) for (const each of listOf(value as readonly unknown[], path)) walk(each, rest, path);
  else if (rest.length > 0) walk(value, rest, path);
  else (node as Tree)[name] = integerOf(value, path);
}

/** @throws BraidError BAD_ANSWER where an answer lacks one of these fields */
export function requireFields(answer: object, names: readonly string[]): void {
  for (const name of names) {
    const value = (answer as Tree)[name];
    if (value === undefined || value === null) throw notRead(name, value);
  }
}

/** @throws BraidError BAD_ANSWER where the value is no list */
export function listOf<T>(value: readonly T[], path: string): readonly T[] {
  if (!Array.isArray(value)) throw notRead(path, value, "list");
  return value;
}

function integerOf(value: unknown, path: string): bigint {
  if (typeof value !== "string" || !DIGITS.test(value)) throw notRead(path, value);
  return BigInt(value);
}

function notRead(path: string, value: unknown, wanted = "decimal integer"): Error {
  const shown = JSON.stringify(value)?.slice(0, 100) ?? "nothing";
  return refuse("BAD_ANSWER", `The service's ${path} is ${shown}, which is no ${wanted}.`);
}
