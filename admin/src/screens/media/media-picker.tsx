import { Button, FileButton, Group, Modal, Stack, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch, IconUpload } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useList } from '../../api/query.ts'
import { __, _n, sprintf } from '../../i18n.ts'
import { can } from '../../page-data.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { DropArea } from './drop-area.tsx'
import { MEDIA, type MediaItem } from './media-item.ts'
import { MediaPages } from './media-pages.tsx'
import { UploadPanel } from './upload-panel.tsx'
import { clearDoneUploads, startUploads } from './uploads.ts'

interface MediaPickerProps {
  readonly opened: boolean
  readonly onClose: () => void
  /** Called with the selected files; then the picker closes. */
  readonly onPick: (items: readonly MediaItem[]) => void
  /** Limits the selection to this type. */
  readonly accept?: 'image' | 'video' | 'audio'
  readonly multiple?: boolean
  readonly title?: string
}

/** Selects files from the media library, and uploads new ones. */
export function MediaPicker(props: MediaPickerProps) {
  const { opened, onClose, multiple = false, title } = props
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size="xl"
      title={title ?? (multiple ? __('Select files', 'pentad') : __('Select a file', 'pentad'))}
    >
      {opened && <Picker {...props} />}
    </Modal>
  )
}

function Picker({ onClose, onPick, accept, multiple = false }: MediaPickerProps) {
  const [search, setSearch] = useState('')
  const [asked] = useDebouncedValue(search.trim(), 300)
  const [page, setPage] = useState(1)
  const [picked, setPicked] = useState<readonly MediaItem[]>([])
  // Every author may insert any file, so the list is requested in view context: in edit context, users see only the files
  // they may edit.
  const context = can('edit_others_posts') ? 'edit' : 'view'
  const list = useList<MediaItem>(MEDIA, { context, per_page: 24, page, search: asked, media_type: accept })
  const toggle = (item: MediaItem) =>
    setPicked((before) => {
      if (before.some(({ id }) => id === item.id)) return before.filter(({ id }) => id !== item.id)
      return multiple ? [...before, item] : [item]
    })
  // Uploads of an earlier selection.
  useEffect(clearDoneUploads, [])
  function upload(files: readonly File[]): void {
    // In the order in which they were selected, not in that in which they arrive.
    const places = new Map<number, number>()
    const placeOf = ({ id }: MediaItem) => places.get(id) ?? -1
    startUploads(multiple ? files : files.slice(0, 1), (item, place) => {
      places.set(item.id, place)
      setPicked((now) => {
        if (!multiple) return [item]
        return [...now.filter(({ id }) => id !== item.id), item].sort((a, b) => placeOf(a) - placeOf(b))
      })
    })
  }
  return (
    <DropArea onFiles={upload}>
      <Stack>
        <Group justify="space-between">
          <TextInput
            type="search"
            aria-label={__('Search files', 'pentad')}
            placeholder={__('Search files', 'pentad')}
            leftSection={<IconSearch size={16} aria-hidden />}
            value={search}
            data-autofocus
            onChange={({ currentTarget: { value } }) => {
              setSearch(value)
              setPage(1)
            }}
          />
          {can('upload_files') && (
            <FileButton
              multiple={multiple}
              accept={accept && `${accept}/*`}
              onChange={(files: File | File[] | null) => upload(files === null ? [] : [files].flat())}
              inputProps={{ 'aria-label': __('Files to upload', 'pentad') }}
            >
              {(button) => (
                <Button {...button} variant="default" leftSection={<IconUpload size={16} aria-hidden />}>
                  {__('Upload', 'pentad')}
                </Button>
              )}
            </FileButton>
          )}
        </Group>
        <UploadPanel />
        <MediaPages
          list={list}
          query={{ page, setPage }}
          picked={picked.map(({ id }) => id)}
          onOpen={toggle}
          empty={
            <EmptyState title={asked ? __('No files found', 'pentad') : __('No files yet', 'pentad')}>
              {asked
                ? __('Try a different search.', 'pentad')
                : can('upload_files')
                  ? __('Upload the first file with the button above.', 'pentad')
                  : __('Ask an author or editor to upload files.', 'pentad')}
            </EmptyState>
          }
        />
        <Group justify="flex-end">
          <Button variant="subtle" onClick={onClose}>
            {__('Cancel', 'pentad')}
          </Button>
          <Button
            disabled={picked.length === 0}
            onClick={() => {
              onPick(picked)
              onClose()
            }}
          >
            {multiple && picked.length > 0
              ? sprintf(_n('Use %d file', 'Use %d files', picked.length, 'pentad'), picked.length)
              : __('Use this file', 'pentad')}
          </Button>
        </Group>
      </Stack>
    </DropArea>
  )
}
