import { beyondThePrice } from "./conformance-beyond.ts";
import { errorRows, numbered } from "./conformance-numbered.ts";
import { type Group, type Row, row, type TestName } from "./conformance-rows.ts";

/**
 * The interface that clients of this kind of service are written for, row by row, and the test that holds each row.
 * `npm run docs` prints it as docs/conformance.md; conformance.test.ts compares it with the tests that there are.
 */

const swap = (title: string): TestName => ["test/api/swap.test.ts", title];
const errors = (title: string): TestName => ["test/api/errors.test.ts", title];
const tokens = (title: string): TestName => ["test/api/tokens.test.ts", title];
const clients = (title: string): TestName => ["test/api/clients.test.ts", title];
const explain = (title: string): TestName => ["test/api/explain.test.ts", title];
const accuracy = (title: string): TestName => ["test/api/accuracy.test.ts", title];
const cautions = (title: string): TestName => ["test/api/cautions.test.ts", title];
const advice = (title: string): TestName => ["test/api/advice.test.ts", title];
const document: TestName = [
  "src/http/schemas/document.test.ts",
  "lists every endpoint, with the parameters of the specification in their types",
];

const OFFER = swap("has the fields of the specification in their types, and nothing of a transaction");
const QUOTE = swap("is price with a transaction of the same amounts");
const FEES = swap("fees: the sell fee comes off first, the buy fee off what is bought, each to the unit");
const IN_CALLDATA = swap("fees, deadline and the sender as recipient reach the calldata");
const SLIPPAGE = swap("absent slippage is 1, fractions and float noise count");
const SOURCES = swap("include and exclude, by id or name, in any case and any of three forms");
const BOTH_LISTS = errors("both source lists, and an include list that names nobody");
const WITH_GAS = swap("withGas ranks by the gas price given: a dear one leaves a single pool");
const BAD_VALUES = errors("%s = %s");
const EVERY_FAULT = errors(
  "every bad or missing parameter is named at once, with what it must be and what it was",
);
const ALLOWANCE = swap("allowance reads what the exchange contract may spend; the native coin needs none");
const APPROVE = swap("approve: the spender is quote.to, the default amount is all, 0 revokes");
const GAS = tokens("gas prices are plain GWEI texts, low ≤ medium ≤ high");
const ALL_TOKENS = tokens("all active ones with every field, the native coin first");
const TEXT = tokens("text is compared without case, fields join by AND, elements by OR");
const ACTIVE = tokens("is_active: false selects the rarely used only, true and null the active only");
const PAGES = tokens("pages: size 0 or absent is all, a page past the end is empty, totals are told");
const RUN = swap("a wallet that can pay: its own calldata is run, and the gas is measured");
const NO_MAKERS = errors("2000 NO_ROUTE: no makers are there for rfqOnly");
const GAS_LEVELS: TestName = [
  "src/core/gas/levels.test.ts",
  "every maxFeePerGas pays its tip through the blocks that its level promises, all of them full",
];

/** Parameters that `price` and `quote` share. */
const offerRows: readonly Row[] = [
  row("chainID", "path, integer, required", document, errors("1002 UNSUPPORTED_CHAIN: %s")),
  row("fromTokenAddress", "the token sold; required", OFFER, EVERY_FAULT),
  row("toTokenAddress", "the token bought; required", OFFER, EVERY_FAULT),
  row("amount", "integer, smallest units of the token sold; required", BAD_VALUES, QUOTE),
  row("gasPrice", "WEI; the `high` level where absent", OFFER, WITH_GAS),
  row("feeRecipient", "the wallet that gets the fees", FEES, IN_CALLDATA),
  row("buyTokenPercentageFee", "10 = 1 %, at most 500, of the token bought", FEES, BAD_VALUES),
  row("sellTokenPercentageFee", "10 = 1 %, at most 500, of the token sold", FEES, BAD_VALUES),
  row("excludeAggregator", "repeatable", SOURCES),
  row("includeAggregator", "repeatable; not together with the other list", SOURCES, BOTH_LISTS),
  row("withGas", "true: the route is chosen with the gas in mind; false where absent", WITH_GAS),
];

