import semver from "semver";

/**
 * Whether a terminal's version is below the minimum. A terminal that sends none is not, and neither is one whose version
 * cannot be compared, nor any while the minimum is no version: a slip in the back-office must not close the restaurant.
 */
export function isTooOld(clientVersion: string | undefined, minimum: string | null): boolean {
  const version = semver.parse(clientVersion ?? null, { loose: true });
  const needed = semver.parse(minimum, { loose: true });
  return version !== null && needed !== null && semver.lt(version, needed);
}
