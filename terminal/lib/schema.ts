// What the schemas of the protocol use of zod, for the page alone: the build puts this file in zod's place
// (vite.config.ts), which is an eighth of the first load. It accepts, refuses and returns what zod does; schema.test.ts
// compares the two on every message and answer that a terminal reads. What is missing here fails when the page is built
// and tested, and is added when the protocol needs it. Types are zod's own.
import { regexes } from "zod/v4/core";

interface Issue {
  code: string;
  path: PropertyKey[];
  message: string;
}
/** Returns the value as the schema gives it; without meaning once it has added an issue. */
type Read = (value: unknown, issues: Issue[]) => unknown;
type Shape = Readonly<Record<string, Schema>>;
type Mask = Readonly<Record<string, true>>;
type Problem = string | { error?: string | undefined; path?: PropertyKey[] } | undefined;
type Container = Record<string, unknown>;

function refuse(issues: Issue[], code: string, problem?: Problem): void {
  const { error, path = [] } = typeof problem === "string" ? { error: problem } : (problem ?? {});
  issues.push({ code, path: [...path], message: error ?? "Invalid input" });
}

/** Reads what is inside of something; its issues are told where that is. Paths cost nothing while all is well. */
function readInside(schema: Schema, key: string | number, value: unknown, issues: Issue[]): unknown {
  const before = issues.length;
  const read = schema.read(value, issues);
  for (let at = before; at < issues.length; at += 1) issues[at]?.path.unshift(key);
  return read;
}

class Schema {
  readonly takesUndefined: boolean;
  private readonly base: Read;
  private readonly checks: readonly Read[] = [];

