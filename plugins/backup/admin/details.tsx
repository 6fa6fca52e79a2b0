import { Alert, Button, Group, List, Switch, Table, TextInput } from '@mantine/core'
import { useChange } from 'pentad/admin/api/query.ts'
import { change } from 'pentad/admin/api/rest.ts'
import { __, _n, sprintf } from 'pentad/admin/i18n.ts'
import { CopyButton } from 'pentad/admin/parts/copy-button.tsx'
import { EmptyState } from 'pentad/admin/parts/empty-state.tsx'
import { formatBytes, formatNumber, formatTime } from 'pentad/admin/parts/format.ts'
import { Loaded } from 'pentad/admin/parts/loaded.tsx'
import { Page } from 'pentad/admin/parts/page.tsx'
import { Section } from 'pentad/admin/parts/section.tsx'
import { type FormEvent, useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { downloadUrl } from './download.ts'
import { CATEGORY_TEXTS, typeOf } from './labels.ts'
import { LogEntries } from './log-entries.tsx'
import type { BackupRecord } from './types.ts'
import { BACKUP_NOT_FOUND, useBackup, useLocations, useRemoveBackup } from './use-backup.ts'

export default function Details() {
  const { id = '' } = useParams()
  const found = useBackup(id)
  const record = found.data?.items[0]
  return (
    <Page title={record?.title ?? __('Backup details', 'pentad')} actions={record && <Actions record={record} />}>
      <Loaded query={found}>
        {({ items: [backup] }) =>
          backup ? (
            <>
              <Facts record={backup} />
              <Naming key={backup.title} record={backup} />
              <Verification record={backup} />
              <Section title={__('Log', 'pentad')}>
                <LogEntries id={{ backupId: backup.id }} />
              </Section>
            </>
          ) : (
            <EmptyState
              title={__('Backup not found', 'pentad')}
              action={
                <Button component={Link} to="/backup">
                  {__('Back to backups', 'pentad')}
                </Button>
              }
            >
              {BACKUP_NOT_FOUND}
            </EmptyState>
          )
        }
      </Loaded>
    </Page>
  )
}

function Actions({ record }: { record: BackupRecord }) {
  const navigate = useNavigate()
  const { remove, isRemoving } = useRemoveBackup(record, () => navigate('/backup'))
  return (
    <>
      <Button component={Link} to={`/backup/restore/${record.id}`}>
        {__('Restore', 'pentad')}
      </Button>
      <Button component="a" href={downloadUrl(record.id)} download={record.fileName} variant="default">
        {__('Download', 'pentad')}
      </Button>
      <Button variant="subtle" color="red" onClick={remove} loading={isRemoving}>
        {__('Delete', 'pentad')}
      </Button>
    </>
  )
}

function Facts({ record }: { record: BackupRecord }) {
  const { date, location, size, fileName, sha256, contents, signed } = record
  const locations = useLocations()
  const facts = [
    [__('Created', 'pentad'), formatTime(date)],
    [__('Type', 'pentad'), typeOf(record)],
    [__('Location', 'pentad'), locations.find(({ id }) => id === location)?.title ?? location],
    [__('Size', 'pentad'), formatBytes(size)],
    [__('File name', 'pentad'), fileName],
    [__('Signature', 'pentad'), signed ? __('Signed by this site', 'pentad') : __('Not signed by this site', 'pentad')],
  ]
  return (
    <Section title={__('Details', 'pentad')}>
      <Table variant="vertical" layout="auto" aria-label={__('Details', 'pentad')}>
        <Table.Tbody>
          {facts.map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Th scope="row" w="8rem">
                {name}
              </Table.Th>
              <Table.Td>{value}</Table.Td>
            </Table.Tr>
          ))}
          <Table.Tr>
            <Table.Th scope="row">{__('Contents', 'pentad')}</Table.Th>
            <Table.Td>
              <List size="sm">
                {contents.map((category) => (
                  <List.Item key={category}>
                    {sprintf(
                      __('%1$s: %2$s', 'pentad'),
                      CATEGORY_TEXTS[category].label,
                      CATEGORY_TEXTS[category].holds,
                    )}
                  </List.Item>
                ))}
              </List>
            </Table.Td>
          </Table.Tr>
          <Table.Tr>
            <Table.Th scope="row">SHA-256</Table.Th>
            <Table.Td>
              <Group gap="xs">
                <code>{sha256}</code>
                <CopyButton value={sha256} />
              </Group>
            </Table.Td>
          </Table.Tr>
        </Table.Tbody>
      </Table>
    </Section>
  )
}

function Naming({ record }: { record: BackupRecord }) {
  const [title, setTitle] = useState(record.title)
  const update = useChange(
    (changes: { title?: string; keepForever?: boolean }) =>
      change('POST', 'backup/v1/backup/update', { backupId: record.id, ...changes }),
    { invalidates: ['backup/v1/backup'], done: __('Saved.', 'pentad') },
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    update.mutate({ title: title.trim() })
  }
  return (
    <Section title={__('Title and retention', 'pentad')}>
      <form onSubmit={submit}>
        <Group align="flex-end">
          <TextInput
            label={__('Title', 'pentad')}
            value={title}
            maxLength={200}
            style={{ flex: '1 1 16rem' }}
            onChange={(event) => setTitle(event.currentTarget.value)}
          />
          <Button
            type="submit"
            variant="default"
            loading={update.isPending}
            disabled={title.trim() === '' || title.trim() === record.title}
          >
            {__('Rename', 'pentad')}
          </Button>
        </Group>
      </form>
      <Switch
        label={__('Keep forever', 'pentad')}
        description={__('Don’t delete this backup when the retention limit is reached.', 'pentad')}
        checked={record.keepForever}
        onChange={(event) => update.mutate({ keepForever: event.currentTarget.checked })}
      />
    </Section>
  )
}

function Verification({ record }: { record: BackupRecord }) {
  const verify = useChange(() => change<{ files: number }>('POST', 'backup/v1/backup/verify', { backupId: record.id }))
  return (
    <Section
      title={__('Integrity', 'pentad')}
      description={__('Reads the whole archive, even from a remote location, and compares all checksums.', 'pentad')}
      actions={
        <Button size="xs" variant="default" loading={verify.isPending} onClick={() => verify.mutate()}>
          {__('Verify backup', 'pentad')}
        </Button>
      }
    >
      <div aria-live="polite">{verify.data && <Alert color="teal">{wholeText(record, verify.data.files)}</Alert>}</div>
    </Section>
  )
}

/** An archive also has a file per table, which the backup log does not count among the files. */
function wholeText({ contents }: BackupRecord, files: number): string {
  const text = contents.includes('database')
    ? _n(
        'All checksums match: %s file, including the database, is intact.',
        'All checksums match: %s files, including the database, are intact.',
        files,
        'pentad',
      )
    : _n('All checksums match: %s file is intact.', 'All checksums match: %s files are intact.', files, 'pentad')
  return sprintf(text, formatNumber(files))
}
