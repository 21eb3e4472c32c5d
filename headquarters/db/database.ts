/** Returns rows as objects by column name: bigint as number, timestamptz as Date, jsonb parsed. */
export interface Queries {
  query<Row extends object>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** PostgreSQL, as a server or embedded, with the same SQL for both. */
export interface Database extends Queries {
  /** Runs `work` in a transaction. `work` must use the queries that it receives. */
  transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
  /** Runs several statements without values, such as a migration. */
  execute(sql: string): Promise<void>;
  close(): Promise<void>;
}

/** The database, its connection or its disk failed, rather than a statement's data. */
export class DatabaseFailure extends Error {
  override name = "DatabaseFailure";
}
