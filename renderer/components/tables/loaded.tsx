import { Skeleton } from "@mantine/core";
import { useState, type ComponentProps, type ReactNode } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ErrorNotice } from "../failures/error-notice.tsx";
import type { Read } from "../../lib/all-of.ts";
import { Panel } from "../layout/panel.tsx";
import { Table } from "./table.tsx";

/** Shows what a query has: known data at once (also while it is read again), else an error, else a quiet placeholder. */
export function Loaded<T>({
  query,
  children,
  height = 120,
}: {
  query: Read<T>;
  children: (data: T) => ReactNode;
  height?: number | undefined;
}) {
  if (query.data !== undefined) return children(query.data);
  if (query.error !== null) return <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />;
  return <Waiting height={height} />;
}

/** A panel around what one query has. */
export function LoadedPanel<T>({
  query,
  children,
  height,
  ...panel
}: Omit<ComponentProps<typeof Panel>, "children"> & ComponentProps<typeof Loaded<T>>) {
  return (
    <Panel {...panel}>
      <Loaded query={query} height={height}>
        {children}
      </Loaded>
    </Panel>
  );
}

/** The quiet placeholder of what is on its way. */
export function Waiting({ height }: { height: number }) {
  const { t } = useTranslation("common");
  return (
    <div role="status" aria-label={t("loading")}>
      <Skeleton height={height} radius="md" />
    </div>
  );
}

/** The same of rows. */
export function LoadedTable<T, Row>({
  query,
  rows,
  ...table
}: Pick<ComponentProps<typeof Loaded<T>>, "query"> &
  Omit<ComponentProps<typeof Table<Row>>, "rows"> & { rows: (data: T) => readonly Row[] }) {
  return <Loaded query={query}>{(data) => <Table {...table} rows={rows(data)} />}</Loaded>;
}

/**
 * Of what is mostly absent: nothing while it is read, and where it cannot be read the error; in a panel of its own where it
 * has a title.
 */
export function LoadedQuietly<T>({ title, ...read }: { title?: string } & ComponentProps<typeof Loaded<T>>) {
  const { data, error } = read.query;
  // While it is tried again there is no error.
  const [hasFailed, setFailed] = useState(false);
  if (error !== null && !hasFailed) setFailed(true);
  if (data === undefined && !hasFailed) return null;
  if (data !== undefined || title === undefined) return <Loaded {...read} />;
  return <LoadedPanel title={title} {...read} />;
}
