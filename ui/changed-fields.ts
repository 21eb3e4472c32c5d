/**
 * Returns the fields of a form that were changed since it was opened, for a request. Other fields may have been changed
 * elsewhere in the meantime. Lists with the same entries are equal in any order.
 */
export function changedFields<T extends object>(before: Record<keyof T, unknown>, now: T): Partial<T> {
  const changed = Object.entries(now).filter(([field, value]) => !isSame(before[field as keyof T], value));
  return Object.fromEntries(changed) as Partial<T>;
}

function isSame(one: unknown, other: unknown): boolean {
  if (!Array.isArray(one) || !Array.isArray(other)) return one === other;
  const [entries, others] = [new Set(one), new Set(other)];
  return entries.size === others.size && one.every((entry) => others.has(entry));
}
