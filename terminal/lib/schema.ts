// What the records of plugins are read with in the page: any integration may have written them, and the hub stores what it
// gets. The build puts this file in zod's place (vite.config.ts), which is an eighth of the first load. It accepts, refuses
// and returns what zod does; schema.test.ts compares the two. What is missing here fails when the page is built and tested.
// Types are zod's own.
import { regexes } from "zod/v4/core";

interface Issue {
  code: string;
  path: PropertyKey[];
  message: string;
}
/** Returns the value as the schema gives it; without meaning once it has added an issue. */
type Read = (value: unknown, issues: Issue[]) => unknown;
type Shape = Readonly<Record<string, Schema>>;

function refuse(issues: Issue[], code: string, message = "Invalid input"): void {
  issues.push({ code, path: [], message });
}

class Schema {
  private readonly base: Read;
  private readonly checks: readonly Read[] = [];

  constructor(base: Read) {
    this.base = base;
  }

  /** What follows a fault is not looked at: zod reports more of them, and refuses the same values. */
  read(value: unknown, issues: Issue[]): unknown {
    const before = issues.length;
    let result = this.base(value, issues);
    for (const check of this.checks) {
      if (issues.length > before) return result;
      result = check(result, issues);
    }
    return result;
  }

  safeParse(value: unknown) {
    const issues: Issue[] = [];
    const data = this.read(value, issues);
    if (issues.length === 0) return { success: true, data };
    return { success: false, error: { issues, message: JSON.stringify(issues) } };
  }

  private must(isGood: (value: never) => boolean, code: string, problem?: string): this {
    const check: Read = (value, issues) => {
      if (!isGood(value as never)) refuse(issues, code, problem);
      return value;
    };
    const copy = Object.assign(Object.create(Object.getPrototypeOf(this) as object) as this, this);
    return Object.assign(copy, { checks: [...this.checks, check] });
  }

  // For the documents only.
  meta(): this {
    return this;
  }

  // Of texts their length, of numbers themselves.
  min(least: number): this {
    return this.must((value) => sizeOf(value) >= least, "too_small");
  }
  max(most: number): this {
    return this.must((value) => sizeOf(value) <= most, "too_big");
  }
  positive(): this {
    return this.must((value) => value > 0, "too_small");
  }
  int(): this {
    return this.must(Number.isSafeInteger, "invalid_type");
  }
  regex(pattern: RegExp, problem?: string): this {
    return this.must((value) => pattern.test(value), "invalid_format", problem);
  }

  optional(): Schema {
    return new Schema((value, issues) => (value === undefined ? value : this.read(value, issues)));
  }
  default(substitute: unknown): Schema {
    return new Schema((value, issues) => (value === undefined ? substitute : this.read(value, issues)));
  }
}

function sizeOf(value: number | string): number {
  return typeof value === "number" ? value : value.length;
}

function ofType(type: string, isGood: (value: unknown) => boolean): Schema {
  return new Schema((value, issues) => {
    if (!isGood(value)) refuse(issues, "invalid_type", `Invalid input: expected ${type}`);
    return value;
  });
}

/** What the shape does not name is kept. */
function looseObject(shape: Shape): Schema {
  const fields = Object.entries(shape);
  return new Schema((value, issues) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      return refuse(issues, "invalid_type", "Invalid input: expected object");
    }
    const given = value as Record<string, unknown>;
    const result: Record<string, unknown> = {};
    for (const [key, schema] of fields) {
      const before = issues.length;
      const read = schema.read(given[key], issues);
      for (let at = before; at < issues.length; at += 1) issues[at]?.path.unshift(key);
      if (read !== undefined || key in given) result[key] = read;
    }
    for (const key of Object.keys(given)) {
      if (key !== "__proto__" && !Object.hasOwn(shape, key)) result[key] = given[key];
    }
    return result;
  });
}

const string = () => ofType("string", (value) => typeof value === "string");
const number = () => ofType("number", Number.isFinite);

export const z = {
  string,
  number,
  int: () => number().int(),
  iso: { datetime: (options: Parameters<typeof regexes.datetime>[0]) => string().regex(regexes.datetime(options)) },
  enum: (values: readonly string[]) =>
    ofType(`one of ${values.join(", ")}`, (value) => values.includes(value as string)),
  looseObject,
};
