import { Badge, Button, Code, Group, Stack, Table, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link } from 'react-router'
import { useChange, useRead } from '../../api/query.ts'
import type { Responses } from '../../api/responses.ts'
import { change } from '../../api/rest.ts'
import { __, _n, sprintf } from '../../i18n.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { formatNumber } from '../../parts/format.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { Section } from '../../parts/section.tsx'

const PATH = 'host/v1/site-health'

type Finding = Responses['GET /host/v1/site-health']['findings'][number]
type Request = Extract<NonNullable<Finding['action']>, { request: unknown }>['request']

const LEVELS = {
  error: { color: 'red', label: __('Critical', 'pentad') },
  warning: { color: 'yellow', label: __('Recommended', 'pentad') },
  ok: { color: 'teal', label: __('Passed', 'pentad') },
}

/** Titles of the checks of Pentad and its services. Those of extensions are shown as they are named. */
const CHECKS: Readonly<Record<string, string>> = {
  advisories: __('Vulnerabilities', 'pentad'),
  backups: __('Backups', 'pentad'),
  caches: __('Caches', 'pentad'),
  clock: __('Clock', 'pentad'),
  configuration: __('Configuration', 'pentad'),
  database: __('Database', 'pentad'),
  disk: __('Disk space', 'pentad'),
  email: __('Email', 'pentad'),
  extensions: __('Extensions', 'pentad'),
  nodes: __('Nodes', 'pentad'),
  'page cache': __('Page cache', 'pentad'),
  permissions: __('Permissions', 'pentad'),
  proxies: __('Proxies', 'pentad'),
  security: __('Security', 'pentad'),
  server: __('Server', 'pentad'),
  'site folder': __('Site folder', 'pentad'),
}

/** Labels of the information for support. Names of settings and extensions are shown as code. */
const LABELS: Readonly<Record<string, string>> = {
  Server: __('Server', 'pentad'),
  Configuration: __('Configuration', 'pentad'),
  Appearance: __('Appearance', 'pentad'),
  Extensions: __('Extensions', 'pentad'),
  'Pentad version': __('Pentad version', 'pentad'),
  'Node.js version': __('Node.js version', 'pentad'),
  'Operating system': __('Operating system', 'pentad'),
  Database: __('Database', 'pentad'),
  Memory: __('Memory', 'pentad'),
  Uptime: __('Uptime', 'pentad'),
  Theme: __('Theme', 'pentad'),
}

/** The checks of the site, with a fix where one is possible, and information for support. */
export default function SiteHealth() {
  const health = useRead<Responses['GET /host/v1/site-health']>(PATH)
  return (
    <Page
      title={__('Site Health', 'pentad')}
      description={__('What is wrong with the site and its server, why it matters, and how to fix it.', 'pentad')}
      actions={
        <Button variant="default" loading={health.isFetching} onClick={() => void health.refetch()}>
          {__('Check again', 'pentad')}
        </Button>
      }
    >
      <Stack maw={860}>
        <Loaded query={health} lines={6}>
          {({ findings }) => <Findings findings={findings} />}
        </Loaded>
        <SupportInfo findings={health.data?.findings ?? []} />
      </Stack>
    </Page>
  )
}

function Findings({ findings }: { findings: readonly Finding[] }) {
  const [showsPassed, passed] = useDisclosure()
  const [errors, warnings, oks] = (['error', 'warning', 'ok'] as const).map((level) =>
    findings.filter((finding) => finding.level === level),
  )
  const problems = [...(errors ?? []), ...(warnings ?? [])]
  return (
    <>
      <Section title={statusOf(errors?.length ?? 0, warnings?.length ?? 0)}>
        {problems.length === 0 ? (
          <Text size="sm">{__('All checks passed.', 'pentad')}</Text>
        ) : (
          <FindingList findings={problems} />
        )}
      </Section>
      <Section
        title={sprintf(
          _n('%s passed check', '%s passed checks', oks?.length ?? 0, 'pentad'),
          formatNumber(oks?.length ?? 0),
        )}
        actions={
          <Button variant="subtle" size="xs" onClick={passed.toggle} aria-expanded={showsPassed}>
            {showsPassed ? __('Hide', 'pentad') : __('Show', 'pentad')}
          </Button>
        }
      >
        {showsPassed && <FindingList findings={oks ?? []} />}
      </Section>
    </>
  )
}

