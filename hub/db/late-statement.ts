import type Database from "better-sqlite3";

/**
 * A statement that SQLite reads when it is first used. Stores name some six hundred, of which most evenings use a part,
 * and reading them all is two fifths of a start. Has what the hub calls of a statement.
 */
export class LateStatement {
  readonly #prepare: () => Database.Statement;
  readonly #onError: (error: unknown) => void;
  #prepared: Database.Statement | null = null;
  #isPlucked = false;

  /** `onError` learns of what is thrown where a statement is read and where it runs; the caller gets it all the same. */
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

  /** Has the statement return the first column of its rows alone. */
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
