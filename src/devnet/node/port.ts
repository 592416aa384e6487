import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Finds a port that can be bound now.
 *
 * @param port the wanted port; 0 = any free one
 * @throws Error naming DEVNET_PORT when the wanted port cannot be bound
 */
export async function claimPort(host: string, port: number): Promise<number> {
  const server = createServer();
  try {
    server.listen({ host, port, exclusive: true });
    await once(server, "listening");
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    return address.port;
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    const reason = code === "EADDRINUSE" ? "is taken" : `cannot be listened on (${code})`;
    throw new Error(`DEVNET_PORT: port ${port} of ${host} ${reason}. Free it, or set another; 0 picks any.`, {
      cause,
    });
  } finally {
    server.close();
  }
}
