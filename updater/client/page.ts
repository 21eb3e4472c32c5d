// What a page can use of the client: nothing here needs Node.
export { checkAndroidUpdate } from "./check-android.ts";
export { startUpdateSession } from "./update-session.ts";
