import { Alert, Anchor, Badge, Button, Group, Paper, Stack, Text } from '@mantine/core'
import { ApiError } from 'pentad/admin/api/error.ts'
import { __, sprintf } from 'pentad/admin/i18n.ts'
import { DiffView } from 'pentad/admin/parts/diff-view.tsx'
import { ErrorNote } from 'pentad/admin/parts/error-note.tsx'
import { Link } from 'react-router'
import type { Change, ChangeStatus } from '../routes.ts'

interface ChangeCardProps {
  readonly change: Change
  readonly error: unknown
  readonly isBusy: boolean
  readonly onApply: () => void
  readonly onDiscard: () => void
  readonly onAskAgain?: () => void
}

const STATUSES: Readonly<Record<ChangeStatus, { readonly label: string; readonly color: string }>> = {
  proposed: { label: __('Proposed', 'pentad'), color: 'pentad' },
  applying: { label: __('Applying', 'pentad'), color: 'yellow' },
  applied: { label: __('Applied', 'pentad'), color: 'teal' },
  discarded: { label: __('Discarded', 'pentad'), color: 'gray' },
}

/** A proposed change with a diff, and the buttons to apply or discard it. */
export function ChangeCard({ change, error, isBusy, onApply, onDiscard, onAskAgain }: ChangeCardProps) {
  const { summary, status, before, after } = change
  const isStale = error instanceof ApiError && error.code === 'change_stale'
  return (
    <Paper withBorder p="sm" component="article" aria-label={summary}>
      <Stack gap="xs">
        <Group justify="space-between" align="flex-start" wrap="nowrap" gap="xs">
          <div>
            <Text size="sm" fw={600}>
              {summary}
            </Text>
            <Target change={change} />
          </div>
          <Badge variant="dot" color={STATUSES[status].color} flex="none">
            {STATUSES[status].label}
          </Badge>
        </Group>
        <DiffView before={before} after={after} />
        {isStale && <Stale error={error} before={before} />}
        {error !== undefined && !isStale && status === 'proposed' && <ErrorNote error={error} onRetry={onApply} />}
        {status === 'proposed' && (
          <Group gap="xs">
            {isStale && onAskAgain ? (
              <Button size="compact-sm" onClick={onAskAgain}>
                {__('Ask again', 'pentad')}
              </Button>
            ) : (
              <Button
                size="compact-sm"
                loading={isBusy}
                onClick={onApply}
                aria-label={sprintf(__('Apply: %s', 'pentad'), summary)}
              >
                {__('Apply', 'pentad')}
              </Button>
            )}
            <Button
              size="compact-sm"
              variant="default"
              disabled={isBusy}
              onClick={onDiscard}
              aria-label={sprintf(__('Discard: %s', 'pentad'), summary)}
            >
              {__('Discard', 'pentad')}
            </Button>
          </Group>
        )}
      </Stack>
    </Paper>
  )
}

function Target({ change: { target } }: { change: Change }) {
  if (target.type === 'post' && typeof target.id === 'number') {
    return (
      <Anchor component={Link} to={`/posts/${target.id}`} size="xs">
        {target.title || __('(no title)', 'pentad')}
      </Anchor>
    )
  }
  return (
    <Text size="xs" c="dimmed">
      {target.title}
    </Text>
  )
}

/** The content has changed since: the proposed change no longer applies. */
function Stale({ error, before }: { error: ApiError; before: Change['before'] }) {
  const current = isRecord(error.data.current) ? error.data.current : null
  return (
    <Alert color="yellow" role="alert" title={__('Content has changed', 'pentad')}>
      <Text size="sm">
        {__(
          'The content was changed after the copilot read it, so the proposed change is out of date. Discard it, or ask the copilot again. What changed:',
          'pentad',
        )}
      </Text>
      <DiffView before={before} after={current} />
    </Alert>
  )
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
