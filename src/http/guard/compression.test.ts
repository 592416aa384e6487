import { brotliDecompressSync, gunzipSync } from "node:zlib";
import fastify from "fastify";
import { expect, test } from "vitest";
import type { App } from "../app-types.ts";
import { registerCompression } from "./compression.ts";

/** The body as a client of an encoding reads it. */
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
  // Bytes that were compressed again would show what was written into them.
  body.fill("b");
  expect(await read(app, "br")).toBe("a".repeat(2_000));
  expect(await read(app, "gzip")).toBe("b".repeat(2_000));
  body = Buffer.from("c".repeat(2_000));
  expect(await read(app, "br")).toBe("c".repeat(2_000));
});
