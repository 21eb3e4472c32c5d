// The operating system: calls are recorded for the specs, and message boxes are answered with their default button.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { EventEmitter } from "node:events";
import { note } from "./effects.ts";

export const dialog = {
  showMessageBox(...args: unknown[]) {
    const options = args.at(-1) as { defaultId?: number };
    note("dialog.showMessageBox", options);
    return Promise.resolve({ response: options.defaultId ?? 0, checkboxChecked: false });
  },
  showMessageBoxSync(...args: unknown[]) {
    const options = args.at(-1) as { defaultId?: number };
    note("dialog.showMessageBoxSync", options);
    return options.defaultId ?? 0;
  },
  showErrorBox: (title: string, content: string) => note("dialog.showErrorBox", { title, content }),
  showOpenDialog(...args: unknown[]) {
    note("dialog.showOpenDialog", args.at(-1));
    return Promise.resolve({ canceled: true, filePaths: [] as string[] });
  },
  showSaveDialog(...args: unknown[]) {
    note("dialog.showSaveDialog", args.at(-1));
    return Promise.resolve({ canceled: true, filePath: "" });
  },
};

export const shell = {
  openExternal(address: string) {
    note("shell.openExternal", address);
    return Promise.resolve();
  },
  openPath(file: string) {
    note("shell.openPath", file);
    return Promise.resolve("");
  },
  showItemInFolder: (file: string) => note("shell.showItemInFolder", file),
  beep: () => undefined,
};

interface MenuItem {
  id?: string;
  label?: string;
  submenu?: MenuItem[] | Menu;
  click?: () => void;
}

export class Menu {
  readonly items: MenuItem[];
  static #application: Menu | null = null;

  constructor(items: MenuItem[] = []) {
    this.items = items.map((item) =>
      Array.isArray(item.submenu) ? { ...item, submenu: new Menu(item.submenu) } : item,
    );
  }
  static buildFromTemplate = (template: MenuItem[]) => new Menu(template);
  static setApplicationMenu = (menu: Menu | null) => void (Menu.#application = menu);
  static getApplicationMenu = () => Menu.#application;

  getMenuItemById(id: string): MenuItem | null {
    for (const item of this.items) {
      if (item.id === id) return item;
      const below = item.submenu instanceof Menu ? item.submenu.getMenuItemById(id) : null;
      if (below !== null) return below;
    }
    return null;
  }
  popup = () => undefined;
}

export class Tray extends EventEmitter {
  static last: Tray | undefined;
  toolTip = "";
  image: unknown;
  menu: Menu | undefined;

  constructor(image: unknown) {
    super();
    this.image = image;
    Tray.last = this;
    Object.assign(globalThis, { standInTray: this });
  }
  setToolTip = (text: string) => void (this.toolTip = text);
  setImage = (image: unknown) => void (this.image = image);
  setContextMenu = (menu: Menu) => void (this.menu = menu);
  setTitle = () => undefined;
  popUpContextMenu = () => undefined;
  displayBalloon = (options: unknown) => note("tray.displayBalloon", options);
  destroy = () => undefined;
  isDestroyed = () => false;
}

export class Notification extends EventEmitter {
  static isSupported = () => true;
  readonly options: unknown;
  constructor(options: unknown) {
    super();
    this.options = options;
  }
  show = () => note("notification", this.options);
  close = () => undefined;
}

function image(source: unknown) {
  return {
    source,
    isEmpty: () => false,
    setTemplateImage: () => undefined,
    resize: () => image(source),
    toDataURL: () => "",
  };
}
export const nativeImage = {
  createFromPath: image,
  createFromBuffer: image,
  createFromDataURL: image,
  createEmpty: () => image(undefined),
};

const blockers = new Set<number>();
export const powerSaveBlocker = {
  start(kind: string) {
    const id = blockers.size + 1;
    blockers.add(id);
    note("powerSaveBlocker.start", kind);
    return id;
  },
  stop(id: number) {
    note("powerSaveBlocker.stop", id);
    return blockers.delete(id);
  },
  isStarted: (id: number) => blockers.has(id),
};

/** Reversible and not secret: proves only that the stored text is not the plain text. */
const key = createHash("sha256").update("stand-in").digest();
export const safeStorage = {
  isEncryptionAvailable: () => true,
  setUsePlainTextEncryption: () => undefined,
  getSelectedStorageBackend: () => "stand_in",
  encryptString(text: string): Buffer {
    const iv = randomBytes(16);
    const cipher = createCipheriv("aes-256-ctr", key, iv);
    return Buffer.concat([iv, cipher.update(text, "utf8"), cipher.final()]);
  },
  decryptString(bytes: Buffer): string {
    const decipher = createDecipheriv("aes-256-ctr", key, bytes.subarray(0, 16));
    return Buffer.concat([decipher.update(bytes.subarray(16)), decipher.final()]).toString("utf8");
  },
};

export const powerMonitor = Object.assign(new EventEmitter(), { isOnBatteryPower: () => false });
export const nativeTheme = Object.assign(new EventEmitter(), { shouldUseDarkColors: false, themeSource: "system" });
export const clipboard = { writeText: (text: string) => note("clipboard.writeText", text), readText: () => "" };
export const crashReporter = { start: (options: unknown) => note("crashReporter.start", options) };
export const screen = Object.assign(new EventEmitter(), {
  getAllDisplays: () => [{ workArea: { x: 0, y: 0, width: 1920, height: 1080 } }],
  getPrimaryDisplay: () => ({ workAreaSize: { width: 1920, height: 1080 } }),
});
