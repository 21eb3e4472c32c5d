// The part of the client that a page can use, without Node.
export { checkAndroidUpdate } from "./check-android.ts";
export { startUpdateSession } from "./update-session.ts";
