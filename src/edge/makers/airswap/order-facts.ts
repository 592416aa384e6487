import { encodeFunctionData, parseAbi } from "viem";
import { encodeAllowance, encodeBalanceOf } from "../../../core/encoding/index.ts";
import type { Address } from "../../../core/types.ts";
import type { Answer } from "../../node/endpoint.ts";
import type { AskHead, CallFrom } from "../ask-head.ts";
import { isOwned, type SignatureAsked, signatureCall } from "../contract-signature.ts";

/** An order whose terms are as they were asked for, before the chain has been asked about it. */
export type OrderAsked = {
  readonly settler: Address;
  readonly signer: Address;
  readonly nonce: bigint;
  readonly signerToken: Address;
  /** What leaves the signer: `signerAmount` with the fee on top, smallest units. */
  readonly leaving: bigint;
  /** The signature, where no account with a key made it: a contract is asked whether it is its own. */
  readonly contractSignature: Omit<SignatureAsked, "asker"> | undefined;
  readonly timeoutMs: number;
};

/**
 * Whether the newest block fills an order: its nonce is unused, the signer holds what leaves it and lets AirSwap's contract
 * take that, and a contract calls the signature its own. All of it is one request to a node.
 *
 * @returns undefined where no node answers in time
 */
export type CheckOrder = (asked: OrderAsked) => Promise<boolean | undefined>;

const abi = parseAbi(["function nonceUsed(address signer, uint256 nonce) view returns (bool)"]);

/** @source SwapERC20.sol of airswap-protocols, a117f69c: nonceUsed, and what `swap` reverts on */
export function createOrderCheck(askHead: AskHead): CheckOrder {
  return async (asked) => {
    const questions = questionsOf(asked);
    const answers = await askHead(
      questions.map(({ call }) => call),
      asked.timeoutMs,
    );
    const verdicts = questions.map(({ isGood }, k) => answers && isGood(answers[k]!));
    if (verdicts.includes(false)) return false;
    return verdicts.includes(undefined) ? undefined : true;
  };
}

/** A call, and what its answer says of the order; undefined where no node answered it. */
type Question = { readonly call: CallFrom; readonly isGood: (answer: Answer) => boolean | undefined };

function questionsOf({ settler, signer, nonce, signerToken, leaving, contractSignature }: OrderAsked) {
  const nonceUsed = encodeFunctionData({ abi, functionName: "nonceUsed", args: [signer, nonce] });
  const isEnough = numeric((amount) => amount >= leaving);
  const questions: Question[] = [
    { call: { to: settler, data: nonceUsed }, isGood: numeric((used) => used === 0n) },
    { call: { to: signerToken, data: encodeBalanceOf(signer) }, isGood: isEnough },
    { call: { to: signerToken, data: encodeAllowance(signer, settler) }, isGood: isEnough },
  ];
  if (contractSignature === undefined) return questions;
  const call = signatureCall({ ...contractSignature, asker: settler });
  return [...questions, { call, isGood: isOwned }];
}

const WORD = /^0x[0-9a-f]{64}$/i;

const numeric =
  (isGood: (value: bigint) => boolean): Question["isGood"] =>
  (answer) =>
    answer.ok && typeof answer.result === "string" && WORD.test(answer.result)
      ? isGood(BigInt(answer.result))
      : undefined;
