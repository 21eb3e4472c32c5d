/** Returns a copy of plain data without some of its fields. */
export function without<T extends object>(value: T, fields: ReadonlySet<string>): T {
  return Object.fromEntries(Object.entries(value).filter(([field]) => !fields.has(field))) as T;
}
