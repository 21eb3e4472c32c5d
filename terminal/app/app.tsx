import type { ReactNode } from "react";
import { Router } from "wouter";
import { useHashLocation } from "wouter/use-hash-location";
import { DesktopFrame } from "../features/desktop/desktop-frame.tsx";
import { DeviceGate } from "../features/staff/device-gate.tsx";
import { SignInGate } from "../features/staff/sign-in-gate.tsx";
import type { Account } from "../lib/device/account.ts";
import { lazyPart } from "@comanda/ui/lazy-part.ts";
import { isPractice } from "../lib/device/practice.ts";
import { FormatProvider } from "./format-provider.tsx";
import { Screens } from "./screens.tsx";

const PracticeGate = lazyPart(() => import("../features/training/practice-gate.tsx"), "PracticeGate");

export function App() {
  return (
    <Router hook={useHashLocation}>
      <DesktopFrame>
        <SignInGate>
          {(account) => (
            <TerminalGate account={account}>
              <FormatProvider>
                <Screens />
              </FormatProvider>
            </TerminalGate>
          )}
        </SignInGate>
      </DesktopFrame>
    </Router>
  );
}

/** Provides the terminal of the screens: the practice's, or this device's own. */
function TerminalGate({ account, children }: { account: Account; children: ReactNode }) {
  if (!isPractice) return <DeviceGate account={account}>{children}</DeviceGate>;
  return <PracticeGate>{children}</PracticeGate>;
}
