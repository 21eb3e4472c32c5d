import Database from "better-sqlite3";

/** What one write asked of the data file and of JSON, between its first and its last statement. */
export interface Work {
  /** Statements that read, and that write. */
  reads: string[];
  writes: string[];
  /** How many stored orders were parsed, and how many orders and tickets were written as JSON. */
  parsed: number;
  serialized: number;
}

/**
 * Counts what writes cost in every hub that is started from now on, until `end`. A write is a savepoint in which nothing is
 * awaited, so that nobody else's work is counted with it.
 */
export function countWork() {
  const { prepare } = Database.prototype;
  const { parse, stringify } = JSON;
  const done: Work[] = [];
  let current: Work | null = null;

  function note(sql: string): void {
    const text = sql.replace(/\s+/g, " ").trim();
    if (text === "SAVEPOINT command") current = { reads: [], writes: [], parsed: 0, serialized: 0 };
    if (text === "RELEASE command" && current !== null) {
      done.push(current);
      current = null;
    }
    if (/^(SELECT|WITH)\b/i.test(text)) current?.reads.push(text);
    if (/^(INSERT|UPDATE|DELETE)\b/i.test(text)) current?.writes.push(text);
  }

  Database.prototype.prepare = function (this: Database.Database, sql: string) {
    const statement = prepare.call(this, sql);
    for (const name of ["run", "get", "all"] as const) {
      const call = (statement[name] as (...args: unknown[]) => unknown).bind(statement);
      Object.assign(statement, { [name]: (...args: unknown[]) => (note(sql), call(...args)) });
    }
    return statement;
  } as typeof prepare;
  JSON.parse = (text: string, reviver?: Parameters<typeof parse>[1]) => {
    if (current !== null && text.startsWith('{"posReference":')) current.parsed += 1;
    return parse(text, reviver) as unknown;
  };
  JSON.stringify = ((value: unknown, ...more: []) => {
    if (current !== null && (isOrder(value) || isTicket(value))) current.serialized += 1;
    return stringify(value, ...more);
  }) as typeof stringify;

  return {
    /** The write that stored an order while `task` ran. */
    async of(task: () => Promise<unknown>): Promise<Work> {
      done.length = 0;
      await task();
      const [work, ...others] = done.filter(({ writes }) => writes.some((sql) => sql.includes("INTO order_versions")));
      if (work === undefined || others.length > 0) throw new Error("that was not one write of an order");
      return work;
    },
    end(): void {
      Database.prototype.prepare = prepare;
      Object.assign(JSON, { parse, stringify });
    },
  };
}

function isOrder(value: unknown): boolean {
  return typeof value === "object" && value !== null && "lines" in value && "totals" in value && "status" in value;
}

function isTicket(value: unknown): boolean {
  return typeof value === "object" && value !== null && "isOver" in value && "seen" in value;
}
