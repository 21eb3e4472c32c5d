import { useTranslation } from "@comanda/ui/translation.ts";
import { HqFailure } from "../lib/hq.ts";

// What headquarters refuse is about their own people and groups, so it has words of its own beside the hub's
// (ui/refusal-texts.json), which this page does not load.
const known = [
  "OFFLINE",
  "UNAUTHENTICATED",
  "FORBIDDEN",
  "NOT_FOUND",
  "CONFLICT",
  "VALIDATION_ERROR",
  "TOO_MANY_TRIES",
  "UNREACHABLE",
  "REFUSED_BY_RESTAURANT",
] as const;

/**
 * What went wrong, with what to do; for those who help its code. `conflict`: what is in the way, where a screen knows it.
 * `isDetailed`: what is refused as not valid, in headquarters' own words, which name what they mean.
 */
export function Failure({
  error,
  conflict,
  isDetailed = false,
}: {
  error: unknown;
  conflict?: string;
  isDetailed?: boolean;
}) {
  const { t } = useTranslation("failure");
  if (error === null || error === undefined) return null;
  const { code, message } = error instanceof HqFailure ? error : { code: "", message: "" };
  const name = known.find((each) => each === code) ?? "other";
  const detail = isDetailed && code === "VALIDATION_ERROR" ? `${code}: ${message}` : code;
  return (
    <p className="failure" data-tone="bad" role="alert">
      {name === "CONFLICT" && conflict !== undefined ? conflict : t(name)}{" "}
      {detail !== "" && <span className="soft">({detail})</span>}
    </p>
  );
}
