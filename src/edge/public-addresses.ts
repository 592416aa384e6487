import { type LookupAddress, type LookupAllOptions, lookup } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";

/**
 * Networks that are not the public internet: a host name that a third party chose must not resolve into the operator's
 * own network.
 */
const closed = new BlockList();
const NETWORKS_V4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/3",
];
for (const network of NETWORKS_V4) {
  const [address, bits] = network.split("/");
  closed.addSubnet(address!, Number(bits), "ipv4");
}
/**
 * Of IPv6 only 2000::/3 is global unicast. Ranges in it that are not assigned to hosts of the internet are closed too.
 */
const open = new BlockList();
open.addSubnet("2000::", 3, "ipv6");
for (const [address, bits] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
] as const)
  closed.addSubnet(address, bits, "ipv6");

/** Whether an IP address belongs to the public internet. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !closed.check(address, "ipv4");
  return version === 6 && open.check(address, "ipv6") && !closed.check(address, "ipv6");
}

const LOOPBACK = new Set(["127.0.0.1", "[::1]", "::1"]);

/** Whether a URL's host is a literal loopback address. */
export function isLoopbackHost(hostname: string): boolean {
  return LOOPBACK.has(hostname);
}

type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void;

/**
 * Resolves host names to allowed addresses only: a name with one address that is not allowed is refused altogether. The
 * connection goes to the very addresses that were checked, so DNS rebinding (a different answer to a second query)
 * gains nothing.
 */
export function createLookup(isAllowed: (address: string) => boolean, resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, "", 4);
      const bad = found.find(({ address }) => !isAllowed(address));
      if (bad !== undefined || found.length === 0)
        return callback(new Error(`${hostname} has no public address`), "", 4);
      if (options.all === true) return callback(null, found);
      callback(null, found[0]!.address, found[0]!.family);
    });
  };
}

/** Resolves host names with the system's resolver, to addresses of the public internet only. */
export const publicLookup: LookupFunction = createLookup(isPublicAddress, lookup);
