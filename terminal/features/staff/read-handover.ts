/** `?who=` in the address that another device opens: whose PIN is asked for. */
export const WHO = "who";

/** Who comes here from another device; null for nobody. */
export function readHandover(search: string): string | null {
  const id = new URLSearchParams(search).get(WHO);
  return id === null || !/^[\w.-]{1,64}$/.test(id) ? null : id;
}
