import { Skeleton } from "@mantine/core";
import { useState, type ComponentProps, type ReactNode } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ErrorNotice } from "../failures/error-notice.tsx";
import type { Read } from "../../lib/combine-reads.ts";
import { Panel } from "../layout/panel.tsx";
import { Table } from "./table.tsx";

/** Shows the data of a query if known (also during a new read), else its error, else a placeholder. */
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

/** A panel around the data of one query. */
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

/** The placeholder of content that is loading. */
export function Waiting({ height }: { height: number }) {
  const { t } = useTranslation("common");
  return (
    <div role="status" aria-label={t("loading")}>
      <Skeleton height={height} radius="md" />
    </div>
  );
}

/** `Loaded` with a table. */
export function LoadedTable<T, Row>({
  query,
  rows,
  ...table
}: Pick<ComponentProps<typeof Loaded<T>>, "query"> &
  Omit<ComponentProps<typeof Table<Row>>, "rows"> & { rows: (data: T) => readonly Row[] }) {
  return <Loaded query={query}>{(data) => <Table {...table} rows={rows(data)} />}</Loaded>;
}

/**
 * For data that is usually absent: renders nothing while reading, and the error if the read fails. With a `title`, the error
 * has its own panel.
 */
export function LoadedQuietly<T>({ title, ...read }: { title?: string } & ComponentProps<typeof Loaded<T>>) {
  const { data, error } = read.query;
  // The query has no error during a retry.
  const [hasFailed, setFailed] = useState(false);
  if (error !== null && !hasFailed) setFailed(true);
  if (data === undefined && !hasFailed) return null;
  if (data !== undefined || title === undefined) return <Loaded {...read} />;
  return <LoadedPanel title={title} {...read} />;
}
