import { Router } from "wouter";
import { useHashLocation } from "wouter/use-hash-location";
import { DesktopFrame } from "../features/desktop/desktop-frame.tsx";
import { DeviceGate } from "../features/who/device-gate.tsx";
import { FormatProvider } from "./format-provider.tsx";
import { Screens } from "./screens.tsx";

export function App() {
  return (
    <Router hook={useHashLocation}>
      <DesktopFrame>
        <DeviceGate>
          <FormatProvider>
            <Screens />
          </FormatProvider>
        </DeviceGate>
      </DesktopFrame>
    </Router>
  );
}
