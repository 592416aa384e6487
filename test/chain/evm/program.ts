/** Code as the loop reads it: what is the same at each visit of a place is worked out once. */
export type Program = {
  /** 1 where a jump may land. */
  readonly isJump: Uint8Array;
  /** By place of a push, what it pushes; worked out at the first visit. */
  readonly pushed: (bigint | undefined)[];
};

const known = new WeakMap<Uint8Array, Program>();

export function programOf(code: Uint8Array): Program {
  const kept = known.get(code);
  if (kept !== undefined) return kept;
  const program: Program = { isJump: new Uint8Array(code.length), pushed: new Array(code.length) };
  for (let pc = 0; pc < code.length; pc++) {
    const op = code[pc] as number;
    if (op === 0x5b) program.isJump[pc] = 1;
    if (op >= 0x60 && op <= 0x7f) pc += op - 0x5f;
  }
  known.set(code, program);
  return program;
}

/** The value of `size` bytes after a push at `pc`; bytes beyond the end of the code are 0. */
export function pushedAt({ pushed }: Program, code: Uint8Array, pc: number, size: number): bigint {
  const kept = pushed[pc];
  if (kept !== undefined) return kept;
  let value = 0n;
  for (let k = 1; k <= size; k++) value = (value << 8n) | BigInt(code[pc + k] ?? 0);
  pushed[pc] = value;
  return value;
}
