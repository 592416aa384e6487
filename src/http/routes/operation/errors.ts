import type { App } from "../../app-types.ts";
import { notFound } from "../../failure.ts";
import { errorEntry, errorsPage } from "../../schemas/errors-page.ts";
import { reasonOf } from "../../status.ts";

const schema = { hide: true };

/** GET /errors and /errors/{slug}: the documentation that the `type` of an error body refers to. */
export function errorsRoutes(app: App): void {
  app.get("/errors", { schema }, async (_request, reply) =>
    reply.type("text/markdown; charset=utf-8").send(errorsPage()),
  );
  app.get<{ Params: { slug: string } }>("/errors/:slug", { schema }, async ({ params }, reply) => {
    const reason = reasonOf(params.slug);
    if (reason === undefined) throw notFound();
    return reply.type("text/plain; charset=utf-8").send(errorEntry(reason));
  });
}
