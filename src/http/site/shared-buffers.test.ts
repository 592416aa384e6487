import fastify from "fastify";
import { expect, test } from "vitest";
import type { App } from "../app-types.ts";
import { registerOpenApi } from "../schemas/openapi.ts";
import { registerReference } from "./reference.ts";
import { registerSite } from "./site.ts";

test.each([
  "/docs/reference/",
  "/docs/reference/js/scalar.js",
  "/openapi.json",
  "/docs/style.css",
  "/docs/images/routing.svg",
])("all answers of %s share one buffer, which is therefore compressed once", async (url) => {
  const app = fastify() as unknown as App;
  const sent: unknown[] = [];
  app.addHook("onSend", (_request, _reply, payload, done) => {
    sent.push(payload);
    done();
  });
  await registerOpenApi(app, "0.0.0-test");
  registerReference(app);
  registerSite(app);
  const answers = [await app.inject(url), await app.inject(url)];
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  expect(Buffer.isBuffer(sent[0])).toBe(true);
  expect(sent[1]).toBe(sent[0]);
  await app.close();
});
