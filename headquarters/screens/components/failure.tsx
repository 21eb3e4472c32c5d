import { knownText } from "@comanda/ui/known-text.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { HqFailure } from "../lib/hq.ts";

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
  // About people and groups of headquarters: other words than the hub's (ui/refusal-texts.json), which this page does not load.
  const { t } = useTranslation("failure");
  if (error === null || error === undefined) return null;
  const { code, message } = error instanceof HqFailure ? error : { code: "", message: "" };
  const detail = isDetailed && code === "VALIDATION_ERROR" ? `${code}: ${message}` : code;
  return (
    <p className="failure" data-tone="bad" role="alert">
      {code === "CONFLICT" && conflict !== undefined ? conflict : (knownText(t, code) ?? t("other"))}{" "}
      {detail !== "" && <span className="soft">({detail})</span>}
    </p>
  );
}
