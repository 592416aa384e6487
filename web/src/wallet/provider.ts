import { BraidError } from "../../../packages/sdk/src/error.ts";

/** A wallet's provider (EIP-1193). */
export type Provider = {
  request(call: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>;
  on?(event: string, listener: (value: never) => void): unknown;
  removeListener?(event: string, listener: (value: never) => void): unknown;
};

/** An error of a wallet. */
export type WalletFault = {
  readonly kind: /** The user rejected the request. */
    | "rejected"
    /** The wallet does not know the requested chain. */
    | "unknown-chain"
    /** An earlier request of this page is pending in the wallet. */
    | "busy"
    /** The wallet does not support the method. */
    | "unsupported"
    | "failed";
  /** Message of one sentence for the user. */
  readonly text: string;
};

const KINDS: Readonly<Record<number, WalletFault["kind"]>> = {
  4001: "rejected",
  4100: "failed",
  4200: "unsupported",
  4902: "unknown-chain",
  5700: "unsupported",
  [-32002]: "busy",
  [-32601]: "unsupported",
};

const WORDS: Readonly<Record<WalletFault["kind"], string>> = {
  rejected: "You rejected this in your wallet.",
  "unknown-chain": "Your wallet does not know this chain.",
  busy: "Your wallet already waits for an answer. Open it and decide there.",
  unsupported: "Your wallet cannot do this.",
  failed: "Your wallet refused.",
};

/** Reasons of the SDK that are no wallet's, and whose message is shown as it is. */
const OWN_WORDS: readonly string[] = [
  "WRONG_CHAIN",
  "SIMULATION_FAILED",
  "INSUFFICIENT_BALANCE",
  "INSUFFICIENT_ALLOWANCE",
];

/** Longest part of a wallet's own message that is shown, in UTF-16 code units. */
const MAX_WORDS = 200;

/** Classifies an error of a provider or the SDK. Some wallets wrap the node's error in one of their own. */
export function walletFault(error: unknown): WalletFault {
  if (error instanceof BraidError && OWN_WORDS.includes(error.reason))
    return { kind: "failed", text: error.message };
  const outer = partsOf(error instanceof BraidError ? (error.cause ?? error) : error);
  const inner = partsOf(outer.data?.originalError ?? outer.cause);
  const kind = KINDS[outer.code ?? 0] ?? KINDS[inner.code ?? 0] ?? kindOfWords(outer.message);
  if (kind !== "failed") return { kind, text: WORDS[kind] };
  const said = (outer.message ?? inner.message ?? "").replace(/\s+/g, " ").trim().slice(0, MAX_WORDS);
  return { kind, text: said === "" ? WORDS.failed : `Your wallet refused: ${said}` };
}

type Parts = {
  readonly code?: number;
  readonly message?: string;
  readonly cause?: unknown;
  readonly data?: { readonly originalError?: unknown };
};

function partsOf(error: unknown): Parts {
  return typeof error === "object" && error !== null ? (error as Parts) : {};
}

function kindOfWords(message: string | undefined): WalletFault["kind"] {
  return /user (rejected|denied)|rejected by (the )?user/i.test(message ?? "") ? "rejected" : "failed";
}

/** A number in the hexadecimal quantity encoding of JSON-RPC. */
export function quantity(value: bigint | number): string {
  return `0x${value.toString(16)}`;
}
