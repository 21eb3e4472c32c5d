import { EventEmitter } from "node:events";
import type { App, Session, WebContents } from "electron";
import { expect, it } from "vitest";
import {
  guardCertificates,
  guardContents,
  guardSession,
  isPermissionAllowed,
  terminalPermissions,
} from "./navigation-policy.ts";

const own = () => ["http://127.0.0.1:8766", "app://desktop"];

function guardedContents() {
  const opened: string[] = [];
  let onOpen: ((details: { url: string }) => { action: string }) | undefined;
  const contents = Object.assign(new EventEmitter(), {
    setWindowOpenHandler: (handler: (details: { url: string }) => { action: string }) => void (onOpen = handler),
  });
  guardContents(contents as unknown as WebContents, own, (address) => Promise.resolve(void opened.push(address)));
  const navigate = (kind: string, url: string) => {
    const event = { url, prevented: false, preventDefault: () => void (event.prevented = true) };
    contents.emit(kind, event);
    return event.prevented ? "refused" : "allowed";
  };
  return { opened, navigate, openWindow: (url: string) => onOpen?.({ url }) };
}

it("every frame stays on our own origins, also after redirects [DESK-11]", () => {
  const { navigate } = guardedContents();
  for (const kind of ["will-navigate", "will-frame-navigate", "will-redirect"]) {
    expect(navigate(kind, "http://127.0.0.1:8766/#/system")).toBe("allowed");
    for (const url of ["https://example.org/", "file:///etc/passwd", "http://127.0.0.1:9/", "javascript:alert(1)"]) {
      expect(navigate(kind, url)).toBe("refused");
    }
  }
  expect(navigate("will-attach-webview", "")).toBe("refused");
});

it("no page opens a window, and only web and mail links open, in the system's browser [DESK-11]", () => {
  const { openWindow, opened } = guardedContents();
  for (const url of [
    "https://example.org/",
    "mailto:help@example.org",
    "file:///etc/passwd",
    "smb://server/share",
    "nonsense",
  ]) {
    expect(openWindow(url)).toEqual({ action: "deny" });
  }
  expect(opened).toEqual(["https://example.org/", "mailto:help@example.org"]);
});

it("our own origins get the few permissions that the screens need, and others none [DESK-12]", () => {
  for (const permission of ["loopback-network", "local-network-access", "clipboard-sanitized-write", "fullscreen"]) {
    expect(isPermissionAllowed(permission, "http://127.0.0.1:8766/", own())).toBe(true);
    expect(isPermissionAllowed(permission, "http://192.168.1.9:8766/", own())).toBe(false);
  }
  for (const permission of ["media", "geolocation", "notifications", "usb", "clipboard-read", "openExternal"]) {
    expect(isPermissionAllowed(permission, "http://127.0.0.1:8766/", own())).toBe(false);
  }
});

it("permission requests and checks follow the same rule [DESK-12]", () => {
  const requested: Record<string, (...args: never[]) => unknown> = {};
  const session = {
    setPermissionRequestHandler: (handler: (...args: never[]) => unknown) => void (requested["request"] = handler),
    setPermissionCheckHandler: (handler: (...args: never[]) => unknown) => void (requested["check"] = handler),
  };
  guardSession(session as unknown as Session, own);
  const { request, check } = requested as Record<string, (...args: unknown[]) => unknown>;
  const answers: boolean[] = [];
  const answer = (allowed: boolean) => void answers.push(allowed);
  request?.({}, "media", answer, { requestingUrl: "http://127.0.0.1:8766/" });
  request?.({}, "loopback-network", answer, { requestingUrl: "http://127.0.0.1:8766/#/" });
  expect(answers).toEqual([false, true]);
  expect(check?.({}, "loopback-network", "app://desktop/")).toBe(true);
  expect(check?.({}, "midi", "app://desktop/")).toBe(false);
});

it("only a terminal's page may keep the screen on and its storage [DESK-88]", () => {
  const own = ["app://terminal"];
  for (const permission of terminalPermissions) {
    expect(isPermissionAllowed(permission, "app://terminal/", own, terminalPermissions)).toBe(true);
    expect(isPermissionAllowed(permission, "http://127.0.0.1/", own, terminalPermissions)).toBe(false);
    expect(isPermissionAllowed(permission, "app://terminal/", own)).toBe(false);
  }
  expect(isPermissionAllowed("media", "app://terminal/", own, terminalPermissions)).toBe(false);
});

it("no server gets a certificate of the person [DESK-194]", () => {
  const app = new EventEmitter();
  guardCertificates(app as unknown as App);
  const details: unknown[] = [];
  let isElectronsChoice = true;
  const event = { preventDefault: () => (isElectronsChoice = false) };
  const owner = { subjectName: "the owner's tax certificate" };
  app.emit("select-client-certificate", event, null, "https://updates.example", [owner], (...certificate: unknown[]) =>
    details.push(...certificate),
  );
  expect([isElectronsChoice, details]).toEqual([false, []]);
});
