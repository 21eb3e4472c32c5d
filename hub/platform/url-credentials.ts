/** Splits a URL into the part without user, password and query, and these as they are in it; null if it has none. */
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

/** Returns a URL with the user, password and query from `splitCredentials`. */
export function withCredentials(address: string, credentials: string | null): string {
  const parsed = URL.parse(address);
  if (parsed === null || credentials === null) return address;
  // In a URL, user and password have ":" and "?" percent-encoded.
  const end = credentials.includes("?") ? credentials.indexOf("?") : credentials.length;
  const colon = credentials.indexOf(":");
  parsed.username = credentials.slice(0, colon);
  parsed.password = credentials.slice(colon + 1, end);
  if (end < credentials.length) parsed.search = credentials.slice(end);
  return parsed.href;
}

/** Returns a URL with a placeholder for user and password. */
export function hideCredentials(address: string): string {
  const parsed = URL.parse(address);
  if (parsed === null || parsed.username + parsed.password === "") return address;
  parsed.username = "***";
  parsed.password = "";
  return parsed.href;
}
