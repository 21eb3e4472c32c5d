/** A value that becomes a `T` in JSON: a plain string may be a Date. */
export type Sent<T> = T extends string
  ? T | (string extends T ? Date : never)
  : T extends readonly (infer Each)[]
    ? readonly Sent<Each>[]
    : T extends object
      ? { [Name in keyof T]: Sent<T[Name]> }
      : T;
