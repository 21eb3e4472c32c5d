import semver from "semver";

/** The version that a tag or folder name stands for (`v1.4.0` and `1.4.0` alike), or null. */
export function versionOf(name: string): string | null {
  const parsed = semver.parse(name.trim().replace(/^v/i, ""));
  return parsed === null ? null : parsed.raw;
}

/**
 * The newest of the releases: the highest version, and of equal versions the one published last. A repair of an old line
 * that is published after a newer version therefore does not hide the newer one. Names that are no version are passed over.
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
