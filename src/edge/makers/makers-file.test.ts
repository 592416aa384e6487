import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { makerDeployment, readMakersFile } from "./makers-file.ts";

const folder = mkdtempSync(join(tmpdir(), "makers-"));
afterAll(() => rmSync(folder, { recursive: true }));

const maker = {
  name: "Alpha_One",
  chain_id: 1,
  address: "0xAAAAaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaAAAA",
  url: "https://maker.example/braid/",
};

function read(...makers: readonly object[]) {
  const path = join(folder, "makers.json");
  writeFileSync(path, JSON.stringify({ makers }));
  return readMakersFile(path, (chainId) => chainId === 31_337);
}

test("a maker is read, and is a source of its name", () => {
  const [read1] = read(maker);
  expect(read1).toEqual({
    id: "maker-alpha-one",
    name: "Alpha_One",
    chainId: 1,
    address: maker.address.toLowerCase(),
    isContract: false,
    url: "https://maker.example/braid",
    airSwap: undefined,
    pushes: false,
    secret: undefined,
  });
  expect(read({ ...maker, contract: true })[0]).toMatchObject({ isContract: true });
  expect(makerDeployment(read1!)).toMatchObject({
    id: "maker-alpha-one",
    name: "Alpha_One",
    protocol: "rfq",
  });
});

test.each([
  ['{"makers": [{"secret": s3cr3tSECRET}]}', /: ?\n {2}it is not valid JSON/],
  ['{"makers": [\n{"secret": "s3cr3t" "url"}]}', /it is not valid JSON \(line 2 column \d+\)/],
])("a syntax error tells nothing of a secret beside it", (text, why) => {
  const path = join(folder, "broken.json");
  writeFileSync(path, text);
  const reading = () => readMakersFile(path, () => false);
  expect(reading).toThrow(why);
  expect(reading).not.toThrow(/s3cr3t/);
});

test("a devnet's maker may be on this machine, and no other", () => {
  const url = "http://127.0.0.1:8090";
  expect(read({ ...maker, url, chain_id: 31_337 })).toHaveLength(1);
  expect(() => read({ ...maker, url })).toThrow(/makers\/0\/url: a loopback address is for the devnet only/);
});

test.each([
  ["http://maker.example", /must be https/],
  ["https://10.0.0.7", /10.0.0.7 is not a public address/],
  ["https://[fd00::1]", /not a public address/],
  ["https://user:word@maker.example", /no user/],
  ["https://maker.example/?key=1", /no user, query/],
  ["file:///etc/passwd", /must be https/],
  ["maker", /not a URL/],
  ["wss://maker.example", /a WebSocket server \(AirSwap's last look\) is not supported/],
])("%s is refused", (url, why) => {
  expect(() => read({ ...maker, url })).toThrow(why);
});

const pairs = [["0xAAAAaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaAAA1", "0xAAAAaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaAAA2"]];
const airswap = { ...maker, protocol: "airswap", pairs };

test("a maker of AirSwap's protocol is read with the contract of its chain and the pairs that it is asked for", () => {
  expect(read(airswap)[0]?.airSwap).toEqual({
    settler: "0xd82e10b9a4107939e55fcca9b53a9ede6cf2fc46",
    pairs: [pairs[0]!.map((token) => token.toLowerCase())],
  });
});

test.each([
  [{ pairs: undefined }, /makers\/0\/pairs: are needed/],
  [{ pairs: [[pairs[0]![0], pairs[0]![0]]] }, /pairs: both tokens are the same/],
  [{ secret: "0123456789abcdef" }, /secret: AirSwap's servers/],
  [{ chain_id: 10 }, /chain_id: AirSwap's contract is not known on chain 10/],
  [{ protocol: "braid" }, /pairs: are of an airswap maker/],
])("a maker of AirSwap's protocol with %o is refused", (change, why) => {
  expect(() => read({ ...airswap, ...change })).toThrow(why);
});

test("a maker that pushes its levels has a secret, and is none of AirSwap's", () => {
  expect(read({ ...maker, push: true, secret: "0123456789abcdef" })[0]).toMatchObject({ pushes: true });
  expect(() => read({ ...maker, push: true })).toThrow(/secret: is needed of a maker that pushes/);
  expect(() => read({ ...airswap, push: true })).toThrow(/push: AirSwap's servers are asked/);
});

test("two entries that push have two secrets: a push that was signed for one is not valid for the other", () => {
  const pushing = { ...maker, push: true, secret: "0123456789abcdef" };
  const elsewhere = { ...pushing, name: "Alpha_Two", chain_id: 10 };
  expect(() => read(pushing, elsewhere)).toThrow(/makers\/1\/secret: is that of Alpha_One too: /);
  expect(() => read(pushing, elsewhere)).not.toThrow(/0123456789abcdef/);
  expect(read(pushing, { ...elsewhere, secret: "fedcba9876543210" })).toHaveLength(2);
  expect(read(pushing, { ...elsewhere, push: false })).toHaveLength(2);
});

test("all faults are named at once", () => {
  expect(() => read(maker, { ...maker, name: "alpha_one" })).toThrow(
    /makers\/1\/name: alpha_one is there twice/,
  );
  expect(() => read({ ...maker, address: "0x1", name: "no spaces" })).toThrow(
    /name[\s\S]*address|address[\s\S]*name/,
  );
  expect(() => read({ ...maker, secret: "short" })).toThrow(/secret/);
  expect(() => readMakersFile(join(folder, "none.json"), () => true)).toThrow(/none.json/);
});
