/** The schema, one step after the other. A step that was released is never changed: add one. */
export const migrations: readonly string[] = [
  `CREATE TABLE tokens (
     chain_id INTEGER NOT NULL,
     genesis  TEXT    NOT NULL,
     address  TEXT    NOT NULL,
     name     TEXT    NOT NULL,
     symbol   TEXT    NOT NULL,
     decimals INTEGER NOT NULL,
     PRIMARY KEY (chain_id, genesis, address)
   ) STRICT, WITHOUT ROWID`,
];
