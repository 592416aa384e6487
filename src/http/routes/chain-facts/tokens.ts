import type { FastifyReply } from "fastify";
import Type, { type Static } from "typebox";
import { tokenFacts } from "../../../service/accounts/token-facts.ts";
import { listTokens, type Paging, type TokenFilter, wholeChain } from "../../../service/tokens.ts";
import { type App, type Context, checked } from "../../app-types.ts";
import { presentToken } from "../../present/present.ts";
import { dollarText } from "../../present/present-advice.ts";
import { createTokenAnswers, withOthers, writeTokens } from "../../present/token-list.ts";
import { OrNull } from "../../schemas/or-null.ts";
import { ChainParams, failureResponses, Text, Token } from "../../schemas/schemas.ts";
import { lower } from "../../schemas/texts.ts";
import { MOST_VALUES } from "../../schemas/validation.ts";

const chainSchema = {
  tags: ["tokens"],
  operationId: "chainTokens",
  summary: "All active tokens of a chain",
  params: ChainParams,
  response: { 200: Type.Object({ tokens: Type.Array(Token) }), ...failureResponses },
};

const MAX_PAGE_SIZE = 100;
const Strings = (description: string) =>
  Type.Optional(Type.Array(Type.String(), { description, maxItems: MOST_VALUES }));

const ListBody = Type.Object({
  filter: Type.Optional(
    Type.Object({
      addresses: Strings("Contract addresses"),
      chain_ids: Type.Optional(
        Type.Array(Type.Integer(), { description: "Chain ids", maxItems: MOST_VALUES }),
      ),
      is_active: Type.Optional(
        Type.Boolean({ description: "false = rarely used tokens only; null or absent = active ones" }),
      ),
      names: Strings("Full names"),
      symbols: Strings("Symbols"),
    }),
  ),
  paging: Type.Optional(
    Type.Object({
      page: Type.Integer({ minimum: 1, description: "From 1" }),
      page_size: Type.Optional(
        Type.Integer({ minimum: 0, maximum: MAX_PAGE_SIZE, description: "0 or absent = all" }),
      ),
    }),
  ),
});

const ListAnswer = Type.Object({
  tokens: Type.Array(Token),
  total: Type.Integer({ description: "Tokens that the filter selects" }),
  paging: Type.Object({
    page: Type.Integer(),
    page_size: Type.Integer(),
    total: Type.Integer(),
    pages: Type.Integer(),
  }),
});

const listSchema = {
  tags: ["tokens"],
  operationId: "listTokens",
  summary: "Tokens by filter and page",
  description: "The body is read as JSON whatever its content type. Text is compared without case.",
  body: ListBody,
  response: { 200: ListAnswer, ...failureResponses },
};

/** Sends a body that is already serialised as JSON. */
function sendBytes(reply: FastifyReply, body: Buffer): never {
  return reply.type("application/json; charset=utf-8").send(body) as never;
}

/** The max-age of a token list: its order changes with market depth every few minutes, and blocks add tokens. */
const CACHE_SECONDS = 15;

/** GET /v1/{chainID}/tokens and POST /v2/tokens/list */
export function tokenListRoutes(app: App, { deps, logos }: Context): void {
  const options = { ...checked(chainSchema), config: { cacheSeconds: CACHE_SECONDS } };
  const answerOf = createTokenAnswers({ deps, logos });
  app.get("/v1/:chainID/tokens", options, async ({ params }, reply) => {
    const { body, tag } = await answerOf(Number(params.chainID));
    return sendBytes(reply.header("etag", tag), body);
  });
  app.post("/v2/tokens/list", checked(listSchema), async ({ body }, reply) => {
    const [filter, paging] = [filterOf(body), pagingOf(body)];
    const { tokens, total, pages } = listTokens(deps, filter, paging);
    const paged = { page: paging.page, page_size: paging.pageSize, total, pages };
    const rest = { total, paging: paged };
    const chainId = wholeChain(deps, filter, paging);
    const written =
      chainId === undefined
        ? (await writeTokens({ deps, logos }, tokens, rest)).body
        : withOthers(await answerOf(chainId), rest);
    return sendBytes(reply, written);
  });
}

const tokenSchema = {
  tags: ["tokens"],
  operationId: "token",
  summary: "One token by its address, read from its contract where no list and no pool has it",
  params: Type.Object({
    ...ChainParams.properties,
    tokenAddress: Text("address", { description: "Token; the native coin is 0xeee…" }),
  }),
  response: {
    200: Type.Object({
      ...Token.properties,
      is_traded: Type.Boolean({ description: "A pool holds it" }),
      price_usd: OrNull(Type.String({ description: "US dollars of one token; null without enough depth" })),
      depth_usd: OrNull(Type.String({ description: "US dollars in the shallowest pool behind this price" })),
      lookalikes: Type.Array(Type.String(), {
        description: "Listed tokens of the same symbol at other addresses, where no list names this one",
      }),
    }),
    ...failureResponses,
  },
};

/** GET /v1/{chainID}/tokens/{tokenAddress} */
export function tokenRoute(app: App, { deps, logos }: Context): void {
  app.get("/v1/:chainID/tokens/:tokenAddress", checked(tokenSchema), async ({ params }) => {
    const facts = await tokenFacts(deps, Number(params.chainID), lower(params.tokenAddress));
    const { token, isTraded, price, lookalikes } = facts;
    return {
      ...presentToken(token, logos.has(token)),
      is_traded: isTraded,
      price_usd: dollarText(price && price.usdPerUnit * 10 ** token.decimals),
      depth_usd: price?.depthUsd === Number.POSITIVE_INFINITY ? null : dollarText(price?.depthUsd),
      lookalikes: [...lookalikes],
    };
  });
}

type Body = Static<typeof ListBody>;

function filterOf({ filter = {} }: Body): TokenFilter {
  return {
    addresses: filter.addresses,
    chainIds: filter.chain_ids,
    isActive: filter.is_active,
    names: filter.names,
    symbols: filter.symbols,
  };
}

function pagingOf({ paging }: Body): Paging {
  return { page: paging?.page ?? 1, pageSize: paging?.page_size ?? 0 };
}
