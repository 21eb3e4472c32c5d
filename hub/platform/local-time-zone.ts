/** The PC's own time zone. An empty `TZ`, as a template of settings leaves it, is read as none: to Node it is no zone at all. */
export function localTimeZone(): string {
  if (process.env["TZ"]?.trim() === "") delete process.env["TZ"];
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
