const KEY = "address";

/** Stores the open screen during a sign-in at the identity provider, whose redirect back does not name it. */
export const storeAddress = (): void => sessionStorage.setItem(KEY, location.hash);

/** Reopens the stored screen after a return from the identity provider. */
export function restoreAddress(): void {
  const stored = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  if (stored !== null && location.hash === "") history.replaceState(null, "", location.search + stored);
}
