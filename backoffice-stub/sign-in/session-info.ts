import type { SessionInfo } from "@comanda/protocol";
import type { Quirks } from "../control/quirks.ts";
import type { User } from "../stores/users.ts";

const reportedVersion = "17.0";

/** Odoo's version info, available without a session. */
export function versionInfo({ serverVersion }: Quirks) {
  const version = serverVersion ?? reportedVersion;
  return {
    server_version: version,
    server_version_info: [...version.split(".").map(Number), 0, "final", 0, ""],
  };
}

/** `result` of authenticate and get_session_info. */
export function sessionInfo(user: User, db: string, quirks: Quirks): SessionInfo & Record<string, unknown> {
  const isManager = user.role === "manager";
  const info = {
    uid: user.id,
    is_system: false,
    is_admin: false,
    is_public: false,
    is_internal_user: true,
    user_context: { lang: "es_DO", tz: "America/Santo_Domingo", uid: user.id },
    db,
    ...versionInfo(quirks),
    name: user.name,
    username: user.login,
    partner_id: user.id + 100,
    partner_display_name: user.name,
    groups: { "base.group_allow_export": isManager },
  };
  return quirks.hidePos ? info : { ...info, pos: { role: user.role, permissions: user.permissions } };
}
