/**
 * Appends a field to a serialized JSON object; `value` is JSON as well. An order is serialized once and then stored, broadcast
 * and forwarded inside other objects. Serializing it each time would cost a sixth of a write of 10 lines.
 */
export function appendJsonField(object: string, name: string, value: string): string {
  return `${object.slice(0, -1)},"${name}":${value}}`;
}
