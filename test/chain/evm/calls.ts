import type { Hex } from "../../../src/core/types.ts";
import { bytesOf } from "../model/hash.ts";
import { charge, fail, touch, words } from "./gas.ts";
import { type Machine, type ModelAnswer, NOTHING, type Outcome, type Run } from "./machine.ts";
import { type Word, wordOf } from "./word.ts";

/** What reaches other accounts. */

function addressOf(value: Word): Hex {
  const low = typeof value === "number" ? value : value & (2n ** 160n - 1n);
  return `0x${low.toString(16).padStart(40, "0")}`;
}

function chargeAccount(run: Run, address: Hex): void {
  if (run.machine.touched.has(address)) return;
  run.machine.touched.add(address);
  charge(run, 2500);
}

/** The most bytes of init code. @source EIP-3860 */
export const MAX_INIT_CODE = 49_152;

/** Creates a contract at an address that nobody has; the limit on the size of its code is Ethereum's. @source EIP-170 */
export function create(run: Run, offset: Word, size: Word): Word {
  const at = touch(run, offset, size);
  charge(run, 31_997 + 2 * words(size));
  if (size > MAX_INIT_CODE) fail();
  const { machine, frame } = run;
  const address: Hex = `0x${"cc".repeat(18)}${machine.created.size.toString(16).padStart(4, "0")}`;
  const gas = run.gas - Math.floor(run.gas / 64);
  const code = run.memory.slice(at, Number(size));
  const done = run.execute(machine, { code, address, caller: frame.address, data: NOTHING, gas });
  charge(run, gas - done.gasLeft);
  run.returned = done.ok ? NOTHING : done.data;
  if (!done.ok || done.data.length > 24_576) return 0;
  charge(run, 200 * done.data.length);
  machine.created.set(address, done.data);
  machine.touched.add(address);
  return wordOf(BigInt(address));
}

function codeAt(machine: Machine, address: Hex): Uint8Array | undefined {
  return machine.created.get(address) ?? machine.codeOf(address);
}

export function codeSize(run: Run, account: Word): Word {
  const address = addressOf(account);
  chargeAccount(run, address);
  const code = codeAt(run.machine, address);
  if (code !== undefined) return code.length;
  return run.machine.answer(address, "0x") === undefined ? 0 : 1;
}

/** Places in the memory: what a call is given, and where its answer goes. */
export type Places = readonly [inAt: Word, inSize: Word, outAt: Word, outSize: Word];

/** @returns 1 where the call did not fail */
export function call(run: Run, wanted: Word, target: Word, places: Places): Word {
  const [inAt, inSize, outAt, outSize] = places;
  const from = touch(run, inAt, inSize);
  touch(run, outAt, outSize);
  const address = addressOf(target);
  const isPrecompile = target > 0 && target < 18;
  if (!isPrecompile) chargeAccount(run, address);
  const most = run.gas - Math.floor(run.gas / 64);
  const gas = wanted > most ? most : Number(wanted);
  const done = callee(run, address, { from, size: Number(inSize), gas });
  charge(run, gas - done.gasLeft);
  run.returned = done.data;
  const kept = Math.min(done.data.length, Number(outSize));
  if (kept > 0) run.memory.write(Number(outAt), done.data.subarray(0, kept));
  return done.ok ? 1 : 0;
}

type Given = { readonly from: number; readonly size: number; readonly gas: number };

function callee(run: Run, address: Hex, { from, size, gas }: Given): Outcome {
  const { machine, frame, memory } = run;
  const code = codeAt(machine, address);
  if (code !== undefined) {
    const data = memory.slice(from, size);
    return run.execute(machine, { code, address, caller: frame.address, data, gas });
  }
  const input: Hex = `0x${memory.digits(from, size)}`;
  const answer = machine.answer(address, input);
  if (answer === undefined) return { ok: true, data: NOTHING, gasLeft: gas };
  const price = answer.gas - paidBefore(machine, address + input, answer);
  if (price > gas) return { ok: false, data: NOTHING, gasLeft: 0 };
  return { ok: answer.ok, data: bytesOf(answer.data), gasLeft: gas - price };
}

/** Gas of the answer that an earlier call of the transaction has paid. */
function paidBefore({ touched }: Machine, key: string, { cold, once }: ModelAnswer): number {
  const isRepeated = touched.has(key);
  touched.add(key);
  const isShared = once !== undefined && touched.has(once[0]);
  if (once !== undefined) touched.add(once[0]);
  return isRepeated ? cold : isShared ? once[1] : 0;
}
