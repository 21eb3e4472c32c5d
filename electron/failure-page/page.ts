/// <reference lib="dom" />
// The built-in page: why the hub does not run, what that means for service, and what can be done about it.
import type { DesktopBridge, DesktopHubState, DesktopSettingsState } from "@comanda/protocol";
import { fillSettingForm } from "./setting-form.ts";
import { words } from "./words.ts";

type Failure = Extract<DesktopHubState, { state: "failed" }>;

const desktop = (globalThis as unknown as { desktop: DesktopBridge }).desktop;
const part = (id: string) => document.querySelector(`#${id}`) as HTMLElement;
const form = part("settings") as HTMLFormElement;

desktop.onHubState((hub) => void show(hub));
void desktop.getHubState().then(show);

async function show(hub: DesktopHubState): Promise<void> {
  const saved = await desktop.getSettings();
  const text = words[saved.settings.language];
  document.documentElement.lang = saved.settings.language;
  part("outcome").textContent = "";
  if (hub.state !== "failed") {
    part("title").textContent = text.starting;
    for (const id of ["meaning", "error", "actions", "settings"]) part(id).replaceChildren();
    form.hidden = true;
    return;
  }
  part("title").textContent = text.title[hub.reason](hub);
  part("meaning").textContent = text.meaning[hub.reason];
  part("error").textContent = hub.error;
  part("actions").replaceChildren(...actions(hub, saved));
  part("actions").querySelector("button")?.classList.add("first");
  form.hidden = true;
  if (hub.reason === "setting") await showSettings(hub, saved);
}

/** Shows the saved settings as a form; saving restarts the hub with them. */
async function showSettings(failure: Failure, { settings }: DesktopSettingsState): Promise<void> {
  const text = words[settings.language];
  const save = async (values: Record<string, string | null>) => {
    const result = await desktop.changeHubSettings(values);
    if (result.ok) await desktop.restartHub();
    return result;
  };
  fillSettingForm(form, await desktop.getHubSettings(), failure.settings, settings.language, (values) => {
    run(() => save(values), text.working);
  });
  form.hidden = false;
}

function actions(failure: Failure, saved: DesktopSettingsState): HTMLButtonElement[] {
  const text = words[saved.settings.language];
  const { suggestedPort: port } = failure;
  const portIsOurs = !saved.fromEnvironment.includes("HUB_HTTP_PORT");
  const buttons: HTMLButtonElement[] = [];
  if (port !== undefined && portIsOurs) {
    buttons.push(button(text.usePort(port), () => desktop.saveSettings({ ...saved.settings, port }), text.working));
  }
  if (helpedByBackup.has(failure.reason) && failure.backupsFound > 0) {
    buttons.push(button(text.restore, () => desktop.restoreNewestBackup(), text.working, text.restoreMeans));
  }
  buttons.push(button(text.tryAgain, () => desktop.restartHub(), text.working));
  if (failure.reason === "restore_unfinished") {
    buttons.push(button(text.cancelRestore, () => desktop.cancelRestore(), text.working, text.cancelRestoreMeans));
  }
  if (hasLostData.has(failure.reason)) {
    const sure = button(text.beginEmptySure, () => desktop.beginEmpty(), text.working);
    const ask = () => {
      begin.replaceWith(sure);
      sure.focus();
      return Promise.resolve({ ok: false, error: text.beginEmptyMeans });
    };
    const begin = button(text.beginEmpty, ask, "", text.beginEmptyMeans);
    buttons.push(begin);
  }
  if (failure.reason !== "setting") {
    const open = async () => {
      await showSettings(failure, saved);
      form.querySelector("input")?.focus();
    };
    buttons.push(button(text.openSettings, open));
  }
  if (failure.reason.startsWith("data_file")) buttons.push(button(text.openData, () => desktop.openDataFolder()));
  buttons.push(
    button(text.openLogs, () => desktop.openLogs()),
    button(text.quit, () => desktop.quit()),
  );
  return buttons;
}

/** Restoring a backup helps after these, but not when the file is in use or the disk is full. */
const helpedByBackup: ReadonlySet<Failure["reason"]> = new Set(["data_file", "data_file_missing", "data_file_newer"]);
/** There is no usable data file any more, so an empty one can take its place. */
const hasLostData: ReadonlySet<Failure["reason"]> = new Set(["data_file", "data_file_missing"]);

/** `working`: what the page says meanwhile; `meaning`: the button's description. */
function button(label: string, work: () => Promise<unknown>, working = "", meaning = ""): HTMLButtonElement {
  const created = document.createElement("button");
  created.type = "button";
  created.textContent = label;
  if (meaning !== "") {
    created.title = meaning;
    created.setAttribute("aria-description", meaning);
  }
  created.addEventListener("click", () => run(work, working));
  return created;
}

/** Disables all buttons while `work` runs, then shows its error, if any. */
function run(work: () => Promise<unknown>, working: string): void {
  const all = [...document.querySelectorAll("button")];
  for (const each of all) each.disabled = true;
  part("outcome").textContent = working;
  const settle = (outcome: string) => {
    part("outcome").textContent = outcome;
    for (const each of all) each.disabled = false;
  };
  const refused = (error: unknown) => settle(error instanceof Error ? error.message : String(error));
  work().then((result) => settle(refusalOf(result)), refused);
}

function refusalOf(result: unknown): string {
  const refused = result as { ok?: boolean; error?: string } | undefined;
  return refused?.ok === false ? (refused.error ?? "") : "";
}
