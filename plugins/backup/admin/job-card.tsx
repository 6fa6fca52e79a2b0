import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { ApiError } from 'pentad/admin/api/error.ts'
import { invalidate, useChange, useRead } from 'pentad/admin/api/query.ts'
import { change } from 'pentad/admin/api/rest.ts'
import { __ } from 'pentad/admin/i18n.ts'
import { confirm } from 'pentad/admin/parts/confirm.tsx'
import { notifyDone, notifyFailed } from 'pentad/admin/parts/notify.ts'
import { ProgressBar } from 'pentad/admin/parts/progress-bar.tsx'
import { Section } from 'pentad/admin/parts/section.tsx'
import { useEffect } from 'react'
import { Link } from 'react-router'
import { amountOf, progressLabel } from './labels.ts'
import { storedRestore } from './restore-run.ts'
import type { Progress } from './types.ts'

const EVERY = 1000

interface JobCardProps {
  readonly initial: Progress
  /** Called with the job's id when the job has ended. */
  readonly onEnd: (jobId: string) => void
}

/** A backup or restore in progress: requests for its progress also drive it. */
export function JobCard({ initial, onEnd }: JobCardProps) {
  const client = useQueryClient()
  const { jobId, kind, backupId } = initial
  const asked = useRead<Progress>(
    'backup/v1/backup/progress',
    { jobId },
    { every: (data) => (data === undefined || data.state === 'running' ? EVERY : false) },
  )
  const progress = asked.data ?? initial
  const { state, error } = progress
  const message = error?.message
  const isGone = asked.error instanceof ApiError && asked.error.code === 'job_not_found'
  useEffect(() => {
    if (state === 'running' && !isGone) return
    onEnd(jobId)
    if (state === 'complete' && kind === 'backup') notifyDone(__('Backup complete.', 'pentad'))
    if (state === 'failed') notifyFailed(new Error(message))
    void invalidate(client, ['backup/v1/backup/overview', 'backup/v1/backup/fetch', 'backup/v1/backup/locations'])
  }, [jobId, state, isGone, kind, message, client, onEnd])
  const cancel = useChange(() => change('POST', 'backup/v1/backup/cancel', { jobId }), {
    invalidates: ['backup/v1/backup'],
    done: kind === 'backup' ? __('Backup canceled.', 'pentad') : __('Restore canceled.', 'pentad'),
  })
  const title = kind === 'backup' ? __('Backup in progress', 'pentad') : __('Restore in progress', 'pentad')

  async function askAndCancel(): Promise<void> {
    const isSure = await confirm({
      title: kind === 'backup' ? __('Cancel backup?', 'pentad') : __('Cancel restore?', 'pentad'),
      body:
        kind === 'backup'
          ? __('The incomplete archive will be deleted.', 'pentad')
          : __('The site will not be changed.', 'pentad'),
      confirm: kind === 'backup' ? __('Cancel backup', 'pentad') : __('Cancel restore', 'pentad'),
      isDestructive: true,
    })
    if (isSure) cancel.mutate()
  }

  return (
    <Section
      title={title}
      description={__('You can leave this page. The job continues in the background.', 'pentad')}
      actions={
        <>
          {backupId && storedRestore(backupId) && (
            <Button component={Link} to={`/backup/restore/${backupId}`} size="xs" variant="default">
              {__('View progress', 'pentad')}
            </Button>
          )}
          <Button size="xs" variant="default" onClick={askAndCancel} loading={cancel.isPending}>
            {__('Cancel', 'pentad')}
          </Button>
        </>
      }
    >
      <ProgressBar percent={progress.percent} label={progressLabel(progress)} hint={amountOf(progress)} />
    </Section>
  )
}
