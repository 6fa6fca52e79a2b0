import { Button, Stack, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { invalidate, queryClient, useChange, useRead } from '../../api/query.ts'
import { change } from '../../api/rest.ts'
import { __, sprintf } from '../../i18n.ts'
import { confirm } from '../../parts/confirm.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { formatAgo } from '../../parts/format.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { ProgressBar } from '../../parts/progress-bar.tsx'
import { Section } from '../../parts/section.tsx'
import { ChooseFiles } from './choose-files.tsx'
import { ReportView } from './report.tsx'
import { IMPORT, type ImportOrder, type ImportState } from './types.ts'

/** Poll interval in ms of the import in progress. */
const EVERY = 1000

/** WordPress's Tools → Import: the files, the import in progress, the report of the last one. */
export default function Import() {
  const query = useRead<ImportState | null>(IMPORT, undefined, {
    every: (data) => (data?.state === 'running' ? EVERY : false),
  })
  const isRunning = query.data?.state === 'running'
  // Almost every other screen shows imported content.
  useEffect(() => {
    if (!isRunning) void invalidate(queryClient, ['wp/v2', 'host/v1/post-counts', 'host/v1/comment-counts'])
  }, [isRunning])
  /** The failed import that the current selection of files follows: only errors of these files matter then. */
  const [superseded, setSuperseded] = useState('')
  const start = useChange((order: ImportOrder) => change<ImportState>('POST', IMPORT, order), { invalidates: [IMPORT] })
  return (
    <Page
      isForm
      title={__('Import', 'pentad')}
      description={__(
        'Import a WordPress site. On that site, go to Tools → Export and download “All content”. Importing the same file again does not create duplicates.',
        'pentad',
      )}
    >
      <Loaded query={query}>
        {(state) =>
          state?.state === 'running' ? (
            <InProgress state={state} />
          ) : (
            <Stack gap="md">
              {state && state.jobId !== superseded && (
                <Ended state={state} onStart={start.mutate} isStarting={start.isPending} />
              )}
              <ChooseFiles
                onChoose={() => state?.state === 'failed' && setSuperseded(state.jobId)}
                onStart={(order) => start.mutateAsync(order)}
                isStarting={start.isPending}
              />
            </Stack>
          )
        }
      </Loaded>
    </Page>
  )
}

function InProgress({ state }: { state: ImportState }) {
  const cancel = useChange(() => change('POST', `${IMPORT}/cancel`), {
    invalidates: [IMPORT],
    done: __('Import canceled.', 'pentad'),
  })

  async function askAndCancel(): Promise<void> {
    const isSure = await confirm({
      title: __('Cancel import?', 'pentad'),
      body: __('Content that has already been imported will be kept. Import the same file again to finish.', 'pentad'),
      confirm: __('Cancel import', 'pentad'),
      isDestructive: true,
    })
    if (isSure) cancel.mutate()
  }

  return (
    <Section
      title={state.order.dryRun ? __('Dry run in progress', 'pentad') : __('Import in progress', 'pentad')}
      description={__('You can leave this page. The import continues in the background.', 'pentad')}
      actions={
        <Button size="xs" variant="default" loading={cancel.isPending} onClick={() => void askAndCancel()}>
          {__('Cancel', 'pentad')}
        </Button>
      }
    >
      <ProgressBar
        percent={state.percent}
        label={state.message || __('Starting', 'pentad')}
        hint={state.order.files.map(({ name }) => name).join(', ')}
      />
    </Section>
  )
}

interface EndedProps {
  readonly state: ImportState
  readonly onStart: (order: ImportOrder) => void
  readonly isStarting: boolean
}

function Ended({ state, onStart, isStarting }: EndedProps) {
  const { order, report, error, started } = state
  const again: ImportOrder = {
    files: order.files.map(({ uploadId }) => uploadId),
    ...(order.uploads && { uploads: order.uploads.uploadId }),
    ...{ download: order.download, dryRun: false },
  }
  const mayGoOn = order.dryRun && state.state === 'complete'
  return (
    <Section
      title={order.dryRun ? __('Dry run report', 'pentad') : __('Last import report', 'pentad')}
      description={sprintf(
        /* translators: names of files, when: "2 hours ago" */
        __('%1$s, started %2$s', 'pentad'),
        order.files.map(({ name }) => name).join(', '),
        formatAgo(started),
      )}
      actions={
        mayGoOn && (
          <Button loading={isStarting} onClick={() => onStart(again)}>
            {__('Import now', 'pentad')}
          </Button>
        )
      }
    >
      {state.state === 'cancelled' && (
        <Text>{__('The import was canceled. Import the same file again to finish.', 'pentad')}</Text>
      )}
      {error !== null && (
        <ErrorNote
          error={new Error(error)}
          title={order.dryRun ? __('Dry run failed', 'pentad') : __('Import failed', 'pentad')}
        />
      )}
      {report && <ReportView report={report} />}
    </Section>
  )
}
