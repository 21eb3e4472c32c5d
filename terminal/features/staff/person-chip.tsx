import { IconUser } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useLive } from "../../lib/connection/pos.ts";
import { PersonSheet } from "./lazy-sheets.ts";
import { readHandover } from "./read-handover.ts";

/** The user who is acting, to whom all acts are attributed. Opens the sheet to switch users. */
export function PersonChip() {
  const { t } = useTranslation("staff");
  const actor = useLive("actor");
  const [isOpen, setOpen] = useState(false);
  const [coming, setComing] = useState(takeHandover);
  const isComing = coming !== null && actor !== null && String(actor.user.id) !== coming;
  const name = actor?.user.name ?? t("nobody");
  return (
    <>
      <button type="button" className="person-chip" aria-label={t("working", { name })} onClick={() => setOpen(true)}>
        <IconUser size={20} aria-hidden />
        <span>{name}</span>
      </button>
      {(isOpen || isComing) && (
        <PersonSheet
          first={isComing ? coming : undefined}
          onClose={() => {
            setOpen(false);
            setComing(null);
          }}
        />
      )}
    </>
  );
}

/** Returns the user who comes from another device, and clears the address: a reload must not ask again. */
function takeHandover(): string | null {
  const coming = readHandover(location.search);
  if (coming !== null) history.replaceState(history.state, "", `${location.pathname}${location.hash}`);
  return coming;
}
