import { useStore } from "@comanda/ui/store.ts";
import { useEffect, useState } from "react";
import { useLive, useTerminal } from "../../lib/connection/pos.ts";
import { deviceTime, isSecure, keepAwake } from "../../lib/device/platform.ts";
import { savedStore } from "../../lib/device/saved.ts";
import { tryStorage } from "../../lib/device/try-storage.ts";
import type { Findings } from "./device-checks.ts";

/** Results confirmed by the user: the page cannot hear, nor read the settings of a tablet. */
interface Confirmed {
  sound: Findings["sound"];
  awake: "byHand" | null;
}
const confirmations = savedStore<Confirmed>("comanda-terminal-checked", isConfirmed, { sound: null, awake: null });

/** Tests this device, and the connection again whenever it changes. */
export function useFindings(): { findings: Findings; confirm: (next: Partial<Confirmed>) => void; again: () => void } {
  const terminal = useTerminal();
  const { name } = useLive("connection");
  const confirmed = useStore(confirmations);
  const [measured, setMeasured] = useState<Omit<Findings, "sound" | "isSecure">>({
    storage: null,
    roundTrip: null,
    clockAheadMs: null,
    awake: null,
  });
  const [round, setRound] = useState(0);

  useEffect(() => {
    let isCancelled = false;
    const found = (part: Partial<typeof measured>) => {
      if (!isCancelled) setMeasured((before) => ({ ...before, ...part }));
    };
    void terminal.checkConnection().then((roundTripMs) => {
      found({
        roundTrip: roundTripMs ?? "away",
        clockAheadMs: roundTripMs === null ? null : deviceTime() - terminal.now(),
      });
    });
    return () => {
      isCancelled = true;
    };
  }, [terminal, name, round]);

  useEffect(() => {
    let release: (() => void) | null = null;
    let isCancelled = false;
    void tryStorage().then((storage) => {
      if (!isCancelled) setMeasured((before) => ({ ...before, storage }));
    });
    void keepAwake().then((end) => {
      release = end;
      if (isCancelled) return end?.();
      setMeasured((before) => ({ ...before, awake: end === null ? "missing" : "kept" }));
    });
    return () => {
      isCancelled = true;
      release?.();
    };
  }, [round]);

  const awake = measured.awake === "missing" ? (confirmed.awake ?? "missing") : measured.awake;
  return {
    findings: { ...measured, awake, sound: confirmed.sound, isSecure },
    confirm: (next) => confirmations.set({ ...confirmations.get(), ...next }),
    again: () => setRound((before) => before + 1),
  };
}

function isConfirmed(value: unknown): value is Confirmed {
  const { sound, awake } = (value ?? {}) as Partial<Confirmed>;
  return [null, "heard", "silent"].includes(sound ?? null) && [null, "byHand"].includes(awake ?? null);
}
