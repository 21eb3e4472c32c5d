const HIDDEN = "***";

/**
 * An address without what gives access in it: user and password, and the whole query, where tokens are. An address that
 * has neither comes back as it is.
 */
export function redactUrl(url: string): string {
  const parsed = URL.parse(url);
  if (parsed === null) return HIDDEN;
  const { username, password, search, hash } = parsed;
  if (username + password + search + hash === "") return url;
  if (username + password !== "") parsed.username = HIDDEN;
  parsed.password = "";
  if (search !== "") parsed.search = HIDDEN;
  parsed.hash = "";
  return parsed.href;
}
