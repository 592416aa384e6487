import type { Abi } from "viem";
import { decodeErrorResult, parseAbi } from "viem/utils";
import artifact from "../../../contracts/out/Router.json" with { type: "json" };
import type { Hex } from "../types.ts";

/** Why a transaction reverted. */
export type Revert = {
  /** Name of an error of the router, Permit2 or a token, Solidity's `Error` or `Panic`, or `Empty` or `Unknown`. */
  readonly name: string;
  /** One sentence for users. */
  readonly text: string;
  /** The error's values by name: amounts as decimal strings, addresses in lower case. */
  readonly values: Readonly<Record<string, string>>;
};

/** The router's errors, explained to the sender of the transaction. */
const sentences: Readonly<Record<string, string>> = {
  BadAnswer: "A pool or token of the route gave no usable answer.",
  BadDirectPayout: "The route pays the recipient past a fee, in another token, or by a pool that cannot.",
  BadFill: "A maker's order does not take the amount that the route sells to it.",
  BadFeeRecipient: "A fee has nobody to go to.",
  BadRecipient: "The router itself cannot be the recipient.",
  BadRegister: "The route names a token that its table does not have, or buys what it sells.",
  BadWrapper: "A wrapping step does not name the wrapped token of the route.",
  CallbackRefused:
    "A pool asked for another amount than the route gives it; its liquidity may have been used up.",
  Expired: "The deadline of the swap has passed.",
  FeeTooHigh: "A fee is above the router's cap.",
  LeftOver: "The route does not use up everything that was sold.",
  MakerRefused: "A maker's order could not be filled.",
  NativeRefused: "The recipient refused the native coin.",
  NoMinimum: "A swap needs a minimum above zero.",
  NotTaken: "A pool did not take what was sold to it.",
  PartialFill: "A pool took another amount than it was sold; its liquidity may have been used up.",
  PulledTwice: "The route takes the token sold by signature twice, or the native coin.",
  Reentered: "The router is already running a swap in this transaction.",
  RouteTruncated: "The route ends within a step.",
  SameToken: "The token sold and the token bought are the same, or the route has no two tokens.",
  TransferFailed: "A token refused a transfer.",
  UnexpectedNative: "The router takes the native coin only while it swaps.",
  UnknownVariant: "The route has a step of a form that this router does not know.",
  UnknownKind: "The route has a step that this router does not know.",
  WrongValue: "The native coin sent along is not the amount to be sold.",
};

/** Errors that the router bubbles up: of Permit2 (PermitErrors, SignatureVerification) and of tokens (ERC-6093). */
const passedOn = parseAbi([
  "error SignatureExpired(uint256 signatureDeadline)",
  "error InvalidNonce()",
  "error InvalidAmount(uint256 maxAmount)",
  "error InvalidSigner()",
  "error InvalidSignature()",
  "error InvalidSignatureLength()",
  "error InvalidContractSignature()",
  "error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)",
  "error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)",
  "error ERC20InvalidSender(address sender)",
  "error ERC20InvalidReceiver(address receiver)",
]);

const passedOnSentences: Readonly<Record<(typeof passedOn)[number]["name"], string>> = {
  SignatureExpired: "The signature for Permit2 has expired.",
  InvalidNonce: "The signature for Permit2 was used before, or its nonce was revoked.",
  InvalidAmount: "The signature for Permit2 allows less than the swap takes.",
  InvalidSigner: "The signature for Permit2 is not of the sender, or not of what the swap takes.",
  InvalidSignature: "The signature for Permit2 is not a valid one.",
  InvalidSignatureLength: "The signature for Permit2 is of a wrong length.",
  InvalidContractSignature: "The wallet's contract refuses the signature for Permit2.",
  ERC20InsufficientBalance: "A transfer takes more of a token than its sender has.",
  ERC20InsufficientAllowance: "A transfer takes more of a token than its owner allowed.",
  ERC20InvalidSender: "A token refuses the sender of a transfer.",
  ERC20InvalidReceiver: "A token refuses the receiver of a transfer.",
};

const known: Abi = [...(artifact.abi as Abi), ...passedOn];

/** Names of the router's errors. */
export const routerErrorNames: readonly string[] = artifact.abi
  .filter((item) => item.type === "error")
  .map((item) => item.name!);

const panics: Readonly<Record<string, string>> = {
  "1": "an assertion failed",
  "17": "an amount overflowed",
  "18": "a division by zero",
  "50": "an index out of bounds",
};

function sentenceOf(name: string, values: Readonly<Record<string, string>>): string {
  if (name === "Error") return values.reason || "The call reverted without a reason.";
  if (name === "Panic") return `The call failed: ${panics[values.code!] ?? `panic ${values.code}`}.`;
  return sentences[name] ?? passedOnSentences[name as keyof typeof passedOnSentences] ?? name;
}

/** Names of the errors that are explained. A test compares them with `routerErrorNames`. */
export const explainedErrorNames: readonly string[] = Object.keys(sentences);

/**
 * Decodes revert data: the router's errors, and errors of tokens, pools and Permit2 that the router bubbles up. Never
 * throws; unrecognised data gets the name `Unknown` and is returned in `values.data`.
 */
export function decodeRevert(data: Hex): Revert {
  if (data === "0x") return { name: "Empty", text: "The call reverted without a reason.", values: {} };
  try {
    const { errorName, args, abiItem } = decodeErrorResult({ abi: known, data });
    const inputs = errorName === "Error" ? ["reason"] : errorName === "Panic" ? ["code"] : namesOf(abiItem);
    const texts = (args ?? []).map((value) => (typeof value === "string" ? value : String(value)));
    const values = Object.fromEntries(
      inputs.map((name, index) => [name, name === "reason" ? texts[index]! : texts[index]!.toLowerCase()]),
    );
    return { name: errorName, text: sentenceOf(errorName, values), values };
  } catch {
    return { name: "Unknown", text: "The call reverted for a reason of its own.", values: { data } };
  }
}

function namesOf(item: unknown): string[] {
  return (item as { inputs: { name: string }[] }).inputs.map((input) => input.name);
}
