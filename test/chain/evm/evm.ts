import { DONE, type Frame, type Machine, NOTHING, type Outcome, OutOfGas, type Run } from "./machine.ts";
import { createMemory } from "./memory.ts";
import { programOf } from "./program.ts";
import { translate } from "./translate.ts";
import type { Word } from "./word.ts";

/**
 * As much of the EVM as a contract needs that reads others: no storage of its own, no logs, no creation. Gas is counted by
 * the rules of Ethereum since Shanghai, so that code that looks at `gasleft()` does here what it does there.
 *
 * @source Ethereum yellow paper, appendix H; EIP-150, EIP-2929, EIP-3855, EIP-5656
 */
export function execute(machine: Machine, frame: Frame): Outcome {
  const { data } = frame;
  const run: Run = {
    machine,
    frame,
    program: programOf(frame.code),
    data: new DataView(data.buffer, data.byteOffset, data.length),
    memory: createMemory(),
    execute,
    height: 0,
    gas: frame.gas,
    returned: NOTHING,
    ended: { ok: true, data: NOTHING },
  };
  try {
    follow(run);
    return { ...run.ended, gasLeft: run.gas };
  } catch (error) {
    if (!(error instanceof OutOfGas)) throw error;
    return { ok: false, data: NOTHING, gasLeft: 0 };
  }
}

function follow(run: Run): void {
  const { program } = run;
  const { traces } = program;
  const stack: Word[] = [];
  for (let pc = 0; pc !== DONE; ) {
    traces[pc] ??= translate(program, pc);
    pc = traces[pc]!(run, stack, run.height);
  }
}