export const ENDPOINTS: readonly (Group & { readonly method: "get" | "post"; readonly path: string })[] = [
  {
    ...{ title: "GET /v1/platforms", method: "get", path: "/v1/platforms" },
    rows: [row("platforms", "array of chainId, name, shortname", tokens("platforms"))],
  },
  {
    ...{ title: "GET /v1/{chainID}/tokens", method: "get", path: "/v1/{chainID}/tokens" },
    rows: [row("tokens", "the tokens of one chain", ALL_TOKENS)],
  },
  {
    ...{ title: "GET /v1/{chainID}/gasprices", method: "get", path: "/v1/{chainID}/gasprices" },
    rows: [
      row("baseFee, low, medium, high", "text, in GWEI", GAS),
      row("low, medium, high", "accepted after block 5, within 2 to 3 blocks, in the next", GAS_LEVELS),
      row("lowInfo, mediumInfo, highInfo", "price, maxPriorityFeePerGas, maxFeePerGas", GAS),
    ],
  },
  {
    ...{ title: "GET /v1/{chainID}/price", method: "get", path: "/v1/{chainID}/price" },
    rows: [
      ...offerRows,
      row("slippage", "10 = 1 %, 1 to 500; 1 where absent", SLIPPAGE, BAD_VALUES),
      row("rfqOnly", "true: makers alone; false where absent", NO_MAKERS),
    ],
  },
  {
    ...{ title: "GET /v1/{chainID}/quote", method: "get", path: "/v1/{chainID}/quote" },
    rows: [
      ...offerRows,
      row("slippage", "as in `price`, and required", errors("quote has no default slippage")),
      row("takerAddress", "the wallet that swaps: gas is estimated by its own run", RUN),
      row("recipientAddress", "gets the tokens bought; the sender where absent", QUOTE, IN_CALLDATA),
      row(
        "skipValidation",
        "true where absent; false: refused where it would revert",
        errors("2100 SIMULATION_FAILED with the decoded reason and the wallet's facts"),
      ),
    ],
  },
  {
    ...{ title: "GET /v1/{chainID}/transaction/allowance", method: "get" },
    path: "/v1/{chainID}/transaction/allowance",
    rows: [
      row("tokenAddress", "the token; required", ALLOWANCE),
      row("walletAddress", "the wallet; required", ALLOWANCE),
      row("remaining", "text, smallest units: what the exchange contract may spend", ALLOWANCE),
    ],
  },
  {
    ...{ title: "GET /v1/{chainID}/transaction/approve", method: "get" },
    path: "/v1/{chainID}/transaction/approve",
    rows: [
      row("tokenAddress", "the token; required", APPROVE),
      row("takerAddress", "the wallet: gas is estimated exactly", APPROVE),
      row("amount", "infinite where absent", APPROVE),
      row("gasPrice", "the `medium` level where absent", APPROVE),
      row("contractAddress", "the exchange contract of the chain where absent", APPROVE),
      row("calldata, gas_price, to, estimate_gas", "the transaction", APPROVE),
    ],
  },
  {
    ...{ title: "POST /v2/tokens/list", method: "post", path: "/v2/tokens/list" },
    rows: [
      row(
        "filter",
        "fields join by AND, elements of a list by OR; optional, as the body is",
        TEXT,
        tokens("%s selects all active tokens"),
      ),
      row("filter.addresses, .names, .symbols", "compared without regard to case", TEXT),
      row("filter.chain_ids", "integers", TEXT, tokens("a chain that is not served selects nothing")),
      row("filter.is_active", "false: the rarely used; null: the active only", ACTIVE),
      row("paging.page", "at least 1", PAGES),
      row("paging.page_size", "at most 100; 0: no limit", PAGES),
      row("content type", "JSON, whatever the header says", tokens("a body of type %j is JSON all the same")),
    ],
  },
];

