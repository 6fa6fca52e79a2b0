import { Alert, Button, Group, Paper, Progress, Stack, Text } from '@mantine/core'
import { __, _n, sprintf } from '../../i18n.ts'
import { formatNumber, formatPercent } from '../../parts/format.ts'
import { clearUploads, retryUpload, type Upload, useUploads } from './uploads.ts'

/** The progress and errors of uploads. */
export function UploadPanel() {
  const uploads = useUploads()
  if (uploads.length === 0) return null
  const under = uploads.filter(({ state }) => state === 'waiting' || state === 'sending').length
  const title = under
    ? sprintf(_n('Uploading %s file', 'Uploading %s files', under, 'pentad'), formatNumber(under))
    : __('Uploads', 'pentad')
  return (
    <Paper withBorder p="sm" role="region" aria-label={__('Uploads', 'pentad')}>
      <Stack gap="xs">
        <Group justify="space-between">
          <Text fw={600} size="sm" aria-live="polite">
            {title}
          </Text>
          {under < uploads.length && (
            <Button size="compact-xs" variant="subtle" onClick={clearUploads}>
              {__('Clear', 'pentad')}
            </Button>
          )}
        </Group>
        {uploads.map((upload) => (
          <Row key={upload.id} upload={upload} />
        ))}
      </Stack>
    </Paper>
  )
}

function Row({ upload: { id, file, percent, state, error, mayRetry } }: { upload: Upload }) {
  if (state === 'failed') {
    return (
      <Alert color="red" p="xs" title={file.name} role="alert">
        <Group justify="space-between">
          <Text size="sm">{error}</Text>
          {mayRetry && (
            <Button size="compact-xs" variant="default" onClick={() => retryUpload(id)}>
              {__('Try again', 'pentad')}
            </Button>
          )}
        </Group>
      </Alert>
    )
  }
  const said =
    state === 'done'
      ? __('Done', 'pentad')
      : state === 'waiting'
        ? __('Waiting', 'pentad')
        : formatPercent(percent / 100)
  return (
    <div>
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" truncate>
          {file.name}
        </Text>
        <Text size="xs" c="dimmed">
          {said}
        </Text>
      </Group>
      {state === 'sending' && (
        <Progress.Root>
          <Progress.Section value={percent} aria-label={file.name} />
        </Progress.Root>
      )}
    </div>
  )
}
