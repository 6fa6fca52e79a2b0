import { Badge, Table } from '@mantine/core'
import { __ } from '@wordpress/i18n'
import { useRead } from '../../api/query.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { formatTime } from '../../parts/format.ts'
import { Loaded } from '../../parts/loaded.tsx'
import type { LogEntry } from './types.ts'

const LEVELS = {
  info: { color: 'gray', label: __('Info', 'pentad') },
  warning: { color: 'yellow', label: __('Warning', 'pentad') },
  error: { color: 'red', label: __('Error', 'pentad') },
}

/** What happened while a backup was made or restored. */
export function LogEntries({ id }: { id: { readonly backupId: string } | { readonly jobId: string } }) {
  const log = useRead<{ readonly entries: readonly LogEntry[] }>('backup/v1/backup/logs', { ...id })
  return (
    <Loaded query={log}>
      {({ entries }) =>
        entries.length === 0 ? (
          <EmptyState title={__('Nothing was written down', 'pentad')} />
        ) : (
          <Table.ScrollContainer minWidth={480}>
            <Table aria-label={__('Log', 'pentad')} fz="sm" style={{ overflowWrap: 'break-word' }}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{__('When', 'pentad')}</Table.Th>
                  <Table.Th>{__('Level', 'pentad')}</Table.Th>
                  <Table.Th>{__('What', 'pentad')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {entries.map(({ time, level, message }, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: lines of a log keep their places
                  <Table.Tr key={at}>
                    <Table.Td style={{ whiteSpace: 'nowrap' }}>{formatTime(time)}</Table.Td>
                    <Table.Td>
                      <Badge size="sm" miw="max-content" variant="light" color={LEVELS[level].color} tt="none">
                        {LEVELS[level].label}
                      </Badge>
                    </Table.Td>
                    <Table.Td style={{ overflowWrap: 'anywhere' }}>{message}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )
      }
    </Loaded>
  )
}
