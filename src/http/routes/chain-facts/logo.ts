import Type from "typebox";
import { BraidError } from "../../../core/errors.ts";
import { servedChain } from "../../../service/chain.ts";
import { type App, type Context, checked } from "../../app-types.ts";
import { ChainParams, failureResponses, Text } from "../../schemas/schemas.ts";
import { lower } from "../../schemas/texts.ts";

const picture = { schema: Type.Unsafe<Buffer>(Type.String({ description: "Its bytes" })) };

const schema = {
  tags: ["tokens"],
  operationId: "tokenLogo",
  summary: "The picture of a listed token, passed on from where the token lists have it",
  description: "PNG, JPEG or WebP of at most 100 KB. NOT_FOUND where there is none.",
  params: Type.Object({
    ...ChainParams.properties,
    tokenAddress: Text("address", { description: "Token; the native coin is 0xeee…" }),
  }),
  response: {
    200: {
      description: "The picture",
      content: { "image/png": picture, "image/jpeg": picture, "image/webp": picture },
    },
    ...failureResponses,
  },
};

/** The max-age of a logo: logos seldom change, and a stale one does no harm. */
const CACHE_SECONDS = 86_400;

/** Content-Security-Policy: an image that is opened as a document runs no scripts and loads nothing. */
const PICTURE_POLICY = "default-src 'none'; sandbox";

/** GET /v1/{chainID}/tokens/{tokenAddress}/logo */
export function logoRoute(app: App, { deps, logos }: Context): void {
  const options = { ...checked(schema), config: { cacheSeconds: CACHE_SECONDS } };
  app.get("/v1/:chainID/tokens/:tokenAddress/logo", options, async ({ params }, reply) => {
    const chainId = Number(params.chainID);
    servedChain(deps, chainId);
    const token = deps.tokens.get(chainId, lower(params.tokenAddress));
    const logo = token && (await logos.of(token));
    if (logo === undefined) throw new BraidError("NOT_FOUND", "There is no logo of this token here.");
    reply.type(logo.type).header("content-security-policy", PICTURE_POLICY);
    return reply.send(Buffer.from(logo.bytes));
  });
}
