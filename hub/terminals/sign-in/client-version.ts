import semver, { type SemVer } from "semver";

/**
 * Whether a terminal's version is below the minimum, or no version that could be compared with it. A terminal that sends
 * none is not, nor any while the minimum is no version: a slip in the back-office must not close the restaurant.
 */
export function isTooOld(clientVersion: string | undefined, minimum: string | null): boolean {
  const needed = parse(minimum);
  if (needed === null || clientVersion === undefined || clientVersion === "") return false;
  const version = parse(clientVersion);
  return version === null || semver.lt(version, needed);
}

/** A person who writes `2.5` as the minimum means 2.5.0. */
function parse(text: string | null | undefined): SemVer | null {
  const full = text?.trim().replace(/^(v?\d+)(\.\d+)?$/, (_, major: string, minor = ".0") => `${major}${minor}.0`);
  return semver.parse(full, { loose: true });
}
