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
import { Section } from 'pentad/admin/parts/section.tsx'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { CATEGORY_TEXTS, isCode } from './labels.ts'
import { RestoreProgress } from './restore-progress.tsx'
import { beginRestore, keptRestore } from './restore-run.ts'
import type { BackupRecord, Category, Overview } from './types.ts'
import { GONE, useBackup } from './use-backup.ts'

/** Brings a backup back: says what will be lost, asks once, and stays until the restored site is there. */
export default function Restore() {
  const { id = '' } = useParams()
  const [kept, setKept] = useState(() => keptRestore(id))
  const title = __('Restore', 'pentad')
  if (kept) {
    return (
      <Page title={title}>
        <RestoreProgress kept={kept} onEnd={() => setKept(undefined)} />
      </Page>
    )
  }
  return (
    <Page
      title={title}
      actions={
        <Button component={Link} to="/backup" variant="default">
          {__('Back to the backups', 'pentad')}
        </Button>
      }
    >
      <Choice id={id} onBegun={() => setKept(keptRestore(id))} />
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
          <EmptyState title={__('Not here any more', 'pentad')}>{GONE}</EmptyState>
        )
      }
    </Loaded>
  )
}

function Parts({ record, onBegun }: { record: BackupRecord; onBegun: () => void }) {
  const offered = record.contents.filter((category) => !(pageData.disallowFileMods && isCode(category)))
  const [parts, setParts] = useState<Category[]>(offered)
  const [trustCode, setTrustCode] = useState(false)
  const [isBeginning, setBeginning] = useState(false)
  const [error, setError] = useState<unknown>()
  const running = useRead<Overview>('backup/v1/backup/overview').data?.running ?? null
  const isForeignCode = !record.signed && parts.some(isCode)
  const chosen = offered.filter((category) => parts.includes(category))

  async function askAndBegin(): Promise<void> {
    const isSure = await confirm({
      title: sprintf(__('Replace the site with “%s”?', 'pentad'), record.title),
      body: (
        <Stack gap="xs">
          <Text size="sm">{__('This will be as it was then, and there is no way back:', 'pentad')}</Text>
          <List size="sm">
            {chosen.map((category) => (
              <List.Item key={category}>{CATEGORY_TEXTS[category].label}</List.Item>
            ))}
          </List>
          {chosen.includes('database') && (
            <Text size="sm">{__('The users and their passwords are replaced by those of the backup.', 'pentad')}</Text>
          )}
        </Stack>
      ),
      confirm: __('Replace the site', 'pentad'),
      isDestructive: true,
    })
    if (!isSure) return
    setBeginning(true)
    setError(undefined)
    try {
      await beginRestore(record.id, { parts: chosen, trustCode: trustCode && isForeignCode })
      onBegun()
    } catch (thrown) {
      setError(thrown)
    } finally {
      setBeginning(false)
    }
  }

  return (
    <Stack>
      <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title={__('This replaces the site', 'pentad')}>
        <Stack gap="xs">
          <Text size="sm">
            {sprintf(
              __(
                '“%1$s” was made on %2$s. What you choose below will be as it was then; what was changed since is lost, and there is no way back.',
                'pentad',
              ),
              record.title,
              formatTime(record.date),
            )}
          </Text>
          <Text size="sm">
            {__(
              'Until the new site is ready, the old one stays open and you can cancel. Then it is closed for a moment, everybody is logged out, and this page logs you in to the restored site. If in doubt, create a backup of the site as it is now first.',
              'pentad',
            )}
          </Text>
        </Stack>
      </Alert>
      <Section title={__('What is replaced', 'pentad')}>
        <Checkbox.Group
          aria-label={__('What is replaced', 'pentad')}
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
              'Extensions and themes are not offered: the setting PENTAD_DISALLOW_FILE_MODS of the server forbids to change code here. Restore them with the pentad command on the server.',
              'pentad',
            )}
          </Text>
        )}
        <Text size="sm">
          {record.signed
            ? __('This site signed the backup: its extensions and its theme go on as they were.', 'pentad')
            : __(
                'This site did not sign the backup: another site made it, an earlier version did, or it was changed since.',
                'pentad',
              )}
        </Text>
        {isForeignCode && (
          <Checkbox
            checked={trustCode}
            onChange={(event) => setTrustCode(event.currentTarget.checked)}
            label={__('Trust the code of this backup', 'pentad')}
            description={__(
              'Otherwise its extensions are switched off, and the theme does not change. Select this only if you know who made the backup.',
              'pentad',
            )}
          />
        )}
        {running && (
          <Alert color="yellow">
            {__('Another backup or restore is under way. Wait until it has ended, or cancel it.', 'pentad')}
          </Alert>
        )}
        {error !== undefined && <ErrorNote error={error} />}
        <Group>
          <Button
            color="red.9"
            loading={isBeginning}
            disabled={chosen.length === 0 || running !== null}
            onClick={askAndBegin}
          >
            {__('Restore…', 'pentad')}
          </Button>
        </Group>
      </Section>
    </Stack>
  )
}
