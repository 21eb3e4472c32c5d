import semver from "semver";

/** Returns the version of a tag or folder name (`v1.4.0` or `1.4.0`), or null. */
export function versionOf(name: string): string | null {
  return semver.parse(name.trim().replace(/^v/i, ""))?.raw ?? null;
}

/**
 * Returns the newest release: the highest version, and of equal versions the one published last. So a fix of an old line,
 * published after a newer version, does not hide that version. Skips names that are not versions.
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
