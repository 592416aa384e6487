import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Deps } from "../service/deps.ts";
import type { TestWalletPort } from "../service/ports/ports.ts";
import type { KeyPort } from "../service/ports/ports-access.ts";
import type { LogoPort } from "../service/ports/ports-logos.ts";
import type { Gate } from "./guard/gate.ts";
import type { Metrics } from "./metrics.ts";
import { checker, type Parts, type Rule } from "./schemas/validation.ts";
import type { HttpSettings } from "./settings.ts";

/** The Fastify instance that routes are registered on. Request and response types come from the TypeBox schemas. */
export type App = FastifyInstance<
  Server,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** Logger for operators, compatible with pino. */
export type Log = {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

/**
 * Charges a request as `weight` requests against the caller's rate limits.
 *
 * @throws BraidError RATE_LIMITED where a limit is exceeded
 */
export type Charge = (request: FastifyRequest, reply: FastifyReply, weight: number) => void;

/** Dependencies that all routes share. */
export type Context = {
  readonly deps: Deps;
  readonly log: Log;
  readonly gate: Gate;
  readonly metrics: Metrics;
  readonly charge: Charge;
  readonly settings: HttpSettings;
  readonly keys: KeyPort;
  readonly logos: LogoPort;
  /** Test accounts of the embedded devnet; undefined where no embedded devnet is served. */
  readonly testWallet: TestWalletPort | undefined;
  /** Version of the running program. */
  readonly version: string;
  /** True once shutdown has begun: requests are still answered, but no new streams are opened. */
  readonly draining: () => boolean;
};

/** Fastify route options: the schema, and a preValidation hook that checks requests against it and the rules. */
export function checked<S extends Parts>(schema: S, rules: readonly Rule[] = []) {
  const check = checker(schema, rules);
  const preValidation = (request: FastifyRequest, _reply: FastifyReply, done: () => void) => {
    check(request);
    done();
  };
  return { schema, preValidation };
}
