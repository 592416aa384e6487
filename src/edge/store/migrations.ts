/** The migrations of the schema, in order. A released migration must not be changed; add a new one instead. */
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
  `CREATE TABLE pools (
     chain_id INTEGER NOT NULL,
     genesis  TEXT    NOT NULL,
     id       TEXT    NOT NULL,
     body     BLOB    NOT NULL,
     UNIQUE (chain_id, genesis, id)
   ) STRICT;
   CREATE TABLE awake_pools (
     chain_id INTEGER NOT NULL,
     genesis  TEXT    NOT NULL,
     id       TEXT    NOT NULL,
     PRIMARY KEY (chain_id, genesis, id)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE discoveries (
     chain_id INTEGER NOT NULL,
     genesis  TEXT    NOT NULL,
     note     BLOB    NOT NULL,
     PRIMARY KEY (chain_id, genesis)
   ) STRICT, WITHOUT ROWID`,
  // Each chain's pools are in a separate file: see pool-file.ts.
  `DROP TABLE pools; DROP TABLE awake_pools; DROP TABLE discoveries`,
];
