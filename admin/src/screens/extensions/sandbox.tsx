import { Badge, List, Stack, Table, Text } from '@mantine/core'
import { useRead } from '../../api/query.ts'
import type { Responses } from '../../api/responses.ts'
import { __, sprintf } from '../../i18n.ts'
import { formatBytes, formatTime } from '../../parts/format.ts'
import { Section } from '../../parts/section.tsx'
import type { ExtensionReport } from './types.ts'

type SandboxReport = Responses['GET /host/v1/extensions/{id}/sandbox']

export function SandboxBadge({ extension }: { extension: Pick<ExtensionReport, 'isSandboxed'> }) {
  return extension.isSandboxed ? <Badge variant="light">{__('Sandboxed', 'pentad')}</Badge> : null
}

/** What a sandboxed extension may do, what of that it uses, and what it costs. Nothing if it has not run since the site started. */
export function Sandbox({ id }: { id: string }) {
  const report = useRead<SandboxReport>(`host/v1/extensions/${id}/sandbox`).data
  if (report === undefined) return null
  const { permissions, calls, cpuP95, memory, kills, refused } = report
  return (
    <Section
      title={__('Sandbox', 'pentad')}
      description={sprintf(
        __(
          '%1$d calls since the site started, 95%% of them within %2$s ms of CPU time. Up to %3$s of memory.',
          'pentad',
        ),
        calls,
        (cpuP95 ?? 0).toFixed(1),
        formatBytes(memory),
      )}
    >
      <Stack gap="sm">
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{__('Permission', 'pentad')}</Table.Th>
              <Table.Th>{__('Last used', 'pentad')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {permissions.map(({ text, lastUse }) => (
              <Table.Tr key={text}>
                <Table.Td>{text}</Table.Td>
                <Table.Td>
                  {lastUse === null ? __('Not used since the site started', 'pentad') : formatTime(lastUse)}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Events
          title={__('Calls that were ended', 'pentad')}
          events={kills.map(({ time, what, reason }) => ({ time, text: `${what} (${reason})` }))}
        />
        <Events
          title={__('Requests that were rejected', 'pentad')}
          events={refused.map(({ time, what }) => ({ time, text: what }))}
        />
      </Stack>
    </Section>
  )
}

function Events({
  title,
  events,
}: {
  title: string
  events: readonly { readonly time: string; readonly text: string }[]
}) {
  if (events.length === 0) return null
  return (
    <div>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <List size="sm">
        {events.map(({ time, text }) => (
          <List.Item key={`${time} ${text}`}>
            {formatTime(time)}: {text}
          </List.Item>
        ))}
      </List>
    </div>
  )
}
