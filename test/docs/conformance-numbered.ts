import { type Group, row, type TestName } from "./conformance-rows.ts";

/** What was set out for makers, offers that can be checked, and access, number by number; and every error of the interface. */

const errors = (title: string): TestName => ["test/api/errors.test.ts", title];
const explain = (title: string): TestName => ["test/api/explain.test.ts", title];
const advice = (title: string): TestName => ["test/api/advice.test.ts", title];
const cautions = (title: string): TestName => ["test/api/cautions.test.ts", title];
const access = (title: string): TestName => ["test/api/access.test.ts", title];
const stream = (title: string): TestName => ["test/api/stream.test.ts", title];
const accounts = (title: string): TestName => ["test/api/accounts.test.ts", title];
const maker = (title: string): TestName => ["src/edge/makers/seat.test.ts", title];
const push = (title: string): TestName => ["src/edge/makers/push/push.test.ts", title];
const refused = (title: string): TestName => ["test/process/refusals.test.ts", title];
const reached = (title: string): TestName => ["src/edge/makers/wire/request.test.ts", title];
const observed = (title: string): TestName => ["test/api/observability.test.ts", title];
const strangers = (title: string): TestName => ["src/edge/makers/push/strangers.test.ts", title];
const airswap = (title: string): TestName => ["src/edge/makers/airswap/door.test.ts", title];
const orders = (title: string): TestName => ["src/service/makers/orders.test.ts", title];
const blocks = (title: string): TestName => ["test/process/blocks.test.ts", title];
const refusal = (title: string): TestName => ["src/service/makers/refusal.test.ts", title];
const sockets = (title: string): TestName => ["test/api/sockets.test.ts", title];

const UNSIMULATED: TestName = [
  "test/process/proof.test.ts",
  "without eth_simulateV1: one call, with the balance and the allowance overridden",
];
const LEDGER = "src/service/accuracy/ledger.test.ts";

