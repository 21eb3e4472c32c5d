import { useTranslation } from "@comanda/ui/translation.ts";
import { splitTelephones } from "./telephones.ts";

/** Whom to call at a restaurant, each telephone as a link that calls it; nothing where nobody is named. */
export function Contact({ text }: { text: string }) {
  const { t } = useTranslation("common");
  if (text === "") return null;
  return (
    <p>
      {t("call")}{" "}
      {splitTelephones(text).map((part, index) =>
        part.number === null ? (
          part.text
        ) : (
          <a key={index} href={`tel:${part.number}`}>
            {part.text}
          </a>
        ),
      )}
    </p>
  );
}
