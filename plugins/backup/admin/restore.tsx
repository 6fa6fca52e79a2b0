import { Alert, Button, Checkbox, Group, List, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useRead } from 'pentad/admin/api/query.ts'
import { __, sprintf } from 'pentad/admin/i18n.ts'
import { pageData } from 'pentad/admin/page-data.ts'
import { confirm } from 'pentad/admin/parts/confirm.tsx'
import { EmptyState } from 'pentad/admin/parts/empty-state.tsx'
import { ErrorNote } from 'pentad/admin/parts/error-note.tsx'
import { formatTime } from 'pentad/admin/parts/format.ts'
import { Loaded } from 'pentad/admin/parts/loaded.tsx'
import { Page } from 'pentad/admin/parts/page.tsx'
import { ProgressBar } from 'pentad/admin/parts/progress-bar.tsx'
import { Section } from 'pentad/admin/parts/section.tsx'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { amountOf, CATEGORY_TEXTS, isCode, progressLabel } from './labels.ts'
import { RestoreProgress } from './restore-progress.tsx'
import { backUpBeforeRestore, startRestore, storedRestore } from './restore-run.ts'
import type { BackupRecord, Category, Overview, Progress } from './types.ts'
import { BACKUP_NOT_FOUND, useBackup } from './use-backup.ts'

/**
 * Restores a backup: explains what will be lost, asks for confirmation, and stays open until the restored site is ready.
 */
export default function Restore() {
  const { id = '' } = useParams()
  const [stored, setStored] = useState(() => storedRestore(id))
  const title = __('Restore', 'pentad')
  if (stored) {
    return (
      <Page title={title}>
        <RestoreProgress stored={stored} onEnd={() => setStored(undefined)} />
      </Page>
    )
  }
  return (
    <Page
      title={title}
      actions={
        <Button component={Link} to="/backup" variant="default">
          {__('Back to backups', 'pentad')}
        </Button>
      }
    >
      <Choice id={id} onBegun={() => setStored(storedRestore(id))} />
    </Page>
  )
}

function Choice({ id, onBegun }: { id: string; onBegun: () => void }) {
  const found = useBackup(id)
  return (
    <Loaded query={found}>
      {({ items: [record] }) =>
        record ? (
          <Parts record={record} onBegun={onBegun} />
        ) : (
          <EmptyState title={__('Backup not found', 'pentad')}>{BACKUP_NOT_FOUND}</EmptyState>
        )
      }
    </Loaded>
  )
}

