import { domainSeparator, encodeAbiParameters, toHex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import {
  type Asked,
  type BraidOptions,
  createBraid,
  type PermitKind,
  type QuoteAnswer,
  type QuoteParameters,
} from "../../packages/sdk/src/index.ts";
import { PERMIT2_ADDRESS } from "../../src/core/encoding/index.ts";
import { type Address, NATIVE } from "../../src/core/types.ts";
import { holding } from "../api/ledger.ts";
import { BOB, createWorld, DAI, FEES, USDC, WETH } from "../api/world.ts";

/** The service in memory, reached as the SDK reaches one, and quotes that it gives to honest questions. */

type TestWorld = Awaited<ReturnType<typeof createWorld>>;

const payer = privateKeyToAccount(`0x${"7".repeat(64)}`);
export const PAYER = payer.address.toLowerCase() as Address;
export const DEADLINE = 1_700_001_200;

/** A fetch that asks the application without a socket. */
export function fetchOf({ app }: TestWorld): NonNullable<BraidOptions["fetch"]> {
  return async (input, init) => {
    const { pathname, search } = new URL(String(input));
    const payload = init?.body === undefined ? {} : { payload: String(init.body) };
    const headers = Object.fromEntries(new Headers(init?.headers));
    const method = (init?.method ?? "GET") as "GET" | "POST";
    const answer = await app.inject({ method, url: pathname + search, headers, ...payload });
    return new Response(answer.body, {
      status: answer.statusCode,
      headers: answer.headers as Record<string, string>,
    });
  };
}

/** USDC and Permit2 take signatures here, and the payer holds plenty. */
export async function createPayingWorld(): Promise<TestWorld> {
  const world = await createWorld();
  const { answers, balances } = world.world.ledger;
  const permit2 = { name: "Permit2", chainId: 1, verifyingContract: PERMIT2_ADDRESS } as const;
  const usdc = { name: "USD Coin", version: "2", chainId: 1, verifyingContract: USDC } as const;
  answers.set(`${PERMIT2_ADDRESS} 0x3644e515`, domainSeparator({ domain: permit2 }));
  answers.set(`${USDC} 0x3644e515`, domainSeparator({ domain: usdc }));
  answers.set(`${USDC} 0x06fdde03`, encodeAbiParameters([{ type: "string" }], ["USD Coin"]));
  answers.set(`${USDC} 0x7ecebe00 ${PAYER}`, toHex(5n, { size: 32 }));
  for (const token of [USDC, DAI, WETH, NATIVE]) balances.set(holding(token, PAYER), 10n ** 24n);
  return world;
}

const sale = { chainID: 1, slippage: 10, deadline: DEADLINE, takerAddress: PAYER } as const;
const fees = { feeRecipient: FEES, sellTokenPercentageFee: 7, buyTokenPercentageFee: 3 };

const QUESTIONS: readonly (QuoteParameters & Asked)[] = [
  { ...sale, fromTokenAddress: NATIVE, toTokenAddress: USDC, amount: 10n ** 18n },
  { ...sale, fromTokenAddress: USDC, toTokenAddress: WETH, amount: 10n ** 9n },
  { ...sale, fromTokenAddress: USDC, toTokenAddress: NATIVE, amount: 10n ** 9n, recipientAddress: BOB },
  { ...sale, fromTokenAddress: WETH, toTokenAddress: DAI, amount: 10n ** 17n, ...fees, slippage: 2.5 },
  { ...sale, fromTokenAddress: DAI, toTokenAddress: USDC, amount: 10n ** 9n, side: "BUY" },
  { ...sale, fromTokenAddress: NATIVE, toTokenAddress: DAI, amount: 10n ** 21n, side: "BUY", ...fees },
  { ...sale, fromTokenAddress: USDC, toTokenAddress: DAI, amount: 77n, slippage: 500 },
  { ...sale, fromTokenAddress: WETH, toTokenAddress: NATIVE, amount: 5n },
];

export type Genuine = { readonly asked: Asked; readonly quote: QuoteAnswer };

/** An honest answer to each question, and to one of them paid by each kind of signature. */
export async function genuineQuotes(world: TestWorld): Promise<Genuine[]> {
  const braid = createBraid({ url: "http://braid.test", fetch: fetchOf(world) });
  const plain: Genuine[] = [];
  for (const asked of QUESTIONS) plain.push({ asked, quote: await braid.quote(asked) });
  const signed: Genuine[] = [];
  const { asked, quote } = plain[1]!;
  for (const [kind, offered] of Object.entries(quote.permit ?? {})) {
    const typedData = offered!.typed_data as unknown as Parameters<typeof payer.signTypedData>[0];
    const terms = {
      permit_kind: kind as PermitKind,
      permit_signature: await payer.signTypedData(typedData),
      permit_nonce: kind === "eip2612" ? undefined : offered!.permit_nonce,
      permit_deadline: offered!.permit_deadline,
    };
    signed.push({ asked: { ...asked, ...terms }, quote: await braid.quote({ ...asked, ...terms }) });
  }
  return [...plain, ...signed];
}
