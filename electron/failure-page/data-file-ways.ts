/// <reference lib="dom" />
// The ways out when the data file is damaged or gone: a backup, another backup, or no data at all. Each asks before it acts.
import type { ChosenBackups, DesktopBackup, DesktopBackups, Language } from "@comanda/protocol";
import { button, group, paragraph, toggle, way } from "./dom.ts";
import { words } from "./words.ts";

const locales: Record<Language, string> = { es: "es-DO", en: "en-US" };

/** Restores the newest good backup. */
export function restoreWay(backup: DesktopBackup, language: Language, restore: (path: string) => void): HTMLElement {
  const text = words[language];
  const panel = group("panel");
  const start = button(text.restore(ofWhen(backup, language)), () => toggle(start, panel));
  panel.append(
    ...confirmation(
      language,
      () => restore(backup.path),
      () => toggle(start, panel),
    ),
  );
  return way(start, lossOf(backup, language), panel);
}

export interface BackupActions {
  restore: (path: string) => void;
  choose: (from: "file" | "folder") => Promise<ChosenBackups>;
  say: (outcome: string) => void;
}

/** Lists the other backups, and lets a person choose a file or a folder. */
export function otherBackupWay(
  { backups, newestGood }: DesktopBackups,
  language: Language,
  { restore, choose, say }: BackupActions,
): HTMLElement {
  const text = words[language];
  const panel = group("panel");
  const list = document.createElement("ul");
  const question = group("question");
  const start = button(text.otherBackup, () => toggle(start, panel));

  const ask = (backup: DesktopBackup, chosen: HTMLButtonElement) => {
    const close = () => {
      question.replaceChildren();
      chosen.focus();
    };
    question.replaceChildren(
      paragraph(lossOf(backup, language)),
      ...confirmation(language, () => restore(backup.path), close),
    );
    question.querySelector("button")?.focus();
  };
  const fill = (offered: readonly DesktopBackup[]) => {
    question.replaceChildren();
    list.replaceChildren(
      ...offered.map((backup) => {
        const row = document.createElement("li");
        const choice = button(text.restore(ofWhen(backup, language)), () => ask(backup, choice));
        row.append(choice, describe(backup, language, backup.path === newestGood));
        return row;
      }),
    );
  };
  const browse = (from: "file" | "folder") => async () => {
    say("");
    const chosen = await choose(from);
    if (chosen.cancelled) return;
    if (chosen.backups.length === 0) return say(text.nothingFound);
    fill(chosen.backups);
    list.querySelector("button")?.focus();
  };
  const failed = (error: unknown) => say(error instanceof Error ? error.message : String(error));
  const browseButton = (label: string, from: "file" | "folder") =>
    button(label, () => void browse(from)().catch(failed));

  fill(backups);
  panel.append(
    ...(backups.length === 0 ? [paragraph(text.noBackups)] : []),
    list,
    group("buttons", browseButton(text.fromFile, "file"), browseButton(text.fromFolder, "folder")),
    question,
  );
  return way(start, text.otherBackupMeans, panel);
}

/** Starts with an empty data file, once a word has been typed. */
export function emptyWay(language: Language, begin: () => void): HTMLElement {
  const text = words[language];
  const panel = document.createElement("form");
  panel.className = "panel";
  const start = button(text.beginEmpty, () => toggle(start, panel));
  const label = document.createElement("label");
  const input = document.createElement("input");
  input.autocomplete = "off";
  label.append(text.typeToConfirm(text.beginEmptyWord), input);
  const sure = button(text.beginEmptySure, () => undefined);
  sure.type = "submit";
  sure.className = "danger";
  sure.disabled = true;
  const isTyped = () => input.value.trim().toUpperCase() === text.beginEmptyWord;
  input.addEventListener("input", () => (sure.disabled = !isTyped()));
  panel.addEventListener("submit", (event) => {
    event.preventDefault();
    if (isTyped()) begin();
  });
  panel.append(
    label,
    group(
      "buttons",
      sure,
      button(text.cancel, () => toggle(start, panel)),
    ),
  );
  return way(start, text.beginEmptyMeans, panel);
}

function confirmation(language: Language, restore: () => void, cancel: () => void): Node[] {
  const text = words[language];
  return [
    paragraph(text.restoreQuestion),
    group("buttons", button(text.restoreSure, restore), button(text.cancel, cancel)),
  ];
}

/** What would be missing after a restore. */
function lossOf(backup: DesktopBackup, language: Language): string {
  const { restoreMeans, sinceDay, sinceToday } = words[language];
  const { time, day } = whenOf(backup, language);
  const since = time === null ? sinceDay(day) : sinceToday(time);
  return restoreMeans(since, agoOf(backup, language), backup.changesAfter ?? 0);
}

function ofWhen(backup: DesktopBackup, language: Language): string {
  const { time, day } = whenOf(backup, language);
  return time === null ? words[language].ofDay(day) : words[language].ofToday(time);
}

function describe({ bytes, kind, path }: DesktopBackup, language: Language, isNewestGood: boolean): HTMLElement {
  const text = words[language];
  const size = new Intl.NumberFormat(locales[language], {
    style: "unit",
    unit: "megabyte",
    maximumFractionDigits: 1,
  }).format(Math.max(0.1, bytes / 1_000_000));
  const facts = [text.kinds[kind], size, ...(isNewestGood ? [text.newestGood] : [])];
  const created = document.createElement("small");
  created.textContent = facts.join(" · ");
  created.title = path;
  return created;
}

/** When it was made: the time of today, or (`time` null) the day with its time. */
function whenOf({ madeAt }: DesktopBackup, language: Language): { time: string | null; day: string } {
  const at = new Date(madeAt);
  const isToday = at.toDateString() === new Date().toDateString();
  return {
    time: isToday ? at.toLocaleTimeString(locales[language], { timeStyle: "short" }) : null,
    day: at.toLocaleString(locales[language], { dateStyle: "medium", timeStyle: "short" }),
  };
}

function agoOf({ madeAt }: DesktopBackup, language: Language): string {
  const minutes = Math.max(1, Math.round((Date.now() - Date.parse(madeAt)) / 60_000));
  const ago = new Intl.RelativeTimeFormat(locales[language], { numeric: "always" });
  if (minutes < 60) return ago.format(-minutes, "minute");
  if (minutes < 48 * 60) return ago.format(-Math.round(minutes / 60), "hour");
  return ago.format(-Math.round(minutes / (24 * 60)), "day");
}