function Parts({ record, onBegun }: { record: BackupRecord; onBegun: () => void }) {
  const offered = record.contents.filter((category) => !(pageData.disallowFileMods && isCode(category)))
  const [parts, setParts] = useState<Category[]>(offered)
  const [trustCode, setTrustCode] = useState(false)
  const [isSafe, setSafe] = useState(true)
  const [safetyBackup, setSafetyBackup] = useState<Progress>()
  const [isBeginning, setBeginning] = useState(false)
  const [error, setError] = useState<unknown>()
  const running = useRead<Overview>('backup/v1/backup/overview').data?.running ?? null
  const isUntrustedCode = !record.signed && parts.some(isCode)
  const chosen = offered.filter((category) => parts.includes(category))

  async function askAndBegin(): Promise<void> {
    const isSure = await confirm({
      title: sprintf(__('Restore “%s”?', 'pentad'), record.title),
      body: (
        <Stack gap="xs">
          <Text size="sm">
            {isSafe
              ? __('The current site will be backed up. Then the following will be replaced:', 'pentad')
              : __('The following will be replaced. This can’t be undone:', 'pentad')}
          </Text>
          <List size="sm">
            {chosen.map((category) => (
              <List.Item key={category}>{CATEGORY_TEXTS[category].label}</List.Item>
            ))}
          </List>
          {chosen.includes('database') && (
            <Text size="sm">{__('Users and passwords will be replaced with those in the backup.', 'pentad')}</Text>
          )}
        </Stack>
      ),
      confirm: __('Restore backup', 'pentad'),
      isDestructive: true,
    })
    if (!isSure) return
    setBeginning(true)
    setError(undefined)
    try {
      const undoId = isSafe ? await backUpBeforeRestore(record.id, setSafetyBackup) : undefined
      await startRestore(record.id, {
        parts: chosen,
        trustCode: trustCode && isUntrustedCode,
        safetyBackup: undoId,
      })
      onBegun()
    } catch (thrown) {
      setError(thrown)
    } finally {
      setBeginning(false)
      setSafetyBackup(undefined)
    }
  }

  return (
    <Stack>
      <Alert
        color="red"
        icon={<IconAlertTriangle aria-hidden />}
        title={__('Restoring replaces the current site', 'pentad')}
      >
        <Stack gap="xs">
          <Text size="sm">
            {sprintf(
              __(
                '“%1$s” was created on %2$s. Everything you select below will be restored to its state at that time, and later changes will be lost.',
                'pentad',
              ),
              record.title,
              formatTime(record.date),
            )}
          </Text>
          <Text size="sm">
            {chosen.includes('database')
              ? __(
                  'Until the restored site is ready, the current site stays online and you can cancel. Then the site will be briefly unavailable, all users will be logged out, and this page will log you in to the restored site.',
                  'pentad',
                )
              : __(
                  'Until the restored site is ready, the current site stays online and you can cancel. Then the site will be briefly unavailable. Users stay logged in.',
                  'pentad',
                )}
          </Text>
        </Stack>
      </Alert>
      <Section title={__('Contents to restore', 'pentad')}>
        <Checkbox.Group
          aria-label={__('Contents to restore', 'pentad')}
          value={parts}
          onChange={(values) => setParts(offered.filter((category) => values.includes(category)))}
        >
          <Stack gap="sm">
            {offered.map((category) => (
              <Checkbox
                key={category}
                value={category}
                label={CATEGORY_TEXTS[category].label}
                description={CATEGORY_TEXTS[category].restored}
              />
            ))}
          </Stack>
        </Checkbox.Group>
        {offered.length < record.contents.length && (
          <Text size="sm">
            {__(
              'Extensions and themes can’t be restored here because PENTAD_DISALLOW_FILE_MODS is set in the server configuration. Restore them with the pentad command on the server.',
              'pentad',
            )}
          </Text>
        )}
        <Text size="sm">
          {record.signed
            ? signedText(chosen)
            : __(
                'This backup was not signed by this site: it was created by another site or an earlier version of Pentad, or it was modified.',
                'pentad',
              )}
        </Text>
        {isUntrustedCode && (
          <Checkbox
            checked={trustCode}
            onChange={(event) => setTrustCode(event.currentTarget.checked)}
            label={__('Trust the code in this backup', 'pentad')}
            description={__(
              'If this is not selected, its extensions will be deactivated and the theme will not be changed. Select it only if you know who created the backup.',
              'pentad',
            )}
          />
        )}
        <Checkbox
          checked={isSafe}
          disabled={isBeginning}
          onChange={(event) => setSafe(event.currentTarget.checked)}
          label={__('Back up the current site first', 'pentad')}
          description={__('Recommended: you can undo the restore with this backup.', 'pentad')}
        />
        {safetyBackup && (
          <ProgressBar
            percent={safetyBackup.percent}
            label={progressLabel(safetyBackup)}
            hint={amountOf(safetyBackup)}
          />
        )}
        {running && !isBeginning && (
          <Alert color="yellow">
            {__('Another backup or restore is in progress. Wait until it is complete, or cancel it.', 'pentad')}
          </Alert>
        )}
        {error !== undefined && <ErrorNote error={error} />}
        <Group>
          <Button
            color="red.9"
            loading={isBeginning}
            disabled={chosen.length === 0 || (running !== null && !isBeginning)}
            onClick={askAndBegin}
          >
            {__('Restore backup…', 'pentad')}
          </Button>
        </Group>
      </Section>
    </Stack>
  )
}

/** Which extensions and theme are active is one of the settings, which are in the other files. */
function signedText(chosen: readonly Category[]): string {
  return chosen.includes('others')
    ? __(
        'This backup was signed by this site. Extensions and the theme that were active at the time will be active again.',
        'pentad',
      )
    : __('This backup was signed by this site.', 'pentad')
}
