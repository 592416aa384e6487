import { encodeFunctionData } from "viem";
import type { Address, Hex } from "../../core/types.ts";
import type { Answer } from "../node/endpoint.ts";
import type { AskHead, CallFrom } from "./ask-head.ts";

/**
 * Whether a contract calls a signature its own, asked of the contract on the newest block, as Permit2 or AirSwap's contract
 * asks it.
 *
 * @param asker who asks on the chain
 * @param digest what is signed: the EIP-712 hash
 * @returns undefined where no node answers in time
 */
export type CheckSignature = (asked: {
  readonly asker: Address;
  readonly account: Address;
  readonly digest: Hex;
  readonly signature: Hex;
  readonly timeoutMs: number;
}) => Promise<boolean | undefined>;

const abi = [
  {
    name: "isValidSignature",
    type: "function",
    stateMutability: "view",
    inputs: [
      { name: "hash", type: "bytes32" },
      { name: "signature", type: "bytes" },
    ],
    outputs: [{ name: "magic", type: "bytes4" }],
  },
] as const;

/** The selector, in a word of its own: Permit2 reverts on an answer whose other bytes are not 0. */
const VALID = `0x1626ba7e${"00".repeat(28)}`;
/** A wallet may take so much for an answer: what it takes more is the taker's to pay. */
const GAS = "0x30d40";

/** @source EIP-1271; Permit2's SignatureVerification.sol; solady's SignatureCheckerLib.sol, which believes as much */
export function createSignatureCheck(askHead: AskHead): CheckSignature {
  return async ({ timeoutMs, ...asked }) => {
    const answers = await askHead([signatureCall(asked)], timeoutMs);
    return answers && isOwned(answers[0]!);
  };
}

/** A contract's question whether a signature of another account is that account's own. */
export type SignatureAsked = Omit<Parameters<CheckSignature>[0], "timeoutMs">;

/** The call of `isValidSignature`, with the gas that an answer may take. */
export function signatureCall({ asker, account, digest, signature }: SignatureAsked): CallFrom {
  const data = encodeFunctionData({ abi, functionName: "isValidSignature", args: [digest, signature] });
  return { from: asker, to: account, data, gas: GAS };
}

/** What an answer to that call says; undefined where no node gave one. */
export function isOwned(answer: Answer): boolean | undefined {
  if (!answer.ok) return answer.failure.kind === "reverted" ? false : undefined;
  return typeof answer.result === "string" && answer.result.slice(0, VALID.length).toLowerCase() === VALID;
}
