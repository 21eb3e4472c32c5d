import { knownText } from "@comanda/ui/known-text.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { HqFailure } from "../lib/hq.ts";

/**
 * Says what went wrong and what to do, with the code for support. `conflict`: the text for a CONFLICT, if the screen has one.
 * `isDetailed`: shows the message of a VALIDATION_ERROR, which names the wrong field.
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
  // Headquarters' own texts. The hub's (ui/refusal-texts.json) differ, and this page does not load them.
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
