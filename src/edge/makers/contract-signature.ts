import { encodeFunctionData } from "viem/utils";
import type { Address, Hex } from "../../core/types.ts";
import type { Answer } from "../node/endpoint.ts";
import type { AskHead, CallFrom } from "./ask-head.ts";

/**
 * Checks an EIP-1271 signature: simulates the call of `isValidSignature` on `account` that Permit2 or AirSwap's
 * contract makes when it settles, at the newest block.
 *
 * @param asker the contract that makes the call on the chain, used as its sender
 * @param digest the EIP-712 hash that is signed
 * @returns whether the account accepts the signature; undefined where no node answers in time
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

/** The magic value, padded to a 32-byte word: Permit2 reverts on an answer whose other bytes are not 0. */
const VALID = `0x1626ba7e${"00".repeat(28)}`;
/**
 * Gas limit of the call, 200,000. A wallet that needs more is rejected, since the taker pays for this gas in the swap.
 */
const GAS = "0x30d40";

/**
 * @source EIP-1271; Permit2's SignatureVerification.sol; solady's SignatureCheckerLib.sol, which accepts the same word
 */
export function createSignatureCheck(askHead: AskHead): CheckSignature {
  return async ({ timeoutMs, ...asked }) => {
    const answers = await askHead([signatureCall(asked)], timeoutMs);
    return answers && isOwned(answers[0]!);
  };
}

/** Terms of an EIP-1271 check. */
export type SignatureAsked = Omit<Parameters<CheckSignature>[0], "timeoutMs">;

/** The call of `isValidSignature`, with its gas limit. */
export function signatureCall({ asker, account, digest, signature }: SignatureAsked): CallFrom {
  const data = encodeFunctionData({ abi, functionName: "isValidSignature", args: [digest, signature] });
  return { from: asker, to: account, data, gas: GAS };
}

/**
 * Whether the answer to a `signatureCall` accepts the signature; a revert does not. Undefined where no node answered.
 */
export function isOwned(answer: Answer): boolean | undefined {
  if (!answer.ok) return answer.failure.kind === "reverted" ? false : undefined;
  return typeof answer.result === "string" && answer.result.slice(0, VALID.length).toLowerCase() === VALID;
}
