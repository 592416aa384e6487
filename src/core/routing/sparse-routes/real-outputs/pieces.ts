/** The sizes of the pieces in which an order is sent, which all searches by real outputs share. */

/**
 * Trade sizes after which tokens are valued when pieces are sent by value, as shares of the order; 0 = at spot. Each
 * size is misled by different pools.
 */
export const VALUED_AT = [0, 1, 0.01];

/** A division of an order: into equal pieces, or if `falling` each half of the one before and the last two equal. */
export type Division = { readonly pieces: number; readonly falling?: boolean };

/** Divisions that are sent by value: the whole order, and if more than one path is worth using, these. */
export const WHOLE: Division = { pieces: 1 };
export const DIVISIONS: readonly Division[] = [{ pieces: 8, falling: true }, { pieces: 16 }];

/** The pieces of an amount. */
export function piecesOf(amount: number, { pieces, falling = false }: Division): number[] {
  return Array.from({ length: pieces }, (_, k) =>
    falling ? amount / 2 ** Math.min(k + 1, pieces - 1) : amount / pieces,
  );
}

/** Pieces that are sent to find further paths, as shares of the order, the largest first. */
const SHARES = [1 / 8, 1 / 32, 1 / 128];
/** Most further paths that are added to flows. */
const MOST_ADDED = 16;
/** Share of what flows net that a further path must add. */
const BETTER = 1e-6;

/** Whether flows with a further path net enough more. */
export function isMuchBetter(next: { readonly net: number }, than: { readonly net: number }): boolean {
  return next.net > than.net + BETTER * Math.abs(than.net);
}

/**
 * Extends flows by small pieces that are sent on top of them, as long as that nets more. This finds edges that carry a hundredth of
 * the order without dividing all of it as finely.
 *
 * @param extended flows with the path of one more piece, of a share of the order
 */
export function extendedByPieces<F extends { readonly net: number }>(
  start: F,
  late: () => boolean,
  extended: (from: F, share: number) => F,
): F {
  let best = start;
  let left = MOST_ADDED;
  for (const share of SHARES) {
    for (; left > 0 && !late(); left--) {
      const next = extended(best, share);
      if (!isMuchBetter(next, best)) break;
      best = next;
    }
  }
  return best;
}
