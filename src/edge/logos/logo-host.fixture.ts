import { createServer, type Server } from "node:https";
import type { AddressInfo, LookupFunction } from "node:net";

/** An https server of images on loopback, with a self-signed certificate for logos.test, localhost and 127.0.0.1. */
export type LogoHost = {
  readonly port: number;
  /** Paths of the requests that arrived. */
  readonly asked: string[];
  readonly ca: string;
  /** A lookup that resolves every name to 127.0.0.1, in the place of the one that allows public addresses only. */
  readonly lookup: LookupFunction;
  close(): Promise<void>;
};

/** An image of one pixel. */
export const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
const BODIES: Readonly<Record<string, Buffer>> = {
  "/ok.png": PNG,
  "/other.png": PNG,
  "/photo": Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(60)]),
  "/new": Buffer.concat([Buffer.from("RIFF\0\0\0\0WEBPVP8 "), Buffer.alloc(60)]),
  "/drawing.png": SVG,
  "/page.png": Buffer.from("<!doctype html>"),
  "/most.png": Buffer.concat([PNG, Buffer.alloc(100_000 - PNG.length)]),
  "/large.png": Buffer.concat([PNG, Buffer.alloc(100_001 - PNG.length)]),
};

/** @param where a loopback address, and a port; 0 picks a free port */
export async function startLogoHost(where = { host: "127.0.0.1", port: 0 }): Promise<LogoHost> {
  const asked: string[] = [];
  const server: Server = createServer({ key: KEY, cert: CERTIFICATE }, ({ url = "" }, response) => {
    asked.push(url);
    if (url === "/silent.png") return;
    if (url === "/moved.png") return void response.writeHead(302, { location: "/ok.png" }).end(PNG);
    const body = BODIES[url];
    if (body === undefined) return void response.writeHead(404).end();
    // In two chunks and without Content-Length, so that the client has to count the bytes.
    response.writeHead(200, { "content-type": "image/png" });
    response.write(body.subarray(0, 10));
    response.end(body.subarray(10));
  });
  await new Promise<void>((done) => server.listen(where.port, where.host, done));
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    ca: CERTIFICATE,
    lookup: (_name, options, done) =>
      options.all === true ? done(null, [{ address: "127.0.0.1", family: 4 }]) : done(null, "127.0.0.1", 4),
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

/** Key of the self-signed certificate, used in tests only. */
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgcIL0nYfCRoVICTHV
/65t3faw25TyLe9lqlAkQLVdbWyhRANCAAStlm4KU3eaL0d5sCKulfKCr5ECwRys
J/kThNeGXnXbFkPzL1YclT+ptFhCpsQtP/Nq0k7h0Zd1DEt947gns778
-----END PRIVATE KEY-----`;
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBvDCCAWOgAwIBAgIUdrBRhMIXRHWGdHmIq47mAjcwldgwCgYIKoZIzj0EAwIw
FTETMBEGA1UEAwwKbG9nb3MudGVzdDAgFw0yNjExMjIyMzQ1NTNaGA8yMTI2MTAy
OTIzNDU1M1owFTETMBEGA1UEAwwKbG9nb3MudGVzdDBZMBMGByqGSM49AgEGCCqG
SM49AwEHA0IABK2WbgpTd5ovR3mwIq6V8oKvkQLBHKwn+ROE14ZeddsWQ/MvVhyV
P6m0WEKmxC0/82rSTuHRl3UMS33juCezvvyjgY4wgYswHQYDVR0OBBYEFNI1pfX/
p0Agx/TrXZn9B04DRnMUMB8GA1UdIwQYMBaAFNI1pfX/p0Agx/TrXZn9B04DRnMU
MA8GA1UdEwEB/wQFMAMBAf8wOAYDVR0RBDEwL4IKbG9nb3MudGVzdIIJbG9jYWxo
b3N0hwR/AAABhxAAAAAAAAAAAAAAAAAAAAABMAoGCCqGSM49BAMCA0cAMEQCIDcM
DSTEvjPKOvsPkZtTv9VM7laYvijxlPo6u9a6y5/VAiBFWDeCnMV9fnHLjhP6xZ77
NoEJVrZiAY5SkszDOHboLg==
-----END CERTIFICATE-----`;
