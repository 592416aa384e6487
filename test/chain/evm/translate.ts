import { ARITHMETIC, type Operation } from "./arithmetic.ts";
import { chargePower, fail, PRICE } from "./gas.ts";
import { EFFECTS, ENDS, SEES_GAS, VALUES } from "./instructions.ts";
import { type Code, DONE, type Run, type Trace } from "./machine.ts";
import type { Word } from "./word.ts";

/**
 * Code as JavaScript. A trace begins where a jump lands and goes on through what follows: past conditions that do not hold, and
 * along jumps whose target the code names. Within it, what is pushed and popped are variables; the stack is read and written
 * where the trace begins and ends. The engine then compiles the traces that are run often.
 */

/** The most operations of a trace: what is longer goes on in another. */
const MOST = 300;

/** A jump whose target is only known when it is made. */
function land({ program }: Run, to: Word): number {
  return program.isJump[Number(to)] === 1 ? Number(to) : fail();
}

/** What the text of a trace names. */
const named = new Map<string, unknown>([
  ...Object.entries({ fail, land, chargePower }),
  ...[...ARITHMETIC, ...VALUES, ...EFFECTS, ...ENDS].map(([op, [, run]]) => [`op${op}`, run] as const),
]);

/** Some operations are as short as their names. */
const INLINE: Readonly<Record<number, (a: string, b: string) => string>> = {
  16: (a, b) => `${a} < ${b} ? 1 : 0`,
  17: (a, b) => `${a} > ${b} ? 1 : 0`,
  20: (a, b) => `${a} === ${b} ? 1 : 0`,
  21: (a) => `${a} === 0 ? 1 : 0`,
};

export function translate(program: Code, start: number): Trace {
  const text = createText();
  write(program, start, text);
  const body = `return (run, stack, height) => {\n${text.lines.join("\n")}\n}`;
  return new Function(...named.keys(), body)(...named.values()) as Trace;
}

type Text = ReturnType<typeof createText>;

/** The lines of a trace, and where they have the words of the stack: in variables, or as numbers that the code names. */
function createText() {
  const lines: string[] = [];
  /** By place above the height at which the trace began; below 0 are words that it found there. */
  const held = new Map<number, string>();
  const found = new Map<number, string>();
  let top = 0;
  let gas = 0;
  let count = 0;
  let deepest = 0;
  const variable = (expression: string) => {
    lines.push(`const v${count} = ${expression};`);
    return `v${count++}`;
  };
  const at = (place: number): string => {
    const name = held.get(place) ?? found.get(place);
    if (name !== undefined) return name;
    if (-place > deepest) {
      deepest = -place;
      lines.push(`if (height < ${deepest}) fail();`);
    }
    const read = variable(`stack[height - ${-place}]`);
    found.set(place, read);
    return read;
  };
  return {
    lines,
    variable,
    add(price: number) {
      gas += price;
    },
    /** Charges what the operations so far cost. */
    charge() {
      if (gas > 0) lines.push(`if ((run.gas -= ${gas}) < 0) fail();`);
      gas = 0;
    },
    push(name: string) {
      held.set(top++, name);
    },
    pop(): string {
      const name = at(--top);
      held.delete(top);
      return name;
    },
    take(count: number): string[] {
      return Array.from({ length: count }, () => this.pop());
    },
    peek: (depth: number) => at(top - depth),
    swap(depth: number) {
      const [upper, lower] = [at(top - 1), at(top - depth)];
      held.set(top - 1, lower);
      held.set(top - depth, upper);
    },
    /** Writes the stack back, for a trace that ends here. */
    flush(): string {
      const written = [...held].filter(([place, name]) => found.get(place) !== name);
      const stores = written.map(
        ([place, name]) => `stack[height ${place < 0 ? "-" : "+"} ${Math.abs(place)}] = ${name};`,
      );
      return `${stores.join(" ")} run.height = height ${top < 0 ? "-" : "+"} ${Math.abs(top)};`;
    },
  };
}

