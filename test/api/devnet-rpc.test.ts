import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestWallet } from "../../src/devnet/test-wallet.ts";
import { createWorld } from "./world.ts";

/** The devnet's test wallet as its page and as strangers reach it, over real sockets. */

type Service = Awaited<ReturnType<typeof createWorld>>;

let api: Service;
let port: number;
let methods: string[] = [];
const node = createServer(async (incoming, outgoing) => {
  let text = "";
  for await (const part of incoming) text += part;
  methods.push(JSON.parse(text).method);
  outgoing.setHeader("content-type", "application/json");
  outgoing.end(JSON.stringify({ jsonrpc: "2.0", id: 1, result: ["0xabc"] }));
});
const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port;

beforeAll(async () => {
  await new Promise<void>((resolve) => node.listen(0, "127.0.0.1", resolve));
  api = await createWorld({ testWallet: createTestWallet(1, `http://127.0.0.1:${portOf(node)}`) });
  await api.app.listen({ port: 0, host: "127.0.0.1" });
  port = portOf(api.app.server);
});
afterAll(async () => {
  await api.app.close();
  node.close();
});

/** As a browser sends it: the host by which the page was reached, and the origin of the page that asks. */
function post(body: unknown, headers: Record<string, string>) {
  return postText(JSON.stringify(body), headers);
}

function postText(body: string, headers: Record<string, string>): Promise<{ status: number; json: unknown }> {
  methods = [];
  return new Promise((resolve, reject) => {
    const options = { port, host: "127.0.0.1", path: "/devnet/rpc", method: "POST", headers };
    const sent = request(options, (answer) => {
      let text = "";
      answer.on("data", (part) => (text += part));
      answer.on("end", () => resolve({ status: answer.statusCode!, json: JSON.parse(text) }));
    });
    sent.on("error", reject).end(body);
  });
}

const accounts = { jsonrpc: "2.0", id: 7, method: "eth_requestAccounts", params: [] };

test("the page of this server connects to the devnet's accounts, by any name of the loopback", async () => {
  for (const name of ["127.0.0.1", "localhost", "[::1]"]) {
    const host = `${name}:${port}`;
    const { status, json } = await post(accounts, { host, origin: `http://${host}` });
    expect([status, json]).toEqual([200, { jsonrpc: "2.0", id: 7, result: ["0xabc"] }]);
    expect(methods).toEqual(["eth_accounts"]);
  }
});

test("a name that resolves to the loopback, a page of another origin and a caller without one are refused", async () => {
  const host = `127.0.0.1:${port}`;
  for (const headers of [
    { host: `evil.example:${port}`, origin: `http://evil.example:${port}` },
    { host, origin: "https://evil.example" },
    { host, origin: `http://127.0.0.1:${port + 1}` },
    { host, origin: "null" },
    { host },
  ]) {
    const { status, json } = await post(accounts, headers);
    expect([status, json]).toEqual([404, expect.objectContaining({ reason: "NOT_FOUND" })]);
    expect(methods).toEqual([]);
  }
});

test("methods that change the node, and what is no call, are refused by name", async () => {
  const host = `127.0.0.1:${port}`;
  for (const method of ["anvil_setBalance", "evm_revert", "eth_sendRawTransaction", "personal_sign"]) {
    const { status, json } = await post({ ...accounts, method }, { host, origin: `http://${host}` });
    expect([status, json]).toEqual([
      400,
      expect.objectContaining({
        details: [expect.objectContaining({ field: "method", value: method })],
      }),
    ]);
  }
  const { json } = await post({ ...accounts, params: {} }, { host, origin: `http://${host}` });
  expect(json).toMatchObject({ details: [{ field: "params" }] });
  expect(methods).toEqual([]);
});

test("a body that is no JSON-RPC call is refused with the field that is wrong", async () => {
  const host = `127.0.0.1:${port}`;
  const depth = 60_000;
  const deep = `${"[".repeat(depth)}${"]".repeat(depth)}`;
  for (const [body, field] of [
    ["null", "method"],
    ["7", "body"],
    ["[]", "body"],
    ["{}", "method"],
    ['{"method":7}', "method"],
    ['{"method":null}', "method"],
    ['{"method":{"toString":1}}', "method"],
    [`{"method":${deep}}`, "body"],
    ['{"method":"eth_chainId","id":{}}', "id"],
    [`{"method":"eth_chainId","id":${deep}}`, "body"],
    [`{"method":"eth_call","params":${deep}}`, "body"],
  ] as const) {
    const { status, json } = await postText(body, { host, origin: `http://${host}` });
    expect([body.slice(0, 40), status, json]).toEqual([
      body.slice(0, 40),
      400,
      expect.objectContaining({ details: [expect.objectContaining({ field })] }),
    ]);
    expect(methods).toEqual([]);
  }
  expect(api.world.log.filter((line) => line.startsWith("a bug"))).toEqual([]);
  for (const id of ["a", 0, null]) {
    const { json } = await post({ ...accounts, id }, { host, origin: `http://${host}` });
    expect(json).toMatchObject({ id });
  }
});

test("a service of real chains has no such path", async () => {
  const plain = await createWorld();
  const answer = await plain.app.inject({ method: "POST", url: "/devnet/rpc", payload: accounts });
  expect(answer.statusCode).toBe(404);
  await plain.app.close();
});
