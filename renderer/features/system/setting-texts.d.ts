import type { Language, SettingName } from "@comanda/protocol";
/** What each setting of the hub is for. */
export declare const settingTexts: Record<Language, Record<SettingName, string>>;
