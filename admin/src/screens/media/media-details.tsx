import { Anchor, Button, Drawer, Group, Image, Stack, Table, Textarea, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useChange, useRead } from '../../api/query.ts'
import { change } from '../../api/rest.ts'
import { __, sprintf } from '../../i18n.ts'
import { confirmDelete } from '../../parts/confirm.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { formatBytes, formatTime } from '../../parts/format.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { useFields } from '../../parts/use-fields.ts'
import { AttachedTo } from './attached-to.tsx'
import { canBeEdited, ImageEditor } from './image-editor.tsx'
import { kindOf, largeOf, MEDIA, type MediaItem, mayEdit, nameOf } from './media-item.ts'

/** A file with its editable fields and its properties. */
export function MediaDetails({ id, onClose }: { id: number | undefined; onClose: () => void }) {
  const item = useRead<MediaItem>(`${MEDIA}/${id ?? 0}`, { context: 'edit' }, { enabled: id !== undefined })
  return (
    <Drawer opened={id !== undefined} onClose={onClose} position="right" size="lg" title={__('File', 'pentad')}>
      {id !== undefined && (
        <Loaded query={item}>{(found) => <Details key={found.id} item={found} onClose={onClose} />}</Loaded>
      )}
    </Drawer>
  )
}

function Details({ item, onClose }: { item: MediaItem; onClose: () => void }) {
  const [isEditing, setEditing] = useState(false)
  return (
    <Stack>
      {item.media_type === 'image' && (
        <Image src={largeOf(item)} alt={item.alt_text} mah={320} fit="contain" radius="sm" />
      )}
      {canBeEdited(item) && mayEdit(item) && (
        <Button variant="default" style={{ alignSelf: 'start' }} onClick={() => setEditing(true)}>
          {__('Crop and rotate', 'pentad')}
        </Button>
      )}
      <ImageEditor id={isEditing ? item.id : undefined} onClose={() => setEditing(false)} onEdited={onClose} />
      <DetailsForm item={item} onClose={onClose} />
      <Facts item={item} />
    </Stack>
  )
}

function DetailsForm({ item, onClose }: { item: MediaItem; onClose: () => void }) {
  const isReadOnly = !mayEdit(item)
  const { fields, field } = useFields({
    alt_text: item.alt_text,
    title: item.title.raw ?? '',
    caption: item.caption.raw ?? '',
    description: item.description.raw ?? '',
  })
  const save = useChange(() => change('POST', `${MEDIA}/${item.id}`, fields), {
    invalidates: [MEDIA],
    done: __('Saved.', 'pentad'),
  })
  const remove = useChange(() => change('DELETE', `${MEDIA}/${item.id}`, undefined, { query: { force: true } }), {
    invalidates: [`${MEDIA}`, 'host/v1/post-counts'],
    done: sprintf(__('“%s” was deleted.', 'pentad'), nameOf(item)),
  })
  async function askAndRemove(): Promise<void> {
    const isSure = await confirmDelete(
      nameOf(item),
      __('Posts that use this file will have a broken image or link. This can’t be undone.', 'pentad'),
    )
    if (!isSure) return
    onClose()
    remove.mutate()
  }
  const text = (key: keyof typeof fields) => ({ ...field(key), readOnly: isReadOnly })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {item.media_type === 'image' && (
          <Textarea
            label={__('Alternative text', 'pentad')}
            description={__(
              'Describe the purpose of the image. Leave empty if the image is purely decorative.',
              'pentad',
            )}
            autosize
            {...text('alt_text')}
          />
        )}
        <TextInput label={__('Title', 'pentad')} {...text('title')} />
        <Textarea label={__('Caption', 'pentad')} autosize {...text('caption')} />
        <Textarea label={__('Description', 'pentad')} autosize minRows={2} {...text('description')} />
        {!isReadOnly && (
          <Group justify="space-between">
            <Button type="submit" loading={save.isPending}>
              {__('Save', 'pentad')}
            </Button>
            <Button variant="subtle" color="red" onClick={askAndRemove}>
              {__('Delete file', 'pentad')}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  )
}

function Facts({ item }: { item: MediaItem }) {
  const { width, height, filesize } = item.media_details
  const facts: readonly (readonly [string, string])[] = [
    [__('File name', 'pentad'), item.source_url.split('/').at(-1) ?? ''],
    [__('File type', 'pentad'), kindOf(item)],
    ...(filesize === undefined ? [] : [[__('File size', 'pentad'), formatBytes(filesize)] as const]),
    ...(width && height ? [[__('Dimensions', 'pentad'), `${width} × ${height}`] as const] : []),
    [__('Uploaded on', 'pentad'), formatTime(item.date_gmt)],
  ]
  return (
    <Stack gap="xs">
      <Table aria-label={__('File details', 'pentad')} layout="fixed">
        <Table.Tbody>
          {facts.map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Th w="34%">{name}</Table.Th>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
            </Table.Tr>
          ))}
          <Table.Tr>
            <Table.Th>{__('Attached to', 'pentad')}</Table.Th>
            <Table.Td>
              <AttachedTo id={item.post} />
            </Table.Td>
          </Table.Tr>
        </Table.Tbody>
      </Table>
      <Group gap="xs">
        <CopyButton value={item.source_url} label={__('Copy URL', 'pentad')} />
        <Anchor href={item.source_url} size="sm" target="_blank" rel="noopener">
          {__('Open file', 'pentad')}
        </Anchor>
        <Anchor href={item.link} size="sm" target="_blank" rel="noopener">
          {__('View attachment page', 'pentad')}
        </Anchor>
      </Group>
    </Stack>
  )
}
