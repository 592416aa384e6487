import type { Protocol, Registry } from "../core/protocol.ts";
import * as designs from "./designs.ts";

/** Sorted by name, since runtimes order the exports of a module differently. */
const all: readonly Protocol[] = Object.values<Protocol>(designs).sort((a, b) => (a.name < b.name ? -1 : 1));

export const protocols: Registry = new Map(all.map((protocol) => [protocol.name, protocol]));
