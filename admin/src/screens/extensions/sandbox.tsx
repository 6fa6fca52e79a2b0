import { Badge, Code, List, Stack, Table, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useRead } from '../../api/query.ts'
import type { Responses } from '../../api/responses.ts'
import { __, _n, sprintf } from '../../i18n.ts'
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
  const { permissions, calls, cpuP95, memory, kills, refused, hosts } = report
  return (
    <Section
      title={__('Sandbox', 'pentad')}
      description={sprintf(
        __(
          'Calls since the site started: %1$d. 95%% of them took at most %2$s ms of CPU time. Peak memory: %3$s.',
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
                  {lastUse === null ? __('Requested, not used since the site started', 'pentad') : formatTime(lastUse)}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Events
          title={__('Terminated calls', 'pentad')}
          events={kills.map(({ time, what, reason, stack }) => ({
            time,
            text: `${what} – ${nameOfLimit(reason)}`,
            details: <StackTrace stack={stack} />,
          }))}
        />
        <Events
          title={__('Hosts that received requests', 'pentad')}
          events={hosts.map(({ host, requests, lastRequest }) => ({
            time: lastRequest,
            text: sprintf(_n('%1$s, %2$d request', '%1$s, %2$d requests', requests, 'pentad'), host, requests),
          }))}
        />
        <Events
          title={__('Requests that were rejected', 'pentad')}
          events={refused.map(({ time, what }) => ({ time, text: what }))}
        />
      </Stack>
    </Section>
  )
}

type Event = { readonly time: string; readonly text: string; readonly details?: ReactNode }

function Events({ title, events }: { title: string; events: readonly Event[] }) {
  if (events.length === 0) return null
  return (
    <div>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <List size="sm" style={{ overflowWrap: 'anywhere' }}>
        {events.map(({ time, text, details }) => (
          <List.Item key={`${time} ${text}`}>
            {formatTime(time)}: {text}
            {details}
          </List.Item>
        ))}
      </List>
    </div>
  )
}

/** The limit that a call exceeded. */
function nameOfLimit(reason: SandboxReport['kills'][number]['reason']): string {
  if (reason === 'cpu') return __('CPU time limit exceeded', 'pentad')
  if (reason === 'memory') return __('Memory limit exceeded', 'pentad')
  if (reason === 'wall') return __('Time limit exceeded', 'pentad')
  if (reason === 'requests') return __('Too many pending requests to the site', 'pentad')
  return __('Sandbox crashed', 'pentad')
}

/** Where the code was: the line that it ran, and on demand the calls that led to it. */
function StackTrace({ stack }: { stack: string }) {
  const lines = stack.split('\n').filter((line) => line.trim() !== '')
  const [first] = lines
  if (first === undefined) return <div>{__('No stack trace available', 'pentad')}</div>
  // Functions of the engine itself have no line.
  const own = <Code>{(lines.find((line) => !line.endsWith('(native)')) ?? first).trim()}</Code>
  if (lines.length === 1) return <div>{own}</div>
  return (
    <details>
      <summary>{own}</summary>
      <Code block style={{ whiteSpace: 'pre-wrap' }}>
        {lines.map((line) => line.trim()).join('\n')}
      </Code>
    </details>
  )
}
