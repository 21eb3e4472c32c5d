import { useQuery } from "@tanstack/react-query";
import { hubQuery } from "../../../lib/hub-query.ts";

/** What restoring would bring back and lose; read anew each time, because the live file moves on. */
export function useBackupPreview(name: string) {
  return useQuery({ ...hubQuery("previewBackup", { params: { name } }), staleTime: 0, gcTime: 0 });
}
