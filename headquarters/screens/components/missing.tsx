import { useTranslation } from "@comanda/ui/translation.ts";
import { Link } from "wouter";
import { Failure } from "./failure.tsx";

/** Shown in place of data that is still loading, or that failed to load. */
export function Missing({ error }: { error: unknown }) {
  const { t } = useTranslation("common");
  return error === null ? <p className="soft">{t("loading")}</p> : <Failure error={error} />;
}

/** Shown in place of a whole screen. A failure gets a heading, and a link to the screen that every role may see. */
export function MissingScreen({ error }: { error: unknown }) {
  const { t } = useTranslation(["common", "shell"]);
  if (error === null) return <Missing error={error} />;
  return (
    <>
      <Link href="/">← {t("shell:now")}</Link>
      <h1>{t("notShown")}</h1>
      <Failure error={error} />
    </>
  );
}
