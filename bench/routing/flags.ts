import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { type ParseArgsConfig, parseArgs } from "node:util";
import { BadInput } from "./market/fields.ts";

/**
 * Runs a command of the bench. A bad flag or file ends it with code 2 and the message on stderr, without a stack trace: whoever typed
 * the command can repair it. `--help` prints the usage.
 */
export async function runCommand(usage: string, main: () => number | Promise<number>): Promise<void> {
  if (process.argv.slice(2).some((word) => word === "--help" || word === "-h")) {
    console.log(usage);
    return;
  }
  try {
    process.exitCode = await main();
  } catch (error) {
    if (!(error instanceof BadInput)) throw error;
    console.error(`${error.message}\n\n${usage}`);
    process.exitCode = 2;
  }
}

/** @throws BadInput with what `parseArgs` says of an unknown flag, or of one without its value */
export function parseFlags<T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new BadInput((error as Error).message);
  }
}

/** A finite number of at least 0. */
export function atLeastZero(flag: string, text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !(value >= 0 && value < Infinity))
    throw new BadInput(`--${flag}: a number of at least 0 is wanted, not "${text}"`);
  return value;
}

/** A whole number from `least` to `most`. */
export function whole(flag: string, text: string, least = 0, most = Number.MAX_SAFE_INTEGER): number {
  const value = atLeastZero(flag, text);
  if (!Number.isInteger(value)) throw new BadInput(`--${flag}: a whole number is wanted, not "${text}"`);
  if (value < least || value > most) {
    const range = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
    throw new BadInput(`--${flag}: a number ${range} is wanted, not ${text}`);
  }
  return value;
}

/** A file that can be written: found out before anything is measured. */
export function writable(flag: string, path: string | undefined): string {
  if (path === undefined) throw new BadInput(`--${flag} FILE is missing`);
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw new Error("it is a folder");
    accessSync(existsSync(path) ? path : dirname(path), constants.W_OK);
  } catch (error) {
    throw new BadInput(`--${flag}: "${path}" cannot be written (${(error as Error).message})`);
  }
  return path;
}
