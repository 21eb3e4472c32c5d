import Database from "better-sqlite3";

/** SQL statements and JSON conversions of one write, from its first to its last statement. */
export interface Work {
  /** SQL of reading and of writing statements. */
  reads: string[];
  writes: string[];
  /** Number of stored orders parsed, and of orders and tickets serialized. */
  parsed: number;
  serialized: number;
}

/**
 * Counts the work of writes in all hubs started from now on, until `end`. A write is a savepoint without an `await`, so
 * no other work is counted with it.
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
    /** Runs `task` and returns the work of its only order write. Throws if there is none or more than one. */
    async measure(task: () => Promise<unknown>): Promise<Work> {
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
