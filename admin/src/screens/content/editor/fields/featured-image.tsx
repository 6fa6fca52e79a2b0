import { Button, Group, Image, Stack, TextInput } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useState } from 'react'
import { useChange, useRead } from '../../../../api/query.ts'
import { change } from '../../../../api/rest.ts'
import { __ } from '../../../../i18n.ts'
import { useCloseGuard } from '../../../../parts/leave-guard.ts'
import { Loaded } from '../../../../parts/loaded.tsx'
import { MEDIA, type MediaItem, mayEdit, thumbnailOf } from '../../../media/media-item.ts'
import { MediaPicker } from '../../../media/media-picker.tsx'
import type { ContentType } from '../../types.ts'

interface FeaturedImageProps {
  readonly type: ContentType
  /** 0 if there is none. */
  readonly id: number
  readonly onChange: (id: number) => void
}

const FIELDS = 'id,author,title,alt_text,mime_type,source_url,media_details'

/** The image that represents a post in lists and on social networks. */
export function FeaturedImage({ type: { labels }, id, onChange }: FeaturedImageProps) {
  const [isPicking, setPicking] = useState(false)
  const image = useRead<MediaItem>(`wp/v2/media/${id}`, { _fields: FIELDS }, { enabled: id > 0 })
  return (
    <Stack gap="xs">
      {id > 0 && (
        <Loaded query={image}>
          {(item) => (
            <>
              <Image src={thumbnailOf(item)} alt={item.alt_text} radius="md" mah={220} fit="contain" />
              {mayEdit(item) && <AltText key={id} item={item} />}
            </>
          )}
        </Loaded>
      )}
      <Group gap="xs">
        <Button size="xs" variant="default" onClick={() => setPicking(true)}>
          {id > 0 ? __('Replace image', 'pentad') : (labels.set_featured_image ?? __('Set featured image', 'pentad'))}
        </Button>
        {id > 0 && (
          <Button size="xs" variant="default" c="var(--mantine-color-error)" onClick={() => onChange(0)}>
            {labels.remove_featured_image ?? __('Remove featured image', 'pentad')}
          </Button>
        )}
      </Group>
      <MediaPicker
        opened={isPicking}
        onClose={() => setPicking(false)}
        accept="image"
        onPick={([item]) => item && onChange(item.id)}
      />
    </Stack>
  )
}

/** The alternative text in the media library, which the theme shows; saved when the field is left, or with the post by keyboard. */
function AltText({ item: { id, alt_text } }: { item: MediaItem }) {
  const [typed, setTyped] = useState<string>()
  useCloseGuard(typed !== undefined)
  const save = useChange((text: string) => change('POST', `${MEDIA}/${id}`, { alt_text: text.trim() }), {
    invalidates: [MEDIA],
    done: __('Alternative text saved.', 'pentad'),
  })
  const store = () => {
    if (typed === undefined) return
    if (typed.trim() === alt_text) return setTyped(undefined)
    // What is typed meanwhile stays.
    save.mutate(typed, { onSuccess: () => setTyped((now) => (now === typed ? undefined : now)) })
  }
  useHotkeys([['mod+S', store]], [], true)
  return (
    <TextInput
      label={__('Alternative text', 'pentad')}
      description={__('Stored with the image in the media library.', 'pentad')}
      value={typed ?? alt_text}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={store}
    />
  )
}
