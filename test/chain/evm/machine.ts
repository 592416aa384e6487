import type { Hex } from "../../../src/core/types.ts";
import type { Memory } from "./memory.ts";
import type { Word } from "./word.ts";

/** What code is run in: the block and what is known of it, the transaction, and one call of it. */
export type Machine = {
  readonly number: number;
  readonly timestamp: number;
  readonly chainId: number;
  readonly gasLimit: number;
  /** Code by address, where there is any that this machine runs. */
  codeOf(address: Hex): Uint8Array | undefined;
  /** What a contract of the model answers; undefined: the address has no code. */
  answer(to: Hex, data: Hex): ModelAnswer | undefined;
  /** Code that was created in this transaction. */
  readonly created: Map<Hex, Uint8Array>;
  /** Addresses and reads that this transaction has paid the price of the first time for. */
  readonly touched: Set<string>;
};

export type ModelAnswer = {
  readonly ok: boolean;
  readonly data: Hex;
  /** Gas that the callee uses when nothing of it was read in this transaction. */
  readonly gas: number;
  /** What of it is not charged again for the same call. */
  readonly cold: number;
  /** What of it is charged once for all calls with this name. */
  readonly once?: readonly [name: string, gas: number];
};

export type Outcome = { readonly ok: boolean; readonly data: Uint8Array; readonly gasLeft: number };

export type Frame = {
  readonly code: Uint8Array;
  readonly address: Hex;
  readonly caller: Hex;
  readonly data: Uint8Array;
  readonly gas: number;
};

export type Code = {
  readonly code: Uint8Array;
  /** 1 where a jump may land. */
  readonly isJump: Uint8Array;
};

/** Code as the machine runs it: traces of it as functions, each made when the code first comes to where it begins. */
export type Program = Code & { readonly traces: (Trace | undefined)[] };

/** Runs from where it begins. @returns the place where the code goes on, DONE where it ended */
export type Trace = (run: Run, stack: Word[], height: number) => number;
export const DONE = -1;

export type Run = {
  readonly machine: Machine;
  readonly frame: Frame;
  readonly program: Program;
  /** The frame's data. */
  readonly data: DataView;
  readonly memory: Memory;
  readonly execute: (machine: Machine, frame: Frame) => Outcome;
  /** Words on the stack. */
  height: number;
  gas: number;
  returned: Uint8Array;
  /** What the code has ended with. */
  ended: Omit<Outcome, "gasLeft">;
};

/** A call that has ended without an answer, and with its gas: for want of gas, a word or an instruction. */
export class OutOfGas extends Error {}

export const NOTHING = new Uint8Array(0);
