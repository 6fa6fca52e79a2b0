import { ActionIcon, Button, FileButton, Group, Stack, Switch, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useState, useSyncExternalStore } from 'react'
import { createUploader } from '../../api/chunked-upload.ts'
import { invalidate, queryClient } from '../../api/query.ts'
import { __, sprintf } from '../../i18n.ts'
import { formatBytes } from '../../parts/format.ts'
import { Section } from '../../parts/section.tsx'
import { UploadProgress } from '../../parts/upload-progress.tsx'
import { IMPORT, type ImportOrder } from './types.ts'

const uploader = createUploader(`${IMPORT}/upload`, () => invalidate(queryClient, [`${IMPORT}/upload`]))

interface ChooseFilesProps {
  readonly onChoose: () => void
  readonly onStart: (order: ImportOrder) => Promise<unknown>
  readonly isStarting: boolean
}

/** The files of an import and its options. They are uploaded one after the other, then the import starts. */
export function ChooseFiles({ onChoose, onStart, isStarting }: ChooseFilesProps) {
  const [files, setFiles] = useState<readonly File[]>([])
  const [media, setMedia] = useState<File | null>(null)
  const [download, setDownload] = useState(false)
  const [uploaded, setUploaded] = useState<ReadonlyMap<File, string>>(new Map())
  const [isDryRun, setDryRun] = useState(false)
  const upload = useSyncExternalStore(uploader.onChange, uploader.current)

  /** Resumes where it stopped: files that were uploaded are not sent again. */
  async function run(dryRun: boolean): Promise<void> {
    setDryRun(dryRun)
    const ids = new Map(uploaded)
    for (const file of [...files, ...(media ? [media] : [])]) {
      const id = ids.get(file) ?? (await uploader.start(file))
      if (id === undefined) return
      ids.set(file, id)
      setUploaded(new Map(ids))
    }
    const idOf = (file: File) => ids.get(file) ?? ''
    await onStart({ files: files.map(idOf), ...(media && { uploads: idOf(media) }), download, dryRun })
  }

  const isBusy = isStarting || upload !== undefined
  const empty = [...files, ...(media ? [media] : [])].filter(({ size }) => size === 0)
  const disabled = files.length === 0 || empty.length > 0 || isBusy
  return (
    <Section
      title={__('Import files', 'pentad')}
      description={__(
        'Select the export file from the old site (XML, gzip, or ZIP). If the export was split, select all of its files. To import media files, add an archive of the wp-content/uploads folder, or download them from the old site while it is still online.',
        'pentad',
      )}
    >
      <Stack gap="md" align="flex-start">
        <FileButton
          multiple
          accept=".xml,.gz,.zip,.wxr"
          inputProps={{ 'aria-label': __('Export files', 'pentad') }}
          onChange={(chosen) => {
            setFiles([...files, ...chosen])
            onChoose()
          }}
        >
          {(props) => (
            <Button variant="default" disabled={isBusy} {...props}>
              {__('Select export files', 'pentad')}
            </Button>
          )}
        </FileButton>
        {files.map((file) => (
          <Chosen
            key={`${file.name} ${file.size} ${file.lastModified}`}
            file={file}
            disabled={isBusy}
            onRemove={() => setFiles(files.filter((one) => one !== file))}
          />
        ))}
        <FileButton
          accept=".zip,.tar,.gz,.tgz"
          inputProps={{ 'aria-label': __('Uploads archive', 'pentad') }}
          onChange={(chosen) => {
            setMedia(chosen)
            onChoose()
          }}
        >
          {(props) => (
            <Button variant="default" disabled={isBusy} {...props}>
              {__('Select uploads archive', 'pentad')}
            </Button>
          )}
        </FileButton>
        {media && <Chosen file={media} disabled={isBusy} onRemove={() => setMedia(null)} />}
        <Switch
          label={__('Download missing media', 'pentad')}
          description={__('Downloads media files from the old site if they are missing from the archive.', 'pentad')}
          checked={download}
          disabled={isBusy}
          onChange={(event) => setDownload(event.currentTarget.checked)}
        />
        {empty.length > 0 && (
          <Text role="alert" size="sm" c="red">
            {sprintf(
              /* translators: names of files */
              __('These files are empty: %s. Export them again.', 'pentad'),
              empty.map(({ name }) => name).join(', '),
            )}
          </Text>
        )}
        {upload && <UploadProgress upload={upload} uploader={uploader} onStart={() => run(isDryRun)} />}
        <Group gap="xs">
          <Button disabled={disabled} loading={isStarting && !isDryRun} onClick={() => void run(false)}>
            {__('Import', 'pentad')}
          </Button>
          <Button variant="default" disabled={disabled} loading={isStarting && isDryRun} onClick={() => void run(true)}>
            {__('Dry run', 'pentad')}
          </Button>
          <Text size="sm" c="dimmed">
            {__('A dry run changes nothing and reports what an import would do.', 'pentad')}
          </Text>
        </Group>
      </Stack>
    </Section>
  )
}

function Chosen({ file, disabled, onRemove }: { file: File; disabled: boolean; onRemove: () => void }) {
  return (
    <Group gap="xs">
      <Text size="sm">
        {sprintf(
          /* translators: name of a file, its size */
          __('%1$s (%2$s)', 'pentad'),
          file.name,
          formatBytes(file.size),
        )}
      </Text>
      <ActionIcon
        size="sm"
        variant="subtle"
        disabled={disabled}
        aria-label={sprintf(__('Remove “%s”', 'pentad'), file.name)}
        onClick={onRemove}
      >
        <IconX size={14} aria-hidden />
      </ActionIcon>
    </Group>
  )
}
