const HIDDEN = "***";

/**
 * Returns a URL without what gives access: user and password, and the whole query, where tokens are. A URL without them is
 * returned unchanged.
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
