import { Anchor, Code, Table, Text } from '@mantine/core'
import { Link } from 'react-router'
import { __, sprintf } from '../../i18n.ts'
import { formatMilliseconds, formatNumber } from '../../parts/format.ts'
import { CallbackPriority } from './callback-priority.tsx'
import type { HookListener, HookReport } from './types.ts'
import { useExtensionNames } from './use-extension-names.ts'

/** The callbacks of a hook in execution order. @param owner whose callbacks are highlighted */
export function HookCallbacks({ hook: { name, listeners }, owner }: { hook: HookReport; owner: string }) {
  if (listeners.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {__('No callbacks.', 'pentad')}
      </Text>
    )
  }
  const label = sprintf(__('Callbacks for %s', 'pentad'), name)
  return (
    <Table.ScrollContainer
      minWidth={640}
      // A visible scrollbar shows that there is more; it is also reachable by keyboard.
      scrollAreaProps={{ type: 'auto', viewportProps: { tabIndex: 0, role: 'region', 'aria-label': label } }}
    >
      <Table aria-label={label} verticalSpacing={6} style={{ whiteSpace: 'nowrap' }}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th ta="end">{__('Priority', 'pentad')}</Table.Th>
            <Table.Th>{__('Owner', 'pentad')}</Table.Th>
            <Table.Th>{__('Callback', 'pentad')}</Table.Th>
            <Table.Th ta="end">{__('Calls', 'pentad')}</Table.Th>
            <Table.Th ta="end">{__('Total time', 'pentad')}</Table.Th>
            <Table.Th ta="end">{__('Average', 'pentad')}</Table.Th>
            <Table.Th ta="end">{__('Maximum', 'pentad')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {listeners.map((listener, place) => (
            <Table.Tr
              // biome-ignore lint/suspicious/noArrayIndexKey: its place is what tells one callback from another
              key={place}
              bg={owner !== '' && listener.owner === owner ? 'var(--mantine-primary-color-light)' : undefined}
            >
              <Table.Td ta="end">
                <CallbackPriority hook={name} listener={listener} />
              </Table.Td>
              <Table.Td>
                <Owner {...listener} />
              </Table.Td>
              <Table.Td>
                <Code>{listener.callback}</Code>
              </Table.Td>
              <Table.Td ta="end">{formatNumber(listener.calls)}</Table.Td>
              <Table.Td ta="end">{formatMilliseconds(listener.time)}</Table.Td>
              <Table.Td ta="end">
                {listener.calls > 0 ? formatMilliseconds(listener.time / listener.calls) : '–'}
              </Table.Td>
              <Table.Td ta="end">{listener.calls > 0 ? formatMilliseconds(listener.longest) : '–'}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function Owner({ owner }: HookListener) {
  const nameOf = useExtensionNames()
  if (owner === 'core' || owner === '') return owner === '' ? '–' : owner
  return (
    <Anchor component={Link} to={`/extensions/${owner}`} size="sm">
      {nameOf(owner)}
    </Anchor>
  )
}
