import { Button, Group, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { invalidate } from 'pentad/admin/api/query.ts'
import { change } from 'pentad/admin/api/rest.ts'
import { __, _n, sprintf } from 'pentad/admin/i18n.ts'
import { formatNumber } from 'pentad/admin/parts/format.ts'
import { notifyDone } from 'pentad/admin/parts/notify.ts'
import { useState } from 'react'
import type { Change } from '../routes.ts'
import { ChangeCard } from './change-card.tsx'

interface ChangesProps {
  readonly changes: readonly Change[]
  /** Asks the copilot to prepare a change again. */
  readonly onAskAgain?: (change: Change) => void
}

type Decision = 'apply' | 'discard'

/** Proposed changes, to be applied or discarded one by one or all at once. */
export function Changes({ changes, onAskAgain }: ChangesProps) {
  const client = useQueryClient()
  const [busy, setBusy] = useState<readonly number[]>([])
  const [errors, setErrors] = useState<Readonly<Record<number, unknown>>>({})
  const waiting = changes.filter(({ status }) => status === 'proposed')

  /** Sequentially: a change may depend on the previous one. */
  async function decide(decision: Decision, which: readonly Change[]): Promise<void> {
    setBusy(which.map(({ id }) => id))
    let done = 0
    for (const { id } of which) {
      const error = await change('POST', `ai/v1/changes/${id}/${decision}`).then(
        () => undefined,
        (error: unknown) => error,
      )
      if (error === undefined) done++
      setErrors((before) => ({ ...before, [id]: error }))
      setBusy((before) => before.filter((other) => other !== id))
    }
    if (done > 0) notifyDone(messageFor(decision, done))
    // Anything on screen may have been changed.
    await invalidate(client, decision === 'apply' && done > 0 ? [''] : ['ai/v1/changes'])
  }

  if (changes.length === 0) return null
  return (
    <Stack gap="xs">
      {waiting.length > 1 && (
        <Group gap="xs">
          <Text size="sm">
            {sprintf(
              _n('%s pending change', '%s pending changes', waiting.length, 'pentad'),
              formatNumber(waiting.length),
            )}
          </Text>
          <Button size="compact-sm" loading={busy.length > 1} onClick={() => void decide('apply', waiting)}>
            {__('Apply all', 'pentad')}
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            disabled={busy.length > 0}
            onClick={() => void decide('discard', waiting)}
          >
            {__('Discard all', 'pentad')}
          </Button>
        </Group>
      )}
      {changes.map((one) => (
        <ChangeCard
          key={one.id}
          change={one}
          error={errors[one.id]}
          isBusy={busy.includes(one.id)}
          onApply={() => void decide('apply', [one])}
          onDiscard={() => void decide('discard', [one])}
          {...(onAskAgain && { onAskAgain: () => onAskAgain(one) })}
        />
      ))}
    </Stack>
  )
}

function messageFor(decision: Decision, count: number): string {
  return sprintf(
    decision === 'apply'
      ? _n('%s change applied.', '%s changes applied.', count, 'pentad')
      : _n('%s change discarded.', '%s changes discarded.', count, 'pentad'),
    formatNumber(count),
  )
}
