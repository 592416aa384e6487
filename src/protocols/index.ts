import type { Protocol, Registry } from "../core/protocol.ts";
import * as designs from "./designs.ts";

const all: readonly Protocol[] = Object.values(designs);

export const protocols: Registry = new Map(all.map((protocol) => [protocol.name, protocol]));
