import { useTranslation } from "@comanda/ui/translation.ts";
import { HqFailure } from "../lib/hq.ts";

const known = [
  "OFFLINE",
  "UNAUTHENTICATED",
  "FORBIDDEN",
  "NOT_FOUND",
  "CONFLICT",
  "VALIDATION_ERROR",
  "TOO_MANY_TRIES",
] as const;

/** What went wrong, with what to do; for those who help its code. `conflict`: what is in the way, where a screen knows it. */
export function Failure({ error, conflict }: { error: unknown; conflict?: string }) {
  const { t } = useTranslation("failure");
  if (error === null || error === undefined) return null;
  const code = error instanceof HqFailure ? error.code : "";
  const name = known.find((each) => each === code) ?? "other";
  return (
    <p className="failure" data-tone="bad" role="alert">
      {name === "CONFLICT" && conflict !== undefined ? conflict : t(name)}{" "}
      {code !== "" && <span className="soft">({code})</span>}
    </p>
  );
}
