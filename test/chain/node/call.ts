import type { Address, Hex } from "../../../src/core/types.ts";
import type { BlockRef, Chain } from "../blocks/chain.ts";
import type { Contracts } from "../contracts/model.ts";
import { MAX_INIT_CODE } from "../evm/calls.ts";
import { execute } from "../evm/evm.ts";
import type { Machine } from "../evm/machine.ts";
import { bytesOf, hexOf } from "../model/hash.ts";
import { fail } from "./errors.ts";

export type CallContext = {
  readonly chain: Chain;
  readonly block: BlockRef;
  readonly contracts: Contracts;
  readonly gasCap: number;
};

type Transaction = {
  readonly to?: Address | null;
  readonly from?: Address;
  readonly data?: Hex;
  readonly input?: Hex;
  readonly gas?: Hex;
};
type Overrides = Readonly<Record<string, { readonly code?: Hex }>>;

const NOBODY: Address = `0x${"00".repeat(20)}`;
/** Where code that is run without an address believes that it is. */
const NEW_CONTRACT: Address = `0x${"c0".repeat(20)}`;

/** What a transaction pays before the first instruction. @source EIP-2028 */
export function intrinsicGas(data: Hex): number {
  let gas = 21_000;
  for (const byte of bytesOf(data)) gas += byte === 0 ? 4 : 16;
  return gas;
}

/**
 * `eth_call`: contracts of the chain answer from the model, code that the request brings is run.
 *
 * @throws an error object where the call reverts or its gas does not suffice
 */
export function callAt(context: CallContext, request: object, overrides: object = {}): Hex {
  const { to, from = NOBODY, gas, ...rest } = request as Transaction;
  const data = (rest.input ?? rest.data ?? "0x").toLowerCase() as Hex;
  const cap = Math.min(context.gasCap, gas === undefined ? Number.POSITIVE_INFINITY : Number(gas));
  const bytes = data.length / 2 - 1;
  const left = cap - intrinsicGas(data) - (to ? 0 : 32_000 + 2 * Math.ceil(bytes / 32));
  if (!to && bytes > MAX_INIT_CODE)
    fail(-32000, `max initcode size exceeded: code size ${bytes} limit ${MAX_INIT_CODE}`);
  if (left < 0) fail(-32000, `intrinsic gas too low: gas ${cap}`);
  const machine = machineOf(context, overrides as Overrides, cap);
  const target = to?.toLowerCase() as Address | undefined;
  if (target === undefined)
    return run(machine, {
      code: bytesOf(data),
      address: NEW_CONTRACT,
      caller: from,
      data: bytesOf("0x"),
      gas: left,
    });
  const code = machine.codeOf(target);
  if (code !== undefined)
    return run(machine, { code, address: target, caller: from, data: bytesOf(data), gas: left });
  const answer = context.contracts(target, data, context.block);
  if (answer === undefined) return "0x";
  if (answer.gas > left) fail(-32000, "out of gas");
  return answer.ok ? answer.data : fail(3, "execution reverted", answer.data);
}

/** Code in the form that the machine takes, kept so that its jump targets are found once. */
const codes = new Map<Hex, Uint8Array>();

function machineOf(
  { chain, block, contracts }: CallContext,
  overrides: Overrides,
  gasLimit: number,
): Machine {
  const own = new Map<string, Uint8Array>();
  for (const [address, { code }] of Object.entries(overrides)) {
    if (code === undefined) continue;
    const bytes = codes.get(code) ?? bytesOf(code);
    if (codes.size < 64) codes.set(code, bytes);
    own.set(address.toLowerCase(), bytes);
  }
  return {
    number: block.number,
    timestamp: block.timestamp,
    chainId: chain.chainId,
    gasLimit,
    codeOf: (address) => own.get(address),
    answer: (to, data) => contracts(to, data, block),
    created: new Map(),
    touched: new Set(),
  };
}

function run(machine: Machine, frame: Parameters<typeof execute>[1]): Hex {
  machine.touched.add(frame.address);
  const { ok, data, gasLeft } = execute(machine, frame);
  if (ok) return hexOf(data);
  return data.length === 0 && gasLeft === 0
    ? fail(-32000, "out of gas")
    : fail(3, "execution reverted", hexOf(data));
}
