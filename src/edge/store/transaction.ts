import type { DatabaseSync } from "node:sqlite";

/**
 * Runs `work` in one transaction, and undoes it where it throws. SQLite itself undoes a transaction for which there is no
 * room on the disk.
 *
 * @throws what `work` throws; Error where the disk is full or fails
 */
export function inTransaction<T>(
  database: DatabaseSync,
  work: () => T,
  begin: "BEGIN" | "BEGIN IMMEDIATE" = "BEGIN",
): T {
  database.exec(begin);
  try {
    const result = work();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}
