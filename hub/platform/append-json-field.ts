/**
 * Adds a last field to an object that is JSON already; `value` is JSON as well. An order is serialized once and then
 * stored, broadcast and forwarded inside other objects: serializing it for each costs a sixth of a write of 10 lines.
 */
export function appendJsonField(object: string, name: string, value: string): string {
  return `${object.slice(0, -1)},"${name}":${value}}`;
}
