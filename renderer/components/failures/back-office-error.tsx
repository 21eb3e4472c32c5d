import type { Sentence } from "@comanda/protocol";
import { useBackOfficeReason } from "./back-office-reason.ts";

/** Shows why something did not reach the back-office and, below, the back-office's own text as a quotation. */
export function BackOfficeError({ error, errorCode }: { error: Sentence; errorCode?: string | null }) {
  const { sentence, quote } = useBackOfficeReason()(error, errorCode);
  return (
    <div className="error-text">
      {sentence}
      {quote !== null && <div className={sentence === null ? undefined : "soft"}>{quote}</div>}
    </div>
  );
}
