import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { openReaders, type Readers } from "./readers.ts";

let streams: ServerResponse[] = [];
let readers: Readers | undefined;
const asked: string[] = [];
const server = createServer((request, response) => {
  asked.push(request.url!);
  if (request.url === "/full") return void response.writeHead(503).end();
  streams.push(response.writeHead(200, { "content-type": "text/event-stream" }));
  response.write(offer(1));
});
const offer = (block: number) => `event: offer\nid: x\ndata: {"block_number":${block}}\n\n`;

async function open(paths: string[], count: number): Promise<Readers> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  readers = await openReaders(`http://127.0.0.1:${port}`, paths, count);
  return readers;
}

afterEach(async () => {
  readers?.close();
  for (const stream of streams) stream.destroy();
  [streams, readers] = [[], undefined];
  asked.length = 0;
  await new Promise((resolve) => server.close(resolve));
});

test("streams are spread over the paths, and what each was told is counted by block", async () => {
  const { heard } = await open(["/a", "/b"], 5);
  expect(asked.filter((path) => path === "/a")).toHaveLength(3);
  expect(heard()).toMatchObject({ open: 5, offers: 5, others: 0, told: { 1: 5 } });
  const frame = offer(2);
  streams[0]!.write(":\n\n");
  streams[0]!.write(frame.slice(0, 9));
  await new Promise((resolve) => setTimeout(resolve, 20));
  streams[0]!.write(frame.slice(9));
  streams[1]!.end("event: end\ndata: {}\n\n");
  const all: ReturnType<typeof heard>[] = [];
  const sum = (name: "offers" | "others") => all.reduce((total, one) => total + one[name], 0);
  await expect
    .poll(() => {
      all.push(heard());
      return [all.at(-1)!.open, sum("offers"), sum("others")];
    })
    .toEqual([4, 1, 1]);
  expect(all.flatMap(({ told }) => Object.entries(told))).toEqual([["2", 1]]);
});

test("a stream that is refused ends the measurement", async () => {
  await expect(open(["/a", "/full"], 2)).rejects.toThrow("a stream was refused: 503");
});
