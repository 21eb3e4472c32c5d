// The desktop app's main process. Awaiting 'ready' at the top level of an ES module would deadlock.
import path from "node:path";
import { app, dialog, protocol } from "electron";
import { readEnvFile } from "@comanda/hub/settings/env-file.ts";
import { DesktopRole } from "@comanda/protocol";
import { takeSavedByInstaller } from "./next-start.ts";
import { runHub } from "./run-hub.ts";
import { runTerminal } from "./run-terminal.ts";
import { setupApp } from "./setup-app.ts";
import { appScheme } from "./window/app-addresses.ts";
import { setupCrash } from "./window/crash.ts";

if (!app.isPackaged) Object.assign(process.env, { ...readEnvFile(".env"), ...process.env });
// The output of an app started without a terminal may have no reader.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
app.setName("Comanda Hub");
if (process.platform === "win32") app.setAppUserModelId("com.comanda.hub");
const usualProfile = app.getPath("userData");
const profile = app.commandLine.getSwitchValue("profile-dir");
if (profile !== "") app.setPath("userData", path.resolve(profile));
app.enableSandbox();
protocol.registerSchemesAsPrivileged([
  { scheme: appScheme, privileges: { standard: true, secure: true, supportFetchAPI: true } },
]);

const installerArgs = takeSavedByInstaller(usualProfile, app.getVersion());
if (installerArgs !== null && profile === "") {
  app.relaunch({ args: installerArgs });
  app.exit(0);
} else if (app.requestSingleInstanceLock()) app.whenReady().then(run).catch(giveUp);
else app.quit();

/** Runs the app in its role. A role given as `--role=terminal` or `--role=hub` is saved for later starts. */
function run(): void {
  const parts = setupApp(usualProfile);
  const { settings, log, relaunch } = parts;
  const named = app.commandLine.getSwitchValue("role");
  const role = DesktopRole.safeParse(named).data;
  if (role === undefined && named !== "") log.warn({ role: named }, "there is no such role; the saved one is used");
  if (role !== undefined && role !== settings.role()) settings.setRole(role);
  const { isStopping } = settings.role() === "terminal" ? runTerminal(parts) : runHub(parts);
  const uptimeMs = () => performance.now();
  setupCrash({ process, uptimeMs, isStopping, relaunch, exit: (code) => app.exit(code), giveUp, log });
}

/** Shows an error from right after the start and ends the app. */
function giveUp(error: unknown): void {
  dialog.showErrorBox("Comanda Hub", error instanceof Error ? error.message : String(error));
  app.exit(1);
}
