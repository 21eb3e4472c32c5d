import { IconUser } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { lazyPart } from "@comanda/ui/lazy-part.ts";
import { useLive } from "../../lib/connection/pos.ts";
import { readHandover } from "./read-handover.ts";

const PersonSheet = lazyPart(async () => (await import("./person-sheet.tsx")).PersonSheet);

/** Who is acting: everything done now is this person's. Leads to another person. */
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

/** Who comes here from another device. The address is cleaned: after a reload nobody is coming. */
function takeHandover(): string | null {
  const coming = readHandover(location.search);
  if (coming !== null) history.replaceState(history.state, "", `${location.pathname}${location.hash}`);
  return coming;
}
