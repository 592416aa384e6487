import type { Program } from "./machine.ts";

const known = new WeakMap<Uint8Array, Program>();
/** By content: code that a transaction creates comes in other bytes each time. */
const alike = new Map<string, Program>();

export function programOf(code: Uint8Array): Program {
  const kept = known.get(code);
  if (kept !== undefined) return kept;
  const content = Buffer.from(code.buffer, code.byteOffset, code.length).toString("latin1");
  const program = alike.get(content) ?? decode(Uint8Array.from(code));
  if (alike.size >= 64) alike.clear();
  alike.set(content, program);
  known.set(code, program);
  return program;
}

function decode(code: Uint8Array): Program {
  const isJump = new Uint8Array(code.length);
  for (let pc = 0; pc < code.length; pc++) {
    const op = code[pc] as number;
    if (op === 0x5b) isJump[pc] = 1;
    if (op >= 0x60 && op <= 0x7f) pc += op - 0x5f;
  }
  return { code, isJump, traces: [] };
}
