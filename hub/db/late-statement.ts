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
    try {
      return this.#statement().run(...parameters);
    } catch (error) {
      throw this.#noted(error);
    }
  }

  get(...parameters: unknown[]): unknown {
    try {
      return this.#statement().get(...parameters);
    } catch (error) {
      throw this.#noted(error);
    }
  }

  all(...parameters: unknown[]): unknown[] {
    try {
      return this.#statement().all(...parameters);
    } catch (error) {
      throw this.#noted(error);
    }
  }

  iterate(...parameters: unknown[]): IterableIterator<unknown> {
    try {
      return this.#statement().iterate(...parameters);
    } catch (error) {
      throw this.#noted(error);
    }
  }

  /** Has the statement return the first column of its rows alone. */
  pluck(): this {
    this.#isPlucked = true;
    return this;
  }

  #statement(): Database.Statement {
    if (this.#prepared === null) {
      const prepared = this.#prepare();
      this.#prepared = this.#isPlucked ? prepared.pluck() : prepared;
    }
    return this.#prepared;
  }

  #noted(error: unknown): unknown {
    this.#onError(error);
    return error;
  }
}
