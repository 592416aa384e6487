import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { elapsedMs } from "../../elapsed.ts";
import type { Answer, Endpoint } from "../endpoint.ts";
import { disbelieve, newHealth, noteHead } from "../health.ts";
import type { Header } from "../types.ts";
import { NodeFailure } from "./failure.ts";
import { createRpc } from "./rpc.ts";

const settings = { attemptMs: 500, deadlineMs: 1500, hedgeMinMs: 20, hedgeMaxMs: 40, lagBlocks: 2 };
const never = new AbortController().signal;

type Behaviour = (method: string) => Answer | Promise<Answer>;

function endpoint(label: string, height: number, behave: Behaviour): Endpoint & { asked: number } {
  const health = { ...newHealth(), verified: true };
  noteHead(health, { number: height } as Header, elapsedMs());
  const self = {
    label,
    pushes: false,
    isLocal: true,
    isWaking: () => false,
    health,
    asked: 0,
    send: (requests: readonly { method: string }[]) => {
      self.asked++;
      return Promise.all(requests.map(({ method }) => behave(method)));
    },
    waitMs: () => 0,
    rate: () => undefined,
    total: () => 0,
    batchSize: () => 1,
    close: () => undefined,
  };
  return self;
}

const good = (result: unknown) => (): Answer => ({ ok: true, result });
const bad = (kind: ConstructorParameters<typeof NodeFailure>[0]) => (): Answer => ({
  ok: false,
  failure: new NodeFailure(kind, kind),
});

test("a slow endpoint is hedged by the next one, whose answer wins", async () => {
  const slow = endpoint("slow", 10, () => wait(400).then(good("slow")));
  const quick = endpoint("quick", 10, good("quick"));
  quick.health.latencies.push(1);
  const rpc = createRpc([slow, quick], settings, never);
  expect(await rpc.request("x", [])).toBe("quick");
  expect([slow.asked, quick.asked]).toEqual([1, 1]);
});

test.each(["transport", "rate-limit", "missing", "refused", "rpc", "unsupported", "range"] as const)(
  "%s is asked for elsewhere",
  async (kind) => {
    const rpc = createRpc([endpoint("a", 10, bad(kind)), endpoint("b", 10, good("b"))], settings, never);
    expect(await rpc.request("x", [])).toBe("b");
  },
);

test("a reverted call is an answer: nobody else is asked", async () => {
  const other = endpoint("b", 10, good("b"));
  const rpc = createRpc([endpoint("a", 10, bad("reverted")), other], settings, never);
  const [answer] = await rpc.batch([{ method: "x", params: [] }]);
  expect(answer).toMatchObject({ ok: false, failure: { kind: "reverted" } });
  expect(other.asked).toBe(0);
});

test("only the failed items of a batch are asked for again", async () => {
  const first = endpoint("a", 10, (method) => (method === "y" ? bad("missing")() : good("a")()));
  const second = endpoint("b", 10, good("b"));
  const rpc = createRpc([first, second], settings, never);
  const answers = await rpc.batch(["x", "y", "z"].map((method) => ({ method, params: [] })));
  expect(answers.map((answer) => answer.ok && answer.result)).toEqual(["a", "b", "a"]);
});

test("an answer that cannot be true is asked for elsewhere", async () => {
  const rpc = createRpc([endpoint("a", 10, good("lie")), endpoint("b", 10, good("truth"))], settings, never);
  const doubt = (result: unknown) => (result === "lie" ? "a lie" : undefined);
  expect(await rpc.request("x", [], { doubt })).toBe("truth");
});

test("an endpoint that lags is not used, even while the one at the head is down", async () => {
  const late = endpoint("late", 7, good("late"));
  const fresh = endpoint("fresh", 10, good("fresh"));
  const rpc = createRpc([late, fresh], settings, never);
  expect(await rpc.request("x", [])).toBe("fresh");
  fresh.health.openUntil = performance.now() + 10_000;
  await expect(rpc.request("x", [], { deadlineMs: 100 })).rejects.toMatchObject({ kind: "transport" });
  expect(late.asked).toBe(0);
});

test("an endpoint that has reported the block is asked for it first", async () => {
  const behind = endpoint("behind", 9, good("behind"));
  const ahead = endpoint("ahead", 10, good("ahead"));
  ahead.health.latencies.push(200);
  const rpc = createRpc([behind, ahead], { ...settings, hedgeMinMs: 500, hedgeMaxMs: 1000 }, never);
  expect(await rpc.request("x", [])).toBe("behind");
  expect(await rpc.request("x", [], { block: 10 })).toBe("ahead");
});

test("what is newest is asked for at the highest head, and not hedged by an endpoint below it", async () => {
  const behind = endpoint("behind", 9, good("behind"));
  const ahead = endpoint("ahead", 10, () => wait(100).then(good("ahead")));
  ahead.health.latencies.push(200);
  const rpc = createRpc([behind, ahead], settings, never);
  expect(await rpc.request("x", [], { block: "newest" })).toBe("ahead");
  expect(behind.asked).toBe(0);
  const down = createRpc([behind, endpoint("down", 10, bad("transport"))], settings, never);
  expect(await down.request("x", [], { block: "newest" })).toBe("behind");
});

test("stopping the client ends requests in flight", async () => {
  const over = new AbortController();
  const rpc = createRpc(
    [endpoint("a", 10, bad("transport"))],
    { ...settings, deadlineMs: 60_000 },
    over.signal,
  );
  const request = rpc.request("x", []);
  over.abort();
  await expect(request).rejects.toBeInstanceOf(NodeFailure);
});

test("an endpoint whose head is not believed is no measure of the others, and comes after them", async () => {
  const ahead = endpoint("ahead", 1_000_000, good("of ahead"));
  const other = endpoint("other", 10, good("of other"));
  const rpc = createRpc([ahead, other], settings, never);
  expect(await rpc.request("eth_getBalance", [], { block: "newest" })).toBe("of ahead");
  disbelieve(ahead.health, "its newest block cannot be followed", performance.now());
  expect(await rpc.request("eth_getBalance", [], { block: "newest" })).toBe("of other");
  noteHead(ahead.health, { number: 1_000_001 } as Header, elapsedMs());
  expect(await rpc.request("eth_getBalance", [], { block: "newest" })).toBe("of other");
});
