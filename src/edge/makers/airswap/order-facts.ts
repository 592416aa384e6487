import { encodeFunctionData, parseAbi } from "viem/utils";
import { encodeAllowance, encodeBalanceOf } from "../../../core/encoding/index.ts";
import type { Address } from "../../../core/types.ts";
import type { Answer } from "../../node/endpoint.ts";
import type { AskHead, CallFrom } from "../ask-head.ts";
import { isOwned, type SignatureAsked, signatureCall } from "../contract-signature.ts";

/** An order whose terms match the request and that is still to be checked against the chain. */
export type OrderAsked = {
  readonly settler: Address;
  readonly signer: Address;
  readonly nonce: bigint;
  readonly signerToken: Address;
  /** Amount that leaves the signer: `signerAmount` plus the protocol fee, smallest units. */
  readonly leaving: bigint;
  /** The EIP-1271 check of a contract's signature; undefined where the signature was recovered to the signatory. */
  readonly contractSignature: Omit<SignatureAsked, "asker"> | undefined;
  readonly timeoutMs: number;
};

/**
 * Whether an order can be filled at the newest block: its nonce is unused, the signer's balance and its allowance to
 * AirSwap's contract cover the amount, and a contract accepts its signature. All of it is one request to a node.
 *
 * @returns undefined where no node answers in time, unless an answer already shows that the order cannot be filled
 */
export type CheckOrder = (asked: OrderAsked) => Promise<boolean | undefined>;

const abi = parseAbi(["function nonceUsed(address signer, uint256 nonce) view returns (bool)"]);

/** @source SwapERC20.sol of airswap-protocols, a117f69c: nonceUsed, and the conditions on which `swap` reverts */
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

/** A call, and whether its answer allows the fill; undefined where no node answered. */
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
