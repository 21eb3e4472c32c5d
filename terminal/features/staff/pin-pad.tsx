import { TerminalRefusal, type ActorGrant, type PinUser } from "@comanda/terminal";
import { useEffect, useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { usePos } from "../../lib/connection/pos.ts";
import { PracticePin } from "../../practice/practice-pin.tsx";
import { enterPin, type PinFailure } from "./enter-pin.ts";
import { PinKeys } from "./pin-keys.tsx";

/** The people who may use a PIN here, and below them the keys, in reach of the thumb. */
export function PinPad({
  people,
  first,
  purpose,
  onGrant,
}: {
  people: readonly PinUser[];
  /** The person selected at first. */
  first?: PinUser["id"] | undefined;
  /** What the PIN is for, if not to act. */
  purpose?: "approval";
  onGrant: (grant: ActorGrant) => void;
}) {
  const { t } = useTranslation("person");
  const pos = usePos();
  const [chosenId, setChosenId] = useState(first);
  const [isBusy, setBusy] = useState(false);
  /** Why the PIN failed, and whose it was: a reload of the list may change the selection. */
  const [failed, setFailed] = useState<{ why: PinFailure; name: string } | null>(null);
  const chosen =
    people.find(({ id }) => String(id) === String(chosenId)) ?? (people.length === 1 ? people[0] : undefined);

  useEffect(() => {
    pos.refreshPeople().catch((error: unknown) => {
      if (error instanceof TerminalRefusal && error.code === "UNAUTHENTICATED")
        setFailed({ why: "unknownDevice", name: "" });
    });
  }, [pos]);

  async function enter(pin: string): Promise<void> {
    if (chosen === undefined) return;
    setBusy(true);
    const result = await enterPin(pos.terminal, { userId: chosen.id, pin, purpose });
    setBusy(false);
    if ("grant" in result) onGrant(result.grant);
    else setFailed({ why: result.failed, name: chosen.name });
  }

  return (
    <div className="stack pin">
      <div className="pin-people">
        {people.length === 0 && <p>{t(purpose === "approval" ? "nobodyApproves" : "nobodyHere")}</p>}
        {people.map(({ id, name, role }) => (
          <ActButton
            key={id}
            aria-pressed={id === chosen?.id}
            disabled={isBusy}
            onAct={() => {
              setChosenId(id);
              setFailed(null);
            }}
          >
            <span>
              {name}
              <span className="pin-role">{t(`role.${role}`)}</span>
            </span>
          </ActButton>
        ))}
      </div>
      <div className="rows pin-lower">
        <PracticePin />
        {(people.length > 0 || failed !== null) && (
          <p
            className="pin-hint"
            role={failed === null ? undefined : "alert"}
            data-failed={failed !== null || undefined}
          >
            {failed !== null
              ? t(`pin.failed.${failed.why}`, { name: failed.name })
              : chosen === undefined
                ? t("pin.choose")
                : t("pin.of", { name: chosen.name })}
          </p>
        )}
        {people.length > 0 && (
          <PinKeys
            key={String(chosen?.id)}
            isBusy={isBusy || chosen === undefined}
            onPin={(pin) => {
              setFailed(null);
              void enter(pin);
            }}
          />
        )}
      </div>
    </div>
  );
}