  constructor(base: Read, takesUndefined = false) {
    this.base = base;
    this.takesUndefined = takesUndefined;
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

  parse(value: unknown): unknown {
    const { data, error } = this.safeParse(value);
    if (error !== undefined) throw new Error(error.message);
    return data;
  }

  private with(check: Read): this {
    const copy = Object.assign(Object.create(Object.getPrototypeOf(this) as object) as this, this);
    return Object.assign(copy, { checks: [...this.checks, check] });
  }

  private must(isGood: (value: never) => boolean, code: string, problem?: Problem): this {
    return this.with((value, issues) => {
      if (!isGood(value as never)) refuse(issues, code, problem);
      return value;
    });
  }

  refine(isGood: (value: never) => unknown, problem?: Problem): this {
    return this.must((value) => Boolean(isGood(value)), "custom", problem);
  }
  superRefine(look: (value: never, context: { addIssue(issue: Partial<Issue>): void }) => void): this {
    return this.with((value, issues) => {
      look(value as never, {
        addIssue: ({ message, path = [] }) => refuse(issues, "custom", { error: message, path }),
      });
      return value;
    });
  }
  check(look: (payload: { value: never; issues: Issue[] }) => void): this {
    return this.with((value, issues) => {
      look({ value: value as never, issues });
      return value;
    });
  }
  transform(change: (value: never) => unknown): this {
    return this.with((value) => change(value as never));
  }
  pipe(next: Schema): this {
    return this.with((value, issues) => next.read(value, issues));
  }
  // For the documents only.
  describe(): this {
    return this;
  }
  meta(): this {
    return this;
  }
  readonly(): this {
    return this.with((value) => Object.freeze(value));
  }

  // Of texts and lists their length, of numbers themselves.
  min(least: number, problem?: Problem): this {
    return this.must((value) => sizeOf(value) >= least, "too_small", problem);
  }
  max(most: number, problem?: Problem): this {
    return this.must((value) => sizeOf(value) <= most, "too_big", problem);
  }
  length(wanted: number, problem?: Problem): this {
    return this.must((value) => sizeOf(value) === wanted, "invalid_length", problem);
  }
  positive(problem?: Problem): this {
    return this.must((value) => value > 0, "too_small", problem);
  }
  nonnegative(problem?: Problem): this {
    return this.min(0, problem);
  }
  int(problem?: Problem): this {
    return this.must(Number.isSafeInteger, "invalid_type", problem);
  }
  regex(pattern: RegExp, problem?: Problem): this {
    return this.must((value) => pattern.test(value), "invalid_format", problem);
  }
  trim(): this {
    return this.transform((value: string) => value.trim());
  }

  optional(): Schema {
    return new Schema(
      (value, issues) => (value === undefined && !this.takesUndefined ? value : this.read(value, issues)),
      true,
    );
  }
  nullable(): Schema {
    return new Schema((value, issues) => (value === null ? value : this.read(value, issues)), this.takesUndefined);
  }
  nullish(): Schema {
    return this.nullable().optional();
  }
  default(substitute: unknown): Schema {
    return new Schema(
      (value, issues) => (value === undefined ? structuredClone(substitute) : this.read(value, issues)),
      true,
    );
  }
  catch(substitute: unknown): Schema {
    return new Schema((value) => {
      const own: Issue[] = [];
      const read = this.read(value, own);
      return own.length === 0 ? read : substitute;
    }, true);
  }
  array(): Schema {
    return array(this);
  }
}

function sizeOf(value: number | string | unknown[]): number {
  return typeof value === "number" ? value : value.length;
}

function ofType(type: string, isGood: (value: unknown) => boolean): Schema {
  return new Schema((value, issues) => {
    if (!isGood(value)) refuse(issues, "invalid_type", `Invalid input: expected ${type}`);
    return value;
  });
}

function isContainer(value: unknown): value is Container {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What becomes of fields that the shape does not name. */
type Others = "dropped" | "kept" | "refused";

class ObjectSchema extends Schema {
  readonly shape: Shape;
  readonly others: Others;

  constructor(shape: Shape, others: Others) {
    const fields = Object.entries(shape);
    super((value, issues) => {
      if (!isContainer(value)) return refuse(issues, "invalid_type", "Invalid input: expected object");
      const result: Container = {};
      for (const [key, schema] of fields) {
        const read = readInside(schema, key, value[key], issues);
        if (read !== undefined || key in value) result[key] = read;
      }
      if (others === "dropped") return result;
      for (const key of Object.keys(value)) {
        if (key === "__proto__" || Object.hasOwn(shape, key)) continue;
        if (others === "refused") refuse(issues, "unrecognized_keys", `Unrecognized key: "${key}"`);
        else result[key] = value[key];
      }
      return result;
    });
    this.shape = shape;
    this.others = others;
  }

  extend(more: Shape): ObjectSchema {
    return new ObjectSchema({ ...this.shape, ...more }, this.others);
  }
  pick(mask: Mask): ObjectSchema {
    return this.filtered((key) => mask[key] === true);
  }
  omit(mask: Mask): ObjectSchema {
    return this.filtered((key) => mask[key] !== true);
  }
  partial(): ObjectSchema {
    const optional = Object.entries(this.shape).map(([key, schema]) => [key, schema.optional()]);
    return new ObjectSchema(Object.fromEntries(optional) as Shape, this.others);
  }
  keyof(): ChoiceSchema {
    return new ChoiceSchema(Object.keys(this.shape));
  }
  private filtered(isKept: (key: string) => boolean): ObjectSchema {
    const kept = Object.entries(this.shape).filter(([key]) => isKept(key));
    return new ObjectSchema(Object.fromEntries(kept), this.others);
  }
}

/** A literal, an enumeration. */
class ChoiceSchema extends Schema {
  readonly options: readonly unknown[];
  readonly values: ReadonlySet<unknown>;

  constructor(options: readonly unknown[]) {
    const values = new Set(options);
    super((value, issues) => {
      if (!values.has(value)) refuse(issues, "invalid_value", `Invalid input: expected one of ${options.join(", ")}`);
      return value;
    });
    this.options = options;
    this.values = values;
  }
}

class UnionSchema extends Schema {
  readonly options: readonly Schema[];

  constructor(options: readonly Schema[], read: Read) {
    super(read);
    this.options = options;
  }
}

function array(item: Schema): Schema {
  return new Schema((value, issues) => {
    if (!Array.isArray(value)) return refuse(issues, "invalid_type", "Invalid input: expected array");
    return value.map((each: unknown, index) => readInside(item, index, each, issues));
  });
}

function union(options: readonly Schema[]): Schema {
  return new UnionSchema(options, (value, issues) => {
    for (const option of options) {
      const own: Issue[] = [];
      const read = option.read(value, own);
      if (own.length === 0) return read;
    }
    return refuse(issues, "invalid_union");
  });
}

function discriminatedUnion(key: string, options: readonly ObjectSchema[]): Schema {
  const byValue = new Map(
    options.flatMap((option) => [...(option.shape[key] as ChoiceSchema).values].map((value) => [value, option])),
  );
  return new UnionSchema(options, (value, issues) => {
    if (!isContainer(value)) return refuse(issues, "invalid_type", "Invalid input: expected object");
    const option = byValue.get(value[key]);
    if (option === undefined) return refuse(issues, "invalid_union", { path: [key] });
    return option.read(value, issues);
  });
}

function record(keySchema: Schema, valueSchema: Schema): Schema {
  return new Schema((value, issues) => {
    if (!isContainer(value)) return refuse(issues, "invalid_type", "Invalid input: expected record");
    const result: Container = {};
    for (const key of Object.keys(value)) {
      if (key === "__proto__") continue;
      readInside(keySchema, key, key, issues);
      result[key] = readInside(valueSchema, key, value[key], issues);
    }
    return result;
  });
}

const string = () => ofType("string", (value) => typeof value === "string");
const number = () => ofType("number", Number.isFinite);

export const z = {
  /** zod's own settings have no meaning here. */
  config: (): void => {},
  string,
  number,
  int: () => number().int(),
  boolean: () => ofType("boolean", (value) => typeof value === "boolean"),
  unknown: () => new Schema((value) => value, true),
  guid: () => string().regex(regexes.guid),
  iso: {
    date: () => string().regex(regexes.date),
    datetime: (options: Parameters<typeof regexes.datetime>[0]) => string().regex(regexes.datetime(options)),
  },
  coerce: { number: () => new Schema((value, issues) => number().read(Number(value), issues)) },
  literal: (value: unknown) => new ChoiceSchema(Array.isArray(value) ? value : [value]),
  enum: (values: readonly string[]) => new ChoiceSchema(values),
  object: (shape: Shape) => new ObjectSchema(shape, "dropped"),
  looseObject: (shape: Shape) => new ObjectSchema(shape, "kept"),
  strictObject: (shape: Shape) => new ObjectSchema(shape, "refused"),
  array,
  union,
  discriminatedUnion,
  record,
};
