/** Fields in which wallets and libraries keep the error that they wrap. */
const INNER = ["cause", "error", "data", "originalError", "info"] as const;
/** Most errors that are read of one. */
const MOST_ERRORS = 32;

/** Error codes for a request that the user rejected: of EIP-1193, of ethers and of WalletConnect. */
const REFUSED: readonly string[] = ["4001", "ACTION_REJECTED", "5000"];
/** Words of wallets that give another code to a request that the user rejected, or none. */
const REFUSED_WORDS =
  /\buser (rejected|denied|declined|disapproved|cancell?ed)|\b(rejected|denied|declined|cancell?ed) by (the )?user/i;
/**
 * Error codes with which a wallet says that it cannot do what it was asked for, and has not done it: unsupported method
 * of EIP-1193 and of JSON-RPC, and of EIP-5792 an unsupported capability or chain, a batch that is too large, an upgrade of
 * the account that the user rejected, and atomicity that is not supported.
 */
const UNABLE: readonly string[] = ["4200", "-32601", "5700", "5710", "5740", "5750", "5760"];
/** Messages that say nothing, in which wallets and libraries wrap those that do. */
const EMPTY_WORDS =
  /^(internal (json-rpc )?error|an internal error was received|an unknown rpc error occurred|rpc request failed|transaction creation failed|(missing or )?invalid parameters\b|could not coalesce error|missing revert data)\b/i;

/** Whether an error is a rejection by the user, also where a wallet or library has wrapped it. */
export function isRefusal(error: unknown): boolean {
  return hasCode(error, REFUSED) || errorsIn(error).some((each) => REFUSED_WORDS.test(wordsOf(each) ?? ""));
}

/** Handles the error of a wallet that says that it cannot do what it was asked for, and has not done it. @throws any other */
export function unlessUnable(error: unknown): undefined {
  if (!hasCode(error, UNABLE)) throw error;
}

/** The first line of the outermost message that says something. */
export function messageOf(error: unknown): string {
  const all = messagesOf(error);
  const said = all.find((each) => !EMPTY_WORDS.test(each)) ?? all[0] ?? "it gave no reason";
  return said.split("\n")[0]!;
}

/** The messages of an error and of those that it wraps, the outermost first. */
export function messagesOf(error: unknown): readonly string[] {
  return errorsIn(error)
    .map(wordsOf)
    .filter((each) => each !== undefined && each !== "") as string[];
}

function hasCode(error: unknown, codes: readonly string[]): boolean {
  return errorsIn(error).some((each) => codes.includes(String(Object(each).code)));
}

function wordsOf(error: unknown): string | undefined {
  if (typeof error === "string") return error;
  const { shortMessage, message } = Object(error) as { shortMessage?: unknown; message?: unknown };
  const words = shortMessage ?? message;
  return typeof words === "string" ? words : undefined;
}

/** An error and those that it wraps, the outermost first. */
function errorsIn(error: unknown): readonly unknown[] {
  const found: unknown[] = [error];
  for (let index = 0; index < found.length && found.length < MOST_ERRORS; index++) {
    const each = found[index];
    if (!isObject(each)) continue;
    for (const name of INNER) {
      const inner = (each as Record<string, unknown>)[name];
      if ((isObject(inner) || isText(inner)) && !found.includes(inner)) found.push(inner);
    }
  }
  return found;
}

/** Whether a value is text for people. The data of a revert is none. */
function isText(value: unknown): boolean {
  return typeof value === "string" && !value.startsWith("0x");
}

/** Whether a value has fields. A wallet in a frame of its own has another `Object` than this module. */
export function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}
