import type { App, Session, WebContents } from "electron";
import { originOf } from "../bridge/ipc.ts";

/** Permissions of our own pages: the hub on the local network, the copy button, the wall display. */
const allowed = new Set([
  "local-network-access",
  "local-network",
  "loopback-network",
  "clipboard-sanitized-write",
  "fullscreen",
]);

/** Additional permissions of a terminal's page: keep the screen on, and persist unsent work. */
export const terminalPermissions = ["screen-wake-lock", "persistent-storage"] as const;

export function isPermissionAllowed(
  permission: string,
  origin: string,
  ownOrigins: readonly string[],
  more: readonly string[] = [],
): boolean {
  return (allowed.has(permission) || more.includes(permission)) && ownOrigins.includes(originOf(origin));
}

/** Whether a link opens in the system's browser. */
export function isOpenedOutside(address: string): boolean {
  const protocol = URL.parse(address)?.protocol;
  return protocol === "https:" || protocol === "http:" || protocol === "mailto:";
}

/** Denies all other permissions for every page. `more` is granted to our own pages in addition. */
export function guardSession(
  session: Pick<Session, "setPermissionRequestHandler" | "setPermissionCheckHandler">,
  ownOrigins: () => string[],
  more: readonly string[] = [],
): void {
  session.setPermissionRequestHandler((_contents, permission, answer, details) => {
    answer(isPermissionAllowed(permission, details.requestingUrl, ownOrigins(), more));
  });
  session.setPermissionCheckHandler((_contents, permission, origin) =>
    isPermissionAllowed(permission, origin, ownOrigins(), more),
  );
}

/** Sends no client certificate. Electron would otherwise pick the first one of the user's that fits. */
export function guardCertificates(app: Pick<App, "on">): void {
  app.on("select-client-certificate", (event, _contents, _address, _certificates, answer) => {
    event.preventDefault();
    answer();
  });
}

/** Keeps a page on our own origins: no other address, second window or webview. Links open in the system's browser. */
export function guardContents(
  contents: WebContents,
  ownOrigins: () => string[],
  openOutside: (address: string) => Promise<void>,
): void {
  const openLink = (address: string) => {
    if (isOpenedOutside(address)) void openOutside(address).catch(() => undefined);
  };
  const refuse = (event: { preventDefault(): void }, address: string) => {
    if (!ownOrigins().includes(originOf(address))) event.preventDefault();
  };
  contents.on("will-navigate", (event) => refuse(event, event.url));
  contents.on("will-frame-navigate", (event) => refuse(event, event.url));
  contents.on("will-redirect", (event) => refuse(event, event.url));
  contents.on("will-attach-webview", (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    openLink(url);
    return { action: "deny" };
  });
}
