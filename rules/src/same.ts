/** Whether two pieces of plain data say the same, whatever the order of their fields; one that is undefined is absent. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const fields = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...fields].every((field) => isSame(valueOf(one, field), valueOf(other, field)));
}

function valueOf(value: object, field: string): unknown {
  return Object.hasOwn(value, field) ? value[field as keyof typeof value] : undefined;
}
