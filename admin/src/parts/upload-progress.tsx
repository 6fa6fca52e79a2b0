import { Button, Group, Stack } from '@mantine/core'
import type { Upload, Uploader } from '../api/chunked-upload.ts'
import { __, sprintf } from '../i18n.ts'
import { ErrorNote } from './error-note.tsx'
import { formatBytes } from './format.ts'
import { ProgressBar } from './progress-bar.tsx'

interface UploadProgressProps {
  readonly upload: Upload
  readonly uploader: Uploader
  /** Uploads the same file again. */
  readonly onStart: (file: File) => Promise<unknown>
}

/** The progress of an upload, with its controls. */
export function UploadProgress({ upload, uploader, onStart }: UploadProgressProps) {
  const { file, phase, sent, error } = upload
  return (
    <Stack gap="sm">
      <ProgressBar
        percent={phase === 'checking' ? 100 : (100 * sent) / file.size}
        label={labelOf(upload)}
        hint={sprintf(__('%1$s of %2$s', 'pentad'), formatBytes(sent), formatBytes(file.size))}
      />
      {phase === 'failed' && <ErrorNote error={error} title={__('Upload failed', 'pentad')} />}
      <Group gap="xs">
        {phase === 'sending' || phase === 'waiting' ? (
          <Button size="xs" variant="default" onClick={() => uploader.pause()}>
            {__('Pause', 'pentad')}
          </Button>
        ) : (
          phase !== 'checking' && (
            <Button size="xs" onClick={() => void onStart(file)}>
              {phase === 'paused' ? __('Resume', 'pentad') : __('Try again', 'pentad')}
            </Button>
          )
        )}
        {phase !== 'checking' && (
          <Button size="xs" variant="subtle" color="red" onClick={() => void uploader.cancel()}>
            {__('Cancel upload', 'pentad')}
          </Button>
        )}
      </Group>
    </Stack>
  )
}

function labelOf({ phase, file: { name } }: Upload): string {
  switch (phase) {
    case 'sending':
      return sprintf(__('Uploading “%s”', 'pentad'), name)
    case 'waiting':
      return sprintf(__('Offline. “%s” will upload when the connection is back.', 'pentad'), name)
    case 'paused':
      return sprintf(__('Upload of “%s” paused', 'pentad'), name)
    case 'checking':
      return sprintf(__('Finishing the upload and verifying “%s”', 'pentad'), name)
    case 'failed':
      return sprintf(__('Could not upload “%s”', 'pentad'), name)
  }
}
