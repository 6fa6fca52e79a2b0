import { Alert, Badge, Button, Stack, Text } from '@mantine/core'
import { useRead } from 'pentad/admin/api/query.ts'
import { __, _n, sprintf } from 'pentad/admin/i18n.ts'
import { pageData } from 'pentad/admin/page-data.ts'
import { ActionItems } from 'pentad/admin/parts/action-items.tsx'
import { formatAgo, formatBytes, formatNumber, formatTime } from 'pentad/admin/parts/format.ts'
import { Loaded } from 'pentad/admin/parts/loaded.tsx'
import { Page } from 'pentad/admin/parts/page.tsx'
import { Section } from 'pentad/admin/parts/section.tsx'
import { Stat, Stats } from 'pentad/admin/parts/stat.tsx'
import { useState } from 'react'
import { Link } from 'react-router'
import { BackupList } from './backup-list.tsx'
import { CreateBackup } from './create-backup.tsx'
import { linkOf } from './item-link.ts'
import { JobCard } from './job-card.tsx'
import type { Overview } from './types.ts'
import { UploadCard } from './upload-card.tsx'

/** Poll interval in ms while no job runs here: another user or the schedule may start one. */
const POLL_INTERVAL = 15_000

export default function BackupOverview() {
  const overview = useRead<Overview>('backup/v1/backup/overview', undefined, { every: POLL_INTERVAL })
  const running = overview.data?.running ?? null
  // The card stays until it has reported the result, even if the overview learns of the end first.
  const [job, setJob] = useState(running)
  if (running && running.jobId !== job?.jobId) setJob(running)
  const [endedId, setEndedId] = useState<string>()
  // Id of the backup that undoes the restore; empty if there is none.
  const [undoId] = useState(() => new URLSearchParams(window.location.search).get('restored'))
  return (
    <Page
      title={__('Backup', 'pentad')}
      description={__('Back up the whole site, and restore it when you need to.', 'pentad')}
      actions={<CreateBackup isDisabled={running !== null} />}
    >
      {undoId !== null && (
        <Alert color="teal" title={__('Site restored', 'pentad')}>
          <Stack gap="xs" align="flex-start">
            <Text size="sm">
              {__('The site has been restored from the backup, and you are logged in again.', 'pentad')}
            </Text>
            {undoId !== '' && (
              <Button component={Link} to={`/backup/restore/${encodeURIComponent(undoId)}`} size="xs" variant="default">
                {__('Undo restore', 'pentad')}
              </Button>
            )}
          </Stack>
        </Alert>
      )}
      {job && job.jobId !== endedId && <JobCard key={job.jobId} initial={job} onEnd={setEndedId} />}
      <Loaded query={overview}>{(data) => <Summary overview={data} />}</Loaded>
      <BackupList isBusy={running !== null} />
      <UploadCard />
    </Page>
  )
}

function Summary({ overview }: { overview: Overview }) {
  const { latest, total, size, next, actionItems } = overview
  const [newest] = latest
  const isHealthy = !actionItems.some(({ impact }) => impact === 'high')
  return (
    <>
      <Stats>
        <Stat
          label={__('Status', 'pentad')}
          value={
            <Badge
              size="lg"
              variant="light"
              color={isHealthy ? 'teal' : 'red'}
              h="auto"
              styles={{ label: { whiteSpace: 'normal' } }}
            >
              {isHealthy ? __('Good', 'pentad') : __('Needs attention', 'pentad')}
            </Badge>
          }
        />
        <Stat
          label={__('Last backup', 'pentad')}
          value={newest ? capitalized(formatAgo(newest.date)) : __('None yet', 'pentad')}
          hint={newest?.title}
        />
        <Stat
          label={__('Next scheduled backup', 'pentad')}
          value={next === null ? __('Not scheduled', 'pentad') : capitalized(formatAgo(next))}
          hint={next === null ? '' : formatTime(next)}
        />
        <Stat
          label={__('Stored backups', 'pentad')}
          value={sprintf(_n('%s backup', '%s backups', total, 'pentad'), formatNumber(total))}
          hint={total > 0 && formatBytes(size)}
        />
      </Stats>
      {actionItems.length > 0 && (
        <Section title={__('Recommendations', 'pentad')}>
          <ActionItems items={actionItems} linkOf={(item) => linkOf(item, overview)} />
        </Section>
      )}
    </>
  )
}

/** `In 2 hours`: capitalized for use on its own. */
function capitalized(text: string): string {
  return text.charAt(0).toLocaleUpperCase(pageData.locale.language) + text.slice(1)
}
