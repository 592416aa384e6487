import { type FailureReason, failures } from "../../core/errors.ts";
import { slugOf, statusOf } from "../status.ts";

/** What a client can do about a failure, by reason, in Markdown. */
const remedies: Record<FailureReason, string> = {
  VALIDATION:
    "`details` names every bad or missing field with what it must be. Correct them all and ask again.",
  UNSUPPORTED_CHAIN: "Use a chain id of `/v1/platforms`.",
  UNKNOWN_TOKEN:
    "Use an address of `/v2/tokens/list`. The native coin is `0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee`, never the zero address.",
  SAME_TOKEN: "Name two different tokens. The native coin and its wrapper are two.",
  NOT_FOUND: "`/openapi.json` lists every path.",
  METHOD_NOT_ALLOWED: "The `Allow` header names the methods of this path.",
  TOO_LARGE:
    "413: send a body of at most 256 KiB. 414: shorten the URL or the part of its path. 431: send fewer or shorter headers.",
  TIMEOUT: "Send the whole request at once; check the connection.",
  NO_ROUTE:
    "Lower the amount (`details` holds the largest that routes, where it is known), allow more sources, or choose another token between.",
  IMPACT_TOO_HIGH:
    "Lower the amount, or allow more by `max_price_impact`; `details` holds the price impact in the same unit.",
  SIMULATION_FAILED:
    "`details` holds the decoded reason, the wallet's balance and its allowance. Approve, fund or raise the slippage; without `skipValidation=false` the quote is given all the same.",
  UNAUTHORIZED: "Send a known key as `X-Api-Key`, `Authorization: Bearer` or the parameter `apiKey`.",
  RATE_LIMITED:
    "Wait for `Retry-After` seconds. `RateLimit-*` headers tell what is left before it comes to this.",
  FORBIDDEN:
    "`details` names what the key may not do. A key for pages of certain origins works from these only; the operator changes the list.",
  STALE_STATE: "Wait for `Retry-After` seconds. `/health` tells which chain lags and why.",
  OVERLOADED: "Wait for `Retry-After` seconds and ask again, better with a growing pause.",
  ROUTER_UNAVAILABLE:
    "`price` answers all the same. The operator deploys the router with `npm run deploy -- --chain N`; that is noticed without a restart. `/health` tells what is missing.",
  INTERNAL: "A bug: report it with `request_id`, which finds it in the log.",
};

/** The HTTP statuses of a reason as text. TOO_LARGE has three, by the part of the request that is too large. */
function statusesOf(reason: FailureReason): string {
  return reason === "TOO_LARGE" ? "413, 414, 431" : String(statusOf[reason]);
}

/** One failure as plain text, which the URL in the `type` of an error body leads to. */
export function errorEntry(reason: FailureReason): string {
  const { number, title } = failures[reason];
  return `${number} ${reason} (HTTP ${statusesOf(reason)})\n\n${title}\n\n${remedies[reason]}\n`;
}

/** The text of docs/errors.md, generated from the failure table. */
export function errorsPage(): string {
  const rows = (Object.keys(failures) as FailureReason[]).map((reason) => {
    const { number, title } = failures[reason];
    const anchor = `<a id="${slugOf(reason)}"></a>`;
    return `| ${anchor}${number} | ${reason} | ${statusesOf(reason)} | ${title} | ${remedies[reason]} |`;
  });
  return `# Errors

Every answer that is not 2xx is one JSON object, \`application/problem+json\` where \`Accept\` names that type:

\`\`\`
${EXAMPLE}
\`\`\`

\`error\`, \`message\` and \`detail\` are one text, for people. Programs should look at \`reason\` or \`code\`: neither is ever
reused or renamed. \`details\` names bad fields, or facts. This page is printed from the code by \`npm run docs\`.

| code | reason | status | what happened | what to do |
|---|---|---|---|---|
${rows.join("\n")}
`;
}

const EXAMPLE = JSON.stringify(
  {
    error: 'Bad request: slippage must be a number from 1 to 500 (10 = 1 %), not "0.5".',
    message: 'Bad request: slippage must be a number from 1 to 500 (10 = 1 %), not "0.5".',
    code: 1001,
    reason: "VALIDATION",
    details: [{ field: "slippage", reason: "must be a number from 1 to 500 (10 = 1 %)", value: "0.5" }],
    request_id: "4f1a8f0e-6d0b-4e52-9d5f-6c6f4f0a7a11",
    type: "/errors/validation",
    title: "A parameter is bad or missing.",
    status: 400,
    detail: 'Bad request: slippage must be a number from 1 to 500 (10 = 1 %), not "0.5".',
    instance: "/v1/1/price",
  },
  undefined,
  2,
);
