/** The JSON of an object with one more field, whose value is JSON already; `head` has at least one field. */
export function withJsonField(head: object, field: string, json: string): string {
  return `${JSON.stringify(head).slice(0, -1)},"${field}":${json}}`;
}
