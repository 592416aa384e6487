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

/** The application as the routes see it: schemas give the types. */
export type App = FastifyInstance<
  Server,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** Where lines for operators go; a pino logger is one. */
export type Log = {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

/** Counts a request as more than one. @throws BraidError RATE_LIMITED where that is too many */
export type Charge = (request: FastifyRequest, reply: FastifyReply, weight: number) => void;

/** What the routes share. */
export type Context = {
  readonly deps: Deps;
  readonly log: Log;
  readonly gate: Gate;
  readonly metrics: Metrics;
  readonly charge: Charge;
  readonly settings: HttpSettings;
  readonly keys: KeyPort;
  readonly logos: LogoPort;
  /** The embedded devnet's test accounts; undefined where no devnet of this program is served. */
  readonly testWallet: TestWalletPort | undefined;
  /** Of the running program, for people. */
  readonly version: string;
  /** True once the program is ending: it answers, but wants no new clients. */
  readonly draining: () => boolean;
};

/** A route's schema with the check that is made from it. */
export function checked<S extends Parts>(schema: S, rules: readonly Rule[] = []) {
  const check = checker(schema, rules);
  const preValidation = (request: FastifyRequest, _reply: FastifyReply, done: () => void) => {
    check(request);
    done();
  };
  return { schema, preValidation };
}
