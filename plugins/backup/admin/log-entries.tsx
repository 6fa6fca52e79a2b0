import { Badge } from '@mantine/core'
import { useRead } from 'pentad/admin/api/query.ts'
import { __ } from 'pentad/admin/i18n.ts'
import { EmptyState } from 'pentad/admin/parts/empty-state.tsx'
import { formatTime } from 'pentad/admin/parts/format.ts'
import { Loaded } from 'pentad/admin/parts/loaded.tsx'
import { LongTable } from 'pentad/admin/parts/long-table.tsx'
import type { LogEntry } from './types.ts'

const LEVELS = {
  info: { color: 'gray', label: __('Info', 'pentad') },
  warning: { color: 'yellow', label: __('Warning', 'pentad') },
  error: { color: 'red', label: __('Error', 'pentad') },
}

const COLUMNS = [
  { title: __('Date', 'pentad'), width: 'minmax(6rem, 12rem)', cell: ({ time }: LogEntry) => formatTime(time) },
  {
    title: __('Level', 'pentad'),
    width: '5.5rem',
    cell: ({ level }: LogEntry) => (
      <Badge size="sm" miw="max-content" variant="light" color={LEVELS[level].color}>
        {LEVELS[level].label}
      </Badge>
    ),
  },
  { title: __('Message', 'pentad'), width: '1fr', cell: ({ message }: LogEntry) => message },
]

/** The log of a backup or restore. */
export function LogEntries({ id }: { id: { readonly backupId: string } | { readonly jobId: string } }) {
  const log = useRead<{ readonly entries: readonly LogEntry[] }>('backup/v1/backup/logs', { ...id })
  return (
    <Loaded query={log}>
      {({ entries }) =>
        entries.length === 0 ? (
          <EmptyState title={__('No log entries', 'pentad')} />
        ) : (
          <LongTable label={__('Log', 'pentad')} columns={COLUMNS} rows={entries} />
        )
      }
    </Loaded>
  )
}
