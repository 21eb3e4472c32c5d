import { useTranslation } from "@comanda/ui/translation.ts";
import { splitTelephones } from "./telephones.ts";

/** Whom to call at a restaurant, with telephone numbers as links. Shows nothing for an empty text. */
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
