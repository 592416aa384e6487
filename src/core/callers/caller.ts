const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
/**
 * Addresses with a port, as some proxies write them to X-Forwarded-For, and IPv6 addresses in brackets. The client chooses
 * the port, so that it must not be a part of the key.
 *
 * @source learn.microsoft.com, Application Gateway, "X-Forwarded-For … IP:port"
 */
const WITH_PORT = /^(\d+\.\d+\.\d+\.\d+):\d+$/;
const BRACKETED = /^\[(.*)\](?::\d+)?$/;
const GROUPS = 8;
/** Groups of an IPv6 address that identify a network (/64): a host chooses the remaining ones freely. */
const NETWORK_GROUPS = 4;

/** The key by which callers are counted: an IPv4 address, or the /64 network of an IPv6 address. */
export function callerOf(address: string): string {
  const ip = (WITH_PORT.exec(address) ?? BRACKETED.exec(address))?.[1] ?? address;
  const mapped = MAPPED.exec(ip);
  if (mapped !== null) return mapped[1]!;
  if (!ip.includes(":")) return ip;
  const [head = "", tail] = ip.split("%", 1)[0]!.split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? 0 : GROUPS - before.length - after.length;
  const groups = [...before, ...Array<string>(Math.max(0, zeros)).fill("0"), ...after];
  const network = groups.slice(0, NETWORK_GROUPS).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(":")}::/64`;
}
