import { createHash } from "node:crypto";
import type { Deps } from "../../service/deps.ts";
import type { ListedToken } from "../../service/ports/ports.ts";
import type { LogoPort } from "../../service/ports/ports-logos.ts";
import { chainList } from "../../service/tokens.ts";
import { presentToken } from "./present.ts";

/** Bytes as they are sent, and what names them for a cache. */
export type Written = { readonly body: Buffer; readonly tag: string };

type WriterParts = { readonly deps: Pick<Deps, "pause">; readonly logos: LogoPort };

/** Tokens that are written before others get their turn: a fifth of a millisecond. */
const TOKENS_IN_A_ROW = 100;

/**
 * Writes an object whose first property is a list of tokens. A list of a real chain holds tens of thousands and takes tens of milliseconds, so
 * it is written in parts, between which others get their turn.
 *
 * @param rest the other properties
 */
export async function writeTokens(
  { deps, logos }: WriterParts,
  tokens: readonly ListedToken[],
  rest: Readonly<Record<string, unknown>> = {},
): Promise<Written> {
  const parts: Buffer[] = [];
  const hash = createHash("sha256");
  const write = (text: string) => {
    const bytes = Buffer.from(text);
    parts.push(bytes);
    hash.update(bytes);
  };
  write('{"tokens":[');
  for (let start = 0; start < tokens.length; start += TOKENS_IN_A_ROW) {
    if (start > 0) await deps.pause();
    const some = tokens.slice(start, start + TOKENS_IN_A_ROW);
    const text = some.map((one) => JSON.stringify(presentToken(one, logos.has(one)))).join(",");
    write(start > 0 ? `,${text}` : text);
  }
  const others = JSON.stringify(rest).slice(1);
  write(others === "}" ? "]}" : `],${others}`);
  return { body: Buffer.concat(parts), tag: `W/"${hash.digest("base64url").slice(0, 27)}"` };
}

/** Bytes of a list of tokens alone, with other properties behind it. */
export function withOthers({ body }: Written, rest: Readonly<Record<string, unknown>>): Buffer {
  return Buffer.concat([body.subarray(0, -1), Buffer.from(`,${JSON.stringify(rest).slice(1)}`)]);
}

type Kept = { readonly list: readonly ListedToken[]; readonly written: Promise<Written> };

/**
 * The active tokens of a chain as they are sent, written once for each list that the chain has had.
 *
 * @throws BraidError UNSUPPORTED_CHAIN
 */
export function createTokenAnswers(parts: WriterParts & { readonly deps: Deps }) {
  const kept = new Map<number, Kept>();
  return (chainId: number): Promise<Written> => {
    const list = chainList(parts.deps, chainId);
    const before = kept.get(chainId);
    if (before?.list === list) return before.written;
    const active = list.filter(({ isActive }) => isActive);
    const written = writeTokens(parts, active);
    kept.set(chainId, { list, written });
    return written;
  };
}
