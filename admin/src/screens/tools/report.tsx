import { List, ScrollArea, Stack, Table, Text, Title } from '@mantine/core'
import { __, _n, sprintf } from '../../i18n.ts'
import { formatNumber } from '../../parts/format.ts'
import type { ImportReport, Tally } from './types.ts'

const NAMES: Readonly<Record<string, string>> = {
  post: __('Posts', 'pentad'),
  page: __('Pages', 'pentad'),
  attachment: __('Media', 'pentad'),
  nav_menu_item: __('Menu items', 'pentad'),
}

/** The result of an import or a dry run. */
export function ReportView({ report }: { report: ImportReport }) {
  const { users, terms, comments, posts, files, addresses, missingFiles, warnings, dryRun, permalinkStructure } = report
  const rows: readonly (readonly [string, Tally])[] = [
    [__('Users', 'pentad'), users],
    [__('Categories, tags, and other terms', 'pentad'), terms],
    ...Object.entries(posts).map(([type, tally]): [string, Tally] => [NAMES[type] ?? type, tally]),
    [__('Comments', 'pentad'), comments],
    [__('Media files', 'pentad'), { added: files.copied + files.downloaded, existing: files.kept }],
  ]
  return (
    <Stack gap="md">
      {(report.source.title || report.source.url) && (
        <Text>
          {report.source.title} {report.source.url}
        </Text>
      )}
      <Table aria-label={__('Imported content', 'pentad')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{__('Content', 'pentad')}</Table.Th>
            <Table.Th ta="end">{dryRun ? __('Would be added', 'pentad') : __('Added', 'pentad')}</Table.Th>
            <Table.Th ta="end">{__('Already existed', 'pentad')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(([name, { added, existing }]) => (
            <Table.Tr key={name}>
              <Table.Td>{name}</Table.Td>
              <Table.Td ta="end">{formatNumber(added)}</Table.Td>
              <Table.Td ta="end">{formatNumber(existing)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {permalinkStructure !== undefined && (
        <Text size="sm">
          {sprintf(
            /* translators: structure of addresses: /%postname%/ */
            __('Permalink structure: %s', 'pentad'),
            permalinkStructure || '/?p=7',
          )}
        </Text>
      )}
      {addresses.kept + addresses.redirected > 0 && (
        <Text size="sm">
          {sprintf(
            /* translators: numbers of addresses */
            __('Unchanged URLs: %1$s. URLs that redirect to new ones: %2$s.', 'pentad'),
            formatNumber(addresses.kept),
            formatNumber(addresses.redirected),
          )}
        </Text>
      )}
      <Lines
        title={sprintf(
          _n('%s media file is missing', '%s media files are missing', missingFiles.length, 'pentad'),
          formatNumber(missingFiles.length),
        )}
        hint={__('Import again with an archive that includes them, or download them from the old site.', 'pentad')}
        lines={missingFiles}
      />
      <Lines
        title={__('URLs that no longer work', 'pentad')}
        hint={__('Other content on this site uses the URL, or no extension registers the post type.', 'pentad')}
        lines={addresses.lost}
      />
      <Lines
        title={__('Skipped files', 'pentad')}
        lines={files.refused.map(({ file, reason }) => `${file}: ${reason}`)}
      />
      <Lines title={__('Warnings', 'pentad')} lines={warnings} />
    </Stack>
  )
}

function Lines({ title, hint, lines }: { title: string; hint?: string; lines: readonly string[] }) {
  if (lines.length === 0) return null
  return (
    <Stack gap={4} component="section" aria-label={title}>
      <Title order={3}>{title}</Title>
      {hint && (
        <Text size="sm" c="dimmed">
          {hint}
        </Text>
      )}
      <ScrollArea.Autosize mah="20rem" viewportProps={{ tabIndex: 0, role: 'group', 'aria-label': title }}>
        <List size="sm">
          {[...new Set(lines)].map((line) => (
            <List.Item key={line}>{line}</List.Item>
          ))}
        </List>
      </ScrollArea.Autosize>
    </Stack>
  )
}
