import semver, { type SemVer } from "semver";

/**
 * Whether a terminal's version is below the minimum, or cannot be compared with it. False if the terminal sends no version, or
 * if the minimum is not a version: a typo in the back-office must not close the restaurant.
 */
export function isTooOld(clientVersion: string | undefined, minimum: string | null): boolean {
  const needed = parse(minimum);
  if (needed === null || clientVersion === undefined || clientVersion === "") return false;
  const version = parse(clientVersion);
  return version === null || semver.lt(version, needed);
}

/** Parses a version; `2.5` means 2.5.0. */
function parse(text: string | null | undefined): SemVer | null {
  const full = text?.trim().replace(/^(v?\d+)(\.\d+)?$/, (_, major: string, minor = ".0") => `${major}${minor}.0`);
  return semver.parse(full, { loose: true });
}
