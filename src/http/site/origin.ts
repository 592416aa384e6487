import type { FastifyRequest } from "fastify";
import { escapeHtml } from "./inline.ts";

/** Origin of the HTTP API in the sources of the pages: that of `npm start` with its default settings. */
const EXAMPLE_ORIGIN = "http://127.0.0.1:8080";

/** A host name, an IPv4 address or an IPv6 address, with or without a port: nothing that a shell or HTML would interpret. */
const HOST = /^(?:[a-z\d](?:[\w.-]{0,251}[a-z\d])?|\[[a-f\d:.]{2,45}\])(?::\d{1,5})?$/i;

/**
 * A page whose examples call the origin of this request, so that they can be copied from a service at any address. The
 * host is the caller's text: where it is not a plain host, the page stays as it is.
 */
export function atOrigin(
  html: string,
  { protocol, host }: Pick<FastifyRequest, "protocol" | "host">,
): string {
  if (!HOST.test(host) || !/^https?$/.test(protocol)) return html;
  const origin = escapeHtml(`${protocol}://${host}`);
  return html.replaceAll(EXAMPLE_ORIGIN, () => origin);
}
