/** Whether two pieces of plain data say the same, whatever the order of their fields. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const fields = Object.keys(one);
  return (
    fields.length === Object.keys(other).length &&
    fields.every((field) => Object.hasOwn(other, field) && isSame(valueOf(one, field), valueOf(other, field)))
  );
}

function valueOf(value: object, field: string): unknown {
  return value[field as keyof typeof value];
}
