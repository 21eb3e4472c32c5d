/** Returns the PC's time zone. An empty `TZ`, as settings templates leave it, is removed first. */
export function localTimeZone(): string {
  if (process.env["TZ"]?.trim() === "") delete process.env["TZ"];
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
