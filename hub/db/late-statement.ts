import type Database from "better-sqlite3";
import { plannedOnce } from "./planned-once.ts";

/**
 * Makes a connection prepare each statement on first use, and plan it once. `onError` receives errors of preparing and of running
 * a statement; they are then rethrown to the caller.
 */
export function prepareLate(db: Database.Database, onError: (error: unknown) => void = () => {}): void {
  const prepare = db.prepare.bind(db);
  db.prepare = ((sql: string) =>
    new LateStatement(() => prepare(plannedOnce(sql)), onError)) as unknown as typeof db.prepare;
}

/**
 * A statement that is prepared on first use. The stores define about six hundred statements, of which most runs use only a
 * part; preparing all of them takes two fifths of a start. Implements only the methods that the hub uses.
 */
class LateStatement {
  readonly #prepare: () => Database.Statement;
  readonly #onError: (error: unknown) => void;
  #prepared: Database.Statement | null = null;
  #isPlucked = false;

  constructor(prepare: () => Database.Statement, onError: (error: unknown) => void) {
    this.#prepare = prepare;
    this.#onError = onError;
  }

  run(...parameters: unknown[]): Database.RunResult {
    return this.#use((statement) => statement.run(...parameters));
  }

  get(...parameters: unknown[]): unknown {
    return this.#use((statement) => statement.get(...parameters));
  }

  all(...parameters: unknown[]): unknown[] {
    return this.#use((statement) => statement.all(...parameters));
  }

  iterate(...parameters: unknown[]): IterableIterator<unknown> {
    return this.#use((statement) => statement.iterate(...parameters));
  }

  /** Makes the statement return only the first column of each row. */
  pluck(): this {
    this.#isPlucked = true;
    return this;
  }

  #use<R>(use: (statement: Database.Statement) => R): R {
    try {
      this.#prepared ??= this.#isPlucked ? this.#prepare().pluck() : this.#prepare();
      return use(this.#prepared);
    } catch (error) {
      this.#onError(error);
      throw error;
    }
  }
}
