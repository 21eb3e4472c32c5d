/** An address without user, password and query, and these as they stand in it; null where there are none. */
export function splitCredentials(address: string): { url: string; credentials: string | null } {
  const parsed = URL.parse(address);
  if (parsed === null) return { url: address, credentials: null };
  const { username, password, search } = parsed;
  if (username + password + search === "") return { url: address, credentials: null };
  parsed.username = "";
  parsed.password = "";
  parsed.search = "";
  return { url: parsed.href, credentials: `${username}:${password}${search}` };
}

/** The address with user, password and query, as `splitCredentials` gave them. */
export function withCredentials(address: string, credentials: string | null): string {
  const parsed = URL.parse(address);
  if (parsed === null || credentials === null) return address;
  // In an address, user and password hold neither of the two as it is.
  const end = credentials.includes("?") ? credentials.indexOf("?") : credentials.length;
  const colon = credentials.indexOf(":");
  parsed.username = credentials.slice(0, colon);
  parsed.password = credentials.slice(colon + 1, end);
  if (end < credentials.length) parsed.search = credentials.slice(end);
  return parsed.href;
}

/** The address with a mark in the place of user and password. */
export function hideCredentials(address: string): string {
  const parsed = URL.parse(address);
  if (parsed === null || parsed.username + parsed.password === "") return address;
  parsed.username = "***";
  parsed.password = "";
  return parsed.href;
}
