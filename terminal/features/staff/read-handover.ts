/** Parameter in the link for another device: whose PIN to ask for. */
export const PERSON_PARAM = "who";

/** Returns the user who comes from another device, or null. */
export function readHandover(search: string): string | null {
  const id = new URLSearchParams(search).get(PERSON_PARAM);
  return id === null || !/^[\w.-]{1,64}$/.test(id) ? null : id;
}