export const numbered: Group = {
  title: "Makers, offers that can be checked, and access, by number",
  rows: [
    row(
      "1 doors",
      "makers of the allow-list by Braid's interface, asked or pushing, and by AirSwap's",
      maker("an order that keeps the levels is given, and asked for in a signed request"),
      push("are replaced by the maker's own next ones, and by nobody else's"),
      push("a push that was made before is refused, and so is one that is older"),
      strangers("the oldest connection that nobody signed on makes room, and a maker's own stays"),
      airswap("an order is asked for as the protocol has it, and one that is as asked is given"),
      airswap("only the maker's signature is good, or that of the account that it has authorized"),
      airswap("an order whose nonce is used is invalid, and all that is asked of the chain is one request"),
      airswap("a server %s is named as one that gives no levels"),
      ["src/edge/makers/airswap/pricing.test.ts", "what is not priced is named: %s"],
      maker("a redirect is not followed"),
      reached("the address that was checked is the one that is connected to, whatever the name answers next"),
      ["test/docs/makers.test.ts", "docs/makers.md names every field of every message"],
      ["src/core/encoding/airswap.test.ts", "an AirSwap order's bytes lie where the router reads them"],
    ),
    row(
      "2 levels as pools",
      "the engine splits between makers and pools; a quote has firm orders, or pools in the same answer",
      [
        "src/protocols/rfq/rfq.test.ts",
        "no more is paid than the inventory, which all pairs of a maker share",
      ],
      orders("an order that replaces the levels pays what they promised, and the offer expires with it"),
      orders("after a search of %d ms makers have %d ms, so that they add at most 250 ms to the quote"),
    ),
    row(
      "3 reputation",
      "smoothed, blocked above 12 %; on the chain only what the maker alone brings about",
      [
        "src/edge/makers/standing/reputation.test.ts",
        "blocks double up to seven times, and a clean day makes them short again",
      ],
      refusal("a revert counts against a maker that %s"),
      refusal("a revert counts against no maker: %s"),
      refused(
        "a maker that has sent its tokens away does not honour its order: found in the block, once though asked about",
      ),
    ),
    row(
      "4 reference maker",
      "quotes and signs on the devnet; npm run e2e -- --makers sends its orders",
      refused("an order sent twice is refused the second time, and counts against nobody"),
      maker("a maker that never answers is late, and its second fade takes it out of the market"),
    ),
    row(
      "5 rfqOnly, sources and is_rfq_mode",
      "a 400 without a maker; makers by name; tokens from live levels",
      errors("2000 NO_ROUTE: no makers are there for rfqOnly"),
      ["src/edge/makers/makers-file.test.ts", "a maker is read, and is a source of its name"],
      [
        "src/edge/makers/tokens.test.ts",
        "a token is marked while a maker of its chain prices it, and no longer",
      ],
    ),
    row(
      "6 proof of quote",
      "the calldata is run at its block, by the best method that the node has; null with the reason",
      [
        "test/process/proof.test.ts",
        "%s → %s pays what is quoted, by a stand-in and by a wallet without funds",
      ],
      UNSIMULATED,
      [
        "test/process/proof.test.ts",
        "without overrides: as it is, for a wallet that may pay; for a stand-in not at all",
      ],
      [
        "test/api/proof.test.ts",
        "null where nothing can run it, or nobody answers: the quote stands all the same",
      ],
    ),
    row(
      "7 explain and replay",
      "by an id of 128 random bits, for whoever asked; kept in bounded room, and replayed to the same calldata",
      explain("a price tells how it came about: route, searches, marginal prices, and each pool's part"),
      explain("a quote tells the hash of its calldata, and neither taker, recipient nor key"),
      explain("what a key asked is for that key alone"),
      [
        "src/edge/quotes/ring.test.ts",
        "are found until newer ones displace them, and never exceed the total",
      ],
      ["src/edge/quotes/ring.test.ts", "of one caller displace its own, and nobody else's"],
      ["src/edge/quotes/quotes.test.ts", "with %s takes 64 KB at most, and says that it was cut"],
      ["src/edge/quotes/quotes.test.ts", "are found after a restart, with the key that they belong to"],
      ["test/process/replay.test.ts", "a complete %s of %o comes out the same, block by block later"],
    ),
    row(
      "8 realised against quoted",
      "at its own block, the next one and 10 s later; executed quotes by reported hashes and by reading blocks",
      [
        "test/api/accuracy.test.ts",
        "a caller's offer is settled again on later states, and its loss is told by pair class",
      ],
      [
        LEDGER,
        "a transaction is matched by its calldata and counted once; one whose calldata was never quoted is ignored",
      ],
      blocks(
        "a swap in the next block is found, exact on its own state, and counted once though it is asked about too",
      ),
      blocks(
        "a swap that leaves the chain with its block, and comes back in another, counts once and as it is there",
      ),
      [
        "test/api/blocks.test.ts",
        "a node that does not answer is asked again, and where too many blocks wait the oldest are left out",
      ],
    ),
    row(
      "9 slippage that is advised",
      "from what the pair loses in ten seconds and the size's impact; a limit of the impact",
      [
        "test/api/accuracy.test.ts",
        "suggested_slippage follows what the pair was seen to lose, once it was watched for long enough",
      ],
      advice("can be sent back as it is"),
      advice("refuses a higher impact with 2001 and the figure, and lets a lower one pass"),
    ),
    row(
      "10 warnings",
      "structured, beside the words, and never in the place of the offer",
      advice("a high price impact, the gravest first, with its figure"),
      advice("a slippage that is much more or much less than the pair needs"),
      advice("a token that no list names"),
      advice("a head that is soon too old to price"),
      cautions("a recipient that is a contract is told of, the graver where it is paid coins"),
      cautions("a token that keeps a part of a transfer is told of, unless it is vetted"),
      cautions("a pool that pays something else a minute later is told of"),
      [
        "src/service/advice/notices.test.ts",
        "an offer without a proven bound carries a notice with the reason, last in severity; an offer with a bound does not",
      ],
      [
        "test/api/calls.test.ts",
        "one unit less than enough is allowed: approved anew, and reset before where the token wants that",
      ],
    ),
    row(
      "11 dollars and net amounts",
      "from the chain's own pools; null where nothing prices a token",
      advice("amounts and gas in dollars, and what is left of the amount after gas"),
      advice("a token that nothing joins to the native coin has no value: null and not 0"),
    ),
    row(
      "12 stream",
      "an offer where a block changes it; ids, a last word for slow readers, one search for all who ask the same",
      stream("begins with what price answers, and says more only where a block changes it"),
      stream("a reader who comes back is told only what is new"),
      stream("a reader who does not read is given up, and nobody else notices"),
      stream("is searched for once for all who ask the same"),
      stream("where too many are open, of all or of one caller; one that ended makes room"),
    ),
    row(
      "13 helpers",
      "balances and allowances, a transaction's outcome, a token by its address",
      accounts("of the tokens asked for, in their order, with what the router may take and what it is worth"),
      accounts("what arrived is what the logs say that the recipient gained, fees apart"),
      accounts("a missed minimum is told in words, with what it would have paid"),
      accounts("of no list, as its contract says, with the listed tokens that it may pose as"),
    ),
    row(
      "14 access",
      "keys with tiers, limits, quotas, fees and origins; stored hashed; a threat model whose defences are there",
      ["src/edge/access/key-ring.test.ts", "a secret has 256 random bits and is nowhere in the folder"],
      access("a key is read from X-Api-Key, a bearer token or apiKey, in this order"),
      access("a day's quota ends with Retry-After until midnight UTC, and a batch counts each entry"),
      access("a request that names no fee has the key's; one that names any part has its own alone"),
      [
        "test/api/keys-command.test.ts",
        "makes a key that a running service knows, lists it without its secret, and revokes it",
      ],
      [
        "test/docs/security.test.ts",
        "the code, tests and commands by which the threat model names its defences exist",
      ],
    ),
    row(
      "15 observability",
      "stages, gaps, searches, nodes and makers are counted, all on the dashboard; a request id in every line",
      observed("stages, gaps and ends of searches are counted by chain"),
      observed("every log line about a request holds the id that its caller was given"),
      ["test/docs/grafana.test.ts", "every metric of the service is on the dashboard, and nothing else is"],
      [
        "test/process/opentelemetry.test.ts",
        "a quote is a span under its caller's, with its stages and the requests to nodes below it",
      ],
    ),
  ],
};

