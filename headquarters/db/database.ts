/** Rows by column name: bigint as numbers, timestamptz as Date, jsonb as what it holds. */
export interface Queries {
  query<Row extends object>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** PostgreSQL, as a service or embedded: the same SQL for both. */
export interface Database extends Queries {
  /** All of it or nothing; `work` uses the queries that it is handed. */
  transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
  /** Several statements without values, such as a migration's. */
  execute(sql: string): Promise<void>;
  close(): Promise<void>;
}