export const GROUPS: readonly Group[] = [
  {
    title: "An offer",
    rows: [
      row("amount_out_total", "text, smallest units of the token bought", OFFER),
      row("estimate_gas_total", "text, gas", OFFER, RUN),
      row("token_in, token_out", "addresses of the tokens", OFFER),
      row("gas_price", "text, WEI", OFFER),
      row("fee_recipient_amount", "text; 0 without a fee on the token bought", OFFER, FEES),
      row(
        "routes",
        "type, protocol_name and percent of each source",
        OFFER,
        swap("the graph names its tokens and its steps; routes are its summary"),
      ),
      row("calldata, to", "in `quote` alone", OFFER, QUOTE),
      row("expiry", "of makers' orders alone", OFFER, QUOTE),
    ],
  },
  {
    title: "An offer that can be checked",
    rows: [
      row(
        "quote_id",
        "names how the answer came about, for whoever asked",
        explain("a price tells how it came about: route, searches, marginal prices, and each pool's part"),
        explain("what a key asked is for that key alone"),
        explain("a quote tells the hash of its calldata, and neither taker, recipient nor key"),
      ),
      row(
        "accuracy",
        "offers are settled again a block and ten seconds later, by class of pair; a quiet service has figures",
        accuracy("a quiet service has figures of its own: what stands still loses nothing"),
        accuracy("a caller's offer is settled again on later states, and its loss is told by pair class"),
        [
          "src/service/accuracy/ledger.test.ts",
          "calldata that pays another amount on its own block is counted, with the largest difference",
        ],
        [
          "src/service/accuracy/ledger.test.ts",
          "a transaction is matched by its calldata and counted once; one whose calldata was never quoted is ignored",
        ],
      ),
      row(
        "suggested_slippage",
        "what the pair was seen to lose within ten seconds, and the size's impact",
        accuracy(
          "suggested_slippage follows what the pair was seen to lose, once it was watched for long enough",
        ),
      ),
      row(
        "notices",
        "of recipients that are contracts, tokens that keep a part of a transfer, pools that the clock moves",
        cautions("a recipient that is a contract is told of, the graver where it is paid coins"),
        cautions("a token that keeps a part of a transfer is told of, unless it is vetted"),
        cautions("a pool that pays something else a minute later is told of"),
      ),
      row(
        "is_listed",
        "of every token of a route",
        cautions("every token of a route says whether a public list names it"),
      ),
      row(
        "simulation",
        "what the calldata came to on the offer's block; null with the reason where it was not run",
        [
          "test/api/proof.test.ts",
          "null where nothing can run it, or nobody answers: the quote stands all the same",
        ],
      ),
      row(
        "search.complete",
        "true: npm run replay gives the same route and calldata",
        ["test/process/replay.test.ts", "a complete %s of %o comes out the same, block by block later"],
        ["test/process/replay.test.ts", "a record that was tampered with is not what comes out"],
      ),
      row(
        "…_usd, net_out",
        "by the market's own prices; null where nothing prices the token",
        advice("amounts and gas in dollars, and what is left of the amount after gas"),
        advice("a token that nothing joins to the native coin has no value: null and not 0"),
      ),
      row(
        "max_price_impact",
        "a higher one is refused with 2001",
        advice("refuses a higher impact with 2001 and the figure, and lets a lower one pass"),
      ),
    ],
  },
  ...beyondThePrice,
  numbered,
  errorRows,
  {
    title: "A token",
    rows: [
      row("chainId, address, name, symbol, decimals, logoURI", "of each token", ALL_TOKENS),
      row("is_active", "false: seldom used on DEXs", ACTIVE),
      row("priority", "order in which to show tokens", ALL_TOKENS),
      row("is_rfq_mode", "true: makers trade it", ALL_TOKENS),
    ],
  },
  {
    title: "The rest",
    rows: [
      row(
        "percentages of a route",
        "whole numbers that add up to 100",
        clients("it looks icons up by the lower case of protocol_name and shows whole percents"),
      ),
      row(
        "slippage on the chain",
        "a swap reverts where the price has moved by more",
        swap("a loss beyond the slippage says min return"),
        clients("it tells a slippage failure by the words min return"),
      ),
      row(
        "failures",
        "one JSON shape; the interface leaves it open",
        clients("its error is the text of `message`"),
      ),
      row(
        "addresses",
        "in any case",
        clients("price, then quote, then approve: the spender, the minimum and the amounts agree"),
      ),
      row(
        "every answer",
        "status and body are in the API reference; no 5xx but 503s with a name",
        [
          "test/api/fuzz-sockets.test.ts",
          "no answer over sockets is outside of the document, and none is a bug",
        ],
        ["test/api/fuzz-sockets.test.ts", "a bug is found, and so is a 503 only where it has no name"],
      ),
      row("absent parameters", "may be sent empty", clients("it asks with every optional parameter empty")),
      row(
        "values",
        "booleans in any case, lists repeated",
        clients("booleans are True and False, the slippage is a float, the list is repeated"),
      ),
    ],
  },
];
