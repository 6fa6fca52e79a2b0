import { Button, FileButton, Group, Stack, Text } from '@mantine/core'
import type { WaitingUpload } from 'pentad/admin/api/chunked-upload.ts'
import { useChange, useRead } from 'pentad/admin/api/query.ts'
import { change } from 'pentad/admin/api/rest.ts'
import { __, sprintf } from 'pentad/admin/i18n.ts'
import { formatAgo, formatBytes, formatPercent } from 'pentad/admin/parts/format.ts'
import { Section } from 'pentad/admin/parts/section.tsx'
import { UploadProgress } from 'pentad/admin/parts/upload-progress.tsx'
import { useSyncExternalStore } from 'react'
import { startUpload, uploader } from './upload.ts'

/** Uploads an archive in chunks, so that the upload can be paused and resumed. */
export function UploadCard() {
  const upload = useSyncExternalStore(uploader.onChange, uploader.current)
  return (
    <Section
      title={__('Upload an archive', 'pentad')}
      description={__(
        'Upload a backup from this site or another Pentad site. Pentad verifies the archive, then adds it to the list.',
        'pentad',
      )}
    >
      {upload ? <UploadProgress upload={upload} uploader={uploader} onStart={startUpload} /> : <Begin />}
    </Section>
  )
}

function Begin() {
  const waiting = useRead<{ readonly items: readonly WaitingUpload[] }>('backup/v1/backup/upload/fetch')
  return (
    <Stack gap="sm" align="flex-start">
      {waiting.data?.items.map((item) => (
        <Unfinished key={item.uploadId} item={item} />
      ))}
      <FileButton
        accept=".gz,.tgz,.zst,application/gzip,application/zstd"
        inputProps={{ 'aria-label': __('Archive', 'pentad') }}
        onChange={(file) => file && void startUpload(file)}
      >
        {(props) => (
          <Button variant="default" {...props}>
            {__('Select archive', 'pentad')}
          </Button>
        )}
      </FileButton>
    </Stack>
  )
}

/** An upload that was interrupted, in this tab or another. */
function Unfinished({ item }: { item: WaitingUpload }) {
  const { uploadId, fileName, size, received, total, expires } = item
  const remove = useChange(() => change('DELETE', 'backup/v1/backup/upload/remove', { uploadId }), {
    invalidates: ['backup/v1/backup/upload'],
    done: sprintf(__('Incomplete upload of “%s” deleted.', 'pentad'), fileName),
  })
  return (
    <Group gap="sm">
      <Text size="sm">
        {sprintf(
          /* translators: name of a file, its size, per cent, when it is forgotten: "in 3 hours" */
          __(
            '“%1$s” (%2$s): %3$s uploaded. Select the same file to resume. The incomplete upload will be deleted %4$s.',
            'pentad',
          ),
          fileName,
          formatBytes(size ?? 0),
          formatPercent(total ? Math.floor((100 * received) / total) / 100 : 0),
          formatAgo(expires),
        )}
      </Text>
      <Button
        size="xs"
        variant="default"
        loading={remove.isPending}
        aria-label={sprintf(__('Remove “%s”', 'pentad'), fileName)}
        onClick={() => remove.mutate()}
      >
        {__('Remove', 'pentad')}
      </Button>
    </Group>
  )
}