const isLiteral = (name: string) => /^[0-9]/.test(name);
const literal = (word: Word) => (typeof word === "number" ? String(word) : `0x${word.toString(16)}n`);
const wordNamed = (name: string): Word => (name.endsWith("n") ? BigInt(name.slice(0, -1)) : Number(name));

function write({ code, isJump }: Code, start: number, text: Text): void {
  const seen = new Set<number>();
  let pc = start;
  for (; !seen.has(pc) && seen.size < MOST; pc++) {
    seen.add(pc);
    const op = code[pc] ?? 0;
    text.add(PRICE[op] as number);
    if (op >= 0x5f && op <= 0x7f) {
      const size = op - 0x5f;
      text.push(pushed(code, pc, size));
      pc += size;
    } else if (op >= 0x80 && op <= 0x8f) text.push(text.peek(op - 0x7f));
    else if (op >= 0x90 && op <= 0x9f) text.swap(op - 0x8e);
    else if (op === 0x50) text.pop();
    else if (op === 0x58) text.push(String(pc));
    else if (op === 0x56 || op === 0x57) {
      const to = writeJump(text, isJump, op === 0x57);
      if (to === undefined) return;
      if (to !== NEXT) pc = to - 1;
    } else if (ARITHMETIC.has(op)) writeArithmetic(text, op);
    else if (op !== 0x5b && !writeInstruction(text, op)) return;
  }
  leave(text, pc);
}

const NEXT = -2;

/** @returns the place where the trace goes on, NEXT, or undefined where it ends */
function writeJump(text: Text, isJump: Uint8Array, isConditional: boolean): number | undefined {
  text.charge();
  const to = text.pop();
  const isKnown = isLiteral(to);
  const target = isKnown && isJump[Number(wordNamed(to))] === 1 ? Number(wordNamed(to)) : undefined;
  const lands = target !== undefined ? `return ${target};` : isKnown ? "fail();" : `return land(run, ${to});`;
  if (!isConditional) {
    if (target !== undefined) return target;
    text.lines.push(text.flush(), lands);
    return undefined;
  }
  const condition = text.pop();
  text.lines.push(`if (${condition} !== 0) { ${text.flush()} ${lands} }`);
  return NEXT;
}

function leave(text: Text, pc: number): void {
  text.charge();
  text.lines.push(text.flush(), `return ${pc};`);
}

function writeArithmetic(text: Text, op: number): void {
  const [inputs, run] = ARITHMETIC.get(op) as readonly [number, Operation];
  const words = text.take(inputs);
  if (op === 0x0a) text.lines.push(`chargePower(run, ${words[1]});`);
  const [a, b, c] = words as [string, string, string];
  if (words.every(isLiteral)) {
    const [x, y, z] = words.map(wordNamed) as [Word, Word, Word];
    text.push(literal(run(x, y, z)));
    return;
  }
  text.push(text.variable(INLINE[op]?.(a, b) ?? `op${op}(${inputs === 3 ? [a, b, c] : words})`));
}

/** @returns false where the code ends */
function writeInstruction(text: Text, op: number): boolean {
  const instruction = VALUES.get(op) ?? EFFECTS.get(op) ?? ENDS.get(op);
  if (instruction === undefined) {
    // An opcode that this machine does not have is an invalid one.
    text.lines.push("return fail();");
    return false;
  }
  if (SEES_GAS.has(op) || ENDS.has(op)) text.charge();
  const call = `op${op}(${["run", ...text.take(instruction[0])].join(", ")})`;
  if (VALUES.has(op)) text.push(text.variable(call));
  else text.lines.push(`${call};`);
  if (ENDS.has(op)) text.lines.push(`return ${DONE};`);
  return !ENDS.has(op);
}

/** The value of `size` bytes after a push at `pc`; bytes beyond the end of the code are 0. */
function pushed(code: Uint8Array, pc: number, size: number): string {
  let value = 0n;
  for (let k = 1; k <= size; k++) value = (value << 8n) | BigInt(code[pc + k] ?? 0);
  return value <= Number.MAX_SAFE_INTEGER ? String(value) : `0x${value.toString(16)}n`;
}