function statusOf(errors: number, warnings: number): string {
  if (errors > 0) return sprintf(_n('%d critical issue', '%d critical issues', errors, 'pentad'), errors)
  if (warnings === 0) return __('Good', 'pentad')
  return sprintf(_n('%d recommended improvement', '%d recommended improvements', warnings, 'pentad'), warnings)
}

/** The messages are in the language of the user: the checks of the server translate them. */
function FindingList({ findings }: { findings: readonly Finding[] }) {
  return (
    <Stack component="ul" gap="md" m={0} p={0} style={{ listStyle: 'none' }}>
      {findings.map((finding) => (
        <Group key={`${finding.check} ${finding.message}`} component="li" justify="space-between" gap="xs">
          <div style={{ flex: '1 1 16rem', overflowWrap: 'anywhere' }}>
            <Group gap="2px 10px">
              <Text fw={600} size="sm">
                {CHECKS[finding.check] ?? finding.check}
              </Text>
              <Badge size="sm" variant="light" color={LEVELS[finding.level].color}>
                {LEVELS[finding.level].label}
              </Badge>
            </Group>
            <Text size="sm" mt={2}>
              {finding.message}
            </Text>
            {finding.fix && (
              <Text size="sm" c="dimmed">
                {finding.fix}
              </Text>
            )}
          </div>
          <FixButton finding={finding} />
        </Group>
      ))}
    </Stack>
  )
}

function FixButton({ finding: { action, message } }: { finding: Finding }) {
  const fix = useChange(({ method, path, data }: Request) => change(method, path, data ?? {}), {
    invalidates: [PATH],
    done: __('Done. The site is being checked again.', 'pentad'),
  })
  if (action === null) return null
  const label = __(action.label, 'pentad')
  const common = { size: 'xs', variant: 'default', 'aria-label': sprintf(__('%1$s: %2$s', 'pentad'), label, message) }
  return 'screen' in action ? (
    <Button {...common} component={Link} to={`/${action.screen}`}>
      {label}
    </Button>
  ) : (
    <Button {...common} loading={fix.isPending} onClick={() => fix.mutate(action.request)}>
      {label}
    </Button>
  )
}

function SupportInfo({ findings }: { findings: readonly Finding[] }) {
  const info = useRead<Responses['GET /host/v1/site-health/info']>(`${PATH}/info`)
  return (
    <Section
      title={__('Information for support', 'pentad')}
      description={__('It contains no passwords or keys. Check it for names that you want to keep private.', 'pentad')}
      actions={info.data && <CopyButton value={asText(info.data, findings)} label={__('Copy information', 'pentad')} />}
    >
      <Loaded query={info}>
        {(sections) =>
          Object.entries(sections).map(([title, values]) => (
            <Table key={title} layout="fixed" captionSide="top">
              <Table.Caption ta="start" fw={600}>
                {LABELS[title] ?? title}
              </Table.Caption>
              <Table.Tbody>
                {Object.entries(values).map(([name, value]) => (
                  <Table.Tr key={name}>
                    <Table.Th scope="row" fw={400}>
                      {LABELS[name] ?? <Code>{name}</Code>}
                    </Table.Th>
                    <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          ))
        }
      </Loaded>
    </Section>
  )
}

/** In English, for those who help. */
function asText(info: Responses['GET /host/v1/site-health/info'], findings: readonly Finding[]): string {
  const problems = findings
    .filter(({ level }) => level !== 'ok')
    .map(({ level, check, message }) => `${level}: ${check}: ${message}`)
  const sections = Object.entries(info).map(([title, values]) =>
    [`### ${title}`, ...Object.entries(values).map(([name, value]) => `${name}: ${value}`)].join('\n'),
  )
  return [...sections, ['### Problems', ...problems].join('\n')].join('\n\n')
}