/** Errors by their reason. */
export const errorRows: Group = {
  title: "Errors",
  rows: [
    row(
      "VALIDATION",
      "400, every bad field at once",
      errors("every bad or missing parameter is named at once, with what it must be and what it was"),
    ),
    row("UNSUPPORTED_CHAIN", "400", errors("1002 UNSUPPORTED_CHAIN: %s")),
    row("UNKNOWN_TOKEN", "400", errors("1003 UNKNOWN_TOKEN names every address that is no token")),
    row("SAME_TOKEN", "400", errors("1004 SAME_TOKEN, whatever the case")),
    row("NOT_FOUND", "404", errors("1005 NOT_FOUND: %s")),
    row("METHOD_NOT_ALLOWED", "405, with Allow", errors("1006 METHOD_NOT_ALLOWED: %s %s")),
    row(
      "TOO_LARGE",
      "413, 414 or 431",
      errors("1007 TOO_LARGE: a body over 256 KiB, a path part, a URL"),
      sockets("431: headers beyond the limit"),
    ),
    row("TIMEOUT", "408", sockets("408: half a header"), sockets("408: a body that does not come")),
    row("NO_ROUTE", "400, with why", errors("2000 NO_ROUTE begins with No liquidity and says why")),
    row(
      "IMPACT_TOO_HIGH",
      "400, with the figure",
      advice("refuses a higher impact with 2001 and the figure, and lets a lower one pass"),
    ),
    row(
      "SIMULATION_FAILED",
      "422, with the reason in words",
      errors("2100 SIMULATION_FAILED with the decoded reason and the wallet's facts"),
    ),
    row(
      "UNAUTHORIZED",
      "401",
      access("3001 UNAUTHORIZED for an unknown and for a revoked key, with how to authenticate"),
    ),
    row(
      "RATE_LIMITED",
      "429, with Retry-After",
      errors("3002 RATE_LIMITED with RateLimit headers and Retry-After; health is never limited"),
    ),
    row(
      "FORBIDDEN",
      "403: what a key may not do",
      access("3003 FORBIDDEN for a page of an origin that the key does not list, and for none"),
    ),
    row(
      "STALE_STATE",
      "503, with Retry-After",
      errors("4001 STALE_STATE while starting and when old, with Retry-After"),
    ),
    row(
      "OVERLOADED",
      "503, with Retry-After",
      errors("4002 OVERLOADED: more searches than allowed, with Retry-After; then all is well again"),
    ),
    row("ROUTER_UNAVAILABLE", "503", [
      "test/api/router.test.ts",
      "quote, and what is approved or allowed to the router, answer 4003 and say what to do; price goes on",
    ]),
    row(
      "INTERNAL",
      "500: a bug, told to the log alone",
      errors("5000 INTERNAL tells the log everything and the caller nothing"),
    ),
    row(
      "one shape",
      "of every answer that is not 2xx",
      errors("application/problem+json where Accept names it"),
      ["test/api/clients.test.ts", "its error is the text of `message`"],
    ),
  ],
};
