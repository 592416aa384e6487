import { brotliDecompressSync, gunzipSync } from "node:zlib";
import fastify from "fastify";
import { expect, test } from "vitest";
import type { App } from "../app-types.ts";
import { registerCompression } from "./compression.ts";

/** The decompressed body of a response in the given encoding. */
async function read(app: App, encoding: "br" | "gzip"): Promise<string> {
  const { rawPayload } = await app.inject({ url: "/", headers: { "accept-encoding": encoding } });
  return (encoding === "br" ? brotliDecompressSync(rawPayload) : gunzipSync(rawPayload)).toString();
}

test("bytes that are sent again are compressed once in each encoding, others anew", async () => {
  let body = Buffer.from("a".repeat(2_000));
  const app = fastify() as unknown as App;
  registerCompression(app);
  app.get("/", async (_request, reply) => reply.type("application/json").send(body) as never);
  expect(await read(app, "br")).toBe("a".repeat(2_000));
  // Overwriting the buffer shows whether it is compressed again: a new result would have the new content.
  body.fill("b");
  expect(await read(app, "br")).toBe("a".repeat(2_000));
  expect(await read(app, "gzip")).toBe("b".repeat(2_000));
  body = Buffer.from("c".repeat(2_000));
  expect(await read(app, "br")).toBe("c".repeat(2_000));
});
