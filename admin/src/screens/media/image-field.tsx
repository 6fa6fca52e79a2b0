import { Button, Group, Image, Input, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPhotoPlus } from '@tabler/icons-react'
import { lazy, Suspense, useRef } from 'react'
import { useRead } from '../../api/query.ts'
import { __, sprintf } from '../../i18n.ts'
import { MEDIA, type MediaItem, nameOf, thumbnailOf } from './media-item.ts'

const MediaPicker = lazy(async () => ({ default: (await import('./media-picker.tsx')).MediaPicker }))

interface ImageFieldProps {
  /** Name of its button, so that links can focus it. */
  readonly name?: string
  readonly label: string
  readonly description?: string | undefined
  readonly error?: string | undefined
  /** Id of the image; 0 if there is none. */
  readonly value: number
  readonly onChange: (id: number, item?: MediaItem) => void
}

/** An image of the media library, stored by its id. */
export function useImage(id: number) {
  return useRead<MediaItem>(`${MEDIA}/${id}`, { context: 'edit' }, { enabled: id > 0 })
}

/** Selects one image of the media library, or none. */
export function ImageField({ name, label, description, error, value, onChange }: ImageFieldProps) {
  const [isOpen, picker] = useDisclosure()
  const button = useRef<HTMLButtonElement>(null)
  const { data, isError } = useImage(value)
  const image = value > 0 ? data : undefined
  const choose = value > 0 ? __('Replace image', 'pentad') : __('Select image', 'pentad')
  return (
    <Input.Wrapper label={label} description={description} error={error} labelElement="div">
      <Group mt={6} wrap="nowrap">
        {image && <Image src={thumbnailOf(image)} alt={image.alt_text} w={64} h={64} fit="contain" radius="sm" />}
        <Stack gap={4}>
          {image && <Text size="sm">{nameOf(image)}</Text>}
          {value > 0 && isError && (
            <Text size="sm" c="var(--mantine-color-error)">
              {__('This image no longer exists. Select another one.', 'pentad')}
            </Text>
          )}
          <Group gap="xs">
            <Button
              ref={button}
              size="xs"
              variant="default"
              leftSection={<IconPhotoPlus size={14} aria-hidden />}
              name={name}
              onClick={picker.open}
              aria-label={sprintf(__('%1$s: %2$s', 'pentad'), choose, label)}
            >
              {choose}
            </Button>
            {value > 0 && (
              <Button
                size="xs"
                variant="subtle"
                color="red"
                onClick={() => {
                  onChange(0)
                  button.current?.focus()
                }}
                aria-label={sprintf(__('%1$s: %2$s', 'pentad'), __('Remove', 'pentad'), label)}
              >
                {__('Remove', 'pentad')}
              </Button>
            )}
          </Group>
        </Stack>
      </Group>
      <Suspense fallback={null}>
        {isOpen && (
          <MediaPicker
            opened
            onClose={picker.close}
            accept="image"
            onPick={([picked]) => picked && onChange(picked.id, picked)}
          />
        )}
      </Suspense>
    </Input.Wrapper>
  )
}
