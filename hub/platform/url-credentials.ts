/** An address without user and password, and these as they stand in it; null where there are none. */
export function splitCredentials(address: string): { url: string; credentials: string | null } {
  const parsed = URL.parse(address);
  if (parsed === null || parsed.username + parsed.password === "") return { url: address, credentials: null };
  const credentials = `${parsed.username}:${parsed.password}`;
  parsed.username = "";
  parsed.password = "";
  return { url: parsed.href, credentials };
}

/** The address with user and password, as `splitCredentials` gave them. */
export function withCredentials(address: string, credentials: string | null): string {
  const parsed = URL.parse(address);
  if (parsed === null || credentials === null) return address;
  const [username = "", ...password] = credentials.split(":");
  parsed.username = username;
  parsed.password = password.join(":");
  return parsed.href;
}

/** The address with a mark in the place of user and password. */
export function hideCredentials(address: string): string {
  const { url, credentials } = splitCredentials(address);
  return credentials === null ? url : withCredentials(url, "***:");
}
