import type { OrderFact } from "@comanda/protocol";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useCatalogue, useTableName } from "../../components/labels.ts";
import { describeFacts } from "./describe-facts.ts";

/** What a version changed, in sentences. Changes without a sentence are listed by name in a fold. */
export function OrderFacts({ facts }: { facts: readonly OrderFact[] }) {
  const { t, format } = useTranslation(["orders", "common"]);
  const tableName = useTableName();
  const { products } = useCatalogue();
  const productName = (productId: string) => products[productId];
  const { sentences, others } = describeFacts(facts, { t, format, tableName, productName });
  return (
    <>
      {sentences.length > 0 && (
        <ul className="plain-list order-facts">
          {sentences.map((sentence, index) => (
            // Two lines of the same dish may have changed alike; sentences are never reordered.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={index}>{sentence}</li>
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <details className="timeline-more">
          <summary>{t("othersChanged")}</summary>
          <p className="no-margin">{format.list(others)}</p>
        </details>
      )}
    </>
  );
}
