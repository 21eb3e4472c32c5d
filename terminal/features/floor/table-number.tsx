import { IconHash } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useLocation } from "wouter";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { Keypad } from "../../components/keypad.tsx";
import { Sheet } from "../../components/sheet.tsx";
import { tablesByNumber, type TableCard } from "./table-card.ts";

const MAX_LENGTH = 4;

/** Opens a table by its number. */
export function TableNumber({ cards }: { cards: readonly TableCard[] }) {
  const { t } = useTranslation("floor");
  const [typed, setTyped] = useState<string | null>(null);
  const [, go] = useLocation();
  const found = tablesByNumber(cards, typed ?? "").slice(0, 6);
  return (
    <>
      <ActButton size="small" aria-label={t("number")} onAct={() => setTyped("")}>
        <IconHash size={22} aria-hidden />
      </ActButton>
      {typed !== null && (
        <Sheet title={t("number")} onClose={() => setTyped(null)}>
          <div className="stack low">
            <output className="number-typed" aria-live="polite">
              {typed === "" ? "–" : typed}
            </output>
            <div className="number-found">
              {found.map(({ tableId, name }) => (
                <ActButton key={tableId} kind="main" onAct={() => go(`/table/${tableId}`)}>
                  {name}
                </ActButton>
              ))}
              {typed !== "" && found.length === 0 && <p>{t("noSuchTable")}</p>}
            </div>
            <Keypad
              onKey={(key) => setTyped(key === "erase" ? typed.slice(0, -1) : (typed + key).slice(0, MAX_LENGTH))}
            />
          </div>
        </Sheet>
      )}
    </>
  );
}
