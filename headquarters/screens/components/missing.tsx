import { useTranslation } from "@comanda/ui/translation.ts";
import { Link } from "wouter";
import { Failure } from "./failure.tsx";

/** In the place of what was not read yet: that it is read, or what keeps it away. */
export function Missing({ error }: { error: unknown }) {
  const { t } = useTranslation("common");
  return error === null ? <p className="soft">{t("loading")}</p> : <Failure error={error} />;
}

/** The same in the place of a whole screen: what keeps it away has a heading, and a way to the screen that everybody may see. */
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
