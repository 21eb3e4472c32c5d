// The desktop app's main process. Awaiting 'ready' at the top level of an ES module would deadlock.
import { existsSync } from "node:fs";
import path from "node:path";
import { app, dialog, protocol } from "electron";
import { DesktopRole } from "@comanda/protocol";
import { runHub } from "./run-hub.ts";
import { runTerminal } from "./run-terminal.ts";
import { setupApp } from "./setup-app.ts";
import { appScheme } from "./window/app-addresses.ts";

if (!app.isPackaged && existsSync(".env")) process.loadEnvFile(".env");
app.setName("Comanda Hub");
if (process.platform === "win32") app.setAppUserModelId("com.comanda.hub");
const profile = app.commandLine.getSwitchValue("profile-dir");
if (profile !== "") app.setPath("userData", path.resolve(profile));
app.enableSandbox();
protocol.registerSchemesAsPrivileged([
  { scheme: appScheme, privileges: { standard: true, secure: true, supportFetchAPI: true } },
]);

if (app.requestSingleInstanceLock()) app.whenReady().then(run).catch(giveUp);
else app.quit();

/** Runs the app in its role: the one that `--role=terminal` or `--role=hub` names is saved for the starts to come. */
function run(): void {
  const parts = setupApp();
  const { settings, log } = parts;
  const named = app.commandLine.getSwitchValue("role");
  const role = DesktopRole.safeParse(named).data;
  if (role === undefined && named !== "") log.warn({ role: named }, "there is no such role; the saved one is used");
  if (role !== undefined && role !== settings.role()) settings.setRole(role);
  if (settings.role() === "terminal") runTerminal(parts);
  else runHub(parts);
}

/** The app failed before it had a window to show the error in. */
function giveUp(error: unknown): void {
  dialog.showErrorBox("Comanda Hub", error instanceof Error ? error.message : String(error));
  app.exit(1);
}
