const KEY = "address";

/** Keeps which screen is open for as long as somebody is at the identity provider, which sends them back to the page alone. */
export const keepAddress = (): void => sessionStorage.setItem(KEY, location.hash);

/** Opens the screen that was open before, where somebody comes back. */
export function restoreAddress(): void {
  const kept = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  if (kept !== null && location.hash === "") history.replaceState(null, "", location.search + kept);
}
