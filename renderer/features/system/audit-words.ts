import type { AuditEntry } from "@comanda/protocol";
import { knownText } from "@comanda/ui/known-text.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useSaid } from "@comanda/ui/hub-sentences.ts";
import { useBackOfficeText } from "../../components/failures/back-office-reason.ts";
import { useCatalogue, useSettingLabel } from "../../components/labels.ts";
import { useHub } from "../../lib/hub.ts";

/** An entry of the audit log as a manager reads it. */
interface AuditWords {
  action: string;
  target: string;
  note: string;
}

const UUID = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/i;

/** Puts entries into words: what was done, to what by its name, and the hub's own notes in the reader's language. */
export function useAuditWords(): (entry: AuditEntry) => AuditWords {
  const { t } = useTranslation("system");
  const said = useSaid();
  const backOfficeText = useBackOfficeText();
  const { products } = useCatalogue();
  const keys = useHub("keys").data?.keys ?? [];
  const settingLabel = useSettingLabel();

  return (entry) => {
    return {
      // An entry of another version of the hub may be one that this page has no words for.
      action: knownText(t, `auditAction.${entry.action}`) ?? entry.action,
      target: targetOf(entry),
      note: noteOf(entry),
    };
  };

  function targetOf({ action, target, note, userName }: AuditEntry): string {
    if (action === "settings.change") return settingLabel(target);
    if (action === "item.state") return products[target] ?? target;
    if (action === "person.reset_pin") return note?.words ?? target;
    // What befell somebody's own PIN stands under their name.
    if (action.startsWith("person.")) return userName;
    if (action.startsWith("key.")) return keys.find(({ keyId }) => keyId === target)?.label ?? note?.words ?? target;
    if (target === "all") return t("auditTarget.all");
    if (target === "empty") return t("auditTarget.empty");
    // By the id of its subscription.
    if (action === "deliveries.replay") return t("auditTarget.one");
    return target;
  }

  function noteOf({ action, note }: AuditEntry): string {
    // The note of a key is its name, or its id again; that of a PIN that was removed is whose it was.
    if (note === null || action.startsWith("key.") || action === "person.reset_pin") return "";
    if (action === "fiscal.not_released") return backOfficeText(note);
    // What the check of a file found is a sentence of the database, which the screen of the thing says in words.
    if (action === "data_file.check" || action === "backup.restore_failed") return "";
    const { about = "", ...rest } = note;
    return said(UUID.test(about) ? rest : note);
  }
}
