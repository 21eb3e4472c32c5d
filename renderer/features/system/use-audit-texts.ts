import type { AuditEntry } from "@comanda/protocol";
import { knownText } from "@comanda/ui/known-text.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useHubText } from "@comanda/ui/hub-sentences.ts";
import { useBackOfficeText } from "../../components/failures/back-office-reason.ts";
import { useCatalogue, useSettingLabel } from "../../components/labels.ts";
import { useHub } from "../../lib/hub.ts";

/** The texts of an audit log entry, as a manager reads them. */
interface AuditTexts {
  action: string;
  target: string;
  note: string;
}

const UUID = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/i;

/** Returns a function that describes an entry: the action, its target's name, and the hub's note in the reader's language. */
export function useAuditTexts(): (entry: AuditEntry) => AuditTexts {
  const { t } = useTranslation("system");
  const hubText = useHubText();
  const backOfficeText = useBackOfficeText();
  const { products } = useCatalogue();
  const keys = useHub("keys").data?.keys ?? [];
  const settingLabel = useSettingLabel();

  return (entry) => {
    return {
      // An entry by another version of the hub may have an action that this page has no text for.
      action: knownText(t, `auditAction.${entry.action}`) ?? entry.action,
      target: targetOf(entry),
      note: noteOf(entry),
    };
  };

  function targetOf({ action, target, note, userName }: AuditEntry): string {
    if (action === "settings.change") return settingLabel(target);
    if (action === "item.state") return products[target] ?? target;
    if (action === "person.reset_pin") return note?.words ?? target;
    // For changes to a user's own PIN, the target is that user.
    if (action.startsWith("person.")) return userName;
    if (action.startsWith("key.")) return keys.find(({ keyId }) => keyId === target)?.label ?? note?.words ?? target;
    if (target === "all") return t("auditTarget.all");
    if (target === "empty") return t("auditTarget.empty");
    // Here the target is the id of a subscription.
    if (action === "deliveries.replay") return t("auditTarget.one");
    return target;
  }

  function noteOf({ action, note }: AuditEntry): string {
    // The note of a key is its name or its id, and that of a removed PIN is its owner: the target already shows both.
    if (note === null || action.startsWith("key.") || action === "person.reset_pin") return "";
    if (action === "fiscal.not_released") return backOfficeText(note);
    // These notes are messages of the database. The screens of the data file and the backups explain the result.
    if (action === "data_file.check" || action === "backup.restore_failed") return "";
    const { about = "", ...rest } = note;
    return hubText(UUID.test(about) ? rest : note);
  }
}
