import semver from "semver";

/** The version of a tag or folder name (`v1.4.0` or `1.4.0`), or null. */
export function versionOf(name: string): string | null {
  return semver.parse(name.trim().replace(/^v/i, ""))?.raw ?? null;
}

/**
 * The newest release: the highest version, and of equal versions the one published last. A fix of an old line that is
 * published after a newer version therefore does not hide the newer one. Names that are not versions are skipped.
 */
export function chooseNewest<T extends { name: string; publishedAt: string }>(
  releases: readonly T[],
): (T & { version: string }) | null {
  const versioned = releases.flatMap((release) => {
    const version = versionOf(release.name);
    return version === null ? [] : [{ ...release, version }];
  });
  versioned.sort(
    (a, b) => semver.rcompare(a.version, b.version) || Date.parse(b.publishedAt) - Date.parse(a.publishedAt),
  );
  return versioned[0] ?? null;
}
