import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { change } from 'pentad/admin/api/rest.ts'
import { __ } from 'pentad/admin/i18n.ts'
import { ErrorNote } from 'pentad/admin/parts/error-note.tsx'
import { ProgressBar } from 'pentad/admin/parts/progress-bar.tsx'
import { Section } from 'pentad/admin/parts/section.tsx'
import { useEffect, useRef, useState } from 'react'
import { amountOf, progressLabel } from './labels.ts'
import { clearStoredRestore, followRestore, signInToRestored, type storedRestore } from './restore-run.ts'
import type { Progress } from './types.ts'

type StoredRestore = NonNullable<ReturnType<typeof storedRestore>>

/** Makes the restored site show a notice, with a link to the backup that undoes the restore. */
const restored = ({ safetyBackup = '' }: StoredRestore) => `/wp-admin/backup?restored=${safetyBackup}`

/** Follows a restore started in this tab to its end; then the page reloads, logged in to the restored site. */
export function RestoreProgress({ stored, onEnd }: { stored: StoredRestore; onEnd: () => void }) {
  const [progress, setProgress] = useState<Progress | null>()
  const [failure, setFailure] = useState<unknown>()
  const [isSigningIn, setSigningIn] = useState(false)
  const [isCanceling, setCanceling] = useState(false)
  const isReplaced = useRef(false)

  useEffect(() => {
    const leaving = new AbortController()
    const { signal } = leaving
    async function run(): Promise<void> {
      const end = await followRestore(stored, setProgress, signal)
      if (end.state === 'complete') {
        isReplaced.current = true
        setSigningIn(true)
        await signInToRestored(stored)
        clearStoredRestore()
        window.location.assign(restored(stored))
        return
      }
      clearStoredRestore()
      const cancelled = __('The restore was canceled. The site was not changed.', 'pentad')
      setFailure(new Error(end.state === 'failed' ? end.error?.message : cancelled))
    }
    run().catch((error: unknown) => {
      if (signal.aborted) return
      clearStoredRestore()
      setSigningIn(false)
      setFailure(error)
    })
    return () => leaving.abort()
  }, [stored])

  async function cancel(): Promise<void> {
    setCanceling(true)
    // If it is too late to cancel, the progress shows it.
    await change('POST', 'backup/v1/backup/cancel', { jobId: stored.jobId }).catch(() => {})
    setCanceling(false)
  }

  if (failure !== undefined) {
    return isReplaced.current ? (
      <Section title={__('Site restored', 'pentad')}>
        <ErrorNote error={failure} title={__('You could not be logged in automatically', 'pentad')} />
        <Anchor href="/wp-login.php">{__('Log in to the restored site', 'pentad')}</Anchor>
      </Section>
    ) : (
      <Stack align="flex-start">
        <ErrorNote error={failure} title={__('The site was not restored', 'pentad')} />
        <Button variant="default" onClick={onEnd}>
          {__('Back', 'pentad')}
        </Button>
      </Stack>
    )
  }
  const canCancel = progress?.state === 'running' && progress.stage !== 'finish'
  return (
    <Section title={__('Restore in progress', 'pentad')}>
      <ProgressBar
        percent={isSigningIn ? 100 : (progress?.percent ?? (progress === null ? 99 : 0))}
        label={labelOf(progress, isSigningIn)}
        hint={progress ? amountOf(progress) : undefined}
      />
      <Text size="sm" c="dimmed">
        {__('Keep this page open: it logs you in to the restored site.', 'pentad')}
      </Text>
      <Group>
        <Button variant="default" disabled={!canCancel} loading={isCanceling} onClick={cancel}>
          {__('Cancel restore', 'pentad')}
        </Button>
      </Group>
    </Section>
  )
}

function labelOf(progress: Progress | null | undefined, isSigningIn: boolean): string {
  if (isSigningIn) return __('Logging you in to the restored site', 'pentad')
  if (progress === null)
    return __('The site is briefly unavailable while it switches to the restored version', 'pentad')
  if (!progress) return __('Starting', 'pentad')
  return progressLabel(progress)
}
