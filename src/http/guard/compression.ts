import { Readable, type Transform } from "node:stream";
import { promisify } from "node:util";
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from "node:zlib";
import type { FastifyReply } from "fastify";
import type { App } from "../app-types.ts";

/** Smallest body that is compressed: below it, compression costs more than it saves. */
const LEAST_BYTES = 1_024;

/** Brotli quality for responses: higher levels take several times as long and save a few percent more. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

type Encoding = {
  readonly whole: (body: string | Buffer) => Promise<Buffer>;
  readonly stream: () => Transform;
};

const wholeBrotli = promisify(brotliCompress);
const wholeGzip = promisify(gzip);

/** Encodings, the preferred one first. Compression runs on the libuv thread pool. */
const encodings: ReadonlyMap<string, Encoding> = new Map([
  ["br", { whole: (body) => wholeBrotli(body, BROTLI), stream: () => createBrotliCompress(BROTLI) }],
  ["gzip", { whole: (body) => wholeGzip(body), stream: () => createGzip() }],
]);

const COMPRESSIBLE =
  /^(text\/(?!event-stream)|application\/(json|problem\+json|javascript|manifest\+json)|image\/svg\+xml)/;

const compressed = new WeakMap<Buffer, Map<string, Promise<Buffer>>>();

/** Compresses a buffer once per encoding: the result is cached for as long as the buffer exists. */
function kept(body: Buffer, name: string, { whole }: Encoding): Promise<Buffer> {
  const known = compressed.get(body) ?? new Map<string, Promise<Buffer>>();
  compressed.set(body, known);
  const before = known.get(name);
  if (before !== undefined) return before;
  const made = whole(body);
  known.set(name, made);
  // A failure is not cached.
  made.catch(() => known.delete(name));
  return made;
}

/** Compresses text of 1 KiB and more with brotli or gzip. Register last, since it needs the body as it is sent. */
export function registerCompression(app: App): void {
  app.addHook("onSend", (request, reply, payload, done) => {
    if (!isCompressible(reply, payload)) return done();
    const vary = reply.getHeader("vary");
    reply.header("vary", vary === undefined ? "Accept-Encoding" : `${vary}, Accept-Encoding`);
    const name = preferred(request.headers["accept-encoding"]);
    const encoding = name === undefined ? undefined : encodings.get(name);
    if (encoding === undefined) return done();
    reply.header("content-encoding", name).removeHeader("content-length");
    if (payload instanceof Readable) return done(null, payload.compose(encoding.stream()));
    const whole = Buffer.isBuffer(payload)
      ? kept(payload, name!, encoding)
      : encoding.whole(payload as string);
    whole.then((body) => done(null, body), done);
  });
}

function isCompressible(reply: FastifyReply, payload: unknown): boolean {
  if (reply.hasHeader("content-encoding") || reply.hasHeader("content-range")) return false;
  if (!COMPRESSIBLE.test(String(reply.getHeader("content-type")))) return false;
  if (payload instanceof Readable) return Number(reply.getHeader("content-length")) >= LEAST_BYTES;
  if (typeof payload === "string") return payload.length >= LEAST_BYTES;
  return Buffer.isBuffer(payload) && payload.length >= LEAST_BYTES;
}

/**
 * The supported encoding that the client prefers; brotli before gzip where their weights are equal.
 *
 * @param header Accept-Encoding, such as "gzip;q=0.5, br"
 * @returns undefined where the client accepts none of them
 */
export function preferred(header: string | undefined): string | undefined {
  const weights = new Map(
    (header ?? "").split(",").map((part): [string, number] => {
      const [name = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
      const quality = parameters.find((text) => text.startsWith("q="));
      return [name, quality === undefined ? 1 : Number(quality.slice(2))];
    }),
  );
  const weightOf = (name: string): number => weights.get(name) ?? weights.get("*") ?? 0;
  const wanted = [...encodings.keys()].filter((name) => weightOf(name) > 0);
  return wanted.sort((a, b) => weightOf(b) - weightOf(a))[0];
}
