import { useTranslation } from "@comanda/ui/translation.ts";

/** As people write a telephone; what is between two of them stands between two of these. */
const TELEPHONE = /(\+?\(?\d[\d ().-]{5,}\d)/;

/** Whom to call at a restaurant, each telephone as a link that calls it; nothing where nobody is named. */
export function Contact({ text }: { text: string }) {
  const { t } = useTranslation("common");
  if (text === "") return null;
  return (
    <p>
      {t("call")}{" "}
      {text.split(TELEPHONE).map((part, index) =>
        index % 2 === 0 ? (
          part
        ) : (
          <a key={index} href={`tel:${part.replaceAll(/[^+\d]/g, "")}`}>
            {part}
          </a>
        ),
      )}
    </p>
  );
}
