import { Button, Group, Input, Text } from '@mantine/core'
import { __, sprintf } from '@wordpress/i18n'
import { useState } from 'react'
import { useRead } from '../../api/query.ts'
import { MEDIA, type MediaItem, nameOf } from '../media/media-item.ts'
import { MediaPicker } from '../media/media-picker.tsx'
import { Thumbnail } from '../media/thumbnail.tsx'

interface ImageFieldProps {
  readonly label: string
  readonly description?: string
  /** Id of an image; 0 for none. */
  readonly value: number
  readonly onChange: (id: number) => void
}

/** One picture of the media library. */
export function ImageField({ label, description, value, onChange }: ImageFieldProps) {
  const [isPicking, setPicking] = useState(false)
  const image = useRead<MediaItem>(`${MEDIA}/${value}`, { context: 'edit' }, { enabled: value > 0 })
  const shown = value > 0 ? image.data : undefined
  return (
    <Input.Wrapper label={label} description={description} labelElement="div">
      <Group mt={6} gap="sm">
        {shown && <Thumbnail item={shown} size={56} />}
        {shown && <Text size="sm">{nameOf(shown)}</Text>}
        {value > 0 && image.error && (
          <Text size="sm" c="dimmed">
            {__('The picture is not there any more.', 'pentad')}
          </Text>
        )}
        <Button
          variant="default"
          size="xs"
          onClick={() => setPicking(true)}
          aria-label={sprintf(__('Choose a picture: %s', 'pentad'), label)}
        >
          {value > 0 ? __('Choose another', 'pentad') : __('Choose', 'pentad')}
        </Button>
        {value > 0 && (
          <Button
            variant="subtle"
            size="xs"
            onClick={() => onChange(0)}
            aria-label={sprintf(__('Take away: %s', 'pentad'), label)}
          >
            {__('Take away', 'pentad')}
          </Button>
        )}
      </Group>
      <MediaPicker
        opened={isPicking}
        onClose={() => setPicking(false)}
        accept="image"
        onPick={([item]) => item && onChange(item.id)}
      />
    </Input.Wrapper>
  )
}
