import semver from "semver";
import type { Routes } from "../http/routes.ts";
import { Refusal } from "../refusal.ts";
import { releaseTargets, type Release, type ReleaseTarget } from "../stores/releases.ts";
import type { Stores } from "../stores/stores.ts";

/** Called before sign-in, so without a session. */
export function updateRoutes(routes: Routes, { releases }: Stores): void {
  routes.router.get("/updates/check/:target/:arch/:version", (ctx) => {
    // Not read from ctx.params: koa-router decodes "+" as a space, and 1.2.3+build is a version.
    const [version = "", , target = ""] = ctx.path.split("/").map(decodeSegment).toReversed();
    if (!isTarget(target)) throw new Refusal("NOT_FOUND", `there are no releases for ${target}`);
    if (semver.valid(version) === null) {
      throw new Refusal("VALIDATION_ERROR", `version: ${version} is not a version such as 1.2.3`);
    }
    const newest = releases.newest(target);
    if (newest === null || !semver.gt(newest.version, version)) {
      ctx.status = 204;
      return;
    }
    ctx.body = target === "android" ? withoutSignature(newest) : newest;
  });
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function isTarget(target: string): target is ReleaseTarget {
  return releaseTargets.some((releaseTarget) => releaseTarget === target);
}

function withoutSignature({ version, notes, pub_date, url }: Release): Release {
  return { version, notes, pub_date, url };
}
