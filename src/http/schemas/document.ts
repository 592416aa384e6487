import type { Deps } from "../../service/deps.ts";
import { defaultServiceSettings } from "../../service/deps.ts";
import { createApp } from "../app.ts";
import { defaultHttpSettings } from "../settings.ts";

/** Dependencies without any chain: the OpenAPI document does not depend on the served chains. */
const nothing: Deps = {
  chains: new Map(),
  tokens: { get: () => undefined, all: () => [] },
  registry: new Map(),
  unixSeconds: () => 0,
  monotonicMs: () => 0,
  pause: async () => {},
  settings: defaultServiceSettings,
};

const silent = { info: () => {}, warn: () => {}, error: () => {} };

/** The OpenAPI document of GET /openapi.json as indented JSON. @param version of the program */
export async function openApiText(version: string): Promise<string> {
  const { app } = await createApp({
    deps: nothing,
    log: silent,
    settings: { ...defaultHttpSettings, processMetrics: false },
    version,
    pageRoot: undefined,
  });
  try {
    const { body } = await app.inject({ url: "/openapi.json" });
    return `${JSON.stringify(JSON.parse(body), undefined, 2)}\n`;
  } finally {
    await app.close();
  }
}
